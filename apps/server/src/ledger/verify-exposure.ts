/**
 * INV-05 by a slow and plain way: every outcome of every market, every bet looked at in each. Shares nothing with the
 * core's closed forms but the description of a market.
 */
import { FIRST_PLAYER, type MarketView } from '@fairgame/exchange';
import type { Query } from '../db/db.ts';

interface OpenBet {
  account_id: number;
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
  width: number | null;
}

/** What may be held for bets: one figure, or a range where prices may yet be reduced or what is not there was waived. */
interface Range {
  least: number;
  most: number;
}

/**
 * Accounts whose stored exposure is not the sum of the worst cases of their open bets. One market's bets are in memory at a time.
 * Of a market that is SETTLING some accounts are told and some are not yet: what those hold is the replay's to say (INV-10).
 */
export async function exposureBreaks(q: Query): Promise<string[]> {
  const markets = await q<{ world: string; id: number }>(
    "SELECT world, id FROM markets WHERE status NOT IN ('CLOSED', 'SETTLING')",
  );
  const worst = new Map<string, Range>();
  for (const market of markets) await addMarket(q, market, worst);
  const settling = await q<{ world: string; account_id: number }>(
    `SELECT DISTINCT b.world, b.account_id FROM bets b JOIN markets m ON m.world = b.world AND m.id = b.market_id
       WHERE m.status = 'SETTLING' AND b.result = 'PENDING'`,
  );
  for (const { world, account_id } of settling)
    worst.set(`${world} ${account_id}`, { least: 0, most: Number.MAX_SAFE_INTEGER });
  const accounts = await q<{ world: string; id: number; exposure: number }>('SELECT world, id, exposure FROM accounts');
  const found: string[] = [];
  for (const { world, id, exposure } of accounts) {
    const { least, most } = (id >= FIRST_PLAYER && worst.get(`${world} ${id}`)) || { least: 0, most: 0 };
    const due = least === most ? String(least) : `${least} to ${most}`;
    if (exposure < least || exposure > most)
      found.push(`account ${id} (${world}) has exposure ${exposure}, its bets make ${due}`);
  }
  return found;
}

/** Adds what a market's bets may cost each account. */
async function addMarket(q: Query, of: { world: string; id: number }, worst: Map<string, Range>): Promise<void> {
  const bets = await q<OpenBet>(
    `SELECT account_id, runner_id, side, price, matched_sum, matched, remaining, status, line, win, loss, width
       FROM bets WHERE market_id = $1 AND world = $2 AND matched + remaining > 0`,
    [of.id, of.world],
  );
  if (bets.length === 0) return;
  const [row] = await q<{ view: string }>('SELECT view FROM markets WHERE world = $1 AND id = $2', [of.world, of.id]);
  const market = JSON.parse(row!.view) as MarketView;
  const groups = new Map<number, OpenBet[]>();
  for (const bet of bets) {
    const group = groups.get(bet.account_id);
    if (group) group.push(bet);
    else groups.set(bet.account_id, [bet]);
  }
  for (const [accountId, group] of groups) {
    const name = `${of.world} ${accountId}`;
    const { least, most } = worst.get(name) ?? { least: 0, most: 0 };
    const due = worstCase(market, group);
    worst.set(name, { least: least + due, most: most + Math.max(due, worstOfRemovals(market, group)) });
  }
}

/**
 * The most that one more removal may cost, where a runner may be removed: its bets void, lays on the others as they are,
 * backs reduced as far as prices go. What the core holds, to the last unit, is the replay's to say (INV-10).
 */
function worstOfRemovals(market: MarketView, bets: readonly OpenBet[]): number {
  if (!market.removable) return 0;
  let most = 0;
  for (const gone of market.runners) {
    if (gone.status === 'REMOVED') continue;
    const runners = market.runners.map((one) => (one === gone ? { ...one, status: 'REMOVED' as const } : one));
    const left = bets.filter((bet) => bet.runner_id !== gone.runnerId);
    const lowest = (bet: OpenBet) =>
      market.kind === 'book' && bet.side === 'BACK' ? { ...bet, matched_sum: 101 * bet.matched } : bet;
    most = Math.max(most, worstCase({ ...market, runners }, left.map(lowest)));
  }
  return most;
}

/** Money to hold for these bets of one account in one market as the field stands, minor units. */
function worstCase(market: MarketView, bets: readonly OpenBet[]): number {
  if (market.kind === 'book') return bookWorst(market, bets);
  if (market.kind === 'card') return cardWorst(market, bets);
  const standing = market.runners.filter((runner) => runner.status !== 'REMOVED');
  let least = 0;
  for (const outcome of outcomes(market, bets, standing.length)) {
    let sum = 0;
    for (const bet of bets) {
      const result = quoteResultE4(market, standing, bet, outcome);
      // A delayed bet may yet lapse, so it counts where it loses.
      sum += isWaiting(bet) ? Math.min(0, result) : result;
    }
    least = Math.min(least, sum);
  }
  return Math.ceil(-least / 100) || 0;
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
      const width = Math.max(1, ...bets.map((bet) => bet.width ?? 1));
      return upTo(Math.max(Math.max(0, ...lines) + width + 1, market.cap ?? 0));
    }
  }
}

function quoteResultE4(market: MarketView, standing: MarketView['runners'], bet: OpenBet, outcome: number): number {
  const line = bet.line ?? 0;
  if (market.kind === 'meter') {
    const score = Math.min(outcome, market.cap ?? 0);
    return (bet.matched + bet.remaining) * bet.price * (bet.side === 'BACK' ? score - line : line - score);
  }
  let hit: boolean;
  switch (market.kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
      hit = outcome >= line;
      break;
    case 'khado':
      hit = outcome >= line && outcome < line + (bet.width ?? 1);
      break;
    case 'bookmaker':
      hit = standing[outcome]?.runnerId === bet.runner_id;
      break;
    default: {
      const { stands, digit } = market.runners.find((runner) => runner.runnerId === bet.runner_id)!;
      hit = (digit ?? (stands === 'yes' || stands === 'odd' ? 0 : 1)) === outcome;
    }
  }
  return 100 * (hit === (bet.side === 'BACK') ? bet.win! : -bet.loss!);
}

function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, i) => i);
}
