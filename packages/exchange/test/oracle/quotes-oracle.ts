/**
 * A slow, plain reading of the table in exchange reference 12.2: what one bet brings on one outcome, in exact hundredths
 * of a minor unit turned to minor units with BigInt. Shares no code with the package.
 */

export interface OracleBet {
  runnerId: number;
  side: 'BACK' | 'LAY';
  price: number;
  stakeMinor: number;
  line?: number;
  width?: number;
}

export interface OracleMarket {
  kind: string;
  cap?: number;
  runners: Array<{ runnerId: number }>;
}

const DECIMAL = ['fancy1', 'oddEven', 'cricketCasino', 'tied', 'completed'];

/** value / 100, down: gains down, losses up. */
function cents(value: bigint): number {
  return Number((value - (((value % 100n) + 100n) % 100n)) / 100n);
}

/** As a bet by itself would be booked. */
export function oracleProfit(market: OracleMarket, bet: OracleBet, outcome: number): number {
  return cents(BigInt(oracleProfitE4(market, bet, outcome)));
}

/** Exact, in 1/10 000 of the currency: what a bet fixed when it was placed, or what a meter pays for its runs. */
export function oracleProfitE4(market: OracleMarket, bet: OracleBet, outcome: number): number {
  const stake = BigInt(bet.stakeMinor);
  const yes = bet.side === 'BACK';
  if (market.kind === 'meter') {
    const top = market.cap ?? bet.line! + 100;
    const score = Math.min(outcome, top);
    return Number(stake * BigInt(bet.price) * BigInt(yes ? score - bet.line! : bet.line! - score));
  }
  const perHundred = DECIMAL.includes(market.kind) ? bet.price - 100 : bet.price;
  const prize = yes ? cents(stake * BigInt(perHundred)) : -cents(-stake * BigInt(perHundred));
  let hit: boolean;
  if (market.kind === 'khado') hit = outcome >= bet.line! && outcome <= bet.line! + (bet.width ?? 1) - 1;
  else if (bet.line !== undefined) hit = outcome >= bet.line;
  else {
    const place = market.runners.findIndex((runner) => runner.runnerId === bet.runnerId);
    const yesNo = ['fancy1', 'tied', 'completed'].includes(market.kind);
    hit = yesNo ? (place === 0) === (outcome === 0) : place === outcome;
  }
  if (yes) return 100 * (hit ? prize : -bet.stakeMinor);
  return 100 * (hit ? -prize : bet.stakeMinor);
}

/** Every outcome worth trying, far beyond what a shortcut would look at. */
export function oracleOutcomes(market: OracleMarket, bets: OracleBet[]): number[] {
  const count = (n: number) => Array.from({ length: n }, (_, i) => i);
  if (market.kind === 'bookmaker') return count(market.runners.length);
  if (market.kind === 'cricketCasino') return count(10);
  if (['oddEven', 'fancy1', 'tied', 'completed'].includes(market.kind)) return count(2);
  return count(Math.max(market.cap ?? 0, ...bets.map((bet) => bet.line! + (bet.width ?? 1))) + 130);
}

export function oracleExposure(market: OracleMarket, bets: OracleBet[]): number {
  let worst = 0;
  for (const outcome of oracleOutcomes(market, bets)) {
    let sum = 0;
    for (const bet of bets) sum += oracleProfitE4(market, bet, outcome);
    if (sum < worst) worst = sum;
  }
  return Math.ceil(-worst / 100) || 0;
}
