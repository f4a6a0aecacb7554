/** A server of the bench `http`: the bare framework, or our whole stack before a handler that does nothing. */
import { tmpdir } from 'node:os';
import { CALLS } from '@fairgame/contract';
import Fastify from 'fastify';
import { createLog } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import { createHttp, type Session } from '../apps/server/src/http/http.ts';
import { createMetrics } from '../apps/server/src/ops/ops.ts';

const TOKEN = 'b'.repeat(43);
const call = CALLS.account.saveFavourites;
const path = `/api${call.path}`;

const port = process.argv[2] === 'bare' ? await bare() : await ours();
process.once('disconnect', () => process.exit(0));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ what: 'measured', cpuUs: user + system });
});
process.send!({ what: 'ready', port, path, token: TOKEN });

async function bare(): Promise<number> {
  const app = Fastify({ logger: false });
  app.post(path, async () => ({ statusCode: 200, data: null }));
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

async function ours(): Promise<number> {
  const config = loadConfig({
    FAIRGAME_DATA: `${tmpdir()}/fairgame-bench-http`,
    FAIRGAME_LOG: 'info',
    FAIRGAME_LIMIT_FACTOR: '1000000',
    PORT: '0',
  });
  const log = createLog(config);
  const http = createHttp({
    config,
    log,
    callLog: log.child({}, { redact: [] }),
    clock: Date.now,
    steady: () => performance.now(),
    metrics: createMetrics().http,
  });
  http.useSessions({
    look: () => null,
    sessionOf: (token) => (token === TOKEN ? SESSION : null),
    touch: () => undefined,
  });
  http.route(call, () => null);
  return Number(new URL(await http.listen()).port);
}

const SESSION = {
  sessionId: 's',
  userId: 7,
  accountId: 7,
  world: 'real',
  role: 'user',
  userName: 'anna',
  currency: 'EUR',
  isDemo: false,
  createdAt: 0,
  ip: '127.0.0.1',
  device: '',
  pending: false,
  forceChangePassword: false,
  stepUpDue: false,
  lastSeenAt: 0,
  ended: false,
} satisfies Session;
