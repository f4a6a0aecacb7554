/** How often a player may begin a round (trust PP-12). In memory only: after a restart the first round is free. */

export interface Pace {
  /** Several bets of one round are one beginning. */
  mayStart(userId: number, round: string, minRoundMs: number): boolean;
  started(userId: number, round: string): void;
}

/** Two rounds begun in time at the game may reach us this much closer together. */
const SLACK_MS = 250;
const MANY = 20_000;

export function createPace(clock: () => number): Pace {
  const last = new Map<number, { round: string; at: number }>();
  return {
    mayStart(userId, round, minRoundMs) {
      const before = last.get(userId);
      return !before || before.round === round || clock() - before.at >= minRoundMs - SLACK_MS;
    },
    started(userId, round) {
      if (last.get(userId)?.round === round) return;
      last.delete(userId);
      last.set(userId, { round, at: clock() });
      if (last.size > MANY) last.delete(last.keys().next().value!);
    },
  };
}
