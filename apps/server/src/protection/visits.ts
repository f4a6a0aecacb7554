import type { Db, Log } from '../db/db.ts';
import { VISIT_GAP_MS } from './rules.ts';

interface Visit {
  since: number;
  seenAt: number;
  /** Time of today from here on is not in the table yet. */
  from: number;
  day: number;
}

/**
 * Who is here since when. A visit goes on over several sessions, tabs, gateways and restarts and ends after half an hour of
 * silence, so signing in anew starts no new hour; time is counted once however many tabs are open (PP-05). The rows have what all
 * gateways saw, up to half a minute ago.
 */
export class Visits {
  private readonly visits = new Map<number, Visit>();
  private readonly beginning = new Map<number, Promise<void>>();
  /** Time of a day as the table has it. */
  private readonly saved = new Map<number, { day: number; ms: number }>();
  private readonly db: Db;
  private readonly log: Log;
  /** Whether an account has an open socket: then silence is no absence. */
  present: (accountId: number) => boolean = () => false;

  constructor(db: Db, log: Log) {
    this.db = db;
    this.log = log;
  }

  /** A sign of life. `day` is the number of the day on the account's calendar. To be waited for: a visit may begin, or have begun elsewhere. */
  seen(accountId: number, now: number, day: number): Promise<void> | null {
    const visit = this.visits.get(accountId);
    if (visit && (now - visit.seenAt <= VISIT_GAP_MS || this.present(accountId))) {
      goOn(visit, now, day);
      return null;
    }
    const begun = this.beginning.get(accountId) ?? this.begin(accountId, now, day);
    this.beginning.set(accountId, begun);
    return begun.finally(() => this.beginning.delete(accountId));
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
    return saved.ms + (visit?.day === day ? visit.seenAt - visit.from : 0);
  }

  /** Goes on with the visits of those who are here, writes visits and times down, forgets who is long gone. */
  async tick(now: number, dayOf: (accountId: number) => number): Promise<void> {
    const due: Array<[number, Visit]> = [];
    for (const [accountId, visit] of this.visits) {
      if (this.present(accountId)) goOn(visit, now, dayOf(accountId));
      if (visit.seenAt > visit.from) due.push([accountId, visit]);
      else if (now - visit.seenAt > VISIT_GAP_MS && !this.present(accountId)) {
        this.visits.delete(accountId);
        this.saved.delete(accountId);
      }
    }
    if (due.length === 0) return;
    const written = due.map(([accountId, { since, seenAt }]): [number, number, number] => [accountId, since, seenAt]);
    await this.writeTimes(due);
    for (const { id, since } of await this.writeVisits(written)) {
      const visit = this.visits.get(id);
      if (visit) visit.since = Math.min(visit.since, since);
    }
  }

  private async begin(accountId: number, now: number, day: number): Promise<void> {
    let since = now;
    try {
      since = (await this.writeVisits([[accountId, now, now]]))[0]?.since ?? now;
    } catch (error) {
      this.log.warn({ err: error, userId: accountId }, 'a visit could not be written down yet');
    }
    const visit = this.visits.get(accountId);
    this.visits.set(accountId, { since, seenAt: now, from: now, day });
    if (visit?.day === day) this.saved.delete(accountId);
  }

  /** Each with its begin and when it was seen last; answers the begins as all gateways have them. */
  private writeVisits(rows: Array<[number, number, number]>): Promise<Array<{ id: number; since: number }>> {
    return this.db.query<{ id: number; since: number }>(
      `INSERT INTO protection_visits AS v (user_id, since, seen_at)
         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
       ON CONFLICT (user_id) DO UPDATE SET
         since = CASE WHEN EXCLUDED.since - v.seen_at > ${VISIT_GAP_MS} THEN EXCLUDED.since ELSE least(v.since, EXCLUDED.since) END,
         seen_at = greatest(v.seen_at, EXCLUDED.seen_at)
       RETURNING user_id AS id, since`,
      [0, 1, 2].map((column) => rows.map((row) => row[column])),
    );
  }

  private async writeTimes(due: ReadonlyArray<[number, Visit]>): Promise<void> {
    const flown = due.map(([id, visit]) => ({ id, visit, day: visit.day, to: visit.seenAt }));
    const rows = await this.db.query<{ id: number; day: number; ms: number }>(
      `INSERT INTO protection_time AS t (user_id, day, ms, counted_to)
         SELECT * FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[])
       ON CONFLICT (user_id, day) DO UPDATE SET
         ms = t.ms + greatest(0, EXCLUDED.counted_to - greatest(EXCLUDED.counted_to - EXCLUDED.ms, t.counted_to)),
         counted_to = greatest(t.counted_to, EXCLUDED.counted_to)
       RETURNING user_id AS id, day, ms`,
      [
        flown.map(({ id }) => id),
        flown.map(({ day }) => day),
        flown.map(({ visit, to }) => to - visit.from),
        flown.map(({ to }) => to),
      ],
    );
    for (const { visit, day, to } of flown) if (visit.day === day) visit.from = Math.max(visit.from, to);
    for (const { id, day, ms } of rows) if (this.visits.get(id)?.day === day) this.saved.set(id, { day, ms });
  }
}

function goOn(visit: Visit, now: number, day: number): void {
  if (visit.day !== day) {
    visit.day = day;
    visit.from = now;
  }
  visit.seenAt = Math.max(visit.seenAt, now);
}
