/**
 * What readings keep of an account's parts (migrations 270, 280) against the rows themselves. A statement and a report add up
 * what is kept and look at no row of it: a sum that is wrong would stay so.
 */
import { HOLDS } from './bet-parts.ts';
import { listed } from './findings.ts';
import { BLOCK } from './statement-parts.ts';

const ENTRY_SUMS = `
  WITH kept AS (
    SELECT k.world, k.account_id, k.block, (g->>'area')::smallint AS area, sum((g->>'count')::bigint) AS count,
           sum((g->>'credit')::bigint) AS credit, sum((g->>'debit')::bigint) AS debit
      FROM statement_sums k, json_array_elements(k.sums::json) g GROUP BY 1, 2, 3, 4),
  entries AS (
    SELECT k.world, k.account_id, k.block, l.area, e.amount
      FROM statement_sums k
      JOIN ledger_entries e ON e.world = k.world AND e.account_id = k.account_id
       AND e.n > k.block * ${BLOCK} AND e.n <= (k.block + 1) * ${BLOCK}
      JOIN ledger l ON l.id = e.ledger_id),
  made AS (
    SELECT world, account_id, block, area, count(*) AS count, sum(greatest(amount, 0)) AS credit, -sum(least(amount, 0)) AS debit
      FROM entries GROUP BY 1, 2, 3, 4),
  -- Of a part whose first entries are away, nothing that is kept is asked for.
  whole AS (SELECT world, account_id, block FROM entries GROUP BY 1, 2, 3 HAVING count(*) = ${BLOCK}),
  differ AS ((SELECT * FROM kept EXCEPT SELECT * FROM made) UNION (SELECT * FROM made EXCEPT SELECT * FROM kept))
  SELECT DISTINCT 'entries ' || block * ${BLOCK} + 1 || ' to ' || (block + 1) * ${BLOCK} || ' of account ' || account_id ||
         ' (' || world || ') are not what is kept of them' AS wrong
    FROM differ JOIN whole USING (world, account_id, block)`;

const BET_SUMS = `
  WITH standing AS (SELECT world, account_id, behind, last, sums FROM bet_sums k WHERE ${HOLDS}),
  kept AS (
    SELECT k.world, k.account_id, k.behind, g->>'result' AS result, sum((g->>'count')::bigint) AS count,
           sum((g->>'stake')::bigint) AS stake, sum((g->>'matched')::bigint) AS matched, sum((g->>'profit')::bigint) AS profit
      FROM standing k, json_array_elements(k.sums::json->'groups') g GROUP BY 1, 2, 3, 4),
  made AS (
    SELECT k.world, k.account_id, k.behind, b.result, count(*) AS count,
           sum(b.size) AS stake, sum(b.matched) AS matched, sum(b.profit) AS profit
      FROM standing k JOIN bets b ON b.world = k.world AND b.account_id = k.account_id AND b.id > k.behind AND b.id <= k.last
      GROUP BY 1, 2, 3, 4),
  differ AS ((SELECT * FROM kept EXCEPT SELECT * FROM made) UNION (SELECT * FROM made EXCEPT SELECT * FROM kept))
  SELECT DISTINCT 'bets ' || behind + 1 || ' to ' || last || ' of account ' || account_id || ' (' || world ||
         ') are not what is kept of them' AS wrong
    FROM differ JOIN standing USING (world, account_id, behind)`;

export const keptBreaks = listed(`(${ENTRY_SUMS}) UNION ALL (${BET_SUMS})`);
