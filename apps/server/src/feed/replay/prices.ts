/** A recorded ladder as the house's offers on one runner. */
import { LADDER, tickAtOrBelow, tickIndex } from '@fairgame/contract';
import { bestPrices, type MarketImage } from './fold.ts';
import type { RunnerDefinition } from './message.ts';

type Levels = Array<[number, number]>;

/** Files without ladders (BASIC): three ticks either side of the last price, the same size each, 100.00. */
const INVENTED_LEVELS = 3;
const INVENTED_SIZE_MINOR = 10_000;
/** Ten million: far over any stake the site takes, within what the core takes. */
const MAX_LEVEL_MINOR = 1_000_000_000;

/** What the house offers on a runner. A crossed ladder is known to be wrong: nothing is offered from it. */
export function bookOf(
  image: MarketImage,
  runner: RunnerDefinition,
  depth: number,
): { backable: Levels; layable: Levels; crossed: boolean } {
  const folded = image.runners.get(runner.key);
  if (image.ladders === 'none') return { ...inventedBook(folded?.lastPrice ?? 0), crossed: false };
  const onLadder = ([price]: [number, number]): boolean => tickIndex(price) >= 0;
  const capped = ([price, sizeMinor]: [number, number]): [number, number] => [
    price,
    Math.min(sizeMinor, MAX_LEVEL_MINOR),
  ];
  const backable = bestPrices(image, folded, 'back', depth).filter(onLadder).map(capped);
  const layable = bestPrices(image, folded, 'lay', depth).filter(onLadder).map(capped);
  const crossed = backable.length > 0 && layable.length > 0 && backable[0]![0] >= layable[0]![0];
  return crossed ? { backable: [], layable: [], crossed } : { backable, layable, crossed };
}

function inventedBook(lastPrice: number): { backable: Levels; layable: Levels } {
  if (lastPrice <= 0) return { backable: [], layable: [] };
  const at = tickIndex(tickAtOrBelow(lastPrice));
  const backable: Levels = [];
  const layable: Levels = [];
  for (let i = 0; i < INVENTED_LEVELS; i++) {
    const back = LADDER[at - i];
    const lay = LADDER[at + 1 + i];
    if (back) backable.push([back, INVENTED_SIZE_MINOR]);
    if (lay) layable.push([lay, INVENTED_SIZE_MINOR]);
  }
  return { backable, layable };
}
