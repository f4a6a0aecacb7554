import { randomUUID } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import type { Bus, Stop } from '../bus/bus.ts';
import type { Core, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { inTurn } from '../in-turn.ts';
import type { FirstDeposit } from './figures.ts';
import type { AccountState, Jurisdiction, Profile } from './profiles.ts';
import { PROFILES } from './profiles.ts';
import type { BaseState, Limit, LimitKind, LimitSpan, Restriction } from './rules.ts';
import { ripe } from './rules.ts';

/** What the room knows of a player, kept in memory until another process tells of a change. */
export interface Record extends FirstDeposit {
  userId: number;
  /** How often the rows of it were changed. */
  version: number;
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
  limits: Limit[];
  /** The core may not know the newest restriction: it must hear of it before the next bet. */
  coreStale: boolean;
  /** What the core knows of limits holds until here: a window ends. */
  floorUntil: number;
}

interface Row {
  id: number;
  version: number | null;
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

/** `record` as soon as it is read. */
interface Held {
  loaded: Promise<Record | null>;
  record?: Record | null;
}

interface Saved {
  version: number;
}

const CHANGED = 'ctl.protection.changed';
/** A record that is written again and again by others meanwhile. */
const MOST_WRITES = 10;
/** What follows is done where the record of account $1 is still of version $2. */
const IF_NEWEST = `WITH newest AS (
  INSERT INTO protection_turns AS t (user_id, version) VALUES ($1, $2::bigint + 1)
  ON CONFLICT (user_id) DO UPDATE SET version = t.version + 1 WHERE t.version = $2::bigint RETURNING version)`;

export class Records {
  private readonly held = new Map<number, Held>();
  private readonly own = randomUUID();
  private readonly writing = inTurn<number>();
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
      bus.onHearing(() => this.held.clear()),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  /** The other processes read its rows again. */
  private tell(userId: number): void {
    if (!this.bus.alone) this.bus.tell(CHANGED, Buffer.from(JSON.stringify({ from: this.own, userId })));
  }

  /** Null for accounts that are no real player's. Read anew while nobody could tell of a change. */
  of(userId: number): Promise<Record | null> {
    if (!this.bus.hears()) return this.load(userId);
    const held = this.held.get(userId);
    if (held) return held.loaded;
    const fresh: Held = { loaded: this.load(userId) };
    this.held.set(userId, fresh);
    fresh.loaded.then(
      (record) => {
        fresh.record = record;
      },
      () => this.held.delete(userId),
    );
    return fresh.loaded;
  }

  /** The same where nothing has to be read for it; undefined: it has. */
  now(userId: number): Record | null | undefined {
    return this.bus.hears() ? this.held.get(userId)?.record : undefined;
  }

  private async load(userId: number): Promise<Record | null> {
    const [row] = await this.db.query<Row>(
      `SELECT u.id, u.currency, u.status, u.bet_blocked, u.created_at, u.last_login_at, p.base, p.restriction, p.since, p.until,
              p.revoke_asked_at, p.jurisdiction, p.reality_minutes, p.reality_answered_at, p.session_minutes, p.age_verified,
              t.version
         FROM users u LEFT JOIN protection p ON p.user_id = u.id LEFT JOIN protection_turns t ON t.user_id = u.id WHERE u.id = $1 AND u.world = 'real' AND u.role = 'user'`,
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
      version: row.version ?? 0,
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
      undatedTo: 0,
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

  /** Brings the record up to what another gateway may have changed meanwhile. */
  async refresh(record: Record): Promise<void> {
    const [row] = await this.db.query<{ version: number }>('SELECT version FROM protection_turns WHERE user_id = $1', [
      record.userId,
    ]);
    if ((row?.version ?? 0) !== record.version) await this.readAgain(record);
  }

  /** Changes a record and its row; what `edit` does is done again on the newer one where another gateway was faster. */
  change(record: Record, edit: (record: Record) => void): Promise<void> {
    return this.write(record, async () => {
      edit(record);
      return this.save(record);
    });
  }

  /** Null takes the limit away. The change was decided on the limit as the record has it. */
  async saveLimit(record: Record, kind: LimitKind, span: LimitSpan, limit: Limit | null): Promise<void> {
    const stored = () => JSON.stringify(record.limits.find((one) => one.kind === kind && one.span === span));
    const before = stored();
    await this.write(record, () => {
      if (stored() !== before) throw new CodedError('BUSY', { retryAfterS: 1 });
      return limit === null ? this.dropLimit(record, kind, span) : this.putLimit(record, limit);
    });
    record.limits = record.limits.filter((one) => one.kind !== kind || one.span !== span);
    if (limit) record.limits.push(limit);
  }

  /** `save` answers the new version, or nothing where the record is not of the newest. */
  private write(record: Record, save: () => Promise<Saved[]>): Promise<void> {
    return this.writing(record.userId, async () => {
      for (let tries = 0; tries < MOST_WRITES; tries++) {
        const [saved] = await save();
        if (saved) {
          record.version = saved.version;
          this.held.set(record.userId, { loaded: Promise.resolve(record), record });
          this.tell(record.userId);
          return;
        }
        await this.readAgain(record);
      }
      throw new CodedError('BUSY', { retryAfterS: 1 });
    });
  }

  private async readAgain(record: Record): Promise<void> {
    Object.assign(record, await this.load(record.userId));
  }

  private save(record: Record): Promise<Saved[]> {
    const { restriction } = record;
    return this.db.query<Saved>(
      `${IF_NEWEST}
       INSERT INTO protection (user_id, base, restriction, since, until, revoke_asked_at, jurisdiction, reality_minutes,
                               reality_answered_at, session_minutes, age_verified)
       SELECT $1::bigint, $3::text, $4::text, $5::bigint, $6::bigint, $7::bigint, $8::text, $9::int, $10::bigint, $11::int, $12::boolean
         FROM newest
       ON CONFLICT (user_id) DO UPDATE SET base = EXCLUDED.base, restriction = EXCLUDED.restriction,
         since = EXCLUDED.since, until = EXCLUDED.until, revoke_asked_at = EXCLUDED.revoke_asked_at,
         jurisdiction = EXCLUDED.jurisdiction, reality_minutes = EXCLUDED.reality_minutes,
         reality_answered_at = EXCLUDED.reality_answered_at, session_minutes = EXCLUDED.session_minutes,
         age_verified = EXCLUDED.age_verified
       RETURNING (SELECT version FROM newest) AS version`,
      [
        record.userId,
        record.version,
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
  }

  private putLimit(record: Record, { kind, span, amountMinor, pending }: Limit): Promise<Saved[]> {
    return this.db.query<Saved>(
      `${IF_NEWEST}
       INSERT INTO protection_limits (user_id, kind, span, amount, pending_amount, pending_at)
       SELECT $1::bigint, $3::text, $4::text, $5::bigint, $6::bigint, $7::bigint FROM newest
       ON CONFLICT (user_id, kind, span) DO UPDATE SET amount = EXCLUDED.amount,
         pending_amount = EXCLUDED.pending_amount, pending_at = EXCLUDED.pending_at
       RETURNING (SELECT version FROM newest) AS version`,
      [record.userId, record.version, kind, span, amountMinor, pending?.amountMinor ?? null, pending?.at ?? null],
    );
  }

  private dropLimit(record: Record, kind: LimitKind, span: LimitSpan): Promise<Saved[]> {
    return this.db.query<Saved>(
      `${IF_NEWEST},
       gone AS (DELETE FROM protection_limits USING newest
                 WHERE protection_limits.user_id = $1 AND kind = $3 AND span = $4)
       SELECT version FROM newest`,
      [record.userId, record.version, kind, span],
    );
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

  /** Players with limits. */
  async limited(): Promise<number[]> {
    const rows = await this.db.query<{ id: number }>('SELECT DISTINCT user_id AS id FROM protection_limits');
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
