/** Dialect B of docs/providers.md: money as text with two places, one address with an `action`, Ed25519 over the raw body. */
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import {
  createNonces,
  type Dialect,
  type Launch,
  type OperatorCalls,
  type OperatorWallet,
  Refusal,
  type ReportedTx,
  type Send,
  type WalletCode,
  type WalletLogin,
  type WalletMove,
} from '@fairgame/studio/host';
import type { FastifyRequest } from 'fastify';

export interface Key {
  readonly id: string;
  /** Base64 of DER: PKCS #8 of a private key, SPKI of a public one. */
  readonly value: string;
}

const CODES: Readonly<Record<string, WalletCode>> = {
  ok: 'OK',
  bad_signature: 'INVALID_SIGNATURE',
  invalid_token: 'INVALID_TOKEN',
  token_expired: 'TOKEN_EXPIRED',
  user_disabled: 'USER_DISABLED',
  reality_check_due: 'REALITY_CHECK_DUE',
  limit_reached: 'LIMIT_REACHED',
  too_fast: 'TOO_FAST',
  not_enough_money: 'INSUFFICIENT_FUNDS',
  invalid_amount: 'INVALID_AMOUNT',
  wrong_currency: 'WRONG_CURRENCY',
  invalid_game: 'INVALID_GAME',
  duplicate_mismatch: 'DUPLICATE_MISMATCH',
  bet_not_found: 'BET_NOT_FOUND',
  already_settled: 'ALREADY_SETTLED',
  already_rolled_back: 'ALREADY_ROLLED_BACK',
  retry: 'RETRY',
  unknown: 'UNKNOWN',
};
const KEY_HEADER = 'X-Beacon-Key';
const SIGNATURE_HEADER = 'X-Beacon-Signature';

type Fields = Record<string, unknown>;

export interface KeysB {
  /** Our own private keys; the first signs. */
  readonly own: readonly Key[];
  /** The operator's public keys; any is taken. */
  readonly operator: readonly Key[];
}

export function dialectB(operatorUrl: string, keys: KeysB): Dialect {
  const privateKeys = keys.own.map(({ id, value }) => ({
    id,
    key: createPrivateKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'pkcs8' }),
  }));
  const publicKeys = new Map<string, KeyObject>(
    keys.operator.map(({ id, value }) => [
      id,
      createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' }),
    ]),
  );
  const first = privateKeys[0];
  if (first === undefined) throw new Error('PROVIDER_PRIVATE_KEYS: a key is needed.');

  const headersFor = (text: string) => ({
    [KEY_HEADER]: first.id,
    [SIGNATURE_HEADER]: sign(null, Buffer.from(text), first.key).toString('base64'),
  });
  const signed = (keyId: string, signature: string, text: string) => {
    const key = publicKeys.get(keyId);
    return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  };

  return {
    wallet: (send) => walletB(operatorUrl, send, headersFor, signed),
    routes(http, operator, rawBody) {
      const nonces = createNonces();
      http.get('/liveness', (_request, reply) => reply.send({ status: 'ok' }));
      const isFresh = (request: FastifyRequest, body: Fields) => {
        const head = (name: string) => String(request.headers[name.toLowerCase()] ?? '');
        return (
          signed(head(KEY_HEADER), head(SIGNATURE_HEADER), rawBody(request)) &&
          nonces.take(Number(body.ts), String(body.nonce))
        );
      };
      http.post('/api', (request, reply) => {
        const body = (request.body ?? {}) as Fields;
        if (!isFresh(request, body)) return reply.code(401).send({ status: 'bad_signature' });
        const answer = { action: body.action, ts: Date.now(), nonce: body.nonce, ...answerTo(operator, body) };
        const text = JSON.stringify(answer);
        return reply.headers(headersFor(text)).type('application/json; charset=utf-8').send(text);
      });
    },
  };
}

function answerTo(operator: OperatorCalls, body: Fields): object {
  switch (body.action) {
    case 'list':
      return { status: 'ok', games: operator.list().map(gameOf) };
    case 'launch':
      try {
        const { url, expiresAt } = operator.launch(launchFrom(body));
        return { status: 'ok', url, expires_at: expiresAt };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.page.code === 'PAUSED' ? 'invalid_game' : 'unknown' };
      }
    case 'round': {
      const player = typeof body.player_id === 'string' ? body.player_id : null;
      const round = operator.round(String(body.round_id), player);
      if (round === null) return { status: 'round_not_found' };
      return {
        status: 'ok',
        round: {
          round_id: round.id,
          game_code: round.game,
          player_id: round.player,
          currency: round.currency,
          status: round.status,
          started_at: round.startedAt,
          ended_at: round.endedAt,
          stake: money(round.stakeMinor),
          paid: money(round.paidMinor),
          transactions: round.transactions.map((row) => {
            const { transaction_id, kind, at, state } = rowOf(row);
            return { transaction_id, kind, ...amounts(row), at, state };
          }),
          proof: round.proof,
        },
      };
    }
    case 'transactions': {
      if (!Number.isSafeInteger(body.from) || !Number.isSafeInteger(body.to)) return { status: 'unknown' };
      const after = typeof body.after === 'string' && body.after !== '' ? body.after : null;
      const { rows, next } = operator.transactions(body.from as number, body.to as number, after);
      return { status: 'ok', transactions: rows.map(rowOf), next };
    }
    default:
      return { status: 'unknown' };
  }
}

function walletB(
  operatorUrl: string,
  send: Send,
  headersFor: (text: string) => Record<string, string>,
  signed: (keyId: string, signature: string, text: string) => boolean,
): OperatorWallet {
  async function call(action: string, fields: object): Promise<WalletLogin> {
    const nonce = randomBytes(16).toString('hex');
    const body = JSON.stringify({ action, ts: Date.now(), nonce, ...fields });
    const reply = await send({
      url: `${operatorUrl}/provider/b`,
      headers: headersFor(body),
      body,
      signedBy: SIGNATURE_HEADER,
    });
    if (reply.status === 401) return { code: 'INVALID_SIGNATURE' };
    if (reply.status !== 200 && reply.status !== 503) throw new Error(`The wallet answered ${reply.status}.`);
    if (!signed(reply.headers.get(KEY_HEADER) ?? '', reply.headers.get(SIGNATURE_HEADER) ?? '', reply.body))
      throw new Error('The answer is not signed.');
    const answer = JSON.parse(reply.body) as Fields;
    if (answer.nonce !== nonce || answer.action !== action) throw new Error('The answer belongs to another call.');
    const balanceMinor = minorOf(answer.balance);
    return {
      code: CODES[String(answer.status)] ?? 'UNKNOWN',
      ...(balanceMinor === null ? {} : { balanceMinor }),
      ...(answer.tombstone === true ? { tombstone: true } : {}),
      ...(typeof answer.session_id === 'string' ? { session: answer.session_id } : {}),
      ...(typeof answer.player_id === 'string' ? { player: answer.player_id } : {}),
      ...(typeof answer.currency === 'string' ? { currency: answer.currency } : {}),
    };
  }

  const move = (at: WalletMove) => ({
    session_id: at.session,
    player_id: at.player,
    transaction_id: at.tx,
    round_id: at.round,
    game_code: at.game,
    currency: at.currency,
  });
  return {
    authenticate: (token, game) => call('authenticate', { token, game_code: game }),
    balance: (session) => call('balance', { session_id: session }),
    debit: (at) => call('debit', { ...move(at), amount: money(at.amountMinor) }),
    credit: (at) =>
      call('credit', {
        ...move(at),
        amount: money(at.amountMinor),
        round_closed: at.roundClosed,
        reference_id: at.refTx,
      }),
    debitCredit: (at) =>
      call('debit_credit', {
        ...move(at),
        bet: money(at.amountMinor),
        win: money(at.creditMinor),
        round_closed: at.roundClosed,
      }),
    rollback: (at) => call('rollback', { ...move(at), reference_id: at.refTx }),
    roundEnd: (at) =>
      call('round_end', {
        session_id: at.session,
        player_id: at.player,
        round_id: at.round,
        game_code: at.game,
        currency: at.currency,
      }),
    sessionEnd: (session) => call('session_end', { session_id: session }),
  };
}

function launchFrom(body: Fields): Launch {
  const limits = (body.limits ?? {}) as Fields;
  return {
    mode: body.mode === 'demo' ? 'demo' : 'real',
    game: String(body.game_code),
    player: typeof body.player_id === 'string' ? body.player_id : undefined,
    token: typeof body.token === 'string' ? body.token : undefined,
    currency: String(body.currency),
    theme: body.theme === 'light' ? 'light' : 'dark',
    lobbyUrl: typeof body.lobby_url === 'string' ? body.lobby_url : undefined,
    maxStakeMinor: minorOf(limits.max_stake),
  };
}

const gameOf = (game: ReturnType<OperatorCalls['list']>[number]) => ({
  game_code: game.code,
  name: game.name,
  category: game.category,
  family: game.family,
  sub_provider: game.subProvider,
  thumb: game.thumb,
  status: game.status,
  demo: true,
  mobile: true,
  currencies: ['EUR', 'BRL', 'USD'],
  min_stake: money(game.minStakeMinor),
  max_stake: money(game.maxStakeMinor),
  return_ppm: game.returnPpm,
  updated_at: game.updatedAt,
});

const amounts = (row: ReportedTx) =>
  row.creditMinor === null
    ? { amount: money(row.amountMinor) }
    : { bet: money(row.amountMinor), win: money(row.creditMinor) };

const rowOf = (row: ReportedTx) => ({
  transaction_id: row.tx,
  kind: row.kind === 'debit-credit' ? 'debit_credit' : row.kind,
  ...(row.kind === 'rollback' ? { reference_id: row.refTx } : {}),
  player_id: row.player,
  round_id: row.round,
  game_code: row.game,
  currency: row.currency,
  ...amounts(row),
  at: row.at,
  state: row.state,
});

/** 1050 is "10.50". */
function money(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** "10.50" is 1050; null where it is no money with exactly two places. */
function minorOf(text: unknown): number | null {
  if (typeof text !== 'string' || !/^-?\d{1,13}\.\d\d$/.test(text)) return null;
  return Number(text.replace('.', ''));
}
