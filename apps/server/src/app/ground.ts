import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { pino } from 'pino';
import type { Deliver } from '../auth/auth.ts';
import { type Bus, openBus, signsIn } from '../bus/bus.ts';
import type { Config } from '../config.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { type Audit, createAudit, createMetrics } from '../ops/ops.ts';
import { ROLES } from '../roles.ts';
import { createLog } from './log.ts';

export interface AppOptions {
  config: Config;
  clock?: () => number;
  /** `clock` unless given; the process' own without one. */
  steady?: () => number;
  log?: pino.Logger;
  /** Where messages to players go; tests read them here. */
  deliver?: Deliver;
  /** `memory://` keeps nothing; else the data folder's own. */
  databaseDir?: string;
  /** Of one of several processes that a test runs in its own; else as the settings say. */
  bus?: Bus;
  db?: Db;
}

/** What every role stands on. */
export interface Ground {
  config: Config;
  clock: () => number;
  /** Milliseconds from any start that only go on, however the machine's clock is set: for how often and how soon. */
  steady: () => number;
  /** The clock that was given; the core has a steadier one of its own where there is none. */
  ownClock: (() => number) | undefined;
  log: pino.Logger;
  deliver: Deliver | undefined;
  db: Db;
  bus: Bus;
  metrics: ReturnType<typeof createMetrics>;
  audit: Audit;
  /** Names this process among those of the site. */
  owner: string;
}

export async function openGround(opts: AppOptions): Promise<Ground> {
  const { config } = opts;
  const clock = opts.clock ?? Date.now;
  const log = opts.log ?? createLog(config);
  const db =
    opts.db ??
    (await openDatabase({
      url: config.databaseUrl,
      readUrl: config.databaseReadUrl,
      dataDir: opts.databaseDir ?? `${config.dataDir}/db`,
      log,
      durability: config.durability,
    }));
  const bus =
    opts.bus ??
    (await openBus(config.bus, log, signsIn(db)).catch(async (error: unknown) => {
      if (!opts.db) await db.close();
      throw error;
    }));
  return {
    config,
    clock,
    steady: opts.steady ?? opts.clock ?? (() => performance.now()),
    ownClock: opts.clock,
    log,
    deliver: opts.deliver,
    db,
    bus,
    metrics: createMetrics(config.roles.length < ROLES.length ? config.roles.join() : undefined),
    owner: `${hostname()}.${process.pid}.${randomBytes(4).toString('hex')}`,
    audit: createAudit(db, clock, config.keyring),
  };
}
