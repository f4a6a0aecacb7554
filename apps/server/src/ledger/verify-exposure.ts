/**
 * INV-05 by a slow and plain way: every outcome of every market, every bet looked at in each. Shares nothing with the
 * core's closed forms but the description of a market.
 */
import { FIRST_PLAYER, type MarketView } from '@fairgame/exchange';
import type { Query } from '../db/db.ts';

interface OpenBet {
  world: string;
  account_id: number;
  market_id: number;
  runner_id: number;
  side: 'BACK' | 'LAY';
  price: number;
  matched_sum: number;
  matched: number;
  remaining: number;
  status: string;
  line: number | null;
  win: number | null;
  loss: number | null;
}

/** Accounts whose stored exposure is not the sum of the worst cases of their open bets. */
export async function exposureBreaks(q: Query): Promise<string[]> {
  const accounts = await q<{ world: string; id: number; exposure: number }>('SELECT world, id, exposure FROM accounts');
  const markets = await q<{ world: string; id: number; view: string }>(
    "SELECT world, id, view FROM markets WHERE status <> 'CLOSED'",
  );
  const views = new Map(markets.map((row) => [`${row.world} ${row.id}`, JSON.parse(row.view) as MarketView]));
  const bets = await q<OpenBet>(
    `SELECT b.world, b.account_id, b.market_id, b.runner_id, b.side, b.price, b.matched_sum, b.matched, b.remaining,
            b.status, b.line, b.win, b.loss
       FROM bets b JOIN markets m ON m.id = b.market_id AND m.world = b.world
       WHERE m.status <> 'CLOSED' AND b.matched + b.remaining > 0`,
  );
  const groups = new Map<string, OpenBet[]>();
  for (const bet of bets) {
    const name = `${bet.world} ${bet.account_id} ${bet.market_id}`;
    const group = groups.get(name);
    if (group) group.push(bet);
    else groups.set(name, [bet]);
  }
  const worst = new Map<string, number>();
  for (const group of groups.values()) {
    const { world, account_id, market_id } = group[0]!;
    const name = `${world} ${account_id}`;
    worst.set(name, (worst.get(name) ?? 0) + worstCase(views.get(`${world} ${market_id}`)!, group));
  }
  const found: string[] = [];
  for (const { world, id, exposure } of accounts) {
    const due = id < FIRST_PLAYER ? 0 : (worst.get(`${world} ${id}`) ?? 0);
    if (due !== exposure) found.push(`account ${id} (${world}) has exposure ${exposure}, its bets make ${due}`);
  }
  return found;
}

/** Money to hold for these bets of one account in one market, minor units. */
export function worstCase(market: MarketView, bets: readonly OpenBet[]): number {
  if (market.kind === 'book') return bookWorst(market, bets);
  if (market.kind === 'card') return cardWorst(market, bets);
  const standing = market.runners.filter((runner) => runner.status !== 'REMOVED');
  let least = Number.POSITIVE_INFINITY;
  for (const outcome of outcomes(market, bets, standing.length)) {
    let sum = 0;
    for (const bet of bets) sum += quoteResult(market, standing, bet, outcome);
    least = Math.min(least, sum);
  }
  // A delayed meter bet is not of the ladder yet; all it may cost is held.
  const waiting = market.kind === 'meter' ? bets.filter(isWaiting).reduce((sum, bet) => sum + bet.loss!, 0) : 0;
  return Math.max(0, -least) + waiting;
}

function bookWorst(market: MarketView, bets: readonly OpenBet[]): number {
  const standing = market.runners.filter((runner) => runner.status !== 'REMOVED').map((runner) => runner.runnerId);
  let least = Number.POSITIVE_INFINITY;
  for (const winners of choose(standing, Math.min(market.winners, standing.length))) {
    let sum = 0;
    for (const bet of bets) {
      const won = winners.includes(bet.runner_id);
      const back = won ? bet.matched_sum - 100 * bet.matched : -100 * bet.matched;
      sum += bet.side === 'BACK' ? back : -back;
      if (bet.side === 'BACK' && !won) sum -= 100 * bet.remaining;
      if (bet.side === 'LAY' && won) sum -= (bet.price - 100) * bet.remaining;
    }
    least = Math.min(least, sum);
  }
  return Math.max(0, Math.ceil(-least / 100));
}

/** A round: each netted group by trying every winner; all else may be lost at once. */
function cardWorst(market: MarketView, bets: readonly OpenBet[]): number {
  const groupOf = (runnerId: number) => market.runners.find((runner) => runner.runnerId === runnerId)?.group ?? 0;
  let held = 0;
  for (const group of new Set(bets.map((bet) => groupOf(bet.runner_id)))) {
    const own = bets.filter((bet) => groupOf(bet.runner_id) === group);
    if (group === 0) {
      for (const bet of own) held += bet.loss!;
      continue;
    }
    let least = 0;
    for (const winner of market.runners.filter((runner) => runner.group === group)) {
      let sum = 0;
      for (const bet of own)
        sum +=
          (bet.runner_id === winner.runnerId) === (bet.side === 'BACK') ? (isWaiting(bet) ? 0 : bet.win!) : -bet.loss!;
      least = Math.min(least, sum);
    }
    held -= least;
  }
  return held || 0;
}

function* choose(from: readonly number[], count: number): Generator<number[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let i = 0; i <= from.length - count; i++) {
    for (const rest of choose(from.slice(i + 1), count - 1)) yield [from[i]!, ...rest];
  }
}

const isWaiting = (bet: OpenBet) => bet.status === 'PENDING';

function outcomes(market: MarketView, bets: readonly OpenBet[], runners: number): number[] {
  switch (market.kind) {
    case 'bookmaker':
      return upTo(runners - 1);
    case 'cricketCasino':
      return upTo(9);
    case 'oddEven':
    case 'fancy1':
    case 'tied':
    case 'completed':
      return [0, 1];
    default: {
      const lines = bets.map((bet) => bet.line ?? 0);
      const width = Math.max(1, ...market.runners.map((runner) => runner.width ?? 1));
      return upTo(Math.max(...lines) + width + (market.kind === 'meter' ? (market.cap ?? 100) : 1));
    }
  }
}

function quoteResult(market: MarketView, standing: MarketView['runners'], bet: OpenBet, outcome: number): number {
  const line = bet.line ?? 0;
  if (market.kind === 'meter') {
    if (isWaiting(bet)) return 0;
    const score = Math.min(outcome, market.cap ?? line + 100);
    const moved = (bet.matched + bet.remaining) * bet.price * (bet.side === 'BACK' ? score - line : line - score);
    return Math.sign(moved) * Math.floor((Math.abs(moved) + 50) / 100);
  }
  const index = standing.findIndex((runner) => runner.runnerId === bet.runner_id);
  let hit: boolean;
  switch (market.kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
      hit = outcome >= line;
      break;
    case 'khado':
      hit = outcome >= line && outcome < line + (standing[index]?.width ?? 1);
      break;
    case 'fancy1':
    case 'tied':
    case 'completed':
      hit = (index === 0) === (outcome === 0);
      break;
    default:
      hit = index === outcome;
  }
  if (hit === (bet.side === 'BACK')) return isWaiting(bet) ? 0 : bet.win!;
  return -bet.loss!;
}

function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, i) => i);
}
