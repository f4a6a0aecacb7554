/**
 * The restriction of an account as the core keeps it: whether it may bet, its exposure limit, its loss floor. The core
 * decides by it in the step that accepts a bet.
 */
import { CodedError, type Window, windowOf } from '@fairgame/contract';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { played } from './figures.ts';
import { limitsNow, profileOf, type Record } from './records.ts';
import { lossFloor } from './rules.ts';

/** A loss floor is reckoned so often beside money that moves. */
const MOST_RECKONINGS = 5;

interface Floor {
  floorMinor: number;
  /** The floor is reckoned from this balance. */
  balanceMinor: number;
}

/**
 * Tells the core the whole restriction. A floor counts in the moment it is reckoned from: the writer refuses it when a
 * deposit or a result came between, and it is reckoned anew.
 */
export async function submitRestriction(
  { db, core }: { db: Db; core: Core },
  record: Record,
  isActive: boolean,
  now: number,
): Promise<void> {
  record.coreStale = true;
  for (let tried = 1; ; tried += 1) {
    const isLast = tried === MOST_RECKONINGS;
    const floor = await floorNow(db, record, now);
    try {
      await core.submit({
        world: record.world,
        actor: 'core',
        command: {
          type: 'account.restrict',
          accountId: record.userId,
          betBlocked: !isActive || record.betBlocked,
          exposureLimitMinor: limitsNow(record, now).find((limit) => limit.kind === 'exposure')?.amountMinor ?? 0,
          ...(floor === null ? {} : { lossFloorMinor: floor.floorMinor }),
          // A block must not wait for quiet: the last one goes as it is, and the core hears again before the next bet.
          ...(floor === null || isLast ? {} : { balanceMinor: floor.balanceMinor }),
        },
      });
    } catch (error) {
      if (error instanceof CodedError && error.code === 'BALANCE_MOVED') continue;
      throw error;
    }
    record.floorUntil = Math.min(
      ...lossWindows(record, now).map(({ window }) => window.to),
      ...record.limits.map((limit) => (limit.pending && limit.pending.at > now ? limit.pending.at : Infinity)),
    );
    record.coreStale = isLast;
    return;
  }
}

/** Null without a loss limit. */
async function floorNow(db: Db, record: Record, now: number): Promise<Floor | null> {
  const windows = lossWindows(record, now);
  if (windows.length === 0) return null;
  const { balanceMinor, netMinor } = await played(
    db,
    record,
    windows.map(({ window }) => window.from),
  );
  const floorMinor = lossFloor(
    balanceMinor,
    windows.map(({ amountMinor }, i) => ({ amountMinor, lostMinor: -netMinor[i]! })),
  );
  return floorMinor === null ? null : { floorMinor, balanceMinor };
}

function lossWindows(record: Record, now: number): Array<{ amountMinor: number; window: Window }> {
  const { timeZone } = profileOf(record);
  return limitsNow(record, now).flatMap(({ kind, span, amountMinor }) =>
    kind === 'loss' && span !== 'bet' && span !== 'always'
      ? [{ amountMinor, window: windowOf(span, now, timeZone) }]
      : [],
  );
}
