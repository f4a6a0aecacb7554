/** The door described: an OpenAPI document of the calls and a JSON schema of the stream, from the shapes alone. */
import { jsonSchema } from '@fairgame/contract';
import type * as z from 'zod/mini';
import { EXCEPTION_CODES } from './errors.ts';
import { identityShape, OPERATION_SHAPES, type OperationShape } from './shapes.ts';
import { STREAM_ASKED, STREAM_TOLD } from './shapes-stream.ts';

type Json = Record<string, unknown>;

function schema(shape: z.ZodMiniType): Json {
  const { $schema: _, ...rest } = jsonSchema(shape) as Json;
  return rest;
}
const content = (of: Json, type = 'application/json'): Json => ({ content: { [type]: { schema: of } } });
const headers = (...names: Array<'application' | 'session'>) => [
  Object.fromEntries(names.map((name) => [name, [] as string[]])),
];

function restOperation({ name, asked, answered }: OperationShape): Json {
  return {
    post: {
      operationId: name,
      security: headers(...(name === 'getDeveloperAppKeys' ? [] : (['application'] as const)), 'session'),
      requestBody: { required: true, ...content(schema(asked)) },
      responses: {
        200: { description: 'What was asked for.', ...content(schema(answered)) },
        400: { description: 'Refused; nothing was done.', ...content({ $ref: '#/components/schemas/Fault' }) },
      },
    },
  };
}

const METHODS = {
  betting: 'SportsAPING',
  account: 'AccountAPING',
  heartbeat: 'HeartbeatAPING',
  scores: 'ScoresAPING',
} as const;

function rpc(area: keyof typeof METHODS): Json {
  const methods = OPERATION_SHAPES.filter(({ api }) => api === area).map(({ name }) => `${METHODS[area]}/v1.0/${name}`);
  const call = {
    type: 'object',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: { const: '2.0' },
      method: { enum: methods },
      params: { type: 'object', description: 'As the body of the REST operation of this name.' },
      id: {},
    },
  };
  const answer = {
    type: 'object',
    required: ['jsonrpc'],
    properties: {
      jsonrpc: { const: '2.0' },
      result: { description: 'As the answer of the REST operation.' },
      error: { $ref: '#/components/schemas/RpcError' },
      id: {},
    },
  };
  const oneOrMany = (one: Json): Json => ({ anyOf: [one, { type: 'array', items: one }] });
  return {
    post: {
      operationId: `${area}.rpc`,
      security: headers('application', 'session'),
      requestBody: { required: true, ...content(oneOrMany(call)) },
      responses: { 200: { description: 'Always, whatever is said.', ...content(oneOrMany(answer)) } },
    },
  };
}

function identity(name: string, form: boolean): Json {
  const fields = { type: 'object', required: ['username', 'password'], properties: { username: {}, password: {} } };
  const answer =
    name === 'certlogin'
      ? {
          type: 'object',
          required: ['loginStatus'],
          properties: { loginStatus: { type: 'string' }, sessionToken: { type: 'string' } },
        }
      : schema(identityShape);
  const operation = {
    operationId: name,
    security: form ? headers('application') : headers('application', 'session'),
    ...(form ? { requestBody: { required: true, ...content(fields, 'application/x-www-form-urlencoded') } } : {}),
    responses: { 200: { description: 'Always, whatever is said.', ...content(answer) } },
  };
  return form ? { post: operation } : { post: operation, get: { ...operation, operationId: `${name}.get` } };
}

const exception: Json = {
  type: 'object',
  required: ['requestUUID', 'errorCode', 'errorDetails'],
  properties: {
    requestUUID: { type: 'string' },
    errorCode: { enum: EXCEPTION_CODES },
    errorDetails: { type: 'string' },
  },
};
const detail: Json = {
  type: 'object',
  properties: {
    exceptionname: { enum: ['APINGException', 'AccountAPINGException'] },
    APINGException: exception,
    AccountAPINGException: exception,
  },
};

export function programsOpenApi(): Json {
  const rest = OPERATION_SHAPES.filter(({ api }) => api !== 'heartbeat').map((operation) => [
    `/exchange/${operation.api}/rest/v1.0/${operation.name}/`,
    restOperation(operation),
  ]);
  const areas = Object.keys(METHODS) as Array<keyof typeof METHODS>;
  return {
    openapi: '3.1.0',
    info: {
      title: 'fairGame for programs',
      version: '1',
      description:
        'Money and prices are decimal numbers, sizes the stake of the backer. Members that are not named are passed over, null counts as absent.',
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: {
        application: { type: 'apiKey', in: 'header', name: 'X-Application' },
        session: { type: 'apiKey', in: 'header', name: 'X-Authentication' },
      },
      schemas: {
        Fault: {
          type: 'object',
          required: ['faultcode', 'faultstring', 'detail'],
          properties: { faultcode: { const: 'Client' }, faultstring: { type: 'string' }, detail },
        },
        RpcError: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: { type: 'integer' }, message: { type: 'string' }, data: detail },
        },
      },
    },
    paths: {
      '/api/login': identity('login', true),
      '/api/certlogin': identity('certlogin', true),
      '/api/keepAlive': identity('keepAlive', false),
      '/api/logout': identity('logout', false),
      ...Object.fromEntries(areas.map((area) => [`/exchange/${area}/json-rpc/v1`, rpc(area)])),
      ...Object.fromEntries(rest),
    },
  };
}

export function streamSchema(): Json {
  const defs = (of: Readonly<Record<string, z.ZodMiniType>>) =>
    Object.entries(of).map(([name, shape]) => [name, schema(shape)] as const);
  const [asked, told] = [defs(STREAM_ASKED), defs(STREAM_TOLD)];
  const written = asked.map(([name, one]) => [name === 'heartbeat' ? 'heartbeatAsked' : name, one] as const);
  const refs = (of: ReadonlyArray<readonly [string, Json]>) => of.map(([name]) => ({ $ref: `#/$defs/${name}` }));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Lines of the stream for programs',
    description: 'One JSON object a line, CRLF behind each.',
    anyOf: [{ $ref: '#/$defs/fromProgram' }, { $ref: '#/$defs/toProgram' }],
    $defs: {
      fromProgram: { anyOf: refs(written) },
      toProgram: { anyOf: refs(told) },
      ...Object.fromEntries([...written, ...told]),
    },
  };
}
