/** What every market of a cricket match shows: chances worked out from the score, then lines, rates and odds. */
import type { QuoteRow } from '@fairgame/exchange';
import {
  ballAtLeast,
  batterAtLeast,
  type CricketChances,
  cricketChances,
  nextOver,
  partnershipAtLeast,
  wicketChance,
} from './cricketOdds.ts';
import { type CricketSim, current, KHADO_WIDTH, lastOver } from './cricketState.ts';
import { type Ctx, isBook, marketOf, row, type SimMarket, setRows } from './desk.ts';
import { decimalQuotes, lineQuotes, rateQuotes } from './ladder.ts';

/** What all takers together may take of a quote before it is told again: twenty of the largest bets. */
const SIDE_SIZE_MINOR = 500_000;
const MAIN_SIZE_MINOR = 10_000_000;
const METER_SIZE_MINOR = 20_000;

/** Works out all chances and sets what every market shows. Called at the end of a moment in which something changed. */
export function priceCricket(ctx: Ctx, sim: CricketSim): void {
  const s = sim.state;
  if (s.phase === 'result') return;
  const here = s.innings.length - 1;
  const innings = here >= 0 ? current(sim) : null;
  const marks = new Set<number>();
  if (innings && !innings.ended) {
    for (const market of sim.markets) {
      if (market.about?.innings === here && isMark(market)) marks.add(market.about.at - innings.balls);
    }
    marks.add(6 - (innings.balls % 6));
  }
  const sorted = [...marks].filter((mark) => mark > 0).sort((a, b) => a - b);
  const chances = cricketChances(sim, sorted);
  const odds = marketOf(sim, 'odds');
  if (odds) odds.fair = s.idDraw ? [chances.a, chances.b, chances.draw] : [chances.a, chances.b];
  if (s.phase === 'ballRunning' || s.phase === 'wicket' || (s.phase === 'inningsBreak' && !s.breakOpen)) return;
  for (const market of sim.markets) {
    if (isBook(market) || (s.phase === 'rain' && market.key !== 'completed')) continue;
    const rows = market.about ? numberRows(sim, market, chances, sorted) : matchRows(sim, market, chances);
    setRows(ctx, market, rows);
  }
}

function matchRows(sim: CricketSim, market: SimMarket, chances: CricketChances): QuoteRow[] {
  const s = sim.state;
  const [first, second] = market.def.runners;
  if (market.key === 'bookmaker') {
    const a = chances.a / (chances.a + chances.b);
    const rowOf = (runnerId: number, p: number): QuoteRow => {
      const { back, lay } = rateQuotes(p, 0.012, MAIN_SIZE_MINOR);
      return row(runnerId, back, lay);
    };
    return [rowOf(first!.runnerId, a), rowOf(second!.runnerId, 1 - a)];
  }
  const abandon = s.phase === 'rain' ? 0.4 : s.rainAt >= 0 || s.innings.length < 2 ? 0.012 : 0.005;
  const yes = market.key === 'tied' ? chances.tie : 1 - abandon;
  const quote = (runnerId: number, p: number): QuoteRow => {
    const { back, lay } = decimalQuotes(p, 0.04, SIDE_SIZE_MINOR);
    return row(runnerId, back, lay);
  };
  return [quote(first!.runnerId, yes), quote(second!.runnerId, 1 - yes)];
}

function numberRows(
  sim: CricketSim,
  market: SimMarket,
  chances: CricketChances,
  marks: readonly number[],
): Array<QuoteRow | null> {
  const innings = current(sim);
  const about = market.about!;
  const runnerId = market.def.runners[0]!.runnerId;
  const ahead = chances.innings;
  if (!ahead) return [];
  const lines = (from: number, atLeast: (n: number) => number, high: number): QuoteRow[] => {
    const quotes = lineQuotes(atLeast, from, high, SIDE_SIZE_MINOR);
    return [row(runnerId, quotes?.yes ?? null, quotes?.no ?? null)];
  };
  const spread = (more: Float64Array, from: number): QuoteRow[] => {
    const tail = tails(more);
    return lines(from, (n) => (n <= from ? 1 : (tail[n - from] ?? 0)), from + more.length - 1);
  };
  const inOver = innings.balls % 6;
  const thisOver = Math.floor(innings.balls / 6) + 1;
  const markOf = (at: number): Float64Array => ahead.marks[marks.indexOf(at - innings.balls)] ?? ahead.total;
  switch (market.key.split(':')[0]) {
    case 'runs':
      return spread(markOf(about.at), innings.runs);
    case 'total':
      return spread(ahead.total, innings.runs);
    case 'wicket':
      if (sim.state.format !== 'Test') return spread(ahead.nextWicket, innings.runs);
      return lines(innings.runs, (n) => partnershipAtLeast(sim, n - innings.runs), innings.runs + 400);
    case 'stand': {
      const from = innings.runs - about.mark!;
      if (sim.state.format !== 'Test') return spread(ahead.nextWicket, from);
      return lines(from, (n) => partnershipAtLeast(sim, n - from), from + 400);
    }
    case 'batter': {
      const from = innings.batters[about.at]!.runs;
      return lines(from, (n) => batterAtLeast(sim, n - from), from + 200);
    }
    case 'over':
      if (about.at === thisOver) {
        return spread(ahead.marks[marks.indexOf(6 - inOver)]!, inOver === 0 && freshOver(sim) ? 0 : lastOver(sim).runs);
      }
      return spread(nextOver(sim, 6 - inOver), 0);
    case 'ball':
      return lines(0, (n) => ballAtLeast(sim, n), 6);
    case 'wicketIn': {
      const p = wicketChance(sim, about.at === thisOver ? 6 - inOver : 6);
      const { back, lay } = decimalQuotes(p, 0.05, SIDE_SIZE_MINOR);
      return [row(runnerId, back, lay)];
    }
    case 'meter': {
      const middle = innings.runs + meanOf(ahead.total);
      const yes = { price: 100, sizeMinor: METER_SIZE_MINOR, line: Math.ceil(middle + 1) };
      return [row(runnerId, yes, { ...yes, line: Math.floor(middle - 1) })];
    }
    default:
      return pickRows(sim, market, market.key.startsWith('digit') ? ahead.total : markOf(about.at));
  }
}

/** Rows of markets with a runner for each answer, back only: odd or even, ranges of runs, the last digit. */
function pickRows(sim: CricketSim, market: SimMarket, more: Float64Array): QuoteRow[] {
  const runs = current(sim).runs;
  const kind = market.def.kind;
  const p = market.def.runners.map(() => 0);
  more.forEach((mass, i) => {
    const score = runs + i;
    const at =
      kind === 'oddEven'
        ? 1 - (score % 2)
        : kind === 'cricketCasino'
          ? score % 10
          : rangeOf(score, market.about!.mark!);
    if (at >= 0 && at < p.length) p[at]! += mass;
  });
  return market.def.runners.map((runner, i) => {
    if (kind === 'khado') {
      const rate = Math.floor((100 * (1 - p[i]!)) / Math.max(0.001, p[i]!) / 1.15);
      const line = market.about!.mark! + i * KHADO_WIDTH;
      const open = p[i]! > 0.02 && p[i]! < 0.9 && rate >= 1;
      return row(runner.runnerId, open ? { price: rate, sizeMinor: SIDE_SIZE_MINOR, line } : null, null);
    }
    const open = p[i]! > 0.005 && p[i]! < 0.97;
    const quotes = decimalQuotes(p[i]!, kind === 'oddEven' ? 0.025 : 0.08, SIDE_SIZE_MINOR);
    return row(runner.runnerId, open ? quotes.back : null, null);
  });
}

const rangeOf = (score: number, from: number): number => Math.floor((score - from) / KHADO_WIDTH);

/** The list of overs already holds the one to come, or still the one just finished. */
function freshOver(sim: CricketSim): boolean {
  return lastOver(sim).balls.length === 0 || lastOver(sim).over <= Math.floor(current(sim).balls / 6);
}

function tails(more: Float64Array): Float64Array {
  const tail = new Float64Array(more.length + 1);
  for (let i = more.length - 1; i >= 0; i--) tail[i] = tail[i + 1]! + more[i]!;
  return tail;
}

function meanOf(more: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < more.length; i++) sum += more[i]! * i;
  return sum;
}

const isMark = (market: SimMarket): boolean => ['runs', 'oddEven', 'khado'].includes(market.key.split(':')[0]!);
