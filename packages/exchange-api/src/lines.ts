/**
 * Runs that the house quotes, as line markets. The words turn round: who lays buys the line and wins above it (our yes, a
 * back in the core), who backs sells it (our no). Yes and no at a score of 45 or more lie at the line 44.5. Every bet is
 * struck at evens, so only a rate of exactly 100 can be said.
 */
import type { Bet, MarketKind, MarketView, QuoteRow } from '@fairgame/exchange';
import { type QuoteKind, quoteFor } from '@fairgame/exchange';
import type { RunnerBook } from './books.ts';
import { marketTypeOf } from './ids.ts';
import type { Wish } from './orders.ts';

/** Lines in hundredths. */
export const LINE_RANGE = { least: 50, most: 99_950, step: 100 } as const;
const LINE_KINDS: readonly MarketKind[] = ['session', 'overByover', 'ballByBall'];
/** What programs see. */
export const TOLD_KINDS: readonly MarketKind[] = ['book', ...LINE_KINDS];
export const isLineKind = (kind: MarketKind): boolean => LINE_KINDS.includes(kind);
export const isLine = (price: number): boolean =>
  price >= LINE_RANGE.least && price <= LINE_RANGE.most && (price - LINE_RANGE.least) % LINE_RANGE.step === 0;

const EVENS = 100;
const lineAt = (score: number): number => score * 100 - 50;

/** What a program can do at one side of a row, and the bet of the core that it is. */
export interface LineOffer {
  /** The line in hundredths. */
  price: number;
  sizeMinor: number;
  take: { side: 'BACK' | 'LAY'; price: number; line: number };
}

export function lineOffers(view: MarketView, row: QuoteRow | undefined): Record<'BACK' | 'LAY', LineOffer | null> {
  const offer = (side: 'BACK' | 'LAY'): LineOffer | null => {
    const quote =
      row && view.status === 'OPEN' ? quoteFor({ ...view, kind: view.kind as QuoteKind }, row, side, 0) : null;
    if (quote?.line === undefined || quote.price !== EVENS || !isLine(lineAt(quote.line))) return null;
    return { price: lineAt(quote.line), sizeMinor: quote.sizeMinor, take: { side, price: EVENS, line: quote.line } };
  };
  const [sell, buy] = [offer('LAY'), offer('BACK')];
  // Both at one line would lock the book.
  return { BACK: sell, LAY: sell && buy && buy.price <= sell.price ? null : buy };
}

/** The offer that an order meets: one that is taken whole, at its line or a better one. */
export function lineMet(offers: ReturnType<typeof lineOffers>, { side, price, sizeMinor }: Wish): LineOffer | null {
  const offer = offers[side];
  if (!offer || offer.sizeMinor < sizeMinor) return null;
  return (side === 'BACK' ? offer.price >= price : offer.price <= price) ? offer : null;
}

/** What was struck on a line, hundredths and minor units. */
export interface LineTrades {
  last: number;
  byLine: ReadonlyMap<number, number>;
}

export function lineRunners(
  view: MarketView,
  rows: readonly QuoteRow[],
  tradesOf: (runnerId: number) => LineTrades | undefined,
): RunnerBook[] {
  return view.runners.map(({ runnerId, status }) => {
    const { BACK: sell, LAY: buy } = lineOffers(
      view,
      rows.find((row) => row.runnerId === runnerId),
    );
    const trades = tradesOf(runnerId);
    const traded = [...(trades?.byLine ?? [])].sort((a, b) => a[0] - b[0]);
    return {
      runnerId,
      status,
      removedAt: null,
      lastPrice: trades?.last ?? 0,
      tradedMinor: traded.reduce((sum, [, minor]) => sum + minor, 0),
      back: sell ? [[sell.price, sell.sizeMinor]] : [],
      lay: buy ? [[buy.price, buy.sizeMinor]] : [],
      traded,
    };
  });
}

/** A bet in the words of the format: those in order books are as they are. */
export function toldBet<T extends Bet>(bet: T): T {
  if (bet.kind !== 'quote' || bet.line === undefined) return bet;
  const price = lineAt(bet.line);
  const side = bet.side === 'BACK' ? ('LAY' as const) : ('BACK' as const);
  return { ...bet, side, price, matchedSum: bet.matchedMinor * price };
}

/** The type of a market; `ours` is our word for it, which lines do without. */
export const typeOf = ({ kind, name }: MarketView, ours: string): string =>
  isLineKind(kind) ? lineTypeOf(kind, name) : marketTypeOf(ours, name);

/** A line's type by what it is about: overs of an innings have the format's own word. */
function lineTypeOf(kind: MarketKind, name: string): string {
  const overs = /(\d+)[ -]?overs?\b/i.exec(name)?.[1];
  const innings = /(\d)(?:st|nd|rd|th)? inn/i.exec(name)?.[1];
  if (kind === 'session' && overs && innings) return `${innings}_INNING_${overs}_OVR_LINE`;
  return { session: 'SESSION_LINE', overByover: 'OVER_BY_OVER_LINE' }[kind as string] ?? 'BALL_BY_BALL_LINE';
}
