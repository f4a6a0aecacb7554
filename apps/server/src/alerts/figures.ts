/** The figures that alerts are about, read from what the site shows; every one rises towards the mark of its alert. */
import type { AlertKind, MarketImage, Score } from '@fairgame/contract';

export interface Wish {
  kind: AlertKind;
  runnerId: number | null;
  figure: 'BACK' | 'LAY' | 'LAST' | null;
  when: 'UP' | 'DOWN' | null;
  price: number | null;
  amountMinor: number | null;
  seconds: number | null;
}

/** What it is read from. */
export interface Shown {
  image: MarketImage;
  score: Score | null;
  /** For how long it has been suspended; null while it is not, or where that is not known. */
  suspendedMs: number | null;
}

const NONE = Number.NEGATIVE_INFINITY;
const BEFORE_THE_OFF = new Set(['', 'DORMANT', 'PARADING', 'GOINGDOWN', 'ATTHEPOST']);

/** Alerts with the same line are about the same figure. */
export const lineOf = ({ kind, runnerId, figure, when }: Wish): string =>
  `${kind}.${runnerId ?? ''}.${figure ?? ''}.${when ?? ''}`;

/** The mark of an alert on its line: what is awaited from above has its figures turned round. */
export function markOf({ kind, when, price, amountMinor, seconds }: Wish): number {
  if (kind === 'PRICE') return when === 'DOWN' ? -price! : price!;
  return amountMinor ?? seconds ?? 1;
}

/** Where the figure stands; `NONE` of it where there is none. */
export function figureOf(wish: Wish, { image, score, suspendedMs }: Shown): number {
  switch (wish.kind) {
    case 'PRICE': {
      const price = priceOf(wish, image);
      return price > 0 ? (wish.when === 'DOWN' ? -price : price) : NONE;
    }
    case 'SIZE':
      return bestOf(wish, image)?.[1] ?? NONE;
    case 'MATCHED':
      return image.tradedMinor;
    case 'SUSPENDED':
      return suspendedMs === null ? NONE : Math.floor(suspendedMs / 1000);
    case 'IN_PLAY':
      return image.inPlay ? 1 : NONE;
    case 'OFF':
      return image.inPlay || isOff(score) ? 1 : NONE;
    case 'RESULT':
      return image.status === 'CLOSED' ? 1 : NONE;
    default:
      return NONE;
  }
}

/** Goals or wickets so far; null where the sport has neither. */
export function eventsOf(score: Score | null): number | null {
  if (score?.sport === 'football') return score.homeGoals + score.awayGoals;
  if (score?.sport === 'cricket') return score.innings.reduce((sum, { wickets }) => sum + wickets, 0);
  return null;
}

function priceOf(wish: Wish, image: MarketImage): number {
  const runner = image.runners.find(({ id }) => id === wish.runnerId);
  if (wish.figure === 'LAST') return runner?.last ?? 0;
  return bestOf(wish, image)?.[0] ?? 0;
}

/** The best offer of the side; none while nobody can bet. */
function bestOf({ runnerId, figure }: Wish, image: MarketImage): readonly [number, number] | undefined {
  const runner = image.runners.find(({ id }) => id === runnerId);
  if (image.status !== 'OPEN' || runner?.status !== 'ACTIVE') return undefined;
  return figure === 'BACK' ? runner.back[0] : runner.lay[0];
}

const isOff = (score: Score | null): boolean =>
  (score?.sport === 'horseRacing' || score?.sport === 'greyHound') && !BEFORE_THE_OFF.has(score.progress);
