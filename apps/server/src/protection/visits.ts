import type { Db } from '../db/db.ts';
import { VISIT_GAP_MS } from './rules.ts';

interface Visit {
  since: number;
  seenAt: number;
  /** Time of today that is not in the table yet. */
  unsavedMs: number;
  day: number;
}

/**
 * Who is here since when. A visit goes on over several sessions and tabs and ends after half an hour of silence, so
 * signing in anew starts no new hour; time is counted once however many tabs are open (PP-05).
 */
export class Visits {
  private readonly visits = new Map<number, Visit>();
  /** Time of a day as the table has it. */
  private readonly saved = new Map<number, { day: number; ms: number }>();
  private readonly db: Db;
  /** Whether an account has an open socket: then silence is no absence. */
  present: (accountId: number) => boolean = () => false;

  constructor(db: Db) {
    this.db = db;
  }

  /** A sign of life. `day` is the number of the day on the account's calendar. */
  seen(accountId: number, now: number, day: number): Visit {
    const visit = this.visits.get(accountId);
    if (!visit || (now - visit.seenAt > VISIT_GAP_MS && !this.present(accountId))) {
      const fresh = { since: now, seenAt: now, unsavedMs: visit?.unsavedMs ?? 0, day: visit?.day ?? day };
      if (fresh.day !== day) {
        fresh.unsavedMs = 0;
        fresh.day = day;
      }
      this.visits.set(accountId, fresh);
      return fresh;
    }
    if (visit.day !== day) {
      visit.unsavedMs = 0;
      visit.day = day;
    }
    visit.unsavedMs += Math.max(0, now - visit.seenAt);
    visit.seenAt = now;
    return visit;
  }

  /** When the visit began; null while the account is away. */
  since(accountId: number): number | null {
    return this.visits.get(accountId)?.since ?? null;
  }

  async playedMs(accountId: number, day: number): Promise<number> {
    let saved = this.saved.get(accountId);
    if (saved?.day !== day) {
      const [row] = await this.db.query<{ ms: number }>(
        'SELECT ms FROM protection_time WHERE user_id = $1 AND day = $2',
        [accountId, day],
      );
      saved = { day, ms: row?.ms ?? 0 };
      this.saved.set(accountId, saved);
    }
    const visit = this.visits.get(accountId);
    return saved.ms + (visit?.day === day ? visit.unsavedMs : 0);
  }

  /** Goes on with the visits of those who are here, writes the times down, forgets who is long gone. */
  async tick(now: number, dayOf: (accountId: number) => number): Promise<void> {
    for (const [accountId, visit] of this.visits) {
      if (this.present(accountId)) this.seen(accountId, now, dayOf(accountId));
      const { unsavedMs, day } = visit;
      if (unsavedMs > 0) {
        await this.db.query(
          `INSERT INTO protection_time (user_id, day, ms) VALUES ($1, $2, $3)
           ON CONFLICT (user_id, day) DO UPDATE SET ms = protection_time.ms + EXCLUDED.ms`,
          [accountId, day, unsavedMs],
        );
        visit.unsavedMs -= unsavedMs;
        const saved = this.saved.get(accountId);
        if (saved?.day === day) saved.ms += unsavedMs;
      } else if (now - visit.seenAt > VISIT_GAP_MS && !this.present(accountId)) {
        this.visits.delete(accountId);
        this.saved.delete(accountId);
      }
    }
  }
}
