/**
 * The door of the betting core: opens it from the database, takes commands, answers after the commit, and lets the
 * committed state be read. The rules are in @fairgame/exchange, the writing in writer.ts.
 */
import { createKeys } from './keys.ts';
import { type CoreOptions, lead } from './lead.ts';
import { takePlace } from './place.ts';
import { loadBooks, loadState } from './recovery.ts';
import type { Core } from './types.ts';
import { settleWorlds } from './worlds-open.ts';

export { unpackFate as readFate } from './answers.ts';
export { betIdsOf, ownBets } from './bet-ids.ts';
export { cancelAll } from './cancelling.ts';
export { type FollowOptions, followCore } from './follow-core.ts';
export { boundHouse } from './house-bounds.ts';
export { firstBets } from './keys.ts';
export type { CoreOptions } from './lead.ts';
export { chainAfter, type Logged, type LogRow, readLog, unpackRow } from './log.ts';
export { PLAY_RESULTS_MS } from './market-archives.ts';
export { type Month, monthStart, monthsMade } from './months.ts';
export { carriedChain, dropLogMonth } from './moving-out.ts';
export type { PayoutWhy } from './payouts.ts';
export { isHeld, isLed } from './place.ts';
export { follow, hashWorlds, loadState, readWorlds } from './recovery.ts';
export { type StandByOptions, standBy } from './standby.ts';
export type * from './types.ts';
export { ALL_WORLDS, openWorlds, perWorld, type Terms, type Worlds } from './worlds.ts';

/**
 * Becomes the one writer of the database (migrated before), rebuilds the state, and suspends what was in play.
 * Throws when another process leads, when log and rows do not fit together, and when this machine's clock cannot be right.
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { db, log } = options;
  await db.lead();
  const place = await takePlace(db, log);
  try {
    await settleWorlds(db, options.currencies ?? ['EUR']);
    const state = await loadState(db, log);
    const books = await loadBooks(db, state);
    const { chain, fromSeq: snapshotSeq } = state;
    return await lead(options, { place, state, books, chain, keys: createKeys(db, log), snapshotSeq });
  } catch (error) {
    place.stop();
    throw error;
  }
}
