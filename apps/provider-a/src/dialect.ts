/** Dialect A of docs/providers.md: whole minor units, an address a call, HMAC-SHA256 over time, nonce and text. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createNonces,
  type Dialect,
  type Launch,
  type OperatorWallet,
  Refusal,
  type ReportedTx,
  type Send,
  type WalletCode,
  type WalletLogin,
  type WalletMove,
} from '@fairgame/studio/host';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Key {
  readonly id: string;
  /** 64 hexadecimal digits. */
  readonly value: string;
}

const CODES: Readonly<Record<number, WalletCode>> = {
  0: 'OK',
  10: 'INVALID_SIGNATURE',
  20: 'INVALID_TOKEN',
  21: 'TOKEN_EXPIRED',
  30: 'USER_DISABLED',
  31: 'REALITY_CHECK_DUE',
  32: 'LIMIT_REACHED',
  33: 'TOO_FAST',
  40: 'INSUFFICIENT_FUNDS',
  41: 'INVALID_AMOUNT',
  42: 'WRONG_CURRENCY',
  43: 'INVALID_GAME',
  50: 'DUPLICATE_MISMATCH',
  51: 'BET_NOT_FOUND',
  52: 'ALREADY_SETTLED',
  53: 'ALREADY_ROLLED_BACK',
  90: 'RETRY',
  99: 'UNKNOWN',
};
const OUR = { ok: 0, signature: 10, noGame: 43, noRound: 51, other: 99 };

/** `keys`: the shared secrets, the first signs. */
export function dialectA(operatorUrl: string, keys: readonly Key[]): Dialect {
  const secrets = keys.map(({ id, value }) => {
    if (!/^[0-9a-f]{64}$/i.test(value)) throw new Error(`PROVIDER_KEYS: ${id} is not 64 hexadecimal digits.`);
    return { id, secret: Buffer.from(value, 'hex') };
  });
  const first = secrets[0];
  if (first === undefined) throw new Error('PROVIDER_KEYS: a key is needed.');

  const sign = (secret: Buffer, ts: string, nonce: string, text: string) =>
    createHmac('sha256', secret).update(`${ts}.${nonce}.${text}`).digest();
  const headersFor = (nonce: string, text: string) => {
    const ts = String(Date.now());
    return {
      'X-Key': first.id,
      'X-Ts': ts,
      'X-Nonce': nonce,
      'X-Sig': sign(first.secret, ts, nonce, text).toString('hex'),
    };
  };
  const signed = (head: (name: string) => string, text: string) => {
    const key = secrets.find(({ id }) => id === head('x-key'));
    if (key === undefined) return false;
    const given = Buffer.from(head('x-sig'), 'hex');
    const wanted = sign(key.secret, head('x-ts'), head('x-nonce'), text);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };

  return {
    wallet: (send) => walletA(operatorUrl, send, headersFor, signed),
    routes(http, operator, rawBody) {
      const nonces = createNonces();
      const answer = (request: FastifyRequest, reply: FastifyReply, body: object, status = 200) => {
        const text = JSON.stringify(body);
        const nonce = String(request.headers['x-nonce']);
        return reply.code(status).headers(headersFor(nonce, text)).type('application/json; charset=utf-8').send(text);
      };

      http.addHook('preHandler', (request, reply, done) => {
        if (request.url === '/liveness') return done();
        const head = (name: string) => String(request.headers[name] ?? '');
        const text = request.method === 'GET' ? request.url : rawBody(request);
        const fresh = signed(head, text) && nonces.take(Number(head('x-ts')), head('x-nonce'));
        if (fresh) return done();
        void reply.code(401).send({ code: OUR.signature });
      });

      http.get('/liveness', (_request, reply) => reply.send({ code: OUR.ok }));

      http.get('/v1/games', (request, reply) => {
        const games = operator.list().map((game) => ({
          code: game.code,
          name: game.name,
          category: game.category,
          family: game.family,
          subProvider: game.subProvider,
          thumb: game.thumb,
          status: game.status,
          demo: true,
          mobile: true,
          currencies: ['EUR', 'BRL', 'USD'],
          minStake: game.minStakeMinor,
          maxStake: game.maxStakeMinor,
          returnPpm: game.returnPpm,
          updatedAt: game.updatedAt,
        }));
        return answer(request, reply, { code: OUR.ok, games });
      });

      http.post('/v1/launch', (request, reply) => {
        const body = (request.body ?? {}) as Record<string, unknown>;
        if (body.call !== 'launch') return answer(request, reply, { code: OUR.other });
        try {
          const { url, expiresAt } = operator.launch(launchFrom(body));
          return answer(request, reply, { code: OUR.ok, url, expiresAt });
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return answer(request, reply, { code: error.page.code === 'PAUSED' ? OUR.noGame : OUR.other });
        }
      });

      http.get('/v1/rounds/:id', (request, reply) => {
        const { id } = request.params as { id: string };
        const { player } = request.query as { player?: string };
        const round = operator.round(id, player ?? null);
        if (round === null) return answer(request, reply, { code: OUR.noRound });
        const { stakeMinor, paidMinor, transactions, ...rest } = round;
        return answer(request, reply, {
          code: OUR.ok,
          round: {
            ...rest,
            stake: stakeMinor,
            paid: paidMinor,
            transactions: transactions.map((row) => {
              const { tx, kind, amount, at, state } = rowOf(row);
              return { tx, kind, amount, at, state };
            }),
          },
        });
      });

      http.get('/v1/transactions', (request, reply) => {
        const { from, to, after } = request.query as Record<string, string | undefined>;
        const period = [Number(from), Number(to)] as const;
        if (!period.every(Number.isSafeInteger)) return answer(request, reply, { code: OUR.other });
        const { rows, next } = operator.transactions(...period, after || null);
        return answer(request, reply, { code: OUR.ok, transactions: rows.map(rowOf), next });
      });
    },
  };
}

function walletA(
  operatorUrl: string,
  send: Send,
  headersFor: (nonce: string, text: string) => Record<string, string>,
  signed: (head: (name: string) => string, text: string) => boolean,
): OperatorWallet {
  async function call(name: string, fields: object): Promise<WalletLogin> {
    const body = JSON.stringify({ call: name, ...fields });
    const nonce = randomBytes(16).toString('hex');
    const reply = await send({
      url: `${operatorUrl}/provider/a/${name}`,
      headers: headersFor(nonce, body),
      body,
      signedBy: 'X-Sig',
    });
    if (reply.status === 401) return { code: 'INVALID_SIGNATURE' };
    const head = (header: string) => reply.headers.get(header) ?? '';
    if (reply.status !== 200 && reply.status !== 503) throw new Error(`The wallet answered ${reply.status}.`);
    if (head('x-nonce') !== nonce || !signed(head, reply.body))
      throw new Error('The answer is not signed for this call.');
    const answer = JSON.parse(reply.body) as Record<string, unknown>;
    return {
      code: CODES[Number(answer.code)] ?? 'UNKNOWN',
      ...(Number.isSafeInteger(answer.balance) ? { balanceMinor: answer.balance as number } : {}),
      ...(answer.tombstone === true ? { tombstone: true } : {}),
      ...textIn(answer, 'session'),
      ...textIn(answer, 'player'),
      ...textIn(answer, 'currency'),
    };
  }

  const move = ({ session, player, tx, round, game, currency }: WalletMove) => ({
    session,
    player,
    tx,
    round,
    game,
    currency,
  });
  return {
    authenticate: (token, game) => call('authenticate', { token, game }),
    balance: (session) => call('balance', { session }),
    debit: (at) => call('debit', { ...move(at), amount: at.amountMinor }),
    credit: (at) =>
      call('credit', { ...move(at), amount: at.amountMinor, roundClosed: at.roundClosed, refTx: at.refTx }),
    rollback: (at) => call('rollback', { ...move(at), refTx: at.refTx }),
    roundEnd: ({ session, player, round, game, currency }) =>
      call('round-end', { session, player, round, game, currency }),
    sessionEnd: (session) => call('session-end', { session }),
  };
}

function launchFrom(body: Record<string, unknown>): Launch {
  const limits = (body.limits ?? {}) as Record<string, unknown>;
  return {
    mode: body.mode === 'demo' ? 'demo' : 'real',
    game: String(body.game),
    player: typeof body.player === 'string' ? body.player : undefined,
    token: typeof body.token === 'string' ? body.token : undefined,
    currency: String(body.currency),
    theme: body.theme === 'light' ? 'light' : 'dark',
    lobbyUrl: typeof body.lobbyUrl === 'string' ? body.lobbyUrl : undefined,
    maxStakeMinor: Number.isSafeInteger(limits.maxStake) ? (limits.maxStake as number) : null,
  };
}

const rowOf = (row: ReportedTx) => ({
  tx: row.tx,
  kind: row.kind,
  ...(row.kind === 'rollback' ? { refTx: row.refTx } : {}),
  player: row.player,
  round: row.round,
  game: row.game,
  currency: row.currency,
  amount: row.amountMinor,
  at: row.at,
  state: row.state,
});

const textIn = (from: Record<string, unknown>, name: string) =>
  typeof from[name] === 'string' ? { [name]: from[name] } : {};
