/** Readings of the movements that were taken, for reconciliation. */
import type { Db } from '../db/db.ts';
import type { ProviderHolds } from './holds.ts';
import type { WalletDesk, WalletRow } from './movement.ts';

/** A long day is read in pieces: on the embedded database nothing else runs while a query does. */
const PIECE_MS = 10 * 60_000;

interface Row {
  txId: string;
  kind: WalletRow['kind'];
  playerRef: string;
  roundId: string;
  game: string;
  currency: string;
  amount: number;
  credit: number;
  refTx: string | null;
  at: number;
}

const COLUMNS = `t.tx_id AS "txId", t.kind, p.ref AS "playerRef", t.round_id AS "roundId", t.game, a.currency, t.amount, t.credit,
  t.ref_tx AS "refTx", t.at FROM provider_txs t
  JOIN provider_players p ON p.provider = t.provider AND p.user_id = t.account_id
  JOIN accounts a ON a.id = t.account_id AND a.world = t.world`;

export function createDesk(db: Pick<Db, 'query'>, holds: Pick<ProviderHolds, 'of'>): WalletDesk {
  return {
    waits: async (provider, txId) => (await holds.of(provider, txId))?.state === 'HELD',
    async playerRef(provider, userId) {
      const [row] = await db.query<{ ref: string }>(
        'SELECT ref FROM provider_players WHERE provider = $1 AND user_id = $2',
        [provider, userId],
      );
      return row?.ref ?? null;
    },
    async movements(provider, fromMs, toMs) {
      const rows: WalletRow[] = [];
      for (let at = fromMs; at < toMs; at += PIECE_MS) {
        const part = await db.query<Row>(
          `SELECT ${COLUMNS} WHERE t.provider = $1 AND t.at >= $2 AND t.at < $3 ORDER BY t.at, t.seq`,
          [provider, at, Math.min(at + PIECE_MS, toMs)],
        );
        for (const row of part) rows.push(walletRow(row));
      }
      return rows;
    },
    async movementsById(provider, txIds) {
      if (txIds.length === 0) return [];
      const rows = await db.query<Row>(`SELECT ${COLUMNS} WHERE t.provider = $1 AND t.tx_id = ANY($2::text[])`, [
        provider,
        txIds,
      ]);
      return rows.map(walletRow);
    },
  };
}

function walletRow({ amount, credit, refTx, kind, ...row }: Row): WalletRow {
  return {
    ...row,
    kind,
    amountMinor: kind === 'debit' || kind === 'debitCredit' ? amount : credit,
    ...(kind === 'debitCredit' ? { creditMinor: credit } : {}),
    ...(refTx === null ? {} : { refTx }),
  };
}
