/** What a player may set as an alert: every field fits its kind, and what he waits for is not there already. */
import { type AlertBody, type AlertKind, CodedError, tickIndex } from '@fairgame/contract';
import type { Catalog } from '../catalog/catalog.ts';
import type { World } from '../core/types.ts';
import { figureOf, markOf, type Wish } from './figures.ts';

/** Names as they stood when it was set. */
export interface Names {
  event: string;
  market: string;
  runner: string;
  matchType: string | null;
  beventId: string | null;
}

export interface Judged extends Wish {
  marketId: number | null;
  eventId: number | null;
  every: boolean;
  names: Names;
}

type Field = 'betId' | 'runnerId' | 'figure' | 'when' | 'price' | 'amountMinor' | 'seconds';
const FIELDS: readonly Field[] = ['betId', 'runnerId', 'figure', 'when', 'price', 'amountMinor', 'seconds'];

const NEEDS: Readonly<Record<AlertKind, readonly Field[]>> = {
  PRICE: ['betId', 'runnerId', 'figure', 'when', 'price'],
  SIZE: ['betId', 'runnerId', 'figure', 'amountMinor'],
  MATCHED: ['betId', 'amountMinor'],
  SUSPENDED: ['betId', 'seconds'],
  IN_PLAY: ['betId'],
  SCORE: ['betId'],
  OFF: ['betId'],
  RESULT: ['betId'],
  BET: [],
};
/** Of order books alone. */
const OF_BOOKS: ReadonlySet<AlertKind> = new Set(['PRICE', 'SIZE', 'MATCHED']);
const SPORTS: Partial<Record<AlertKind, { of: readonly string[]; says: string }>> = {
  SCORE: { of: ['cricket', 'football'], says: 'Goals and wickets are of football and cricket.' },
  OFF: { of: ['horseRacing', 'greyHound'], says: 'Only a race has an off.' },
};

export function judgeAlert(catalog: Catalog, world: World, body: AlertBody): Judged {
  checkFields(body);
  const { kind, betId, runnerId } = body;
  const wish: Wish = {
    kind,
    runnerId: runnerId ?? null,
    figure: body.figure ?? null,
    when: body.when ?? null,
    price: body.price ?? null,
    amountMinor: body.amountMinor ?? null,
    seconds: body.seconds ?? null,
  };
  if (body.price !== undefined && tickIndex(body.price) < 0) throw new CodedError('PRICE_INVALID', { field: 'price' });
  if (betId === undefined) return { ...wish, marketId: null, eventId: null, every: body.every, names: NO_NAMES };
  const { image, place, live } = marketOf(catalog, world, betId);
  if (OF_BOOKS.has(kind) && image.kind !== 'book')
    throw new CodedError('WRONG_KIND', { field: 'betId', message: 'Only a market with a ladder of prices has this.' });
  const sports = SPORTS[kind];
  if (sports && !sports.of.includes(live.matchType))
    throw new CodedError('WRONG_KIND', { field: 'kind', message: sports.says });
  const runner = image.runners.find(({ id }) => id === runnerId);
  if (runnerId !== undefined && !runner) throw new CodedError('RUNNER_UNKNOWN', { field: 'runnerId' });
  if (runner?.status === 'REMOVED') throw new CodedError('RUNNER_REMOVED', { field: 'runnerId' });
  const figure = figureOf(wish, { image, score: live.score, suspendedMs: null });
  if (figure >= markOf(wish)) throw met(wish, Math.abs(figure));
  return {
    ...wish,
    marketId: betId,
    eventId: live.id,
    every: body.every,
    names: {
      event: live.event.title,
      market: place.name,
      runner: runner?.name ?? '',
      matchType: live.matchType,
      beventId: live.event.beventId || null,
    },
  };
}

const NO_NAMES: Names = { event: '', market: '', runner: '', matchType: null, beventId: null };

function checkFields(body: AlertBody): void {
  const needed = NEEDS[body.kind];
  for (const field of FIELDS) {
    // Own bets are of one market, or of all of them.
    if (body.kind === 'BET' && field === 'betId') continue;
    if ((body[field] !== undefined) !== needed.includes(field)) throw new CodedError('BAD_INPUT', { field });
  }
  if (body.kind === 'SIZE' && body.figure === 'LAST') throw new CodedError('BAD_INPUT', { field: 'figure' });
}

/** A market of an event that is not over; card tables have none. */
function marketOf(catalog: Catalog, world: World, betId: number) {
  const image = catalog.images.image(world, betId);
  const place = catalog.place(betId);
  const live = place && catalog.event(place.eventId);
  if (!image || !place || !live) throw new CodedError('MARKET_UNKNOWN', { field: 'betId' });
  if (image.status === 'CLOSED') throw new CodedError('MARKET_CLOSED', { field: 'betId' });
  return { image, place, live };
}

function met({ kind, price, amountMinor }: Wish, now: number): CodedError {
  if (price !== null) return new CodedError('CONDITION_MET', { field: 'price', current: { price: now } });
  const field = amountMinor === null ? 'kind' : 'amountMinor';
  const message = kind === 'IN_PLAY' ? 'The market is in play already.' : 'This has come true already.';
  return new CodedError('CONDITION_MET', { field, message });
}
