import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@fairgame/contract';
import type { Bus } from '../bus/bus.ts';
import { boundHouse, type CoreOptions, followCore, isHeld, isLed, openCore, standBy } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import { type Db, Fenced, migrate } from '../db/db.ts';
import type { HealthDoor } from '../ops/ops.ts';
import type { Ground } from './ground.ts';

const PATIENCE_MS = 60_000;
const AGAIN_MS = 250;

export interface CoreSeat {
  core: Core;
  /** When the site last wrote anything before this start. */
  lastWroteAt: number;
}

/**
 * The one writer, or what follows it where this process has not the role. Where another process leads, this one stands by:
 * it then resolves when that one has gone.
 */
export async function openCoreSeat(ground: Ground, health: HealthDoor): Promise<CoreSeat> {
  const { db, bus, config, log, metrics, ownClock, steady } = ground;
  const { currencies, terms } = config;
  if (!config.roles.includes('core')) {
    const core = await followCore({ db: db.lane('money'), log, bus, currencies, terms, meter: metrics.core });
    return { core, lastWroteAt: core.health().lastCommitAt };
  }
  const options: CoreOptions = {
    db: db.lane('money'),
    log,
    trustClock: config.trustClock,
    keepKeysMonths: config.keepKeysMonths,
    currencies,
    terms,
    meter: metrics.core,
    ...(bus.alone ? {} : { bus }),
    ...(ownClock ? { clock: ownClock, roundsBy: steady } : {}),
  };
  const lastWroteAt = !bus.alone && (await isLed(db)) ? null : await migrated(db, bus.alone);
  const core = lastWroteAt === null ? await untilLeading(ground, health, { ...options, bus }) : await openCore(options);
  await untilTaken(() => boundHouse(core, config.houseLoss));
  return { core, lastWroteAt: lastWroteAt || core.health().lastCommitAt };
}

/** Stands by, and answers who asks whether it is well; a gateway listens there itself afterwards. */
async function untilLeading(
  { config, log }: Ground,
  health: HealthDoor,
  options: CoreOptions & { bus: Bus },
): Promise<Core> {
  // The one that leads may be beside it, on the same port.
  await health
    .listen()
    .catch((error: unknown) => log.warn({ err: error }, 'nobody can ask here how the process is that stands by'));
  try {
    return await standBy(options);
  } finally {
    if (config.roles.includes('gateway')) await health.close();
  }
}

/**
 * Leads first, migrates then: nothing is changed under a server that runs. Answers when the site last wrote anything; null where
 * another process of the site was faster.
 */
async function migrated(db: Db, isAlone: boolean): Promise<number | null> {
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    try {
      await db.lead();
      break;
    } catch (error) {
      if (isAlone || !(error instanceof Fenced && error.isLed)) throw error;
      // One that is busy or hangs is only silent: who stands by sees which. One that has just begun takes its place soon.
      if (await isHeld(db)) return null;
      if (performance.now() > until) throw error;
    }
  }
  await migrate(db);
  const [row] = await db.query<{ at: number }>('SELECT last_at AS at FROM leader');
  return row?.at ?? 0;
}

/** A process that leads does not end for a database that is away for a moment. */
async function untilTaken(work: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(AGAIN_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CodedError && error.code === 'UNAVAILABLE') || performance.now() > until) throw error;
    }
  }
}
