/** INV-26: records of deposits, withdrawals and bonuses, each step of them, and the ledger say the same. */
import { FIRST_PLAYER } from '@fairgame/exchange';
import { listed } from './findings.ts';

/** What one command moved for a player as money put in, taken out or given. */
const MOVED = `
  SELECT l.seq, l.at, l.world, l.kind, e.account_id, sum(e.amount) AS total
    FROM ledger l JOIN ledger_entries e ON e.ledger_id = l.id
    WHERE l.kind IN ('deposit', 'withdrawal', 'correction') AND e.account_id >= ${FIRST_PLAYER}
    GROUP BY l.seq, l.at, l.world, l.kind, e.account_id`;

const LISTS: readonly string[] = [
  // A step that counts moved what it says, on its player's account; one that was not taken moved nothing.
  `SELECT 'step ' || s.n || ' of payment ' || p.id || ' (' || p.kind || ' ' || s.state || ') moves ' || s.moved ||
          ', by the ledger it was ' || COALESCE(m.total::text, 'nothing') AS wrong
     FROM payment_steps s JOIN payments p ON p.id = s.payment_id
     LEFT JOIN idempotency i ON i.actor = s.actor AND i.key = s.key AND i.answer LIKE '[%'
     LEFT JOIN (${MOVED}) m ON m.seq = i.seq AND m.world = p.world AND m.account_id = p.user_id
       AND m.kind = CASE p.kind WHEN 'bonus' THEN 'correction' ELSE p.kind END
     WHERE COALESCE(m.total, 0) <> CASE WHEN i.key IS NOT NULL OR s.settled THEN s.moved ELSE 0 END
       AND (i.key IS NOT NULL OR s.at >= COALESCE((SELECT before_at FROM retired WHERE table_name = 'idempotency'), 0))`,
  // The steps of a record lead from its amount to its state.
  `SELECT 'payment ' || id || ' (' || kind || ' of ' || amount || ', ' || state || ') has ' || steps || ' steps up to ' || last ||
          ' that move ' || total AS wrong
     FROM (SELECT p.id, p.kind, p.amount, sum(s.moved) AS total, count(*) AS steps, max(s.n) AS last,
                  (array_agg(s.moved ORDER BY s.n))[1] AS first, (array_agg(s.state ORDER BY s.n DESC))[1] AS state
             FROM payments p JOIN payment_steps s ON s.payment_id = p.id GROUP BY p.id) r
     WHERE steps <> last OR CASE kind
       WHEN 'deposit' THEN total <> amount
       WHEN 'withdrawal' THEN first <> -amount OR total <> CASE WHEN state IN ('denied', 'cancelled') THEN 0 ELSE -amount END
       ELSE total NOT BETWEEN CASE WHEN state = 'wagering' THEN amount ELSE 0 END
                          AND CASE WHEN state = 'claimed' THEN 0 ELSE amount END END`,
  // Since there are records people put in and take out nothing without one.
  `SELECT 'command ' || m.seq || ' is a ' || m.kind || ' of ' || m.total || ' on account ' || m.account_id || ' by ' || i.actor ||
          ' that no record asked for' AS wrong
     FROM (${MOVED}) m JOIN idempotency i ON i.seq = m.seq AND i.actor LIKE 'operator:%'
     LEFT JOIN payment_steps s ON s.actor = i.actor AND s.key = i.key
     WHERE s.key IS NULL AND m.kind <> 'correction' AND m.at >= (SELECT min(at) FROM payments)`,
];

export const paymentBreaks = listed(LISTS.map((sql) => `(${sql})`).join(' UNION ALL '));
