import type { Command } from '@fairgame/exchange';
import { audit, FIRST_PLAYER, isTold, myMarkets, position, wallet } from '@fairgame/exchange';
import type { Log } from '../db/db.ts';
import type { Batch } from './batch.ts';
import { openWorlds } from './worlds.ts';
import type { Writer } from './writer.ts';

/** Every so manyeth batch one touched account is recomputed. */
const EVERY = 16;

/** INV-05 and INV-06 of one account that the batch touched, from its positions; a break stops betting where it stands. */
export function createRecheck(writer: Writer, log: Log, submitOwn: (command: Command) => void): (batch: Batch) => void {
  let batches = 0;

  function alarm(text: string): void {
    writer.breaks++;
    writer.mismatches++;
    const faults = openWorlds(writer.committed).flatMap((world) => audit(writer.committed[world]));
    log.error({ faults: faults.slice(0, 20) }, text);
  }

  return (batch) => {
    batches++;
    if (batches % EVERY !== 0) return;
    const players = [...batch.rows.accounts.values()].filter((row) => row.id >= FIRST_PLAYER);
    const row = players[batches % Math.max(1, players.length)];
    if (!row || row.closed) return;
    const state = writer.committed[row.world];
    if (!isTold(state, row.id)) return;
    const held = wallet(state, row.id);
    const markets = myMarkets(state, row.id);
    const exposure = markets.reduce(
      (sum, { marketId }) => sum + (position(state, row.id, marketId)?.exposureMinor ?? 0),
      0,
    );
    if (held && held.exposureMinor === exposure && row.exposure === exposure && row.balance === held.balanceMinor)
      return;
    alarm(`INV-05: account ${row.id} (${row.world}) has exposure ${held?.exposureMinor}, its markets make ${exposure}`);
    for (const { marketId } of markets)
      submitOwn({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Under review' });
  };
}
