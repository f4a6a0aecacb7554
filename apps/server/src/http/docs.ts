import {
  type AnyCall,
  AREAS,
  DEADLINE_HEADER,
  ERRORS,
  type ErrorCode,
  jsonSchema,
  lineCall,
  placedBet,
  RECONNECT,
  SEEN_HEADER,
  SOCKET_LIMITS,
  SOCKETS,
} from '@fairgame/contract';

/** Documents made from the contract alone: OpenAPI, Markdown for the repository, a plain page for readers. */

type Json = Record<string, unknown>;

/** Codes a call may answer beside its own. */
function commonErrors(call: AnyCall): ErrorCode[] {
  const codes: ErrorCode[] = ['RATE_LIMITED'];
  if (call.params || call.query || call.body) codes.push('BAD_INPUT', 'UNKNOWN_FIELD');
  if (call.body) codes.push('BAD_JSON', 'UNSUPPORTED_TYPE', 'TOO_LARGE');
  if (call.keyed) codes.push('KEY_REQUIRED');
  if (call.who !== 'public') codes.push('NOT_SIGNED_IN', 'SESSION_ENDED');
  if (call.who === 'player' || call.who === 'real')
    codes.push('CODE_REQUIRED', 'PASSWORD_CHANGE_REQUIRED', 'NOT_ALLOWED');
  if (call.who === 'real') codes.push('DEMO_NOT_ALLOWED');
  if (call.who === 'operator') codes.push('NOT_ALLOWED');
  return codes;
}

const allErrors = (call: AnyCall): ErrorCode[] => [...new Set([...call.errors, ...commonErrors(call)])];

const schemaOf = (schema: AnyCall['body']): Json => {
  const { $schema: _, ...rest } = schema ? (jsonSchema(schema) as Json) : ({} as Json);
  return rest;
};

export function openApi(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [area, calls] of Object.entries(AREAS)) {
    for (const call of Object.values(calls) as unknown as AnyCall[]) {
      for (const path of [call.path, ...(call.aliases ?? [])]) {
        const url = `/api${path.replace(/:([A-Za-z]+)/g, '{$1}')}`;
        paths[url] ??= {};
        paths[url][call.method.toLowerCase()] = operation(area, call, path);
        if (call.alsoPost) paths[url].post = { ...operation(area, call, path), operationId: `${call.name}.post` };
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'fairGame',
      version: '1',
      description:
        'Money is integer minor units, odds are integer hundredths. Every answer is {statusCode, message?, data}; every error {statusCode, message, code, field?, current?, requestId}.',
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['statusCode', 'message', 'code'],
          properties: {
            statusCode: { type: 'integer' },
            message: { type: 'string' },
            code: { type: 'string', enum: Object.keys(ERRORS) },
            field: { type: 'string' },
            current: { type: 'object' },
            requestId: { type: 'string' },
          },
        },
      },
    },
    paths,
  };
}

function operation(area: string, call: AnyCall, path: string): Json {
  const parameters: Json[] = [];
  for (const [part, where] of [
    ['params', 'path'],
    ['query', 'query'],
  ] as const) {
    const schema = schemaOf(call[part]) as { properties?: Record<string, Json>; required?: string[] };
    for (const [name, shape] of Object.entries(schema.properties ?? {})) {
      parameters.push({
        name,
        in: where,
        required: where === 'path' || (schema.required?.includes(name) ?? false),
        schema: shape,
      });
    }
  }
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of allErrors(call)) byStatus.set(ERRORS[code][0], [...(byStatus.get(ERRORS[code][0]) ?? []), code]);
  const failures = Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
  return {
    tags: [area],
    operationId: path === call.path ? call.name : `${call.name}.${path.split('/')[1]}`,
    summary: call.summary,
    ...(call.who === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body) } } } }
      : {}),
    responses: {
      '200': {
        description: 'Done',
        content: call.file
          ? { [call.file]: { schema: schemaOf(call.reply) } }
          : { 'application/json': { schema: enveloped(call) } },
      },
      ...failures,
    },
  };
}

const enveloped = (call: AnyCall): Json => ({
  type: 'object',
  required: ['statusCode', 'data'],
  properties: { statusCode: { const: 200 }, message: { type: 'string' }, data: schemaOf(call.reply) },
});

/** What a success holds: a shape, or the type of a file. */
const answerText = (call: AnyCall): string => (call.file ? `a file: ${call.file}` : shapeText(schemaOf(call.reply)));

const WHO: Readonly<Record<AnyCall['who'], string>> = {
  public: 'anyone',
  pending: 'a session, also a half-finished one',
  player: 'a player, real or demo',
  real: 'a player, not a demo',
  operator: 'an operator',
};

const UNITS =
  'Money is integer minor units (12.34 is 1234). Odds are integer hundredths (1.85 is 185); where a market quotes rates, the same field is the whole rate per 100.';

/** docs/api.md. */
export function apiMarkdown(): string {
  const lines = [
    '# Calls',
    '',
    'Generated from `packages/contract` by `npx tsx scripts/api-docs.ts`. Do not edit.',
    '',
    'All paths stand below `/api`. Bodies are `application/json`.',
    UNITS,
    'Every answer is `{statusCode, message?, data}`; every error is `{statusCode, message, code, field?, current?, requestId}`.',
    `An answer carries \`${SEEN_HEADER}\`; a request that gives back the largest it was told misses nothing of that, whichever server of the site it comes to.`,
    'Signed-in calls carry `Authorization: Bearer {token}`.',
    '',
    'A call that is also taken over the open socket (Socket.IO, namespace `/`) is the event `call` with',
    `\`${shapeText(schemaOf(lineCall))}\`; it is acknowledged with what the POST would answer, and with \`retryAfterS\` where that`,
    `has the header; \`seen\` is \`${SEEN_HEADER}\`, \`deadline\` is the header \`${DEADLINE_HEADER}\`.`,
  ];
  for (const [area, calls] of Object.entries(AREAS)) {
    lines.push('', `## ${area}`);
    for (const call of Object.values(calls) as unknown as AnyCall[]) {
      lines.push('', `### ${call.method} ${call.path}`, '', call.summary, '', `- Who: ${WHO[call.who]}`);
      if (call.alsoPost) lines.push('- Also by POST, with its query as the body');
      if (call.line) lines.push('- Also over the open socket');
      if (call.aliases) lines.push(`- Also at: ${call.aliases.map((path) => `\`${path}\``).join(', ')}`);
      for (const part of ['params', 'query', 'body'] as const) {
        if (call[part]) lines.push(`- ${part}: \`${shapeText(schemaOf(call[part]))}\``);
      }
      lines.push(`- Answers: \`${answerText(call)}\``);
      if (call.errors.length > 0)
        lines.push(`- Errors of its own: ${call.errors.map((code) => `${code} (${ERRORS[code][0]})`).join(', ')}`);
    }
  }
  lines.push('', '## Error codes', '', '| Code | Status | Text |', '|---|---|---|');
  for (const [code, [status, text]] of Object.entries(ERRORS)) lines.push(`| ${code} | ${status} | ${text} |`);
  return `${lines.join('\n')}\n`;
}

/** docs/sockets.md. */
export function socketsMarkdown(): string {
  const { perAccount, perAddress, eventsPerSecond, messageBytes } = SOCKET_LIMITS;
  const { reconnectionDelay, reconnectionDelayMax } = RECONNECT;
  const bet = shapeText(schemaOf(placedBet));
  const shaped = (shape: AnyCall['reply']) => shapeText(schemaOf(shape)).replaceAll(bet, 'Bet');
  const lines = [
    '# Sockets',
    '',
    'Generated from `packages/contract` by `npx tsx scripts/api-docs.ts`. Do not edit.',
    '',
    'Socket.IO, at the path `/socket.io` of the site, by WebSocket or polling. All namespaces may share one connection.',
    `${UNITS} Times are milliseconds since 1970 or ISO texts.`,
    '',
    '- Token: `auth: {token}` of the handshake, or `Authorization: Bearer {token}` for programs that set headers.',
    '- A refused handshake is a `connect_error` whose `data` is `{code, message, field?}`, with the codes of `docs/api.md`.',
    `- At most ${perAccount} sockets of an account in a namespace (\`TOO_MANY_TABS\`; \`auth: {takeOver: true}\` takes the place of the oldest), ${perAddress} connections of an address, ${eventsPerSecond} events a second (then the socket is closed), ${messageBytes / 1024} KiB a message.`,
    '- What a client emits is acknowledged with `{ok: true}` or `{error: code}`.',
    `- Come back after ${reconnectionDelay / 1000} to ${reconnectionDelayMax / 1000} seconds, by chance. After \`io server disconnect\` Socket.IO does not come back by itself: connect again.`,
  ];
  for (const { namespace, says, query, emits, hears } of SOCKETS) {
    lines.push('', `## ${namespace}`, '', says);
    if (query.length > 0) lines.push('', '| Query of the handshake | Meaning |', '|---|---|');
    for (const [name, meaning] of query) lines.push(`| ${name} | ${meaning} |`);
    const told = Object.entries(emits);
    if (told.length > 0) lines.push('', '### The client emits');
    for (const [event, one] of told) lines.push('', `**${event}** ${one.says}`, '', `\`${shaped(one.shape)}\``);
    lines.push('', '### The client hears');
    for (const { event, says: meaning, shape } of hears) {
      lines.push('', `**${event}** ${meaning}`);
      if (shape) lines.push('', `\`${shaped(shape)}\``);
    }
  }
  lines.push('', '## Bet', '', 'As `GET /bet` answers it.', '', `\`${bet}\``);
  return `${lines.join('\n')}\n`;
}

/** A page without scripts; its one style sheet is a file, since the content policy allows nothing inline. */
export function apiHtml(): string {
  const parts = Object.entries(AREAS).map(([area, calls]) => {
    const items = (Object.values(calls) as unknown as AnyCall[]).map((call) => {
      const inputs = (['params', 'query', 'body'] as const)
        .filter((part) => call[part])
        .map((part) => `<dt>${part}</dt><dd><code>${escapeHtml(shapeText(schemaOf(call[part])))}</code></dd>`);
      const own = call.errors.length > 0 ? `<dt>Errors</dt><dd>${call.errors.join(', ')}</dd>` : '';
      return `<article><h3><b>${call.method}</b> /api${escapeHtml(call.path)}</h3><p>${escapeHtml(call.summary)}</p><dl><dt>Who</dt><dd>${WHO[call.who]}</dd>${inputs.join('')}<dt>Answers</dt><dd><code>${escapeHtml(answerText(call))}</code></dd>${own}</dl></article>`;
    });
    return `<section><h2 id="${area}">${area}</h2>${items.join('')}</section>`;
  });
  const errors = Object.entries(ERRORS).map(
    ([code, [status, text]]) => `<tr><td>${code}</td><td>${status}</td><td>${escapeHtml(text)}</td></tr>`,
  );
  const links = Object.keys(AREAS).map((area) => `<a href="#${area}">${area}</a>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>fairGame calls</title><link rel="stylesheet" href="/api/docs/docs.css"></head><body><main><h1>fairGame calls</h1><p>Money is integer minor units, odds are integer hundredths. The same as an <a href="/api/docs/openapi.json">OpenAPI document</a>.</p><nav>${links.join(' ')} <a href="#errors">errors</a></nav>${parts.join('')}<section><h2 id="errors">errors</h2><table><thead><tr><th>Code</th><th>Status</th><th>Text</th></tr></thead><tbody>${errors.join('')}</tbody></table></section></main></body></html>`;
}

export const DOCS_CSS = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:0 auto;padding:1rem}h3{font-size:1rem;margin:1.5rem 0 .25rem}code{overflow-wrap:anywhere}dl{display:grid;grid-template-columns:6rem 1fr;gap:.25rem 1rem;margin:0}dd{margin:0}p{margin:.25rem 0}nav a{margin-right:.75rem}td,th{text-align:left;padding:.125rem 1rem .125rem 0;vertical-align:top}`;

/** A JSON schema as one readable line: {key: string, limit?: string, rows: [{id: int}]}. */
function shapeText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'any';
  const s = schema as {
    type?: string | string[];
    properties?: Json;
    required?: string[];
    items?: unknown;
    prefixItems?: unknown[];
    anyOf?: unknown[];
    enum?: unknown[];
    const?: unknown;
    additionalProperties?: unknown;
    unit?: string;
  };
  if (s.const !== undefined) return JSON.stringify(s.const);
  if (s.enum) return s.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (s.anyOf) return s.anyOf.map(shapeText).join(' | ');
  if (s.type === 'object' && s.properties) {
    const fields = Object.entries(s.properties).map(
      ([name, value]) => `${name}${s.required?.includes(name) ? '' : '?'}: ${shapeText(value)}`,
    );
    return `{${fields.join(', ')}}`;
  }
  if (s.type === 'object') return `{[key]: ${shapeText(s.additionalProperties)}}`;
  if (s.type === 'array')
    return s.prefixItems ? `[${s.prefixItems.map(shapeText).join(', ')}]` : `[${shapeText(s.items)}]`;
  if (s.type === 'integer' && s.unit) return `int (${s.unit})`;
  return [s.type ?? 'any'].flat().join(' | ').replace('integer', 'int');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
