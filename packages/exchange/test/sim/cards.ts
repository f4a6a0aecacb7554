/** Card rounds in the simulation: bounds, worst case and result of a bet, told anew from the casino book (C8). */
import type { Result, RunnerDef } from '../../src/types.ts';
import type { Random } from './random.ts';
import type { Market, ModelBet } from './world.ts';
import { runnerOf } from './world.ts';

/** The last selection may lose without another winning. */
const NOBODY = 0;

type Cards = Extract<Result, { kind: 'cards' }>;

/**
 * Two that exclude each other, one by itself, one that pays by the hand, one that pays and costs by the point, and one whose
 * backs and lays are netted with each other.
 */
export function cardRunners(marketId: number): RunnerDef[] {
  return [{ group: 1 }, { group: 1 }, {}, { payMax: 1200 }, { payMax: 500, payMin: 300 }, { group: 2 }].map(
    (more, i) => ({
      runnerId: marketId * 10 + i,
      name: `Selection ${i + 1}`,
      ...more,
    }),
  );
}

export function cardAmounts(market: Market, bet: ModelBet): { winMinor: number; lossMinor: number } {
  const { payMax = bet.price - 100, payMin = 100 } = runnerOf(market, bet.runnerId)!.def;
  const most = (bet.sizeMinor * payMax) / 100;
  const least = (bet.sizeMinor * payMin) / 100;
  return bet.side === 'BACK'
    ? { winMinor: Math.floor(most), lossMinor: Math.ceil(least) }
    : { winMinor: Math.floor(least), lossMinor: Math.ceil(most) };
}

/** Not positive. Each end of the two markets is tried; every other bet may be lost by itself. */
export function worstOfCards(market: Market, bets: ModelBet[]): number {
  const [one, other, , , , alone] = market.runners.map((runner) => runner.id);
  const isOf = (group: number) => (bet: ModelBet) => groupOf(market, bet) === group;
  let worst = 0;
  for (const bet of bets.filter(isOf(0))) worst -= cardAmounts(market, bet).lossMinor;
  for (const [group, winners] of [
    [1, [one, other]],
    [2, [alone, NOBODY]],
  ] as const) {
    let least = 0;
    for (const winner of winners) {
      let sum = 0;
      for (const bet of bets.filter(isOf(group))) {
        const gain = ifWins(market, bet, winner!);
        // A delayed bet may still lapse, so its gain does not count.
        sum += bet.status === 'PENDING' ? Math.min(0, gain) : gain;
      }
      least = Math.min(least, sum);
    }
    worst += least;
  }
  return worst;
}

export function cardNet(market: Market, bets: ModelBet[], runnerId: number): number {
  const group = runnerOf(market, runnerId)?.def.group ?? 0;
  const own = bets.filter((bet) => (group > 0 ? groupOf(market, bet) === group : bet.runnerId === runnerId));
  return own.reduce((sum, bet) => sum + ifWins(market, bet, runnerId), 0);
}

/** What the result brings the bet, minor units. */
export function cardProfit(market: Market, bet: ModelBet, result: Cards): number {
  const pay = result.pays.find((one) => one.runnerId === bet.runnerId);
  const { winMinor, lossMinor } = cardAmounts(market, bet);
  const sign = bet.side === 'BACK' ? 1 : -1;
  const stakeOf = bet.side === 'BACK' ? lossMinor : winMinor;
  switch (pay?.is) {
    case 'WIN':
      return bet.side === 'BACK' ? winMinor : -lossMinor;
    case 'LOSE':
      return bet.side === 'BACK' ? -lossMinor : winMinor;
    case 'HALF':
      return Math.floor((-sign * stakeOf) / 2) || 0;
    case 'PAY':
      return Math.floor((sign * bet.sizeMinor * pay.per100) / 100) || 0;
    default:
      return 0;
  }
}

/** Mostly one that fits: one winner of the group or none, the others as they like. */
export function someCards(random: Random, market: Market): Cards {
  const [one, other, alone, hand, points, netted] = random.chance(0.5)
    ? market.runners
    : [market.runners[1]!, market.runners[0]!, ...market.runners.slice(2)];
  const pays: Cards['pays'] = [];
  if (random.chance(0.85)) {
    pays.push({ runnerId: one!.id, is: 'WIN' });
    pays.push({ runnerId: other!.id, is: random.chance(0.95) ? 'LOSE' : 'HALF' });
  } else if (random.chance(0.2)) pays.push({ runnerId: one!.id, is: 'LOSE' });
  if (random.chance(0.8)) pays.push({ runnerId: alone!.id, is: random.pick(['WIN', 'LOSE', 'VOID', 'HALF'] as const) });
  if (random.chance(0.8)) pays.push({ runnerId: hand!.id, is: 'PAY', per100: random.int(-100, 1200) });
  if (random.chance(0.8)) pays.push({ runnerId: points!.id, is: 'PAY', per100: random.int(-301, 501) });
  if (random.chance(0.8))
    pays.push({
      runnerId: netted!.id,
      is: random.chance(0.03) ? 'HALF' : random.pick(['WIN', 'LOSE', 'VOID'] as const),
    });
  return { kind: 'cards', pays, text: 'A' };
}

export function fitsCards(market: Market, { pays }: Cards): boolean {
  for (const pay of pays) {
    const def = runnerOf(market, pay.runnerId)?.def;
    if (!def || pay.is === 'SCORE') return false;
    if (def.group && pay.is === 'HALF') return false;
    if (pay.is !== 'PAY') continue;
    if (def.group || def.payMax === undefined || pay.per100 > def.payMax || pay.per100 < -(def.payMin ?? 100))
      return false;
  }
  const ends = market.runners
    .filter((runner) => runner.def.group === 1)
    .map((runner) => pays.find((pay) => pay.runnerId === runner.id)?.is ?? 'VOID');
  const count = (...of: string[]) => ends.filter((is) => of.includes(is)).length;
  if (count('WIN') === 0) return count('LOSE') === 0;
  return count('WIN') === 1 && count('LOSE') === ends.length - 1;
}

const groupOf = (market: Market, bet: ModelBet) => runnerOf(market, bet.runnerId)?.def.group ?? 0;

function ifWins(market: Market, bet: ModelBet, runnerId: number): number {
  const { winMinor, lossMinor } = cardAmounts(market, bet);
  return (bet.runnerId === runnerId) === (bet.side === 'BACK') ? winMinor : -lossMinor;
}
