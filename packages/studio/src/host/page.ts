/** The game page: its files, and the calls of wire.ts. The session in the address is all that a call is known by. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { commitOf } from '@fairgame/casino';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { fields, RuleError } from '../game.ts';
import type { HistoryRow, PageError, RoundProof, SessionView } from '../wire.ts';
import { type Core, mostStake } from './core.ts';
import { PageStreams } from './page-streams.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import type { Table } from './shared.ts';
import type { Solo } from './solo.ts';
import type { Round, Session } from './store.ts';
import { thumbOf } from './thumb.ts';

const HISTORY = 50;
const KEY = /^[\w.:-]{1,64}$/;

interface PageOptions {
  readonly core: Core;
  readonly sessions: Sessions;
  readonly solo: Solo;
  readonly tables: ReadonlyMap<string, Table>;
  /** Folder of the built page; null serves none. */
  readonly pageFolder: string | null;
  readonly parentOrigins: readonly string[];
}

export function pageRoutes(http: FastifyInstance, options: PageOptions): void {
  const { core, sessions, solo, tables } = options;
  const { store, clock, games } = core;
  const streams = new PageStreams();

  sessions.onEnd(({ id }, code) => streams.end(id, code));

  http.addHook('onClose', () => streams.endAll());

  http.setErrorHandler((error, _request, reply) => {
    const refusal = refusalOf(error);
    if (refusal !== null) return reply.code(refusal.status).send({ error: refusal.page });
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (status >= 500) core.log('a page call failed', { error: error instanceof Error ? error.stack : String(error) });
    const code: PageError['code'] = status >= 500 ? 'PAUSED' : 'BAD_INPUT';
    return reply.code(status).send({ error: { code, text: 'This call could not be answered.' } satisfies PageError });
  });

  http.get('/page/session', async (request, reply) => {
    const session = await sessions.begin(textOf(request.query, 's'));
    if (session.mode === 'real') {
      const seen = await core.wallet.balance(session.walletSession).catch(() => null);
      if (seen?.code === 'INVALID_TOKEN' || seen?.code === 'TOKEN_EXPIRED') {
        sessions.end(session, 'SESSION_OVER');
        throw new Refusal('SESSION_OVER');
      }
      if (seen?.balanceMinor !== undefined) session.balanceMinor = seen.balanceMinor;
    }
    return noStore(reply).send(sessionView(session));
  });

  http.post('/page/open', async (request, reply) => {
    const { s, key, wager } = fields(request.body, ['s', 'key', 'wager']);
    return noStore(reply).send(await solo.open(sessions.use(text(s, 's')), keyFrom(key), wager));
  });

  http.post('/page/move', async (request, reply) => {
    const { s, key, roundId, move } = fields(request.body, ['s', 'key', 'roundId', 'move']);
    const session = sessions.use(text(s, 's'));
    return noStore(reply).send(await solo.move(session, keyFrom(key), text(roundId, 'roundId'), move));
  });

  http.post('/page/seed', async (request, reply) => {
    const { s, clientSeed } = fields(request.body, ['s', 'clientSeed']);
    return noStore(reply).send(await solo.seed(sessions.use(text(s, 's')), text(clientSeed, 'clientSeed')));
  });

  http.get('/page/history', (request, reply) => {
    const session = sessions.use(textOf(request.query, 's'));
    const rows: HistoryRow[] = [];
    for (const round of store.roundsOf(sessions.seatOf(session).id)) {
      if (round.status !== 'open' && round.status !== 'over') continue;
      rows.push({
        roundId: round.id,
        at: round.startedAt,
        stakeMinor: round.stakeMinor,
        paidMinor: round.paidMinor,
        over: round.status === 'over',
      });
      if (rows.length === HISTORY) break;
    }
    return noStore(reply).send(rows);
  });

  http.get('/page/round', (request, reply) => {
    const session = sessions.use(textOf(request.query, 's'));
    const round = store.rounds.get(textOf(request.query, 'id'));
    if (round === undefined || round.seat !== sessions.seatOf(session).id)
      throw new Refusal('BAD_INPUT', 'There is no such round.', { field: 'id' });
    const proof = proofOf(round, tables.get(round.game));
    if (proof === null) throw new Refusal('BAD_INPUT', 'A round can be checked when it is over.', { field: 'id' });
    return noStore(reply).send(proof);
  });

  http.post('/page/bet', async (request, reply) => {
    const { s, key, roundId, wager } = fields(request.body, ['s', 'key', 'roundId', 'wager']);
    const session = sessions.use(text(s, 's'));
    return noStore(reply).send(await tableOf(session).bet(session, keyFrom(key), text(roundId, 'roundId'), wager));
  });

  http.post('/page/cashout', async (request, reply) => {
    const { s, key, betId } = fields(request.body, ['s', 'key', 'betId']);
    keyFrom(key);
    const session = sessions.use(text(s, 's'));
    return noStore(reply).send(await tableOf(session).cashout(session, text(betId, 'betId')));
  });

  http.get('/page/live', async (request, reply) => {
    const session = await sessions.begin(textOf(request.query, 's'));
    const table = tableOf(session);
    reply.hijack();
    streams.begin(
      session.id,
      reply.raw,
      () => table.view(session),
      (changed) => table.watch(changed),
    );
  });

  http.get('/thumb/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    const game = games.get(name.replace(/\.svg$/, ''));
    if (game === undefined)
      return reply.code(404).send({ error: { code: 'BAD_INPUT', text: 'There is no such picture.' } });
    return reply
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', 'public, max-age=86400')
      .type('image/svg+xml; charset=utf-8')
      .send(thumbOf(game, core.provider.look));
  });

  files(http, options);

  function tableOf(session: Session): Table {
    const table = tables.get(session.game);
    if (table === undefined) throw new Refusal('BAD_INPUT', 'This game has no shared rounds.');
    return table;
  }

  function sessionView(session: Session): SessionView {
    const game = games.get(session.game)!;
    const seat = sessions.seatOf(session);
    const table = tables.get(session.game);
    table?.touch();
    const live = table?.view(session);
    return {
      game: session.game,
      brand: { name: core.provider.name, look: core.provider.look },
      mode: session.mode,
      currency: session.currency,
      balanceMinor: session.balanceMinor,
      maxStakeMinor: mostStake(session, game),
      clientSeed: seat.clientSeed,
      next: live
        ? { commit: live.commit, nonce: live.nonce }
        : { commit: commitOf(seat.serverSeed), nonce: seat.nonce },
      open: live ? null : solo.openRound(session),
      readyAt: seat.readyAt,
      now: clock.now(),
      theme: session.theme,
      parentOrigin: session.parentOrigin,
    };
  }
}

/** What a finished round is checked with; null while its seed is still a secret, for others at the table too. */
export function proofOf(round: Round, table: Table | undefined): RoundProof | null {
  if (round.status !== 'over' || (round.table !== null && table?.runs(round.table))) return null;
  return {
    roundId: round.id,
    game: round.game,
    commit: commitOf(round.serverSeed),
    serverSeed: round.serverSeed,
    clientSeed: round.clientSeed,
    nonce: round.nonce,
    wager: round.wager,
    moves: round.moves.map(({ move }) => move),
    stakeMinor: round.stakeMinor,
    paidMinor: round.paidMinor,
    cashedTimes: round.cashedTimes,
    ...(round.seedOf ? { seedOf: round.seedOf } : {}),
  };
}

// -------------------------------------------------------------------------------------------------------------- files

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Every file of the built page, read once at start. */
function files(http: FastifyInstance, { pageFolder, parentOrigins }: PageOptions): void {
  const policy = [
    "default-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    `frame-ancestors ${parentOrigins.length > 0 ? parentOrigins.join(' ') : "'none'"}`,
  ].join('; ');
  const held = new Map<string, Buffer>();
  if (pageFolder !== null && existsSync(pageFolder)) {
    for (const entry of readdirSync(pageFolder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      held.set(path.slice(pageFolder.length).replaceAll('\\', '/'), readFileSync(path));
    }
  }
  const send = (reply: FastifyReply, path: string) => {
    const body = held.get(path);
    if (body === undefined) return reply.code(404).type('text/plain').send('There is nothing here.');
    const lasting = path.startsWith('/assets/');
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
      .type(TYPES[extname(path)] ?? 'application/octet-stream')
      .send(body);
  };
  http.get('/play', (_request, reply) => send(reply, '/index.html'));
  http.get('/*', (request, reply) => send(reply, request.url.split('?')[0] ?? ''));
}

// -------------------------------------------------------------------------------------------------------------- input

const noStore = (reply: FastifyReply) => reply.header('cache-control', 'no-store');

function text(value: unknown, field: string): string {
  if (typeof value !== 'string' || value.length > 200) throw new RuleError(field, `${field} is a text.`);
  return value;
}

const textOf = (query: unknown, field: string) => text((query as Record<string, unknown>)[field], field);

function keyFrom(value: unknown): string {
  if (typeof value !== 'string' || !KEY.test(value)) throw new RuleError('key', 'key is 1 to 64 letters and digits.');
  return value;
}
