/**
 * The dead man's switch: when no beat comes in time, all that rests of the account is cancelled. Its time stands in a row, so a
 * restart does not lose it.
 */
import { readHeartbeat } from '@fairgame/exchange-api';
import type { Auth } from '../auth/auth.ts';
import { cancelAll } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Operation } from './operations.ts';

const LOOK_MS = 500;
/** So long it is believed that no other process has heard a beat without saying so. */
const TRUST_MS = 10_000;

interface HeartbeatParts {
  db: Db;
  core: Core;
  auth: Auth;
  clock: () => number;
  log: Log;
  isAlone: () => boolean;
  /** There is no other process. */
  isOnly: boolean;
  /** Tells all others that one is due at a time. */
  tell: (until: number) => void;
}

export class Heartbeats {
  private readonly parts: HeartbeatParts;
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  /** None is due before; null: not known. */
  private next: number | null = null;
  private readAt = 0;

  constructor(parts: HeartbeatParts) {
    this.parts = parts;
  }

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  operations(): Record<string, Operation> {
    return {
      heartbeat: {
        api: 'betting',
        run: async (params, { session }) => {
          const seconds = readHeartbeat(params);
          const until = this.parts.clock() + seconds * 1000;
          const [before] = await this.parts.db.query<{ done: string | null }>(
            'SELECT done FROM program_heartbeats WHERE user_id = $1',
            [session.userId],
          );
          await this.parts.db.query(
            `INSERT INTO program_heartbeats (user_id, seconds, until) VALUES ($1, $2, $3)
             ON CONFLICT (user_id) DO UPDATE SET seconds = EXCLUDED.seconds, until = EXCLUDED.until, done = NULL`,
            [session.userId, seconds, until],
          );
          if (seconds > 0) {
            this.expect(until);
            this.parts.tell(until);
          }
          return { actionPerformed: before?.done ?? 'NONE', actualTimeoutSeconds: seconds };
        },
      },
    };
  }

  /** Somewhere a program beats: then it is due at `until`. */
  expect(until: number): void {
    if (this.next !== null) this.next = Math.min(this.next, until);
  }

  /** One process of the site carries them out; each is taken once. Nothing is read while none can be due. */
  async look(): Promise<void> {
    const { db, clock, log, isAlone, isOnly } = this.parts;
    if (this.looking) return;
    if (!isAlone()) {
      this.next = null;
      return;
    }
    // Another process' word may have been lost.
    const isOld = !isOnly && performance.now() - this.readAt > TRUST_MS;
    if (this.next !== null && clock() < this.next && !isOld) return;
    this.looking = true;
    try {
      this.next = Number.POSITIVE_INFINITY;
      this.readAt = performance.now();
      const due = await db.query<{ user_id: number }>(
        'SELECT user_id FROM program_heartbeats WHERE seconds > 0 AND until <= $1 LIMIT 100',
        [clock()],
      );
      for (const { user_id: userId } of due) {
        const done = await this.cancel(userId);
        await db.query('UPDATE program_heartbeats SET seconds = 0, done = $2 WHERE user_id = $1 AND until <= $3', [
          userId,
          done,
          clock(),
        ]);
      }
      const [first] = await db.query<{ until: number | null }>(
        'SELECT min(until) AS until FROM program_heartbeats WHERE seconds > 0',
      );
      if (first?.until != null) this.expect(first.until);
    } catch (error) {
      this.next = null;
      log.warn({ err: error }, 'heartbeats of programs were not looked at');
    } finally {
      this.looking = false;
    }
  }

  private async cancel(userId: number): Promise<string> {
    const { core, auth, log } = this.parts;
    const user = await auth.user(userId);
    if (!user) return 'NONE';
    try {
      await cancelAll(
        core,
        { type: 'order.cancelAll', accountId: userId },
        { world: user.world, actor: `player:${userId}` },
      );
      log.info({ user: userId }, 'a program fell silent: what rested of it is cancelled');
      return 'ALL_BETS_CANCELLED';
    } catch (error) {
      log.error({ err: error, user: userId }, 'a program fell silent and its bets were not cancelled');
      throw error;
    }
  }
}
