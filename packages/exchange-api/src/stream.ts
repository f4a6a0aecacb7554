/** The stream's messages: read, written, and what a subscriber is told of a market since what he has. */
import type { Bet, EndCode } from '@fairgame/exchange';
import { type Book, betDelayOf, marketStatusOf, offersOf, runnerStatusOf, winnersIn } from './books.ts';
import { ParamError } from './errors.ts';
import { type MarketFacts, type MarketFilter, readFilter } from './filter.ts';
import { Given } from './given.ts';
import { LINE_RANGE } from './lines.ts';
import { averagePrice, decimal, isoTime } from './numbers.ts';
import type { Refs } from './orders.ts';

export const STREAM_ERRORS = [
  'NO_APP_KEY',
  'INVALID_APP_KEY',
  'NO_SESSION',
  'INVALID_SESSION_INFORMATION',
  'NOT_AUTHORIZED',
  'INVALID_INPUT',
  'UNEXPECTED_ERROR',
  'TIMEOUT',
  'SUBSCRIPTION_LIMIT_EXCEEDED',
  'INVALID_REQUEST',
  'MAX_CONNECTION_LIMIT_EXCEEDED',
  'TOO_MANY_REQUESTS',
] as const;
export type StreamError = (typeof STREAM_ERRORS)[number];

/** What `fields` may name. There is no starting price: its fields are taken and nothing is sent for them. */
export const STREAM_FIELDS = [
  'EX_BEST_OFFERS_DISP',
  'EX_BEST_OFFERS',
  'EX_ALL_OFFERS',
  'EX_TRADED',
  'EX_TRADED_VOL',
  'EX_LTP',
  'EX_MARKET_DEF',
  'SP_TRADED',
  'SP_PROJECTED',
] as const;
export type StreamField = (typeof STREAM_FIELDS)[number];

interface Terms {
  /** 0 to 120 000. */
  conflateMs: number;
  /** 500 to 5000. */
  heartbeatMs: number;
  segmented: boolean;
  initialClk: string | undefined;
  clk: string | undefined;
}

export interface MarketWish extends Terms {
  filter: MarketFilter;
  fields: ReadonlySet<StreamField>;
  levels: number;
  /** The same for the same filter and fields. */
  name: string;
  /** Whoever has the same of a market is told the same with the same word here. */
  shared: string;
}

export interface OrderWish extends Terms {
  overall: boolean;
  byStrategy: boolean;
  strategies: readonly string[] | undefined;
}

function termsOf(given: Given): Terms {
  const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  return {
    conflateMs: within(given.int('conflateMs') ?? 0, 0, 120_000),
    heartbeatMs: within(given.int('heartbeatMs') ?? 5000, 500, 5000),
    segmented: given.flag('segmentationEnabled') ?? false,
    initialClk: given.text('initialClk'),
    clk: given.text('clk'),
  };
}

/** Throws ParamError. */
export function readMarketWish(given: Given): MarketWish {
  const filter = given.object('marketFilter') ?? new Given({});
  const data = given.object('marketDataFilter') ?? new Given({});
  const fields = data.words('fields', STREAM_FIELDS) ?? STREAM_FIELDS.filter((field) => field.startsWith('EX_'));
  const levels = data.int('ladderLevels') ?? 3;
  if (levels < 1 || levels > MOST_LEVELS) throw new ParamError('ladderLevels');
  const name = JSON.stringify([given.raw('marketFilter') ?? {}, [...fields].sort(), levels]);
  const shared = `${levels} ${[...new Set(fields)].sort().join()}`;
  return { ...termsOf(given), filter: readFilter(filter), fields: new Set(fields), levels, name, shared };
}

/** Throws ParamError; other accounts' orders are nobody's to ask for. */
export function readOrderWish(given: Given): OrderWish {
  const filter = given.object('orderFilter') ?? new Given({});
  if (filter.has('accountIds')) throw new ParamError('accountIds');
  return {
    ...termsOf(given),
    overall: filter.flag('includeOverallPosition') ?? true,
    byStrategy: filter.flag('partitionMatchedByStrategyRef') ?? false,
    strategies: filter.texts('customerStrategyRefs'),
  };
}

/** Letters beyond ASCII are written by their numbers, since programs decode piece by piece. */
const textOf = (value: object): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A message as it begins its line. */
export const headOf = textOf;

/**
 * One line of its head; `mc`: the markets of a message, as one text. A line whose last piece of 1024 bytes would be a bare line
 * feed gets a space, since some wait for more after it.
 */
export function lineOf(head: string, mc?: string): string {
  const text = mc === undefined ? head : `${head.slice(0, -1)},"mc":[${mc}]}`;
  return `${text}${(text.length + 2) % 1024 === 1 ? ' ' : ''}\r\n`;
}

/** A value and since when it is so, in turns of the tape. */
interface Since<T> {
  value: T;
  turn: number;
}

/** A place of the best offers: of what is there no more, zeros. */
interface Place {
  price: number;
  size: number;
  turn: number;
}

interface RunnerTape {
  back: Map<number, Since<number>>;
  lay: Map<number, Since<number>>;
  bestBack: Place[];
  bestLay: Place[];
  traded: Map<number, Since<number>>;
  last: Since<number>;
  volume: Since<number>;
}

type Ladder = ReadonlyArray<readonly [number, number]>;
type Asked = Pick<MarketWish, 'fields' | 'levels' | 'shared'>;
/** Of best offers. */
const MOST_LEVELS = 10;

/**
 * A market as it is, and since which turn each part of it is so: whoever has it as of a turn is told what is newer. Levels
 * that are gone stay with size 0, so a ladder's worth of them at most.
 */
export class MarketTape {
  /** Since when there is this tape: who has less has nothing of it. */
  readonly born: number;
  /** Of the last change. */
  turn: number;
  /** Since when a filter would judge it as it does. */
  judged: number;
  private facts = '';
  private definition: Since<object>;
  private definitionText: string;
  private readonly volume: Since<number>;
  private readonly runners = new Map<number, RunnerTape>();
  /** What was made of it as it is: one text for many subscribers. */
  private readonly texts = new Map<string, string | null>();

  constructor(facts: MarketFacts, book: Book, turn: number) {
    this.born = turn;
    this.turn = turn;
    this.judged = turn;
    this.facts = JSON.stringify(facts);
    this.definition = { value: streamDefinitionOf(facts, book), turn };
    this.definitionText = JSON.stringify(this.definition.value);
    this.volume = { value: 0, turn };
    this.take(facts, book, turn);
  }

  /** The market as it is now. */
  take(facts: MarketFacts, book: Book, turn: number): void {
    this.texts.clear();
    const definition = streamDefinitionOf(facts, book);
    const text = JSON.stringify(definition);
    if (text !== this.definitionText) {
      this.definition = { value: definition, turn };
      this.definitionText = text;
      this.turn = turn;
    }
    const judged = JSON.stringify(facts);
    if (judged !== this.facts) {
      this.facts = judged;
      this.judged = turn;
    }
    let volume = 0;
    for (const runner of book.runners) {
      const tape = this.runners.get(runner.runnerId) ?? emptyRunner(turn);
      this.runners.set(runner.runnerId, tape);
      const { back, lay } = offersOf(book.view, runner);
      const changed = [
        levelled(tape.back, back, turn) && placed(tape.bestBack, bestOf(tape.back, -1), turn),
        levelled(tape.lay, lay, turn) && placed(tape.bestLay, bestOf(tape.lay, 1), turn),
        levelled(tape.traded, runner.traded, turn),
        valued(tape.last, runner.lastPrice, turn),
        valued(tape.volume, runner.tradedMinor, turn),
      ];
      if (changed.includes(true)) this.turn = turn;
      volume += runner.tradedMinor;
    }
    if (valued(this.volume, volume, turn)) this.turn = turn;
  }

  /** What is newer than a turn, or with `null` all of it, as the text of a line; null where nothing of the fields is. */
  since(id: string, turn: number | null, wish: Asked): string | null {
    const name = `${turn} ${wish.shared}`;
    let text = this.texts.get(name);
    if (text === undefined) {
      text = this.made(id, turn, wish);
      this.texts.set(name, text);
    }
    return text;
  }

  private made(id: string, turn: number | null, wish: Asked): string | null {
    const changes = this.changes(turn ?? -1, wish);
    if (turn === null) return textOf({ id, img: true, ...changes });
    return Object.keys(changes).length === 0 ? null : textOf({ id, ...changes });
  }

  private changes(turn: number, { fields, levels }: Asked) {
    const isNew = ({ turn: at }: Since<unknown>) => at > turn;
    const runners = [...this.runners].flatMap(([id, tape]) => {
      const told = {
        ...(fields.has('EX_ALL_OFFERS') ? { ...ladder('atb', tape.back, turn), ...ladder('atl', tape.lay, turn) } : {}),
        ...(fields.has('EX_TRADED') ? ladder('trd', tape.traded, turn) : {}),
        ...(fields.has('EX_BEST_OFFERS')
          ? { ...places('batb', tape.bestBack, levels, turn), ...places('batl', tape.bestLay, levels, turn) }
          : {}),
        ...(fields.has('EX_BEST_OFFERS_DISP')
          ? { ...places('bdatb', tape.bestBack, levels, turn), ...places('bdatl', tape.bestLay, levels, turn) }
          : {}),
        ...(fields.has('EX_LTP') && isNew(tape.last) && tape.last.value > 0 ? { ltp: decimal(tape.last.value) } : {}),
        ...(fields.has('EX_TRADED_VOL') && isNew(tape.volume) && (turn >= 0 || tape.volume.value > 0)
          ? { tv: decimal(tape.volume.value) }
          : {}),
      };
      return Object.keys(told).length === 0 ? [] : { id, ...told };
    });
    return {
      ...(fields.has('EX_TRADED_VOL') && isNew(this.volume) ? { tv: decimal(this.volume.value) } : {}),
      ...(fields.has('EX_MARKET_DEF') && isNew(this.definition) ? { marketDefinition: this.definition.value } : {}),
      ...(runners.length > 0 ? { rc: runners } : {}),
    };
  }
}

const emptyRunner = (turn: number): RunnerTape => ({
  back: new Map(),
  lay: new Map(),
  bestBack: [],
  bestLay: [],
  traded: new Map(),
  last: { value: 0, turn },
  volume: { value: 0, turn },
});

function valued(known: Since<number>, value: number, turn: number): boolean {
  if (known.value === value) return false;
  known.value = value;
  known.turn = turn;
  return true;
}

function levelled(known: Map<number, Since<number>>, levels: Ladder, turn: number): boolean {
  const now = new Map(levels);
  let changed = false;
  for (const [price, since] of known) if (!now.has(price) && valued(since, 0, turn)) changed = true;
  for (const [price, size] of now) {
    const since = known.get(price);
    if (since) changed = valued(since, size, turn) || changed;
    else {
      known.set(price, { value: size, turn });
      changed = true;
    }
  }
  return changed;
}

/** Absolute sizes by price; 0 for what is gone. An image has no gone ones. */
function ladder(name: string, levels: ReadonlyMap<number, Since<number>>, turn: number): object {
  const told = [...levels]
    .filter(([, since]) => since.turn > turn && (turn >= 0 || since.value > 0))
    .map(([price, { value }]) => [decimal(price), decimal(value)]);
  return told.length === 0 ? {} : { [name]: told };
}

/** The best first: of backs the highest price (`order` -1), of lays the lowest. */
const bestOf = (levels: ReadonlyMap<number, Since<number>>, order: 1 | -1): Ladder =>
  [...levels]
    .flatMap(([price, { value }]) => (value > 0 ? [[price, value] as const] : []))
    .sort((a, b) => order * (a[0] - b[0]))
    .slice(0, MOST_LEVELS);

/** Since when each place has what it has: they shift, so an offer that goes changes all behind it. */
function placed(known: Place[], best: Ladder, turn: number): boolean {
  for (let at = 0; at < Math.max(known.length, best.length); at++) {
    const [price, size] = best[at] ?? [0, 0];
    const place = known[at];
    if (place?.price !== price || place.size !== size) known[at] = { price, size, turn };
  }
  return true;
}

/** Best offers by their place. An image has no empty ones. */
function places(name: string, known: readonly Place[], most: number, turn: number): object {
  const told = known
    .slice(0, most)
    .flatMap(({ price, size, turn: at }, place) =>
      at > turn && (turn >= 0 || size > 0) ? [[place, decimal(price), decimal(size)]] : [],
    );
  return told.length === 0 ? {} : { [name]: told };
}

/** The definition of a market, told whole whenever anything in it changes. */
function streamDefinitionOf(facts: MarketFacts, { view, runners, settledAt }: Book): object {
  const time = isoTime(facts.startAt);
  return {
    bspMarket: false,
    turnInPlayEnabled: facts.turnInPlay,
    persistenceEnabled: true,
    marketBaseRate: decimal(view.commissionBps),
    eventId: facts.eventId,
    eventTypeId: facts.eventType.id,
    numberOfWinners: winnersIn(view),
    bettingType: facts.bettingType,
    marketType: facts.marketType,
    marketTime: time,
    suspendTime: time,
    bspReconciled: false,
    complete: true,
    inPlay: view.inPlay,
    crossMatching: false,
    runnersVoidable: false,
    numberOfActiveRunners:
      view.status === 'CLOSED' ? 0 : runners.filter(({ status }) => runnerStatusOf(status) === 'ACTIVE').length,
    betDelay: betDelayOf(view),
    status: marketStatusOf(view.status),
    runners: runners.map((runner, at) => ({
      id: runner.runnerId,
      sortPriority: at + 1,
      status: runnerStatusOf(runner.status),
      ...(runner.adjustmentFactor === undefined ? {} : { adjustmentFactor: decimal(runner.adjustmentFactor) }),
      ...(runner.removedAt === null ? {} : { removalDate: isoTime(runner.removedAt) }),
    })),
    regulators: ['MR_INT'],
    ...(facts.venue === undefined ? {} : { venue: facts.venue }),
    ...(facts.countryCode === undefined ? {} : { countryCode: facts.countryCode }),
    ...(facts.raceType === undefined ? {} : { raceType: facts.raceType }),
    discountAllowed: false,
    timezone: 'GMT',
    openDate: time,
    version: view.version,
    ...(view.status === 'CLOSED' && settledAt !== undefined ? { settledTime: isoTime(settledAt) } : {}),
    ...(facts.bettingType === 'LINE'
      ? {
          lineMaxUnit: decimal(LINE_RANGE.most),
          lineMinUnit: decimal(LINE_RANGE.least),
          lineInterval: decimal(LINE_RANGE.step),
          priceLadderDefinition: { type: 'LINE_RANGE' },
        }
      : { priceLadderDefinition: { type: 'CLASSIC' } }),
  };
}

const LAPSES: Readonly<Partial<Record<EndCode, string>>> = {
  LAPSED_VERSION: 'MKT_VERSION',
  LAPSED_SUSPENDED: 'MKT_SUSPENDED',
  LAPSED_PRICE: 'PRICE_INVALID',
  LAPSED_CLOSED: 'MKT_INVALID',
  LAPSED_REMOVAL: 'RNR_UNKNOWN',
};

/** A whole order, as every change of it is told. `endedAt`: when what is cancelled or lapsed of it was. */
export function streamOrderOf(
  bet: Bet,
  refs: Refs,
  { matchedAt, endedAt }: { matchedAt?: number; endedAt?: number },
): object {
  const lapse = bet.endCode && LAPSES[bet.endCode];
  return {
    id: String(bet.betId),
    p: decimal(bet.price),
    s: decimal(bet.sizeMinor),
    side: bet.side === 'BACK' ? 'B' : 'L',
    status: bet.remainingMinor > 0 ? 'E' : 'EC',
    pt: bet.persistence === 'PERSIST' ? 'P' : 'L',
    ot: 'L',
    pd: bet.placedAt,
    ...(matchedAt !== undefined && bet.matchedMinor > 0 ? { md: matchedAt } : {}),
    ...(endedAt !== undefined && bet.cancelledMinor > 0 ? { cd: endedAt } : {}),
    ...(endedAt !== undefined && bet.lapsedMinor > 0 ? { ld: endedAt } : {}),
    ...(bet.lapsedMinor > 0 && lapse ? { lsrc: lapse } : {}),
    ...(bet.matchedMinor > 0 ? { avp: averagePrice(bet.matchedSum, bet.matchedMinor) } : {}),
    sm: decimal(bet.matchedMinor),
    sr: decimal(bet.remainingMinor),
    sl: decimal(bet.lapsedMinor),
    sc: decimal(bet.cancelledMinor),
    sv: decimal(bet.voidedMinor),
    rac: '',
    rc: 'REG_LGA',
    rfo: refs.order ?? '',
    rfs: refs.strategy ?? '',
  };
}

/** Matched backs and lays by price in hundredths, minor units: each bet at its average price. */
export function matchedByPrice(bets: readonly Bet[]): { mb: Map<number, number>; ml: Map<number, number> } {
  const position = { mb: new Map<number, number>(), ml: new Map<number, number>() };
  for (const { side, matchedSum, matchedMinor } of bets) {
    if (matchedMinor === 0) continue;
    const price = Math.round(averagePrice(matchedSum, matchedMinor) * 100);
    const prices = side === 'BACK' ? position.mb : position.ml;
    prices.set(price, (prices.get(price) ?? 0) + matchedMinor);
  }
  return position;
}

/** What of a position by price is other than it was told; 0 for a price that is gone. */
export function pricesChanged(
  before: ReadonlyMap<number, number> | undefined,
  now: ReadonlyMap<number, number>,
): Array<[number, number]> {
  const gone = [...(before?.keys() ?? [])]
    .filter((price) => !now.has(price))
    .map((price): [number, number] => [decimal(price), 0]);
  const other = [...now]
    .filter(([price, minor]) => before?.get(price) !== minor)
    .map(([price, minor]): [number, number] => [decimal(price), decimal(minor)]);
  return [...gone, ...other];
}
