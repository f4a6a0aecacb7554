/** The difference of two images of one market, as frames carry it. */
import type { MarketDelta, MarketImage, RunnerImage } from '@fairgame/contract';

type RunnerChange = NonNullable<MarketDelta['runners']>[number];

/**
 * What turns `before` into `after`; null when nothing does. 'image' when a delta cannot say it: the rows are others or in
 * another order, or a field has gone.
 */
export function difference(before: MarketImage, after: MarketImage): MarketDelta | 'image' | null {
  if (before.runners.length !== after.runners.length) return 'image';
  const delta: MarketDelta = {};
  let any = false;
  for (const field of MARKET_FIELDS) {
    if (before[field] === after[field]) continue;
    Object.assign(delta, { [field]: after[field] });
    any = true;
  }
  const runners: RunnerChange[] = [];
  for (let i = 0; i < after.runners.length; i++) {
    const [was, is] = [before.runners[i]!, after.runners[i]!];
    if (was === is) continue;
    if (was.id !== is.id) return 'image';
    const change = runnerDifference(was, is);
    if (change === 'image') return 'image';
    if (change) runners.push(change);
  }
  if (runners.length) {
    delta.runners = runners;
    any = true;
  }
  return any ? delta : null;
}

const MARKET_FIELDS = [
  'kind',
  'name',
  'status',
  'reason',
  'inPlay',
  'betDelayMs',
  'version',
  'winners',
  'commissionBps',
  'minStakeMinor',
  'maxStakeMinor',
  'tradedMinor',
  'sno',
  'resultText',
] as const satisfies ReadonlyArray<keyof MarketImage>;
const RUNNER_FIELDS = [
  'name',
  'status',
  'factor',
  'last',
  'tradedMinor',
  'yesLine',
  'noLine',
  'width',
] as const satisfies ReadonlyArray<keyof RunnerImage>;

function runnerDifference(was: RunnerImage, is: RunnerImage): RunnerChange | 'image' | null {
  const change: RunnerChange = { id: is.id };
  let any = false;
  for (const field of RUNNER_FIELDS) {
    if (was[field] === is[field]) continue;
    if (is[field] === undefined) return 'image';
    Object.assign(change, { [field]: is[field] });
    any = true;
  }
  for (const side of ['back', 'lay'] as const) {
    if (samePrices(was[side], is[side])) continue;
    change[side] = is[side];
    any = true;
  }
  return any ? change : null;
}

function samePrices(a: RunnerImage['back'], b: RunnerImage['back']): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i]![0] !== b[i]![0] || a[i]![1] !== b[i]![1]) return false;
  return true;
}
