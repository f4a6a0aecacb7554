/**
 * The provider's side of the wire, written from docs/providers.md alone: what a provider's program does when it calls the
 * wallet. The conformance suite speaks through these; a new dialect needs one more.
 */
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import type { WalletCode } from '../../src/providers/movement.ts';

export interface Move {
  session: string;
  player: string;
  tx: string;
  round: string;
  game: string;
  currency: string;
  /** Minor units. */
  amount: number;
  win: number;
  closed: boolean;
  ref: string;
  reason: string;
}

export type Op =
  | { op: 'authenticate'; token: string; game: string }
  | { op: 'balance' | 'sessionEnd'; session: string }
  | ({
      op: 'debit' | 'credit' | 'debitCredit' | 'rollback' | 'promoCredit' | 'roundEnd';
    } & Partial<Move>);

export interface Said {
  status: number;
  /** Neutral word of the dialect's code; RETRY, OK ... */
  code: WalletCode;
  balanceMinor?: number | undefined;
  currency?: string | undefined;
  walletTx?: string | undefined;
  repeated?: boolean | undefined;
  tombstone?: boolean | undefined;
  session?: string | undefined;
  player?: string | undefined;
  nickname?: string | undefined;
  /** The answer was signed by a key of the operator over our nonce. */
  signed: boolean;
}

/** What a test may spoil. */
export interface Spoil {
  /** Which of the provider's keys signs: 0 or 1, or one that nobody knows. */
  key?: 0 | 1 | 'unknown';
  ts?: number;
  nonce?: string;
  /** Changed after it was signed. */
  tamper?: (raw: string) => string;
  without?: 'signature' | 'time' | 'nonce';
  /** Fields beside those of the dialect. */
  extra?: object;
  /** The body as it is instead of the dialect's. */
  raw?: string;
  /** Fields of the dialect set to something else. */
  replace?: object;
}

export interface Driver {
  readonly id: 'a' | 'b';
  readonly game: string;
  /** The environment of a site with these keys; `base` is where the provider's own program listens. */
  env(base: string): Record<string, string>;
  send(site: { url: string; now: number }, op: Op, spoil?: Spoil): Promise<Said>;
}

const id = () => randomBytes(9).toString('base64url');
const opposite = (codes: Record<string, WalletCode>, said: unknown): WalletCode => codes[String(said)] ?? 'UNKNOWN';

// ------------------------------------------------------------------------------------------------ A

const CODES_A: Record<string, WalletCode> = {
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
};
const CALLS_A: Record<string, string> = {
  promoCredit: 'promo-credit',
  roundEnd: 'round-end',
  sessionEnd: 'session-end',
};

export interface KeysA {
  /** Two live keys and one that nobody knows. */
  secrets: Buffer[];
}

export function driverA(): Driver & KeysA {
  const secrets = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const ids = ['key-1', 'key-2', 'key-3'];
  const hmac = (key: number, ts: string, nonce: string, text: string) =>
    createHmac('sha256', secrets[key]!).update(`${ts}.${nonce}.${text}`).digest('hex');
  return {
    id: 'a',
    game: 'mines',
    secrets,
    env: (base) => ({
      FAIRGAME_PROVIDER_A_URL: base,
      FAIRGAME_PROVIDER_A_PROMO_MINOR: '1000000',
      FAIRGAME_PROVIDER_A_KEYS: `key-1:${secrets[0]!.toString('hex')},key-2:${secrets[1]!.toString('hex')}`,
    }),
    async send(site, op, spoil = {}) {
      const call = CALLS_A[op.op] ?? op.op;
      const body: Record<string, unknown> = { call, ...fieldsA(op), ...spoil.extra, ...spoil.replace };
      const text = spoil.raw ?? JSON.stringify(body);
      const key = spoil.key === 'unknown' ? 2 : (spoil.key ?? 0);
      const ts = String(spoil.ts ?? site.now);
      const nonce = spoil.nonce ?? randomBytes(12).toString('hex');
      const response = await fetch(`${site.url}/provider/a/${call}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-key': ids[key]!,
          ...(spoil.without === 'time' ? {} : { 'x-ts': ts }),
          ...(spoil.without === 'nonce' ? {} : { 'x-nonce': nonce }),
          ...(spoil.without === 'signature' ? {} : { 'x-sig': hmac(key, ts, nonce, text) }),
        },
        body: spoil.tamper ? spoil.tamper(text) : text,
      });
      const told = await response.text();
      const header = (name: string) => response.headers.get(name) ?? '';
      const answer = JSON.parse(told) as Record<string, never>;
      const signedBy = ids.indexOf(header('x-key'));
      return {
        status: response.status,
        code: opposite(CODES_A, answer.code),
        balanceMinor: answer.balance,
        currency: answer.currency,
        walletTx: answer.walletTx,
        repeated: answer.repeated,
        tombstone: answer.tombstone,
        session: answer.session,
        player: answer.player,
        nickname: answer.nickname,
        signed:
          (signedBy === 0 || signedBy === 1) &&
          header('x-nonce') === nonce &&
          header('x-sig') === hmac(signedBy, header('x-ts'), nonce, told),
      };
    },
  };
}

function fieldsA(op: Op): object {
  if (op.op === 'authenticate') return { token: op.token, game: op.game };
  if (op.op === 'balance' || op.op === 'sessionEnd') return { session: op.session };
  const { session, player, tx, round, game, currency, amount, closed, ref, reason } = op as Partial<Move>;
  return { session, player, tx, round, game, currency, amount, roundClosed: closed, refTx: ref, reason };
}

// ------------------------------------------------------------------------------------------------ B

const CODES_B: Record<string, WalletCode> = {
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
};
const ACTIONS_B: Record<string, string> = {
  debitCredit: 'debit_credit',
  promoCredit: 'promo',
  roundEnd: 'round_end',
  sessionEnd: 'session_end',
};

export interface KeysB {
  /** The provider's two live keys and one that nobody knows; the operator's two. */
  theirs: Array<{ privateKey: KeyObject; publicKey: KeyObject }>;
  operators: Array<{ privateKey: KeyObject; publicKey: KeyObject }>;
}

export function driverB(): Driver & KeysB {
  const theirs = [0, 1, 2].map(() => generateKeyPairSync('ed25519'));
  const operators = [0, 1].map(() => generateKeyPairSync('ed25519'));
  const der = (key: KeyObject) =>
    key.export({ format: 'der', type: key.type === 'private' ? 'pkcs8' : 'spki' } as never).toString('base64');
  return {
    id: 'b',
    game: 'plinko',
    theirs,
    operators,
    env: (base) => ({
      FAIRGAME_PROVIDER_B_URL: base,
      FAIRGAME_PROVIDER_B_PROMO_MINOR: '1000000',
      FAIRGAME_PROVIDER_B_PUBLIC_KEYS: `key-1:${der(theirs[0]!.publicKey)},key-2:${der(theirs[1]!.publicKey)}`,
      FAIRGAME_PROVIDER_B_PRIVATE_KEYS: `op-1:${der(operators[0]!.privateKey)},op-2:${der(operators[1]!.privateKey)}`,
    }),
    async send(site, op, spoil = {}) {
      const action = ACTIONS_B[op.op] ?? op.op;
      const nonce = spoil.nonce ?? randomBytes(12).toString('hex');
      const body: Record<string, unknown> = {
        action,
        ts: spoil.ts ?? site.now,
        nonce,
        ...fieldsB(op),
        ...spoil.extra,
        ...spoil.replace,
      };
      if (spoil.without === 'time') delete body.ts;
      if (spoil.without === 'nonce') delete body.nonce;
      const text = spoil.raw ?? JSON.stringify(body);
      const key = spoil.key === 'unknown' ? 2 : (spoil.key ?? 0);
      const signature = sign(null, Buffer.from(text), theirs[key]!.privateKey).toString('base64');
      const response = await fetch(`${site.url}/provider/b`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-beacon-key': `key-${key + 1}`,
          ...(spoil.without === 'signature' ? {} : { 'x-beacon-signature': signature }),
        },
        body: spoil.tamper ? spoil.tamper(text) : text,
      });
      const told = await response.text();
      const answer = JSON.parse(told) as Record<string, never>;
      const signer = operators[Number((response.headers.get('x-beacon-key') ?? '').slice(3)) - 1];
      const given = Buffer.from(response.headers.get('x-beacon-signature') ?? '', 'base64');
      const minor = (value: unknown) =>
        typeof value === 'string' && /^-?\d+\.\d{2}$/.test(value) ? Number(value.replace('.', '')) : undefined;
      return {
        status: response.status,
        code: opposite(CODES_B, answer.status),
        balanceMinor: minor(answer.balance),
        currency: answer.currency,
        walletTx: answer.wallet_tx,
        repeated: answer.repeated,
        tombstone: answer.tombstone,
        session: answer.session_id,
        player: answer.player_id,
        nickname: answer.nickname,
        signed:
          signer !== undefined &&
          verify(null, Buffer.from(told), signer.publicKey, given) &&
          answer.nonce === nonce &&
          answer.action === action,
      };
    },
  };
}

function fieldsB(op: Op): object {
  const text = (minor: number | undefined) =>
    minor === undefined ? undefined : `${minor < 0 ? '-' : ''}${(Math.abs(minor) / 100).toFixed(2)}`;
  if (op.op === 'authenticate') return { token: op.token, game_code: op.game };
  if (op.op === 'balance' || op.op === 'sessionEnd') return { session_id: op.session };
  const { session, player, tx, round, game, currency, amount, win, closed, ref, reason } = op as Partial<Move>;
  const both = op.op === 'debitCredit';
  return {
    session_id: session,
    player_id: player,
    transaction_id: tx,
    round_id: round,
    game_code: game,
    currency,
    ...(both ? { bet: text(amount), win: text(win) } : { amount: text(amount) }),
    round_closed: closed,
    reference_id: ref,
    reason,
  };
}

/** Fresh ids for a round. */
export const newRound = () => ({ round: `r-${id()}`, tx: `t-${id()}` });
export const newTx = (): string => `t-${id()}`;
