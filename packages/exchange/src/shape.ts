/**
 * The structure of the commands that feeds, operators and providers send: lists are lists, texts are texts. Whether a
 * number or a word is right is decided where it is used; together a malformed value is always a refusal that names its
 * field, never an exception that stops the writer. Commands of a single bet look at each of their fields themselves.
 */
import type { Refused } from './guard.ts';
import { refuse } from './guard.ts';
import type { Command } from './types.ts';

/** Null when the value has the structure, else the path to what has not; '' is the value itself. */
type Check = (value: unknown) => string | null;
type Fields = Readonly<Record<string, Check>>;

/** Longest text the core keeps; names, reasons and labels are far shorter. */
const MAX_TEXT = 2_000;
/** Longest list in one command. */
const MAX_LIST = 100_000;

/** Half of a character. */
const LONE = /\p{Surrogate}/u;
/** What a database can hold as text: no NUL, and no half of a character, for which it would refuse a whole commit. */
const isStorable = (value: string) => !value.includes('\0') && !LONE.test(value);
const text: Check = (value) => (typeof value === 'string' && value.length <= MAX_TEXT && isStorable(value) ? null : '');
/** Of what the core wrote itself. */
const anyText: Check = (value) => (typeof value === 'string' ? null : '');
const flag: Check = (value) => (typeof value === 'boolean' ? null : '');
const number: Check = (value) => (typeof value === 'number' ? null : '');
const object: Check = (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? null : '');
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? null : check(value);
const join = (head: string, tail: string) => (tail === '' ? head : `${head}.${tail}`);

function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value) || value.length > MAX_LIST) return '';
    for (let i = 0; i < value.length; i++) {
      const bad = check(value[i]);
      if (bad !== null) return join(String(i), bad);
    }
    return null;
  };
}

function record(fields: Fields): Check {
  return (value) => {
    if (object(value) !== null) return '';
    for (const name of Object.keys(fields)) {
      const bad = fields[name]!((value as Record<string, unknown>)[name]);
      if (bad !== null) return join(name, bad);
    }
    return null;
  };
}

const numbers = (count: number): Check => {
  const list = listOf(number);
  return (value) => (Array.isArray(value) && value.length === count ? list(value) : '');
};

const byId =
  (check: Check): Check =>
  (value) => {
    if (object(value) !== null) return '';
    for (const [id, one] of Object.entries(value as object)) if (check(one) !== null) return id;
    return null;
  };

const quote: Check = (value) => (value === null ? null : object(value));

const round = record({
  provider: text,
  roundId: text,
  accountId: number,
  game: text,
  label: text,
  status: text,
  bets: listOf((bet) =>
    Array.isArray(bet) && bet.length === 3 ? (text(bet[0]) ?? number(bet[1]) ?? text(bet[2])) : '',
  ),
});

const move: Fields = {
  provider: text,
  roundId: text,
  game: text,
  currency: text,
  label: text,
  archived: optional(round),
};

const SHAPES = new Map<string, Check>(
  Object.entries({
    'account.transfer': record({ text }),
    'account.restrict': record({ wager: optional(object) }),
    'market.create': record({
      market: record({
        name: text,
        runners: listOf(record({ name: text })),
        inPlay: flag,
        lapseOnSuspend: flag,
        rateThan100: optional(flag),
        placeMarket: optional(flag),
        removable: optional(flag),
      }),
    }),
    'market.state': record({
      reason: optional(text),
      lapse: optional(flag),
      runners: optional(listOf(object)),
      limits: optional(object),
    }),
    'orders.place': record({ betId: number, orders: listOf(object) }),
    'quotes.take': record({ betId: number, takes: listOf(object) }),
    'bets.hedge': record({ betId: number, legs: listOf(object), cancel: flag }),
    'house.book': record({
      runners: listOf(record({ backable: listOf(numbers(2)), layable: listOf(numbers(2)) })),
    }),
    'house.quotes': record({
      rows: listOf(record({ back: quote, lay: quote })),
      names: optional(byId(text)),
      bounds: optional(byId(object)),
    }),
    'runner.remove': record({ factors: optional(listOf(object)), force: optional(text) }),
    'runner.reinstate': record({ factors: optional(listOf(object)), force: optional(text) }),
    'hold.release': record({ reason: text }),
    'debt.writeOff': record({ reason: text }),
    'market.undeclare': record({ archived: optional(object) }),
    'market.recall': record({ archived: object, seal: text }),
    'market.recallPart': record({ part: number, text: anyText }),
    'bets.void': record({ betIds: listOf(number), reason: text, archived: optional(object) }),
    'game.debit': record(move),
    'game.debitCredit': record({ ...move, roundClosed: flag }),
    'game.credit': record({ ...move, roundClosed: flag }),
    'game.rollback': record(move),
    'game.promo': record({ ...move, reason: text }),
    'game.end': record(move),
  } satisfies Partial<Record<Command['type'], Check>>),
);

/** The refusal of a command that has not the structure of its type. */
export function malformed(command: Command): Refused | null {
  if (object(command) !== null) return refuse('BAD_INPUT', 'command');
  const bad = SHAPES.get(command.type)?.(command) ?? null;
  return bad === null ? null : refuse('BAD_INPUT', bad);
}
