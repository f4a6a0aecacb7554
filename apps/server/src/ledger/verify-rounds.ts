/** INV-19: rounds, movements, ledger and keys of the providers' money say the same, each by other means than the core. */
import type { Query } from '../db/db.ts';

const LISTS: readonly string[] = [
  // Each round is the sum of its movements.
  `SELECT 'round ' || COALESCE(r.round_id, t.round_id) || ' of ' || COALESCE(r.provider, t.provider) || ' says ' ||
          COALESCE(r.staked || '/' || r.paid || '/' || r.refunded, 'nothing') || ', its movements make ' ||
          COALESCE(t.staked || '/' || t.paid || '/' || t.refunded, 'nothing') AS wrong
     FROM provider_rounds r FULL JOIN (
       SELECT world, provider, account_id, round_id, sum(amount) AS staked,
              sum(CASE WHEN kind <> 'rollback' THEN credit ELSE 0 END) AS paid,
              sum(CASE WHEN kind = 'rollback' THEN credit ELSE 0 END) AS refunded
         FROM provider_txs WHERE kind <> 'promo' GROUP BY world, provider, account_id, round_id) t
       ON t.world = r.world AND t.provider = r.provider AND t.account_id = r.account_id AND t.round_id = r.round_id
     WHERE r.staked IS DISTINCT FROM t.staked OR r.paid IS DISTINCT FROM t.paid OR r.refunded IS DISTINCT FROM t.refunded`,
  // The player got by the ledger what the round says.
  `SELECT 'account ' || COALESCE(r.account_id, e.account_id) || ' got ' || COALESCE(e.net, 0) || ' of round ' ||
          COALESCE(r.round_id, e.round_id) || ' of ' || COALESCE(r.provider, e.provider) || ', the round says ' ||
          COALESCE(r.paid + r.refunded - r.staked, 0) AS wrong
     FROM provider_rounds r FULL JOIN (
       SELECT e.world, l.provider, e.account_id, l.round_id, sum(e.amount) AS net
         FROM ledger l JOIN ledger_entries e ON e.ledger_id = l.id
         WHERE l.provider IS NOT NULL AND l.kind <> 'roundPromo' AND e.account_id IS NOT NULL
         GROUP BY e.world, l.provider, e.account_id, l.round_id) e
       ON e.world = r.world AND e.provider = r.provider AND e.account_id = r.account_id AND e.round_id = r.round_id
     WHERE COALESCE(r.paid + r.refunded - r.staked, 0) <> COALESCE(e.net, 0)`,
  // Bonuses: the ledger and the movements.
  `SELECT 'bonuses of ' || COALESCE(t.provider, e.provider) || ' to account ' || COALESCE(t.account_id, e.account_id) ||
          ': ' || COALESCE(t.total, 0) || ' by movements, ' || COALESCE(e.total, 0) || ' by the ledger' AS wrong
     FROM (SELECT world, provider, account_id, sum(credit) AS total FROM provider_txs WHERE kind = 'promo'
             GROUP BY world, provider, account_id) t
     FULL JOIN (SELECT e.world, l.provider, e.account_id, sum(e.amount) AS total
                  FROM ledger l JOIN ledger_entries e ON e.ledger_id = l.id
                  WHERE l.kind = 'roundPromo' AND e.account_id IS NOT NULL
                  GROUP BY e.world, l.provider, e.account_id) e
       ON e.world = t.world AND e.provider = t.provider AND e.account_id = t.account_id
     WHERE COALESCE(t.total, 0) <> COALESCE(e.total, 0)`,
  // What a provider made is what its finished rounds left, less the bonuses.
  `SELECT 'the result of ' || COALESCE(g.provider, r.provider, b.provider) || ' (' || COALESCE(g.world, r.world, b.world) ||
          ') is ' || COALESCE(g.total, 0) || ', its rounds make ' || (COALESCE(r.total, 0) - COALESCE(b.total, 0)) AS wrong
     FROM (SELECT world, substr(account, 5) AS provider, sum(amount) AS total FROM ledger_entries
             WHERE account_id IS NULL AND account LIKE 'ggr:%' GROUP BY world, account) g
     FULL JOIN (SELECT world, provider, sum(staked - paid - refunded) AS total FROM provider_rounds
                  WHERE status <> 'OPEN' GROUP BY world, provider) r ON r.world = g.world AND r.provider = g.provider
     FULL JOIN (SELECT world, provider, sum(credit) AS total FROM provider_txs WHERE kind = 'promo'
                  GROUP BY world, provider) b
       ON b.world = COALESCE(g.world, r.world) AND b.provider = COALESCE(g.provider, r.provider)
     WHERE COALESCE(g.total, 0) <> COALESCE(r.total, 0) - COALESCE(b.total, 0)`,
  // A movement and its key are one.
  `SELECT 'transaction ' || COALESCE(t.tx_id, i.key) || ' of ' || COALESCE('provider:' || t.provider, i.actor) ||
          CASE WHEN i.key IS NULL THEN ' has no key' WHEN t.tx_id IS NULL THEN ' has a key and was never taken'
               WHEN i.answer NOT LIKE '[%' THEN ' was taken though it was refused or rolled back before'
               ELSE ' is command ' || t.seq || ', its key says ' || i.seq END AS wrong
     FROM provider_txs t FULL JOIN (SELECT * FROM idempotency WHERE actor LIKE 'provider:%') i
       ON i.actor = 'provider:' || t.provider AND i.key = t.tx_id
     WHERE (i.key IS NULL AND t.at >= COALESCE((SELECT before_at FROM retired WHERE table_name = 'idempotency'), 0))
        OR (t.tx_id IS NULL AND i.answer LIKE '[%')
        OR (t.tx_id IS NOT NULL AND i.key IS NOT NULL AND (i.answer NOT LIKE '[%' OR i.seq <> t.seq))`,
  // A bet is taken back at most once, and as a whole.
  `SELECT 'transaction ' || b.ref_tx || ' of ' || b.provider || ' was taken back as ' || sum(b.credit) || ', its stake was ' ||
          COALESCE(max(t.amount)::text, 'nothing') AS wrong
     FROM provider_txs b LEFT JOIN provider_txs t ON t.provider = b.provider AND t.tx_id = b.ref_tx
       AND t.account_id = b.account_id AND t.round_id = b.round_id AND t.kind = 'debit'
     WHERE b.kind = 'rollback' AND b.effect GROUP BY b.provider, b.ref_tx
     HAVING count(*) > 1 OR sum(b.credit) IS DISTINCT FROM max(t.amount)`,
];

export async function roundBreaks(q: Query): Promise<string[]> {
  const found: string[] = [];
  for (const sql of LISTS) for (const { wrong } of await q<{ wrong: string }>(sql)) found.push(wrong);
  return found;
}
