/**
 * The rows that every bet has, written as text at once: an object for each, and JSON of it, cost twice that. Names and what may
 * be left out are those of columns.ts.
 */
import type { KeyRow } from './batch.ts';
import { heads } from './columns.ts';
import type { BetRow } from './rows.ts';

const b = heads('newBets');
const BET = {
  betId: `{${b('betId')}`,
  accountId: `,${b('accountId')}`,
  marketId: `,${b('marketId')}`,
  runnerId: `,${b('runnerId')}`,
  kind: `,${b('kind')}"`,
  side: `",${b('side')}"`,
  price: `",${b('price')}`,
  sizeMinor: `,${b('sizeMinor')}`,
  persistence: `,${b('persistence')}"`,
  status: `",${b('status')}"`,
  placedAt: `",${b('placedAt')}`,
  result: `,${b('result')}"`,
  version: `",${b('version')}`,
  world: `,${b('world')}"`,
  seq: `",${b('seq')}`,
};
/** What most bets have not, or is 0. */
const REST = (
  [
    'matchedSum',
    'matchedMinor',
    'remainingMinor',
    'cancelledMinor',
    'lapsedMinor',
    'voidedMinor',
    'dueAt',
    'profitMinor',
  ] as const
).map((name) => [name, `,${b(name)}`] as const);
const OPTIONAL = (['line', 'box', 'winMinor', 'lossMinor', 'firstPrice', 'width'] as const).map(
  (name) => [name, `,${b(name)}`] as const,
);
const WORDS = (['endCode', 'reason'] as const).map((name) => [name, `,${b(name)}`] as const);
const SETTLED_AT = `,${b('settledAt')}`;

export function betText({ bet, world, settledAt, seq }: BetRow): string {
  let text =
    BET.betId + bet.betId + BET.accountId + bet.accountId + BET.marketId + bet.marketId + BET.runnerId + bet.runnerId;
  text += BET.kind + bet.kind + BET.side + bet.side + BET.price + bet.price + BET.sizeMinor + bet.sizeMinor;
  text += BET.persistence + bet.persistence + BET.status + bet.status + BET.placedAt + bet.placedAt;
  text += BET.result + bet.result + BET.version + bet.version + BET.world + world + BET.seq + seq;
  for (const [name, head] of REST) if (bet[name] !== 0) text += head + bet[name];
  for (const [name, head] of OPTIONAL) if (bet[name] !== undefined) text += head + bet[name];
  for (const [name, head] of WORDS) if (bet[name] !== undefined) text += head + JSON.stringify(bet[name]);
  return settledAt === null ? `${text}}` : `${text}${SETTLED_AT}${settledAt}}`;
}

const k = heads('keys');
const KEY = {
  actor: `{${k('actor')}`,
  key: `,${k('key')}`,
  world: `,${k('world')}"`,
  payloadHash: `",${k('payloadHash')}`,
  seq: `,${k('seq')}`,
  at: `,${k('at')}`,
  betId: `,${k('betId')}`,
  answer: `,${k('answer')}`,
};

export function keyText({ actor, key, world, payloadHash, seq, at, betId, answer }: KeyRow): string {
  const who = KEY.actor + JSON.stringify(actor) + KEY.key + JSON.stringify(key);
  const what = KEY.world + world + KEY.payloadHash + JSON.stringify(payloadHash);
  return `${who}${what}${KEY.seq}${seq}${KEY.at}${at}${KEY.betId}${betId}${KEY.answer}${answer}}`;
}
