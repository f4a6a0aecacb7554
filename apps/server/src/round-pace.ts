/**
 * How often a player may begin a round of a game (trust PP-12). In memory only: after a restart the first round is free. Each
 * gateway refuses by what it has seen; of rounds that begin at two gateways at once who leads takes one.
 */

export interface RoundPace {
  /** Several bets of one round are one beginning. */
  mayStart(userId: number, round: string, minRoundMs: number): boolean;
  /** Answers what takes it back, for a first bet that is refused. */
  started(userId: number, round: string): () => void;
}

/** Two rounds begun in time at the game may reach us this much closer together: a tenth, and no more than this. */
const MOST_SLACK_MS = 250;
const MANY = 20_000;

/** `steady`: milliseconds that only go on; with a clock that is set back nobody could begin a round meanwhile. */
export function createRoundPace(steady: () => number): RoundPace {
  const last = new Map<number, { round: string; at: number }>();
  return {
    mayStart(userId, round, minRoundMs) {
      const before = last.get(userId);
      const slackMs = Math.min(MOST_SLACK_MS, minRoundMs / 10);
      return !before || before.round === round || steady() - before.at >= minRoundMs - slackMs;
    },
    started(userId, round) {
      const before = last.get(userId);
      if (before?.round === round) return () => undefined;
      const now = { round, at: steady() };
      last.delete(userId);
      last.set(userId, now);
      if (last.size > MANY) last.delete(last.keys().next().value!);
      return () => {
        if (last.get(userId) !== now) return;
        if (before) last.set(userId, before);
        else last.delete(userId);
      };
    },
  };
}
