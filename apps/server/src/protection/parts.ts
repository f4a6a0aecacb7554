/** What the parts and routes of player protection share. */
import { CodedError, dayNumber } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import { type Bus, pack, unpack } from '../bus/bus.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import { inTurn } from '../in-turn.ts';
import type { Audit } from '../ops/ops.ts';
import { profileOf, type Record, Records } from './records.ts';
import { Stakes } from './stakes.ts';
import { takeTurn } from './turns.ts';
import { Visits } from './visits.ts';

export interface ProtectionOptions {
  db: Db;
  bus: Bus;
  core: Core;
  auth: Auth;
  audit: Audit;
  clock: () => number;
  log: Log;
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
}

const PROFILE = 'ctl.profile';

export class Parts {
  readonly db: Db;
  readonly core: Core;
  readonly auth: Auth;
  readonly clock: () => number;
  readonly records: Records;
  readonly visits: Visits;
  readonly stakes: Stakes;
  private readonly audit: Audit;
  private readonly bus: Bus;
  private readonly here = inTurn<number>();

  constructor({ db, bus, core, auth, audit, clock, log }: ProtectionOptions) {
    this.db = db;
    this.bus = bus;
    this.core = core;
    this.auth = auth;
    this.audit = audit;
    this.clock = clock;
    const worldFor: Core['worldFor'] = (currency, isDemo) => core.worldFor(currency, isDemo);
    this.records = new Records(db, bus, worldFor, (userId) => this.profileChanged(userId));
    this.visits = new Visits(db, log);
    this.stakes = new Stakes(db, clock);
  }

  /** His sockets may be on another gateway than the process that changed him. */
  profileChanged(accountId: number): void {
    this.bus.tell(PROFILE, pack(accountId));
  }

  /** Of whoever changed it. */
  onProfileChanged(listener: (accountId: number) => void): void {
    this.bus.hear(PROFILE, (body) => listener(unpack<number>(body)));
  }

  /** The acts of an account go one after the other, over all gateways, each on the record as it is when its turn comes. Throws BUSY. */
  alone<T>(record: Record, work: () => Promise<T>): Promise<T> {
    return this.here(record.userId, async () => {
      if (this.bus.alone) return work();
      const give = await takeTurn(this.db, record.userId);
      try {
        await this.records.refresh(record);
        return await work();
      } finally {
        await give();
      }
    });
  }

  /** A sign of life of a player. */
  seen(record: Record): Promise<void> | null {
    return this.visits.seen(record.userId, this.clock(), this.dayOf(record));
  }

  /** Throws ACCOUNT_UNKNOWN. */
  async mustKnow(userId: number): Promise<Record> {
    const record = await this.records.of(userId);
    if (!record) throw new CodedError('ACCOUNT_UNKNOWN');
    return record;
  }

  /** An act of somebody, in the audit log. */
  record(actor: string, action: string, userId: number, detail: object, reason?: string): Promise<void> {
    return this.audit.record({ actor, action, object: `player:${userId}`, detail, reason });
  }

  /** The number of today on the player's calendar. */
  dayOf(record: Record): number {
    return dayNumber(this.clock(), profileOf(record).timeZone);
  }
}
