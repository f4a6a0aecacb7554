/** What a market is defined by: checked when it is made, and copied field by field, so that nothing else gets into the state. */
import { isAmount, isCount } from './guard.ts';
import type { MarketDef, MarketKind, QuoteKind, RunnerDef } from './types.ts';

const KINDS = new Set<MarketKind>([
  'book',
  'bookmaker',
  'session',
  'overByover',
  'ballByBall',
  'fancy1',
  'oddEven',
  'khado',
  'meter',
  'cricketCasino',
  'tied',
  'completed',
  'card',
]);
export const STATUSES = new Set<string>(['INACTIVE', 'OPEN', 'SUSPENDED']);
/** A ladder of a meter has a row a run up to here. */
const MAX_CAP = 2_000;
/** Far above the largest field; some sums take a step a runner. */
export const MAX_RUNNERS = 400;

/** The field of a definition that is not right, or null. Its lists and texts are known to be lists and texts. */
export function badDefinition(def: MarketDef): string | null {
  if (!isAmount(def.marketId)) return 'marketId';
  if (!isCount(def.eventId)) return 'eventId';
  if (!KINDS.has(def.kind)) return 'kind';
  const { kind, runners, winners } = def;
  if (runners.length > MAX_RUNNERS || (kind === 'book' && runners.length === 0)) return 'runners';
  const ids = new Set<number>();
  for (const runner of runners) {
    if (badRunner(kind, runner) || ids.has(runner.runnerId)) return 'runners';
    ids.add(runner.runnerId);
  }
  if (doubled(runners)) return 'runners';
  // A quoted market has one outcome, and a tie in it gives the stakes back (exchange reference 12.8).
  if (!isAmount(winners) || winners > (kind === 'book' ? runners.length : 1)) return 'winners';
  if (!isCount(def.commissionBps) || def.commissionBps > 10_000) return 'commissionBps';
  if (!isLimits(def.minStakeMinor, def.maxStakeMinor)) return 'maxStakeMinor';
  if (!isCount(def.maxExposureMinor)) return 'maxExposureMinor';
  if (!isCount(def.maxBets)) return 'maxBets';
  if (!isCount(def.betDelayMs)) return 'betDelayMs';
  if (!STATUSES.has(def.status)) return 'status';
  if (def.cap === undefined ? kind === 'meter' : !isAmount(def.cap) || def.cap > MAX_CAP) return 'cap';
  if (!(def.tieRule === undefined || def.tieRule === 'VOID' || (def.tieRule === 'DEAD_HEAT' && kind === 'book')))
    return 'tieRule';
  if (def.removable && kind !== 'book' && kind !== 'bookmaker') return 'removable';
  return null;
}

export function isLimits(min: number, max: number): boolean {
  return isCount(min) && isAmount(max) && min <= max;
}

/** An own copy with the fields of a definition and no others. */
export function copyDefinition(def: MarketDef): MarketDef {
  return {
    marketId: def.marketId,
    eventId: def.eventId,
    kind: def.kind,
    name: def.name,
    runners: def.runners.map(copyRunner),
    winners: def.winners,
    commissionBps: def.commissionBps,
    minStakeMinor: def.minStakeMinor,
    maxStakeMinor: def.maxStakeMinor,
    maxExposureMinor: def.maxExposureMinor,
    maxBets: def.maxBets,
    inPlay: def.inPlay,
    status: def.status,
    betDelayMs: def.betDelayMs,
    lapseOnSuspend: def.lapseOnSuspend,
    ...(def.cap !== undefined && { cap: def.cap }),
    ...(def.rateThan100 !== undefined && { rateThan100: def.rateThan100 }),
    ...(def.tieRule !== undefined && { tieRule: def.tieRule }),
    ...(def.placeMarket !== undefined && { placeMarket: def.placeMarket }),
    ...(def.removable !== undefined && { removable: def.removable }),
  };
}

export function copyRunner(runner: RunnerDef): RunnerDef {
  return {
    runnerId: runner.runnerId,
    name: runner.name,
    ...(runner.adjustmentFactor !== undefined && { adjustmentFactor: runner.adjustmentFactor }),
    ...(runner.width !== undefined && { width: runner.width }),
    ...(runner.stands !== undefined && { stands: runner.stands }),
    ...(runner.digit !== undefined && { digit: runner.digit }),
    ...(runner.group !== undefined && { group: runner.group }),
    ...(runner.payMax !== undefined && { payMax: runner.payMax }),
    ...(runner.payMin !== undefined && { payMin: runner.payMin }),
  };
}

/** Whether rows that come with a quote may be new ones: in the others every outcome is named by the definition. */
export function mayGrow(kind: QuoteKind): boolean {
  return !isYesNo(kind) && kind !== 'oddEven' && kind !== 'cricketCasino';
}

/**
 * Definitions written before runners said what they stand for meant it by their order: yes then no, odd then even, digits
 * from 0; a khado row without a width covers one run, and a meter without a cap counts to the highest there may be.
 */
export function withMeaning(def: MarketDef): MarketDef {
  const runners = def.runners.map((runner, at): RunnerDef => {
    if (isYesNo(def.kind)) return { stands: at === 0 ? 'yes' : 'no', ...runner };
    if (def.kind === 'oddEven') return { stands: at === 0 ? 'odd' : 'even', ...runner };
    if (def.kind === 'cricketCasino') return { digit: at, ...runner };
    if (def.kind === 'khado') return { width: 1, ...runner };
    return runner;
  });
  const cap = def.kind === 'meter' && def.cap === undefined ? { cap: MAX_CAP } : {};
  return { ...def, ...cap, runners };
}

export function isYesNo(kind: MarketKind): boolean {
  return kind === 'fancy1' || kind === 'tied' || kind === 'completed';
}

function badRunner(kind: MarketKind, runner: RunnerDef): boolean {
  const { adjustmentFactor = 0, width, stands, digit, group, payMax, payMin } = runner;
  if (!isCount(runner.runnerId) || !isCount(adjustmentFactor) || adjustmentFactor >= 10_000) return true;
  for (const bound of [group, payMax, payMin]) if (bound !== undefined && !isCount(bound)) return true;
  if (kind === 'khado' ? !isAmount(width) : width !== undefined && !isAmount(width)) return true;
  if (isYesNo(kind)) return stands !== 'yes' && stands !== 'no';
  if (kind === 'oddEven') return stands !== 'odd' && stands !== 'even';
  if (stands !== undefined) return true;
  if (kind === 'cricketCasino') return !isCount(digit) || digit > 9;
  return digit !== undefined;
}

/** Two runners for one outcome. */
function doubled(runners: readonly RunnerDef[]): boolean {
  const outcomes = runners.flatMap((runner) => runner.stands ?? runner.digit ?? []);
  return new Set(outcomes).size < outcomes.length;
}
