/** Dialect B: one address with an action, decimal texts, Ed25519 over the body. The wire: docs/providers.md. */
import { type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { parseBody } from '../../http/input.ts';
import type { WalletCode, WalletRow } from '../movement.ts';
import {
  badAmount,
  type CallAnswer,
  type Dialect,
  decimalIn,
  decimalText,
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

export interface NamedKey {
  readonly id: string;
  readonly key: KeyObject;
}

export interface KeysB {
  /** Ours: the first signs. */
  readonly own: readonly NamedKey[];
  /** The provider's: every one is taken. */
  readonly theirs: readonly NamedKey[];
}

const STATUS: Readonly<Record<WalletCode, string>> = {
  OK: 'ok',
  INVALID_SIGNATURE: 'bad_signature',
  INVALID_TOKEN: 'invalid_token',
  TOKEN_EXPIRED: 'token_expired',
  USER_DISABLED: 'user_disabled',
  REALITY_CHECK_DUE: 'reality_check_due',
  LIMIT_REACHED: 'limit_reached',
  TOO_FAST: 'too_fast',
  INSUFFICIENT_FUNDS: 'not_enough_money',
  INVALID_AMOUNT: 'invalid_amount',
  WRONG_CURRENCY: 'wrong_currency',
  INVALID_GAME: 'invalid_game',
  DUPLICATE_MISMATCH: 'duplicate_mismatch',
  BET_NOT_FOUND: 'bet_not_found',
  ALREADY_SETTLED: 'already_settled',
  ALREADY_ROLLED_BACK: 'already_rolled_back',
  RETRY: 'retry',
  UNKNOWN: 'unknown',
};

export function dialectB(provider: string, keys: KeysB): Dialect {
  return {
    path: `/provider/${provider}`,
    unsigned: JSON.stringify({ status: STATUS.INVALID_SIGNATURE }),
    open: (request) => open(keys, request),
    read: (_request, opened) => read(provider, opened),
    write(_request, opened, answer) {
      const { action } = objectIn(opened.body, malformed);
      const text = JSON.stringify({
        action: typeof action === 'string' ? action.slice(0, 40) : '',
        ts: Date.now(),
        nonce: opened.nonce,
        ...answerBody(answer),
      });
      return { text, headers: sealed(keys, text) };
    },
    client: (fetchText) => client(keys, fetchText),
  };
}

// ------------------------------------------------------------------------------------------------ signature

function sealed({ own }: KeysB, text: string): Record<string, string> {
  const [key] = own;
  return {
    'x-beacon-key': key!.id,
    'x-beacon-signature': sign(null, Buffer.from(text), key!.key).toString('base64'),
  };
}

function fits({ theirs }: KeysB, keyId: string, signature: string, raw: Buffer): boolean {
  const key = theirs.find(({ id }) => id === keyId);
  if (!key || !/^[A-Za-z0-9+/]{86}==$/.test(signature)) return false;
  return verify(null, raw, key.key, Buffer.from(signature, 'base64'));
}

function open(keys: KeysB, { headers, raw }: RawRequest): Opened | null {
  if (!fits(keys, header(headers, 'x-beacon-key'), header(headers, 'x-beacon-signature'), raw)) return null;
  try {
    // Time and nonce are inside what is signed; without them nothing of it can be believed.
    const body = objectIn(parseBody(raw.toString('utf8')), malformed);
    const nonce = textIn(body, 'nonce', 64, malformed);
    return NONCE.test(nonce) ? { at: timeIn(body, 'ts', malformed), nonce, body } : null;
  } catch {
    return null;
  }
}

// ------------------------------------------------------------------------------------------------ the wallet

function read(provider: string, { body }: Opened): WalletCall {
  const fields = objectIn(body, malformed);
  const id = (name: string) => idIn(fields, name, malformed);
  const session = () => ({ sessionId: tokenIn(fields, 'session_id') });
  const round = () => ({
    provider,
    ...session(),
    playerRef: id('player_id'),
    roundId: id('round_id'),
    game: id('game_code'),
    currency: id('currency'),
  });
  const movement = (amount: string, least: 0 | 1) => ({
    ...round(),
    txId: id('transaction_id'),
    amountMinor: decimalIn(fields, amount, least, badAmount),
  });
  const roundClosed = () => flagIn(fields, 'round_closed', malformed);
  switch (fields.action) {
    case 'authenticate':
      return { op: 'authenticate', token: tokenIn(fields, 'token'), game: id('game_code') };
    case 'balance':
      return { op: 'balance', ...session() };
    case 'debit':
      return { op: 'debit', movement: movement('amount', 1) };
    case 'credit':
      return {
        op: 'credit',
        movement: {
          ...movement('amount', 0),
          roundClosed: roundClosed(),
          ...(fields.reference_id === undefined ? {} : { refTx: id('reference_id') }),
        },
      };
    case 'debit_credit':
      return {
        op: 'debitCredit',
        movement: {
          ...movement('bet', 1),
          creditMinor: decimalIn(fields, 'win', 0, badAmount),
          roundClosed: roundClosed(),
        },
      };
    case 'rollback':
      return { op: 'rollback', movement: { ...round(), txId: id('transaction_id'), refTx: id('reference_id') } };
    case 'promo':
      return {
        op: 'promoCredit',
        movement: { ...movement('amount', 1), reason: textIn(fields, 'reason', 200, malformed) },
      };
    case 'round_end':
      return { op: 'roundEnd', movement: round() };
    case 'session_end':
      return { op: 'sessionEnd', ...session() };
    default:
      throw new Malformed('action');
  }
}

function answerBody(answer: CallAnswer): object {
  const { code, balanceMinor, currency, walletTx, repeated, tombstone, session, nickname } = answer;
  return {
    status: STATUS[code],
    balance: balanceMinor === undefined ? undefined : decimalText(balanceMinor),
    currency,
    wallet_tx: walletTx,
    repeated,
    tombstone,
    ...(session && { session_id: session.sessionId, player_id: session.playerRef, nickname }),
  };
}

// ------------------------------------------------------------------------------------------------ our calls

const KINDS: Readonly<Record<string, WalletRow['kind']>> = {
  debit: 'debit',
  credit: 'credit',
  debit_credit: 'debitCredit',
  rollback: 'rollback',
  promo: 'promo',
};

function client(keys: KeysB, fetchText: FetchText): ProviderClient {
  async function ask(action: string, more: object = {}): Promise<Fields> {
    const nonce = randomBytes(18).toString('base64url');
    const body = JSON.stringify({ action, ts: Date.now(), nonce, ...more });
    const told = await fetchText({
      method: 'POST',
      path: '/api',
      headers: { ...sealed(keys, body), 'content-type': 'application/json' },
      body,
    });
    if (told.status !== 200) throw new ProviderFault(`the provider answered ${told.status}`);
    const keyId = told.headers.get('x-beacon-key') ?? '';
    if (!fits(keys, keyId, told.headers.get('x-beacon-signature') ?? '', Buffer.from(told.text)))
      throw new ProviderFault('the answer of the provider is not signed well');
    const fields = objectIn(jsonOf(told.text), faulty);
    if (fields.nonce !== nonce || fields.action !== action)
      throw new ProviderFault('the answer of the provider belongs to another call');
    if (fields.status === 'ok') return fields;
    if (fields.status === 'invalid_game') throw new ProviderRefusal('GAME', 'the provider does not have this game');
    if (fields.status === 'round_not_found') throw new ProviderRefusal('ROUND', 'the provider has no such round');
    throw new ProviderRefusal('OTHER', `the provider refused with ${String(fields.status).slice(0, 40)}`);
  }

  return {
    async games() {
      return listIn(await ask('list'), 'games', faulty).map((value) => {
        const game = objectIn(value, faulty, 'game');
        return {
          code: idIn(game, 'game_code', faulty),
          name: textIn(game, 'name', 60, faulty),
          category: textIn(game, 'category', 30, faulty),
          family: textIn(game, 'family', 30, faulty),
          subProvider: textIn(game, 'sub_provider', 60, faulty),
          thumb: textIn(game, 'thumb', 200, faulty),
          status: textIn(game, 'status', 20, faulty),
        };
      });
    },
    async launch(asked: LaunchAsk) {
      const { maxStakeMinor, realityCheckSec } = asked;
      const fields = await ask('launch', {
        operator_id: 'fairgame',
        mode: asked.mode,
        game_code: asked.game,
        platform: asked.platform,
        player_id: asked.playerRef,
        token: asked.token,
        currency: asked.currency,
        lang: 'en',
        theme: asked.theme,
        lobby_url: asked.lobbyUrl,
        ...(maxStakeMinor === undefined && realityCheckSec === undefined
          ? {}
          : {
              limits: {
                max_stake: maxStakeMinor === undefined ? undefined : decimalText(maxStakeMinor),
                reality_check_sec: realityCheckSec,
              },
            }),
      });
      return { url: textIn(fields, 'url', 2000, faulty) };
    },
    async round(roundId, playerRef) {
      const fields = await ask('round', { round_id: roundId, player_id: playerRef });
      const round = objectIn(fields.round, faulty, 'round');
      return {
        roundId: idIn(round, 'round_id', faulty),
        status: oneIn(round, 'status', ['OPEN', 'CLOSED', 'VOID'], faulty),
        stakeMinor: decimalIn(round, 'stake', 0, faulty),
        paidMinor: decimalIn(round, 'paid', 0, faulty),
        proof: round.proof ?? null,
      };
    },
    async transactions(fromMs, toMs, after) {
      const fields = await ask('transactions', { from: fromMs, to: toMs, after });
      const rows = listIn(fields, 'transactions', faulty).map((value): ProviderMovement => {
        const row = objectIn(value, faulty, 'transaction');
        const kind = KINDS[textIn(row, 'kind', 20, faulty)];
        if (!kind) throw faulty('kind');
        const both = row.bet !== undefined;
        return {
          txId: idIn(row, 'transaction_id', faulty),
          kind,
          playerRef: idIn(row, 'player_id', faulty),
          roundId: idIn(row, 'round_id', faulty),
          game: idIn(row, 'game_code', faulty),
          currency: idIn(row, 'currency', faulty),
          amountMinor: decimalIn(row, both ? 'bet' : 'amount', 0, faulty),
          ...(both ? { creditMinor: decimalIn(row, 'win', 0, faulty) } : {}),
          at: timeIn(row, 'at', faulty),
          state: oneIn(row, 'state', ['DONE', 'PENDING'], faulty),
          ...(typeof row.reference_id === 'string' ? { refTx: idIn(row, 'reference_id', faulty) } : {}),
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
