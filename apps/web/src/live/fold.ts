import type { MarketDelta, MarketImage, RunnerImage } from '@fairgame/contract';

/** How images are brought up to date: pure, and keeping the parts that did not change, so that nothing is drawn for nothing. */

/** A whole new image over an old one. */
export function settled(old: MarketImage, next: MarketImage): MarketImage {
  return {
    ...next,
    runners: next.runners.map((one) => {
      const before = old.runners.find((was) => was.id === one.id);
      return before ? merge(before, one) : one;
    }),
  };
}

/** An image with a delta folded in: which runners moved, and whether more than prices and money matched did. */
export function folded(
  image: MarketImage,
  delta: MarketDelta,
): { image: MarketImage; moved: number[]; reshaped: boolean } {
  const { runners, ...rest } = delta;
  const fields = Object.keys(rest);
  let reshaped = fields.some((field) => field !== 'tradedMinor');
  const next = fields.length > 0 ? { ...image, ...rest } : image;
  if (!runners) return { image: next, moved: [], reshaped };
  const changed = new Map(runners.map((one) => [one.id, one]));
  const kept = image.runners.map((one) => {
    const change = changed.get(one.id);
    if (!change) return one;
    changed.delete(one.id);
    const merged = merge(one, change);
    reshaped ||= !sameShape(one, merged);
    return merged;
  });
  for (const added of changed.values()) {
    kept.push({ name: '', status: 'ACTIVE', factor: 0, last: 0, tradedMinor: 0, back: [], lay: [], ...added });
    reshaped = true;
  }
  return { image: { ...next, runners: kept }, moved: runners.map(({ id }) => id), reshaped };
}

/** Whether rows look the same: all but prices and money matched. */
export function sameMarket(a: MarketImage, b: MarketImage): boolean {
  if (a === b) return true;
  for (const field of Object.keys(b) as Array<keyof MarketImage>)
    if (field !== 'runners' && field !== 'tradedMinor' && a[field] !== b[field]) return false;
  return a.runners.length === b.runners.length && b.runners.every((one, at) => sameShape(one, a.runners[at]!));
}

const sameShape = (a: RunnerImage, b: RunnerImage): boolean =>
  a.id === b.id &&
  a.status === b.status &&
  a.name === b.name &&
  a.factor === b.factor &&
  a.yesLine === b.yesLine &&
  a.noLine === b.noLine;

function merge(old: RunnerImage, change: Partial<RunnerImage>): RunnerImage {
  const next = { ...old, ...change };
  if (change.back) next.back = keepLevels(old.back, change.back);
  if (change.lay) next.lay = keepLevels(old.lay, change.lay);
  return next;
}

function keepLevels(old: RunnerImage['back'], next: RunnerImage['back']): RunnerImage['back'] {
  return next.map((level, at) => {
    const was = old[at];
    return was && was[0] === level[0] && was[1] === level[1] ? was : level;
  });
}
