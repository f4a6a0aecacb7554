import { randomUUID } from 'node:crypto';
import type { Bus, Stop } from '../bus/bus.ts';
import type { Core, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { AccountState, Jurisdiction, Profile } from './profiles.ts';
import { PROFILES } from './profiles.ts';
import type { BaseState, Limit, LimitKind, LimitSpan, Restriction } from './rules.ts';
import { ripe } from './rules.ts';

/** What the room knows of a player, kept in memory until another process tells of a change. */
export interface Record {
  userId: number;
  /** That keeps the account. */
  world: World;
  /** What everybody was told last: what users.status says. */
  announced: AccountState;
  betBlocked: boolean;
  lastAccessAt: number;
  base: BaseState;
  restriction: Restriction | null;
  jurisdiction: Jurisdiction;
  /** The player's own; null for the profile's first. */
  realityMinutes: number | null;
  realityAnsweredAt: number | null;
  sessionMinutes: number | null;
  ageVerified: boolean;
  /** Null while none was seen. */
  firstDepositAt: number | null;
  limits: Limit[];
  /** The core may not know the newest restriction: it must hear of it before the next bet. */
  coreStale: boolean;
  /** The loss floor in the core holds until here: a window ends. */
  floorUntil: number;
}

interface Row {
  id: number;
  currency: string;
  status: AccountState;
  bet_blocked: boolean;
  created_at: number;
  last_login_at: number | null;
  base: BaseState | null;
  restriction: Restriction['state'] | null;
  since: number | null;
  until: number | null;
  revoke_asked_at: number | null;
  jurisdiction: Jurisdiction | null;
  reality_minutes: number | null;
  reality_answered_at: number | null;
  session_minutes: number | null;
  age_verified: boolean | null;
}

const CHANGED = 'ctl.protection.changed';

export class Records {
  private readonly held = new Map<number, Promise<Record | null>>();
  private readonly own = randomUUID();
  private readonly db: Db;
  private readonly bus: Bus;
  private readonly worldFor: Core['worldFor'];
  private readonly stops: Stop[];

  /** `changed`: another process changed what it knows of a player. */
  constructor(db: Db, bus: Bus, worldFor: Core['worldFor'], changed: (userId: number) => void) {
    this.db = db;
    this.bus = bus;
    this.worldFor = worldFor;
    this.stops = [
      bus.hear(CHANGED, (body) => {
        const { from, userId } = JSON.parse(Buffer.from(body).toString()) as { from: string; userId: number };
        if (from === this.own) return;
        this.held.delete(userId);
        changed(userId);
      }),
      // What was told meanwhile nobody heard.
      bus.onConnection(() => this.held.clear()),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  /** After a change of what stands in rows: the other processes read them again. */
  tell(userId: number): void {
    if (!this.bus.alone) this.bus.tell(CHANGED, Buffer.from(JSON.stringify({ from: this.own, userId })));
  }

  /** Null for accounts that are no real player's. Read anew while nobody could tell of a change. */
  of(userId: number): Promise<Record | null> {
    if (!this.bus.connected()) return this.load(userId);
    let record = this.held.get(userId);
    if (!record) {
      record = this.load(userId);
      this.held.set(userId, record);
      record.catch(() => this.held.delete(userId));
    }
    return record;
  }

  private async load(userId: number): Promise<Record | null> {
    const [row] = await this.db.query<Row>(
      `SELECT u.id, u.currency, u.status, u.bet_blocked, u.created_at, u.last_login_at, p.base, p.restriction, p.since, p.until,
              p.revoke_asked_at, p.jurisdiction, p.reality_minutes, p.reality_answered_at, p.session_minutes, p.age_verified
         FROM users u LEFT JOIN protection p ON p.user_id = u.id WHERE u.id = $1 AND u.world = 'real' AND u.role = 'user'`,
      [userId],
    );
    if (!row) return null;
    const limits = await this.db.query<{
      kind: LimitKind;
      span: LimitSpan;
      amount: number;
      pending_amount: number | null;
      pending_at: number | null;
    }>('SELECT kind, span, amount, pending_amount, pending_at FROM protection_limits WHERE user_id = $1', [userId]);
    const record: Record = {
      userId,
      world: this.worldFor(row.currency, false),
      announced: row.status,
      betBlocked: row.bet_blocked,
      lastAccessAt: row.last_login_at ?? row.created_at,
      base: row.base ?? (row.status === 'blocked' || row.status === 'closed' ? row.status : 'active'),
      restriction:
        row.restriction === null
          ? null
          : {
              state: row.restriction,
              since: row.since ?? row.created_at,
              until: row.until,
              revokeAskedAt: row.revoke_asked_at,
            },
      jurisdiction: row.jurisdiction ?? 'INT',
      realityMinutes: row.reality_minutes,
      realityAnsweredAt: row.reality_answered_at,
      sessionMinutes: row.session_minutes,
      ageVerified: row.age_verified ?? false,
      firstDepositAt: null,
      limits: limits.map(({ kind, span, amount, pending_amount, pending_at }) => ({
        kind,
        span,
        amountMinor: amount,
        pending: pending_at === null ? null : { amountMinor: pending_amount, at: pending_at },
      })),
      coreStale: false,
      floorUntil: 0,
    };
    record.coreStale = record.announced !== 'active' || record.limits.length > 0;
    return record;
  }

  async save(record: Record): Promise<void> {
    const { restriction } = record;
    await this.db.query(
      `INSERT INTO protection (user_id, base, restriction, since, until, revoke_asked_at, jurisdiction, reality_minutes,
                               reality_answered_at, session_minutes, age_verified)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (user_id) DO UPDATE SET base = EXCLUDED.base, restriction = EXCLUDED.restriction,
         since = EXCLUDED.since, until = EXCLUDED.until, revoke_asked_at = EXCLUDED.revoke_asked_at,
         jurisdiction = EXCLUDED.jurisdiction, reality_minutes = EXCLUDED.reality_minutes,
         reality_answered_at = EXCLUDED.reality_answered_at, session_minutes = EXCLUDED.session_minutes,
         age_verified = EXCLUDED.age_verified`,
      [
        record.userId,
        record.base,
        restriction?.state ?? null,
        restriction?.since ?? null,
        restriction?.until ?? null,
        restriction?.revokeAskedAt ?? null,
        record.jurisdiction,
        record.realityMinutes,
        record.realityAnsweredAt,
        record.sessionMinutes,
        record.ageVerified,
      ],
    );
    this.tell(record.userId);
  }

  async saveLimit(record: Record, kind: LimitKind, span: LimitSpan, limit: Limit | null): Promise<void> {
    if (limit === null) {
      await this.db.query('DELETE FROM protection_limits WHERE user_id = $1 AND kind = $2 AND span = $3', [
        record.userId,
        kind,
        span,
      ]);
    } else {
      await this.db.query(
        `INSERT INTO protection_limits (user_id, kind, span, amount, pending_amount, pending_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (user_id, kind, span) DO UPDATE SET amount = EXCLUDED.amount,
           pending_amount = EXCLUDED.pending_amount, pending_at = EXCLUDED.pending_at`,
        [record.userId, kind, span, limit.amountMinor, limit.pending?.amountMinor ?? null, limit.pending?.at ?? null],
      );
    }
    record.limits = record.limits.filter((one) => one.kind !== kind || one.span !== span);
    if (limit) record.limits.push(limit);
    this.tell(record.userId);
  }

  /** Players whose state the clock may change: a restriction that runs, or nobody seen since `before`. */
  async clocked(before: number): Promise<number[]> {
    const rows = await this.db.query<{ id: number }>(
      `SELECT user_id AS id FROM protection WHERE restriction IS NOT NULL
       UNION SELECT id FROM users WHERE world = 'real' AND role = 'user' AND status IN ('active', 'inactive')
         AND COALESCE(last_login_at, created_at) < $1`,
      [before],
    );
    return rows.map((row) => row.id);
  }

  /** Players who play with money of their own while nobody has verified their age. */
  async unverified(): Promise<number[]> {
    const rows = await this.db.query<{ id: number }>(
      `SELECT u.id FROM users u LEFT JOIN protection p ON p.user_id = u.id
        WHERE u.world = 'real' AND u.role = 'user' AND u.status = 'active' AND NOT COALESCE(p.age_verified, false)
          AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.id AND a.balance <> 0)`,
    );
    return rows.map((row) => row.id);
  }
}

export const profileOf = (record: Record): Profile => PROFILES[record.jurisdiction];

/** The limits that count now. */
export function limitsNow(record: Record, now: number): Limit[] {
  return record.limits.flatMap((limit) => ripe(limit, now) ?? []);
}
