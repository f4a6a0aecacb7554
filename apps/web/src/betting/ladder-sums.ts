import { divFloor, LADDER, roundDiv } from '@fairgame/contract';

/** What the tools of a ladder compute from the player's own bets on one runner. Money in minor units, prices in hundredths. */

/** The result of the runner's own matched bets if it wins, and if it does not. */
export interface Standing {
  win: number;
  lose: number;
}

/** What these bets bring, whatever wins, once they are closed at this price. */
export const closedAt = ({ win, lose }: Standing, price: number): number => lose + divFloor((win - lose) * 100, price);

/** The bet that closes them at this price; null where there is nothing to close. */
export function closingBet({ win, lose }: Standing, price: number): { side: 'BACK' | 'LAY'; stake: number } | null {
  const stake = roundDiv(Math.abs(win - lose) * 100, price);
  return stake === 0 ? null : { side: win > lose ? 'LAY' : 'BACK', stake };
}

/** The last price at which closing costs nothing; null where none or every price does that. */
export function breakEven(of: Standing): number | null {
  const fair = LADDER.filter((price) => closedAt(of, price) >= 0);
  if (fair.length === 0 || fair.length === LADDER.length) return null;
  return of.win > of.lose ? fair.at(-1)! : fair[0]!;
}

/**
 * The first price, from the side where it is better, at which closing costs so much (`STOP`), or the last at which it brings so
 * much (`PROFIT`). Null where no price does.
 */
export function triggerOf(of: Standing, kind: 'STOP' | 'PROFIT', amount: number): number | null {
  const there = LADDER.filter((price) => {
    const value = closedAt(of, price);
    return kind === 'STOP' ? value <= -amount : value >= amount;
  });
  // Bets that win with the runner are closed by a lay: lower prices are better. The others the other way round.
  const isLow = of.win > of.lose === (kind === 'STOP');
  return (isLow ? there[0] : there.at(-1)) ?? null;
}
