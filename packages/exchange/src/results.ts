/** What a result is and what it means: who won, and which part of a full win each takes (exchange reference 8.1, 8.2). */
import { fitsCards } from './cards.ts';
import { isCount } from './guard.ts';
import { runMarket } from './holding.ts';
import type { Market, Runner } from './state.ts';
import type { CardPay, Result, RunnerId } from './types.ts';

/** Runner at `index` takes `won` parts of `of` of a full win; one that is not named takes none. */
export interface Shares {
  won: Map<number, number>;
  of: number;
}

type Finish = Extract<Result, { kind: 'winners' | 'ranks' }>;

/** Null when every stake goes back. */
export function sharesOf(market: Market, result: Result): Shares | null {
  const level = levels(market, result);
  if (level === null) return null;
  const won = new Map<number, number>();
  let left = market.def.winners;
  for (const tied of level) {
    if (left === 0) break;
    // Those who are level share the places that are left (8.2); only the last group can have to.
    if (tied.length <= left) {
      for (const index of tied) won.set(index, 1);
      left -= tied.length;
      continue;
    }
    for (const [index] of won) won.set(index, tied.length);
    for (const index of tied) won.set(index, left);
    return { won, of: tied.length };
  }
  return { won, of: 1 };
}

/** Groups of runners that finished level, best first, by index; null when the stakes go back. */
function levels(market: Market, result: Result): number[][] | null {
  const indexOf = (id: RunnerId) => market.byId.get(id)!.index;
  if (result.kind === 'ranks') return groupsOf(result).map((tied) => tied.map(indexOf));
  if (result.kind === 'winners') {
    const all = result.runnerIds.map(indexOf);
    return all.length > market.def.winners ? [all] : all.map((index) => [index]);
  }
  const isShared = result.kind === 'tie' && market.def.tieRule === 'DEAD_HEAT' && market.active.length > 0;
  return isShared ? [[...market.active]] : null;
}

/** The runners that take a place or a share of one. */
export function winnersOf(result: Finish, places: number): RunnerId[] {
  if (result.kind === 'winners') return result.runnerIds;
  const winners: RunnerId[] = [];
  for (const tied of groupsOf(result)) if (winners.length < places) winners.push(...tied);
  return winners;
}

function groupsOf({ ranks }: Extract<Result, { kind: 'ranks' }>): RunnerId[][] {
  const groups = new Map<number, RunnerId[]>();
  for (const { runnerId, rank } of ranks) groups.set(rank, [...(groups.get(rank) ?? []), runnerId]);
  return [...groups].sort(([a], [b]) => a - b).map(([, tied]) => tied);
}

/** Whether a market of this kind, as it stands, may end so. */
export function fitsMarket(market: Market, result: Result): boolean {
  if (typeof result !== 'object' || result === null) return false;
  const { kind, winners } = market.def;
  switch (result.kind) {
    case 'void':
      return typeof result.reason === 'string';
    case 'tie':
      return true;
    case 'winners':
      if (!Array.isArray(result.runnerIds)) return false;
      // With several places more winners than places would not say who shares the last one.
      return isFinish(market, result.runnerIds) && (winners === 1 || result.runnerIds.length <= winners);
    case 'ranks':
      if (!Array.isArray(result.ranks) || !result.ranks.every(isRank)) return false;
      return isFinish(
        market,
        result.ranks.map((one) => one.runnerId),
      );
    case 'yes':
      return (kind === 'fancy1' || kind === 'tied' || kind === 'completed') && typeof result.yes === 'boolean';
    case 'score':
      return SCORED.has(kind) && isCount(result.score);
    case 'cards':
      return kind === 'card' && typeof result.text === 'string' && fitsCards(runMarket(market), result);
    default:
      return false;
  }
}

const SCORED = new Set<string>(['session', 'overByover', 'ballByBall', 'oddEven', 'khado', 'meter', 'cricketCasino']);

function isRank(one: unknown): boolean {
  const { rank } = (one ?? {}) as { rank?: unknown };
  return isCount(rank) && rank > 0;
}

/** Standing runners, each once, and enough of them to fill the places. */
function isFinish(market: Market, runnerIds: readonly RunnerId[]): boolean {
  const { kind, winners } = market.def;
  if (kind !== 'book' && kind !== 'bookmaker') return false;
  if (new Set(runnerIds).size !== runnerIds.length) return false;
  const least = Math.max(1, Math.min(winners, market.active.length));
  return runnerIds.length >= least && runnerIds.every((id) => (market.byId.get(id)?.status ?? 'REMOVED') !== 'REMOVED');
}

/** What a runner is called after the result. */
export function markRunner(market: Market, runner: Runner, result: Result): void {
  if (runner.status === 'REMOVED') return;
  if (result.kind === 'winners' || result.kind === 'ranks') {
    runner.status = winnersOf(result, market.def.winners).includes(runner.id) ? 'WINNER' : 'LOSER';
  } else if (result.kind === 'yes') runner.status = (runner.def.stands === 'yes') === result.yes ? 'WINNER' : 'LOSER';
  else if (result.kind === 'score' && market.def.kind === 'oddEven') {
    runner.status = runner.def.stands === (result.score % 2 === 1 ? 'odd' : 'even') ? 'WINNER' : 'LOSER';
  } else if (result.kind === 'score' && market.def.kind === 'cricketCasino') {
    runner.status = runner.def.digit === result.score % 10 ? 'WINNER' : 'LOSER';
  } else if (result.kind === 'cards') {
    const end = result.pays.find((pay) => pay.runnerId === runner.id);
    runner.status = end?.is === 'WIN' ? 'WINNER' : end?.is === 'LOSE' ? 'LOSER' : 'ACTIVE';
  } else runner.status = 'ACTIVE';
}

export function resultText(market: Market, result: Result): string {
  switch (result.kind) {
    case 'winners':
    case 'ranks':
      return winnersOf(result, market.def.winners)
        .map((id) => market.byId.get(id)!.def.name)
        .join(', ');
    case 'score':
      return String(result.score);
    case 'yes':
      return result.yes ? 'Yes' : 'No';
    case 'cards':
      return result.text;
    case 'tie':
      return 'Tie';
    case 'void':
      return `Void, ${result.reason}`;
  }
}

export function copyResult(result: Result): Result {
  switch (result.kind) {
    case 'winners':
      return { kind: 'winners', runnerIds: [...result.runnerIds] };
    case 'ranks':
      return { kind: 'ranks', ranks: result.ranks.map(({ runnerId, rank }) => ({ runnerId, rank })) };
    case 'score':
      return { kind: 'score', score: result.score };
    case 'yes':
      return { kind: 'yes', yes: result.yes };
    case 'cards':
      return { kind: 'cards', pays: result.pays.map(copyPay), text: result.text };
    case 'tie':
      return { kind: 'tie' };
    case 'void':
      return { kind: 'void', reason: result.reason };
  }
}

function copyPay(pay: CardPay): CardPay {
  const { runnerId, is } = pay;
  if (is === 'PAY') return { runnerId, is, per100: pay.per100 };
  return is === 'SCORE' ? { runnerId, is, score: pay.score } : { runnerId, is };
}
