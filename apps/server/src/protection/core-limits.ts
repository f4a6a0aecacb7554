/**
 * The restriction of an account as the core keeps it: whether it may bet, its exposure limit, its loss floor; and, for bets
 * that the core places itself, its limits on stakes. The core decides by it in the step that accepts a bet.
 */
import { CodedError, type Window } from '@fairgame/contract';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { played } from './figures.ts';
import { limitsNow, profileOf, type Record } from './records.ts';
import { limitWindow, lossFloor } from './rules.ts';
import type { Stakes } from './stakes.ts';

/** What is left is reckoned so often beside money and stakes that move. */
const MOST_RECKONINGS = 5;

interface Floor {
  floorMinor: number;
  /** The floor is reckoned from this balance. */
  balanceMinor: number;
}

interface Wager {
  leftMinor: number;
  from: number;
  /** It is reckoned from so many stakes. */
  stakes: number;
  asideMinor?: number;
  keepsAside?: true;
}

/** What of a turnover limit is kept for a bet on its way: so much, or what whoever has the account's turn has set aside. */
export type Aside = number | 'kept';

/**
 * Tells the core the whole restriction. What is left of a limit counts in the moment it is reckoned from: the writer refuses
 * it when a deposit, a result or a stake came between, and it is reckoned anew.
 */
export async function submitRestriction(
  { db, core, stakes }: { db: Db; core: Core; stakes: Stakes },
  record: Record,
  isActive: boolean,
  now: number,
  aside: Aside,
): Promise<void> {
  record.coreStale = true;
  for (let tried = 1; ; tried += 1) {
    const isLast = tried === MOST_RECKONINGS;
    const floor = await floorNow(db, record, now);
    const wager = await wagerNow({ core, stakes }, record, now, aside);
    const limits = limitsNow(record, now);
    const own = limits.find((limit) => limit.kind === 'stake');
    try {
      await core.submit({
        world: record.world,
        actor: 'core',
        command: {
          type: 'account.restrict',
          accountId: record.userId,
          betBlocked: !isActive || record.betBlocked,
          exposureLimitMinor: limits.find((limit) => limit.kind === 'exposure')?.amountMinor ?? 0,
          ...(floor === null ? {} : { lossFloorMinor: floor.floorMinor }),
          // A block must not wait for quiet: the last one goes as it is, and the core hears again before the next bet.
          ...(floor === null || isLast ? {} : { balanceMinor: floor.balanceMinor }),
          ...(own && { stakeLimitMinor: own.amountMinor }),
          ...(wager && { wager: isLast ? withoutStakes(wager) : wager }),
        },
      });
    } catch (error) {
      if (error instanceof CodedError && error.code === 'BALANCE_MOVED') continue;
      throw error;
    }
    record.floorUntil = Math.min(
      ...windows(record, 'loss', now).map(({ window }) => window.to),
      ...windows(record, 'wager', now).map(({ window }) => window.to),
      ...record.limits.map((limit) => (limit.pending && limit.pending.at > now ? limit.pending.at : Infinity)),
    );
    record.coreStale = isLast;
    return;
  }
}

/** Null without a loss limit. */
async function floorNow(db: Db, record: Record, now: number): Promise<Floor | null> {
  const losses = windows(record, 'loss', now);
  if (losses.length === 0) return null;
  const { balanceMinor, netMinor } = await played(
    db,
    record,
    losses.map(({ window }) => window.from),
  );
  const floorMinor = lossFloor(
    balanceMinor,
    losses.map(({ amountMinor }, i) => ({ amountMinor, lostMinor: -netMinor[i]! })),
  );
  return floorMinor === null ? null : { floorMinor, balanceMinor };
}

/**
 * What may still be staked by the strictest turnover limit; null without one. Of several the shortest window says which stakes
 * come free again when they are cancelled: then never more is left than may be.
 */
async function wagerNow(
  { core, stakes }: { core: Core; stakes: Stakes },
  record: Record,
  now: number,
  aside: Aside,
): Promise<Wager | null> {
  const wagers = windows(record, 'wager', now);
  if (wagers.length === 0) return null;
  // Before the rows are read: a stake that they have and this has not is told from the count.
  const counted = core.read.stakes(record.world, record.userId);
  const left: number[] = [];
  for (const { amountMinor, window } of wagers) left.push(amountMinor - (await stakes.since(record, window.from)));
  const from = Math.max(...wagers.map(({ window }) => window.from));
  const leftMinor = Math.min(...left);
  if (aside === 'kept') return { leftMinor, from, stakes: counted, keepsAside: true };
  return { leftMinor: leftMinor - aside, from, stakes: counted, ...(aside > 0 && { asideMinor: aside }) };
}

function withoutStakes(wager: Wager): Omit<Wager, 'stakes'> {
  const { stakes: _, ...rest } = wager;
  return rest;
}

function windows(record: Record, kind: 'loss' | 'wager', now: number): Array<{ amountMinor: number; window: Window }> {
  return limitsNow(record, now).flatMap((limit) => {
    const window = limit.kind === kind ? limitWindow(limit.span, now, profileOf(record)) : null;
    return window ? [{ amountMinor: limit.amountMinor, window }] : [];
  });
}
