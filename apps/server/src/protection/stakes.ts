/**
 * Stakes placed since a moment, on bets and in games; what was cancelled, lapsed or taken back was no stake. Every bet of an account
 * with a turnover limit asks for them: what that costs is what came since, not what the window holds.
 */
import type { Db } from '../db/db.ts';
import { stakesSince } from '../ledger/ledger.ts';
import type { Record } from './records.ts';

/** Stakes in games up to command `seq`, the newest of which was at `at`. */
interface Games {
  seq: number;
  at: number;
  sumMinor: number;
}

/** A player has a window of each span, and that of the visit. */
const WINDOWS = 4;

export class Stakes {
  private readonly games = new WeakMap<Record, Map<number, Games>>();
  private readonly db: Db;
  private readonly clock: () => number;

  constructor(db: Db, clock: () => number) {
    this.db = db;
    this.clock = clock;
  }

  /** `from`: milliseconds since 1970. In minor units. */
  async since(record: Record, from: number): Promise<number> {
    const { userId: accountId, world } = record;
    const { query } = this.db;
    return (await stakesSince({ query, keep: query }, { accountId, world }, from)) + (await this.inGames(record, from));
  }

  /** Movements of games only come, one command behind the other: they are read on from where the last reading ended. */
  private async inGames(record: Record, from: number): Promise<number> {
    const windows = this.games.get(record) ?? new Map<number, Games>();
    this.games.set(record, windows);
    const read = windows.get(from);
    // The core's time goes back only where an operator said so; what comes then is before what was read.
    const known = read && read.at <= this.clock() ? read : { seq: -1, at: from, sumMinor: 0 };
    const [more] = await this.db.query<Games>(
      `SELECT COALESCE(max(t.seq), $4)::bigint AS seq, COALESCE(max(t.at), $3)::bigint AS at,
              (COALESCE(sum(t.amount), 0) - COALESCE(sum(back.amount), 0))::bigint AS "sumMinor"
         FROM provider_txs t LEFT JOIN LATERAL (
           SELECT amount FROM provider_txs s WHERE s.provider = t.provider AND s.tx_id = t.ref_tx AND s.account_id = $2 AND s.at >= $5
         ) back ON t.kind = 'rollback' AND t.effect
        WHERE t.world = $1 AND t.account_id = $2 AND t.at >= $3 AND t.seq > $4`,
      [record.world, record.userId, known.at, known.seq, from],
    );
    const { seq, at, sumMinor } = more!;
    windows.delete(from);
    windows.set(from, { seq, at, sumMinor: known.sumMinor + sumMinor });
    if (windows.size > WINDOWS) windows.delete(windows.keys().next().value!);
    return known.sumMinor + sumMinor;
  }
}
