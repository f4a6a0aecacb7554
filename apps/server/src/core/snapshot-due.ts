/**
 * When a snapshot is due: by what a start after a kill would have to do again, and at the latest some time after the last one
 * where anything happened at all.
 */
export interface SnapshotDue {
  /** Applied commands, each with its time in the writer. */
  count(commands: ReadonlyArray<{ applyMs: number }>): void;
  /** `now` by the core's clock, milliseconds. */
  isDue(now: number): boolean;
  /** One is being taken from now on, of a state of so many rows. */
  begun(now: number, rows: number): void;
  /** It is done, or could not be taken. */
  ended(): void;
}

/** A command of this length counts as one; a longer one, as a slice of a large result, as several. */
const COMMAND_MS = 0.05;
/** A large state is not written again for a few commands: a replayed command costs about what ten written rows do. */
const ROWS_A_COMMAND = 10;

export function createSnapshotDue(options: {
  commands: number;
  ms: number;
  /** So that at full speed snapshots do not follow on each other's heels. */
  restMs: number;
  /** By the core's clock. */
  now: number;
  /** Commands behind the snapshot that the start began with. */
  behind: number;
  /** Milliseconds that pass evenly. */
  steady?: () => number;
}): SnapshotDue {
  const { commands, ms, restMs, steady = () => performance.now() } = options;
  let owed = options.behind;
  let enough = commands;
  let begunAt = options.now;
  let restTo = 0;
  return {
    count(applied) {
      for (const { applyMs } of applied) owed += Math.max(1, applyMs / COMMAND_MS);
    },
    isDue: (now) => owed > 0 && ((owed >= enough && steady() >= restTo) || now - begunAt >= ms),
    begun(now, rows) {
      owed = 0;
      begunAt = now;
      enough = Math.max(commands, rows / ROWS_A_COMMAND);
    },
    ended() {
      restTo = steady() + restMs;
    },
  };
}
