/**
 * The listener of programs: apart from the website's, with another parser, other bounds and no cookies. Forms for identity,
 * a slash at the end or not, bodies to 256 KiB, HTTP 200 for whatever JSON-RPC and identity say.
 */
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type Api,
  ApiError,
  faultOf,
  operationOf,
  ParamError,
  programsOpenApi,
  type RpcCall,
  readRpc,
  restFault,
  rpcFault,
  rpcResult,
  streamSchema,
} from '@fairgame/exchange-api';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config, ProgramsSettings } from '../config.ts';
import type { Log } from '../db/db.ts';
import { sendShared } from '../http/calls.ts';
import { limitConnections } from '../http/connections.ts';
import { requestId } from '../http/http.ts';
import { fieldTwice } from '../http/input.ts';
import { type SharedAnswer, sharedAnswer } from '../http/shared.ts';
import type { Comer, Entry } from './entry.ts';
import type { Operations } from './operations.ts';

const BODY_LIMIT = 256 * 1024;
const REQUEST_MS = 20_000;
/** Longer than any program leaves a connection alone between two calls of a busy minute. */
const KEEP_ALIVE_MS = 75_000;
const GZIP_FROM = 1400;
const JSON_TYPE = 'application/json';
const pack = promisify(gzip);

export interface ListenerParts {
  config: Config;
  settings: ProgramsSettings;
  log: Log;
  entry: Entry;
  operations: Operations;
}

export function createProgramsListener({ config, settings, log, entry, operations }: ListenerParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: (req: FastifyRequest['raw']) => requestId(req.headers['x-request-id']),
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // A certificate is asked for and not demanded: the key says which one signs in.
    ...(settings.tls ? { https: { ...settings.tls, requestCert: true, rejectUnauthorized: false } } : {}),
  } as object) as unknown as FastifyInstance;
  limitConnections(app, { config, log });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_req, body, done) => done(null, body));
  app.setErrorHandler((error, req, reply) => tooLarge(error, req, reply));
  app.addHook('onSend', async (req, reply, payload) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    // There are programs that look for this word and no more.
    if (String(reply.getHeader('content-type')).startsWith(JSON_TYPE)) reply.header('content-type', JSON_TYPE);
    const accepts = String(req.headers['accept-encoding'] ?? '').includes('gzip');
    if (!accepts || typeof payload !== 'string' || payload.length < GZIP_FROM) return payload;
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return pack(payload);
  });
  identityRoutes(app, entry);
  callRoutes(app, entry, operations);
  documentRoutes(app);
  return app;
}

/** What the door speaks, for machines; without a key. Made and compressed once. */
function documentRoutes(app: FastifyInstance): void {
  const serve = (path: string, make: () => object) => {
    let made: SharedAnswer | undefined;
    app.get(path, (req, reply) => {
      made ??= sharedAnswer(JSON.stringify(make()));
      return sendShared(req, reply, made);
    });
  };
  serve('/openapi.json', programsOpenApi);
  serve('/stream.schema.json', streamSchema);
}

function identityRoutes(app: FastifyInstance, entry: Entry): void {
  const form = (req: FastifyRequest) => {
    const given = new URLSearchParams(typeof req.body === 'string' ? req.body : '');
    const { appKey } = shownBy(req);
    return { userName: given.get('username') ?? '', password: given.get('password') ?? '', appKey };
  };
  app.post('/api/login', (req) => entry.login(form(req), comerOf(req)));
  app.post('/api/certlogin', (req) => entry.certLogin(form(req), comerOf(req)));
  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: '/api/keepAlive',
      handler: (req) => entry.keepAlive(shownBy(req).token, shownBy(req).appKey),
    });
    app.route({ method, url: '/api/logout', handler: (req) => entry.logout(shownBy(req).token, shownBy(req).appKey) });
  }
}

function callRoutes(app: FastifyInstance, entry: Entry, operations: Operations): void {
  const run = (api: Api, name: string, params: unknown, req: FastifyRequest): Promise<unknown> => {
    const { appKey, token } = shownBy(req);
    return operations.run(api, name, params, {
      caller: () => entry.caller(appKey, token, comerOf(req)),
      holder: () => entry.holder(token),
    });
  };

  for (const area of ['betting', 'account', 'heartbeat', 'scores']) {
    const api: Api = area === 'account' ? 'account' : 'betting';
    const rpc = async (req: FastifyRequest) => {
      const text = typeof req.body === 'string' ? req.body : '';
      const read = readRpc(text);
      if (read === 'broken') return rpcFault(null, { code: -32700, message: 'DSC-0012' });
      if (read === 'empty') return rpcFault(null, { code: -32600, message: 'DSC-0014' });
      if (read === 'too long')
        return rpcFault(null, faultOf(api, new ApiError('REQUEST_SIZE_EXCEEDS_LIMIT'), `fg-${req.id}`));
      const twice = fieldTwice(text, read.value);
      if (twice !== null) return rpcFault(null, faultOf(api, new ParamError(twice), `fg-${req.id}`));
      const answers = [];
      // One after the other: what a batch places it may cancel behind it.
      for (const call of read.calls) answers.push(await answered(call));
      return read.batch ? answers : answers[0];

      async function answered(call: RpcCall | null): Promise<object> {
        if (!call) return rpcFault(null, { code: -32600, message: 'DSC-0014' });
        let of = api;
        try {
          const named = operationOf(call.method);
          of = named.api;
          return rpcResult(call.id, await run(named.api, named.name, call.params, req));
        } catch (error) {
          return rpcFault(call.id, faultOf(of, operations.told(error, req.id), `fg-${req.id}`));
        }
      }
    };
    app.post(`/exchange/${area}/json-rpc/v1`, rpc);
    app.post(`/exchange/${area}/json-rpc/v1/*`, rpc);
    app.post<{ Params: { name: string } }>(`/exchange/${area}/rest/v1.0/:name`, async (req, reply) => {
      try {
        const body = typeof req.body === 'string' && req.body.trim() !== '' ? jsonOf(req.body) : {};
        return await run(api, req.params.name, body, req);
      } catch (error) {
        return reply.code(400).send(restFault(faultOf(api, operations.told(error, req.id), `fg-${req.id}`)));
      }
    });
  }
  app.get('/exchange/betting/rest/v1/:locale/navigation/menu.json', async (req, reply) => {
    try {
      return await run('betting', 'navigationMenu', {}, req);
    } catch (error) {
      return reply.code(400).send(restFault(faultOf('betting', operations.told(error, req.id), `fg-${req.id}`)));
    }
  });
}

function jsonOf(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ParamError('body');
  }
  const twice = fieldTwice(text, value);
  if (twice !== null) throw new ParamError(twice);
  return value;
}

/** A body over the bound is told in the words of the door it came to; anything else is not HTTP of ours. */
function tooLarge(error: unknown, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error as { statusCode?: number };
  const fault = faultOf(
    'betting',
    new ApiError(statusCode === 413 ? 'REQUEST_SIZE_EXCEEDS_LIMIT' : 'UNEXPECTED_ERROR'),
    `fg-${req.id}`,
  );
  if (statusCode === 413) {
    // The rest of the body is not read.
    reply.header('connection', 'close');
    return req.url.includes('/json-rpc/')
      ? reply.code(200).send(rpcFault(null, fault))
      : reply.code(400).send(restFault(fault));
  }
  return reply.code(statusCode >= 400 && statusCode < 500 ? statusCode : 500).send(restFault(fault));
}

function shownBy(req: FastifyRequest): { appKey: string; token: string } {
  const text = (name: string) => {
    const value = req.headers[name];
    return typeof value === 'string' ? value : '';
  };
  return { appKey: text('x-application'), token: text('x-authentication') };
}

function comerOf(req: FastifyRequest): Comer {
  const socket = req.raw.socket as Partial<TLSSocket>;
  const certificate = socket.getPeerCertificate?.()?.fingerprint256;
  return {
    ip: req.ip,
    requestId: req.id,
    ...(certificate ? { certificate: certificate.replaceAll(':', '').toLowerCase() } : {}),
  };
}
