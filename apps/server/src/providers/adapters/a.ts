/** Dialect A: one address a call, integer minor units, HMAC-SHA256 over time, nonce and body. The wire: docs/providers.md. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseBody } from '../../http/input.ts';
import type { WalletCode, WalletRow } from '../movement.ts';
import {
  badAmount,
  type CallAnswer,
  type Dialect,
  type FetchText,
  type Fields,
  faulty,
  flagIn,
  header,
  idIn,
  type LaunchAsk,
  listIn,
  Malformed,
  malformed,
  minorIn,
  NONCE,
  type Opened,
  objectIn,
  oneIn,
  type ProviderClient,
  ProviderFault,
  type ProviderMovement,
  ProviderRefusal,
  type RawRequest,
  textIn,
  timeIn,
  tokenIn,
  type WalletCall,
} from './dialect.ts';

export interface SecretKey {
  readonly id: string;
  readonly secret: Buffer;
}

const CODES: Readonly<Record<WalletCode, number>> = {
  OK: 0,
  INVALID_SIGNATURE: 10,
  INVALID_TOKEN: 20,
  TOKEN_EXPIRED: 21,
  USER_DISABLED: 30,
  REALITY_CHECK_DUE: 31,
  LIMIT_REACHED: 32,
  TOO_FAST: 33,
  INSUFFICIENT_FUNDS: 40,
  INVALID_AMOUNT: 41,
  WRONG_CURRENCY: 42,
  INVALID_GAME: 43,
  DUPLICATE_MISMATCH: 50,
  BET_NOT_FOUND: 51,
  ALREADY_SETTLED: 52,
  ALREADY_ROLLED_BACK: 53,
  RETRY: 90,
  UNKNOWN: 99,
};

/** `keys`: the first signs, every one is taken. */
export function dialectA(provider: string, keys: readonly SecretKey[]): Dialect {
  return {
    path: `/provider/${provider}/:call`,
    unsigned: JSON.stringify({ code: CODES.INVALID_SIGNATURE }),
    open: (request) => open(keys, request),
    read: (request, opened) => read(provider, request, opened),
    write(_request, opened, answer) {
      const text = JSON.stringify(answerBody(answer));
      return { text, headers: sealed(keys[0]!, opened.nonce, text) };
    },
    client: (fetchText) => client(keys, fetchText),
  };
}

// ------------------------------------------------------------------------------------------------ signature

function signature(secret: Buffer, ts: string, nonce: string, text: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(`${ts}.${nonce}.`).update(text).digest();
}

function sealed(key: SecretKey, nonce: string, text: string): Record<string, string> {
  const ts = String(Date.now());
  return {
    'x-key': key.id,
    'x-ts': ts,
    'x-nonce': nonce,
    'x-sig': signature(key.secret, ts, nonce, text).toString('hex'),
  };
}

function fits(
  keys: readonly SecretKey[],
  sent: { key: string; ts: string; nonce: string; sig: string },
  text: string | Buffer,
): boolean {
  const key = keys.find(({ id }) => id === sent.key);
  if (!key || !/^\d{1,15}$/.test(sent.ts) || !NONCE.test(sent.nonce) || !/^[0-9a-f]{64}$/.test(sent.sig)) return false;
  return timingSafeEqual(signature(key.secret, sent.ts, sent.nonce, text), Buffer.from(sent.sig, 'hex'));
}

function open(keys: readonly SecretKey[], { headers, raw }: RawRequest): Opened | null {
  const sent = {
    key: header(headers, 'x-key'),
    ts: header(headers, 'x-ts'),
    nonce: header(headers, 'x-nonce'),
    sig: header(headers, 'x-sig'),
  };
  if (!fits(keys, sent, raw)) return null;
  let body: unknown;
  try {
    body = parseBody(raw.toString('utf8'));
  } catch {
    body = undefined;
  }
  return { at: Number(sent.ts), nonce: sent.nonce, body };
}

// ------------------------------------------------------------------------------------------------ the wallet

function read(provider: string, { call }: RawRequest, { body }: Opened): WalletCall {
  const fields = objectIn(body, malformed);
  // The address is not signed, the body is: both must name the same call.
  if (fields.call !== call) throw new Malformed('call');
  const id = (name: string) => idIn(fields, name, malformed);
  const session = () => ({ sessionId: tokenIn(fields, 'session') });
  const round = () => ({
    provider,
    ...session(),
    playerRef: id('player'),
    roundId: id('round'),
    game: id('game'),
    currency: id('currency'),
  });
  const movement = (least: 0 | 1) => ({
    ...round(),
    txId: id('tx'),
    amountMinor: minorIn(fields, 'amount', least, badAmount),
  });
  switch (call) {
    case 'authenticate':
      return { op: 'authenticate', token: tokenIn(fields, 'token'), game: id('game') };
    case 'balance':
      return { op: 'balance', ...session() };
    case 'debit':
      return { op: 'debit', movement: movement(1) };
    case 'credit':
      return {
        op: 'credit',
        movement: {
          ...movement(0),
          roundClosed: flagIn(fields, 'roundClosed', malformed),
          ...(fields.refTx === undefined ? {} : { refTx: id('refTx') }),
        },
      };
    case 'rollback':
      return { op: 'rollback', movement: { ...round(), txId: id('tx'), refTx: id('refTx') } };
    case 'promo-credit':
      return {
        op: 'promoCredit',
        movement: { ...movement(1), reason: textIn(fields, 'reason', 200, malformed) },
      };
    case 'round-end':
      return { op: 'roundEnd', movement: round() };
    case 'session-end':
      return { op: 'sessionEnd', ...session() };
    default:
      throw new Malformed('call');
  }
}

function answerBody(answer: CallAnswer): object {
  const { code, balanceMinor, currency, walletTx, repeated, tombstone, session, nickname } = answer;
  return {
    code: CODES[code],
    balance: balanceMinor,
    currency,
    walletTx,
    repeated,
    tombstone,
    ...(session && { session: session.sessionId, player: session.playerRef, nickname }),
  };
}

// ------------------------------------------------------------------------------------------------ our calls

const KINDS: Readonly<Record<string, WalletRow['kind']>> = {
  debit: 'debit',
  credit: 'credit',
  rollback: 'rollback',
  promo: 'promo',
};

function client(keys: readonly SecretKey[], fetchText: FetchText): ProviderClient {
  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Fields> {
    const nonce = randomBytes(18).toString('base64url');
    const text = body === undefined ? undefined : JSON.stringify(body);
    const told = await fetchText({
      method,
      path,
      headers: { ...sealed(keys[0]!, nonce, text ?? path), 'content-type': 'application/json' },
      ...(text === undefined ? {} : { body: text }),
    });
    if (told.status !== 200) throw new ProviderFault(`the provider answered ${told.status}`);
    const sent = {
      key: told.headers.get('x-key') ?? '',
      ts: told.headers.get('x-ts') ?? '',
      nonce: told.headers.get('x-nonce') ?? '',
      sig: told.headers.get('x-sig') ?? '',
    };
    if (sent.nonce !== nonce || !fits(keys, sent, told.text))
      throw new ProviderFault('the answer of the provider is not signed well');
    const fields = objectIn(jsonOf(told.text), faulty);
    if (fields.code === 0) return fields;
    if (fields.code === CODES.INVALID_GAME) throw new ProviderRefusal('GAME', 'the provider does not have this game');
    if (fields.code === CODES.BET_NOT_FOUND) throw new ProviderRefusal('ROUND', 'the provider has no such round');
    throw new ProviderRefusal('OTHER', `the provider refused with ${String(fields.code).slice(0, 20)}`);
  }

  return {
    async games() {
      const { games } = { games: listIn(await ask('GET', '/v1/games'), 'games', faulty) };
      return games.map((value) => {
        const game = objectIn(value, faulty, 'game');
        return {
          code: idIn(game, 'code', faulty),
          name: textIn(game, 'name', 60, faulty),
          category: textIn(game, 'category', 30, faulty),
          family: textIn(game, 'family', 30, faulty),
          subProvider: textIn(game, 'subProvider', 60, faulty),
          thumb: textIn(game, 'thumb', 200, faulty),
          status: textIn(game, 'status', 20, faulty),
        };
      });
    },
    async launch(asked: LaunchAsk) {
      const { maxStakeMinor, realityCheckSec, playerRef, mode, game, platform, token, currency, theme, lobbyUrl } =
        asked;
      const fields = await ask('POST', '/v1/launch', {
        call: 'launch',
        operatorId: 'fairgame',
        mode,
        game,
        platform,
        player: playerRef,
        token,
        currency,
        lang: 'en',
        theme,
        lobbyUrl,
        ...(maxStakeMinor === undefined && realityCheckSec === undefined
          ? {}
          : { limits: { maxStake: maxStakeMinor, realityCheckSec } }),
      });
      return { url: textIn(fields, 'url', 2000, faulty) };
    },
    async round(roundId, playerRef) {
      const path = `/v1/rounds/${encodeURIComponent(roundId)}?player=${encodeURIComponent(playerRef)}`;
      const round = objectIn((await ask('GET', path)).round, faulty, 'round');
      return {
        roundId: idIn(round, 'id', faulty),
        status: oneIn(round, 'status', ['OPEN', 'CLOSED', 'VOID'], faulty),
        stakeMinor: minorIn(round, 'stake', 0, faulty),
        paidMinor: minorIn(round, 'paid', 0, faulty),
        proof: round.proof ?? null,
      };
    },
    async transactions(fromMs, toMs, after) {
      const cursor = after === null ? '' : `&after=${encodeURIComponent(after)}`;
      const fields = await ask('GET', `/v1/transactions?from=${fromMs}&to=${toMs}${cursor}`);
      const rows = listIn(fields, 'transactions', faulty).map((value): ProviderMovement => {
        const row = objectIn(value, faulty, 'transaction');
        const kind = KINDS[textIn(row, 'kind', 20, faulty)];
        if (!kind) throw faulty('kind');
        return {
          txId: idIn(row, 'tx', faulty),
          kind,
          playerRef: idIn(row, 'player', faulty),
          roundId: idIn(row, 'round', faulty),
          game: idIn(row, 'game', faulty),
          currency: idIn(row, 'currency', faulty),
          amountMinor: minorIn(row, 'amount', 0, faulty),
          at: timeIn(row, 'at', faulty),
          state: oneIn(row, 'state', ['DONE', 'PENDING'], faulty),
          ...(typeof row.refTx === 'string' ? { refTx: idIn(row, 'refTx', faulty) } : {}),
        };
      });
      return { rows, next: fields.next === null ? null : textIn(fields, 'next', 200, faulty) };
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw faulty('JSON');
  }
}
