const MOST_A_SECOND = 5;

/** How often one account may read the book of one market: five times a second. `factor` 0 lifts it. */
export function perMarket(factor: number, clock: () => number): (userId: number, marketId: number) => boolean {
  let second = 0;
  let asked = new Map<string, number>();
  return (userId, marketId) => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      second = now;
      asked = new Map();
    }
    const name = `${userId}.${marketId}`;
    const times = (asked.get(name) ?? 0) + 1;
    asked.set(name, times);
    return factor === 0 || times <= MOST_A_SECOND * factor;
  };
}
