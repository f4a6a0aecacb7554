/**
 * The check of everything: the invariants of trust 2.3 over the whole database, by other means than those that wrote it.
 * Each check has a view of its own, or reads in short steps up to the last command: the server may go on meanwhile on a
 * PostgreSQL, and a check that cannot be carried out leaves the others their turn.
 */
import { FIRST_PLAYER } from '@fairgame/exchange';
import { readFate } from '../core/core.ts';
import type { Db, Log, Query } from '../db/db.ts';
import { silent } from '../db/db.ts';
import { findings, listed, ONE_VIEW } from './findings.ts';
import { firedBreaks } from './verify-conditionals.ts';
import { exposureBreaks } from './verify-exposure.ts';
import { keptBreaks } from './verify-kept.ts';
import { logBreaks, logGaps, replayBreaks } from './verify-log.ts';
import { paymentBreaks } from './verify-payments.ts';
import { roundBreaks } from './verify-rounds.ts';

export interface Check {
  /** INV-01 ..., or a name where no invariant has one. */
  id: string;
  what: string;
  /** Counted up to a thousand. */
  breaks: number;
  /** The first few, in words. */
  examples: string[];
}

export interface Report {
  ok: boolean;
  epoch: number;
  seq: number;
  bets: number;
  entries: number;
  ms: number;
  checks: Check[];
}

/** All its statements see the tables as of one moment. */
export type Breaks = (q: Query, log: Log) => Promise<string[]>;
/** Reads in short steps, and knows how far. */
type BreaksBySteps = (db: Pick<Db, 'query' | 'tx'>, log: Log) => Promise<string[]>;
type Planned = { id: string; what: string } & ({ run: Breaks } | { bySteps: BreaksBySteps });

const SHOWN = 5;
const BOUND = Number.MAX_SAFE_INTEGER;
const TRIES = 3;

/** Runs every check, and `more` with them. Reads only. */
export async function verify(
  db: Db,
  options: { log?: Log; more?: Array<{ id: string; what: string; run: Breaks }> } = {},
): Promise<Report> {
  const started = Date.now();
  const log = options.log ?? silent;
  const checks: Check[] = [];
  for (const check of [...CHECKS, ...(options.more ?? [])]) {
    // A check that cannot even be carried out is a break: tables or log do not read as they must.
    const found = await carryOut(db, check, log).catch((error: unknown) => [
      error instanceof Error ? error.message : String(error),
    ]);
    checks.push({ id: check.id, what: check.what, breaks: found.length, examples: found.slice(0, SHOWN) });
  }
  const one = async (sql: string) => (await db.query<Record<string, number>>(sql).catch(() => []))[0] ?? {};
  const { epoch = 0, last_seq: seq = 0 } = await one('SELECT epoch, last_seq FROM leader');
  const { n: bets = 0 } = await one('SELECT count(*) AS n FROM bets');
  const { n: entries = 0 } = await one('SELECT count(*) AS n FROM ledger_entries');
  const ok = checks.every((check) => check.breaks === 0);
  return { ok, epoch, seq, bets, entries, ms: Date.now() - started, checks };
}

function carryOut(db: Db, check: Planned, log: Log): Promise<string[]> {
  if ('bySteps' in check) return steadily(db.query, () => check.bySteps(db, log));
  return db.tx(async (q) => {
    await q(ONE_VIEW);
    await q('SET LOCAL statement_timeout = 0');
    return check.run(q, log);
  });
}

/** A server that runs may take what is read away behind a newer snapshot: then what was found is looked for again. */
async function steadily(q: Query, work: () => Promise<string[]>): Promise<string[]> {
  const newest = async () =>
    (await q<{ seq: number | null }>('SELECT max(seq) AS seq FROM core_snapshots'))[0]?.seq ?? null;
  for (let tried = 1; ; tried++) {
    const before = await newest();
    const found = await work().catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
    if (found.length === 0 || tried === TRIES || (await newest()) === before) return found;
  }
}

const CHECKS: Planned[] = [
  {
    id: 'INV-01',
    what: 'every ledger transaction sums to zero',
    run: listed(`
      SELECT 'transaction ' || COALESCE(l.id, e.ledger_id) || ' sums to ' || COALESCE(e.total::text, 'nothing') AS wrong
        FROM ledger l FULL JOIN (SELECT ledger_id, sum(amount) AS total FROM ledger_entries GROUP BY ledger_id) e
          ON e.ledger_id = l.id
        WHERE l.id IS NULL OR e.total IS NULL OR e.total <> 0`),
  },
  {
    id: 'INV-02',
    what: 'every balance is the sum of its entries, in order',
    run: async (q) => [
      ...(await listed(`
        SELECT 'account ' || COALESCE(a.id, e.account_id) || ' (' || COALESCE(a.world, e.world) || ') has ' ||
               COALESCE(a.balance, 0) || ', its entries make ' || COALESCE(e.total, 0) AS wrong
          FROM accounts a FULL JOIN (
            SELECT world, account_id, sum(amount) AS total, max(n) AS last, count(*) AS n
              FROM ledger_entries WHERE account_id IS NOT NULL GROUP BY world, account_id) e
            ON e.world = a.world AND e.account_id = a.id
          WHERE COALESCE(a.balance, 0) <> COALESCE(e.total, 0) OR COALESCE(a.entries, 0) <> COALESCE(e.n, 0)
             OR COALESCE(e.last, 0) <> COALESCE(e.n, 0)`)(q)),
      ...(await listed(`
        SELECT 'entry ' || n || ' of account ' || account_id || ' says ' || balance_after || ' after it' AS wrong
          FROM (SELECT account_id, n, amount, balance_after,
                       lag(balance_after, 1, 0::bigint) OVER (PARTITION BY world, account_id ORDER BY n) AS before
                  FROM ledger_entries WHERE account_id IS NOT NULL) e
          WHERE balance_after <> before + amount`)(q)),
    ],
  },
  {
    id: 'INV-03',
    what: 'every clearing account is back at zero, those of open rounds hold their stakes',
    run: listed(`
      SELECT e.account || ' (' || e.world || ') stands at ' || e.total || COALESCE(', its open rounds hold ' || r.held, '')
             AS wrong
        FROM (SELECT world, account, sum(amount) AS total FROM ledger_entries
                WHERE account_id IS NULL AND account NOT LIKE 'ggr:%' AND account NOT LIKE 'pool:%' GROUP BY world, account) e
        FULL JOIN (SELECT world, 'round:' || provider || ':' || round_id AS account, sum(staked - paid - refunded) AS held
                     FROM provider_rounds WHERE status = 'OPEN' GROUP BY world, provider, round_id) r
          ON r.world = e.world AND r.account = e.account
        WHERE COALESCE(e.total, 0) <> COALESCE(r.held, 0)
          -- Of a market that is settling it holds what those got who had their turn; the core asserts that it ends at zero.
          AND NOT EXISTS (SELECT 1 FROM markets m
            WHERE m.world = e.world AND 'm' || m.id = e.account AND m.status = 'SETTLING')`),
  },
  { id: 'INV-04', what: 'backs and lays of every match agree', run: matchBreaks },
  { id: 'INV-05', what: 'stored exposure is the worst case of the bets', run: exposureBreaks },
  {
    id: 'INV-06',
    what: 'nobody is below zero, except by a correction',
    run: listed(`
      SELECT 'account ' || a.id || ' (' || a.world || ') has ' || (a.balance - a.exposure - a.held) || ' available' AS wrong
        FROM accounts a
        WHERE a.kind = 'player' AND a.balance < a.exposure + a.held
          AND NOT EXISTS (SELECT 1 FROM ledger_entries e JOIN ledger l ON l.id = e.ledger_id
            WHERE e.world = a.world AND e.account_id = a.id AND l.kind IN ('reverse', 'void'))
          AND NOT EXISTS (SELECT 1 FROM bets b WHERE b.account_id = a.id AND b.world = a.world AND b.voided > 0)
          AND NOT EXISTS (SELECT 1 FROM bets b JOIN markets m ON m.id = b.market_id AND m.world = b.world
            WHERE b.account_id = a.id AND b.world = a.world AND m.view LIKE '%"REMOVED"%')`),
  },
  {
    id: 'INV-07',
    what: 'all amounts are within bounds, the parts of a bet make up its size',
    run: listed(`
      SELECT 'bet ' || id || ' does not add up' AS wrong FROM bets
        WHERE size <> matched + remaining + cancelled + lapsed + voided
           OR least(matched, remaining, cancelled, lapsed, voided, matched_sum) < 0 OR size <= 0
           OR greatest(size, matched_sum) > ${BOUND}
      UNION ALL SELECT 'account ' || id || ' holds ' || balance FROM accounts
        WHERE abs(balance) > ${BOUND} OR exposure < 0 OR exposure > ${BOUND}
      UNION ALL SELECT 'entry of transaction ' || ledger_id || ' moves ' || amount FROM ledger_entries
        WHERE abs(amount) > ${BOUND}`),
  },
  { id: 'INV-08', what: 'every key has one effect and one answer', run: keyBreaks },
  {
    id: 'INV-09',
    what: 'log and rows agree',
    bySteps: async ({ query: q }) => [...(await logBreaks(q)), ...(await logGaps(q))],
  },
  { id: 'INV-10', what: 'replaying the log gives the stored state', bySteps: replayBreaks },
  {
    id: 'INV-11',
    what: 'nothing is newer than the last committed command',
    run: listed(
      [
        'bets',
        'accounts',
        'markets',
        'market_archives',
        'market_archive_parts',
        'fills',
        'ledger',
        'idempotency',
        'provider_rounds',
        'provider_txs',
        'conditional_ends',
        'core_hashes',
        'core_snapshots',
      ]
        .map(
          (table) =>
            `SELECT '${table} has a row of command ' || max(seq) AS wrong FROM ${table} ` +
            'HAVING max(seq) > (SELECT last_seq FROM leader)',
        )
        .concat(
          `SELECT 'the log ends at ' || COALESCE(max(last_seq), 0) || ', the leader at ' || (SELECT last_seq FROM leader)
             FROM core_log HAVING COALESCE(max(last_seq), 0) > (SELECT last_seq FROM leader)`,
        )
        .join(' UNION ALL '),
    ),
  },
  { id: 'INV-16', what: 'every result is paid once, withdrawn results are paid back', run: settlementBreaks },
  {
    id: 'INV-17',
    what: 'no open bet, no exposure',
    run: listed(`
      SELECT 'account ' || a.id || ' (' || a.world || ') has exposure ' || a.exposure || ' and no open bet' AS wrong
        FROM accounts a WHERE a.exposure <> 0 AND NOT EXISTS (
          SELECT 1 FROM bets b WHERE b.account_id = a.id AND b.world = a.world AND b.result = 'PENDING')`),
  },
  {
    id: 'INV-25',
    what: 'nothing that a short account owes is paid out',
    run: listed(`
      SELECT 'account ' || COALESCE(a.id, h.id) || ' (' || COALESCE(a.world, h.world) || ') is told ' ||
             COALESCE(a.held, 0) || ' held, the holds make ' || COALESCE(h.held, 0) AS wrong
        FROM accounts a FULL JOIN (SELECT world, creditor_id AS id, sum(amount) AS held FROM holds
          WHERE amount <> 0 GROUP BY world, creditor_id) h ON h.world = a.world AND h.id = a.id
        WHERE COALESCE(a.held, 0) <> COALESCE(h.held, 0)
      UNION ALL SELECT 'account ' || o.id || ' (' || o.world || ') owes ' || o.owed || ', it lacks ' ||
             COALESCE(a.exposure + a.held - a.balance, 0)
        FROM (SELECT world, debtor_id AS id, sum(amount) AS owed FROM holds WHERE amount <> 0 GROUP BY world, debtor_id) o
        LEFT JOIN accounts a ON a.world = o.world AND a.id = o.id
        WHERE o.owed > COALESCE(a.exposure + a.held - a.balance, 0)
      UNION ALL SELECT 'hold of account ' || creditor_id || ' in market ' || market_id || ' is ' || amount FROM holds
        WHERE amount < 0`),
  },
  { id: 'INV-27', what: 'every conditional order that fired is the bet it says', run: firedBreaks },
  { id: 'INV-19', what: 'rounds, movements and ledger of the providers agree', run: roundBreaks },
  { id: 'SUMS', what: 'what is kept of parts of entries and bets is what they make', run: keptBreaks },
  { id: 'INV-26', what: 'deposits, withdrawals, bonuses and the ledger agree', run: paymentBreaks },
  {
    id: 'INV-20',
    what: 'one writer at a time',
    run: listed(`
      SELECT 'log row ' || first_seq || ' of epoch ' || epoch || ' stands behind epoch ' || before || ' up to ' || reach AS wrong
        FROM (SELECT first_seq, epoch, lag(epoch, 1, 0::bigint) OVER w AS before, lag(last_seq, 1, 0::bigint) OVER w AS reach
                FROM core_log WINDOW w AS (ORDER BY first_seq)) l
        WHERE epoch < before OR first_seq <= reach OR epoch > (SELECT epoch FROM leader)`),
  },
  {
    id: 'INV-23',
    what: 'play money and real money never meet',
    run: listed(`
      SELECT 'transaction ' || l.id || ' is ' || l.world || ', its entry ' || e.world AS wrong
        FROM ledger_entries e JOIN ledger l ON l.id = e.ledger_id WHERE e.world <> l.world
      UNION ALL SELECT 'entry of transaction ' || e.ledger_id || ' touches account ' || e.account_id || ' of no such world'
        FROM ledger_entries e LEFT JOIN accounts a ON a.world = e.world AND a.id = e.account_id
        WHERE e.account_id IS NOT NULL AND a.id IS NULL
      UNION ALL SELECT 'account ' || id || ' is in both worlds' FROM accounts WHERE id >= ${FIRST_PLAYER}
        GROUP BY id HAVING count(*) > 1
      UNION ALL SELECT 'bet ' || b.id || ' (' || b.world || ') is of an account of no such world'
        FROM bets b LEFT JOIN accounts a ON a.world = b.world AND a.id = b.account_id WHERE a.id IS NULL
      UNION ALL SELECT 'round ' || r.round_id || ' (' || r.world || ') is of an account of no such world'
        FROM provider_rounds r LEFT JOIN accounts a ON a.world = r.world AND a.id = r.account_id WHERE a.id IS NULL
      UNION ALL SELECT 'movement ' || t.tx_id || ' (' || t.world || ') is of an account of no such world'
        FROM provider_txs t LEFT JOIN accounts a ON a.world = t.world AND a.id = t.account_id WHERE a.id IS NULL
      UNION ALL SELECT 'fill ' || f.id || ' (' || f.world || ') is of a bet of another world'
        FROM fills f JOIN bets b ON b.id IN (f.back_bet_id, f.lay_bet_id) WHERE b.world <> f.world`),
  },
];

/** Each fill names two sides of one runner, and each bet has matched what its fills say, less what was made void. */
async function matchBreaks(q: Query): Promise<string[]> {
  const sides = await listed(`
    SELECT 'fill ' || f.id || ' (' || f.world || ') does not fit bet ' || b.id AS wrong
      FROM fills f JOIN bets b ON b.id IN (f.back_bet_id, f.lay_bet_id)
      WHERE b.market_id <> f.market_id OR b.runner_id <> f.runner_id OR b.kind <> 'order'
         OR (b.id = f.back_bet_id) <> (b.side = 'BACK')
         OR b.account_id <> CASE WHEN b.id = f.back_bet_id THEN f.back_account_id ELSE f.lay_account_id END
    UNION ALL SELECT 'fill ' || id || ' (' || world || ') has the same account on both sides' FROM fills
      WHERE back_account_id = lay_account_id
    UNION ALL SELECT 'fill ' || f.id || ' (' || f.world || ') is of a bet that is not there' FROM fills f
      WHERE (f.back_bet_id <> 0 AND NOT EXISTS (SELECT 1 FROM bets b WHERE b.id = f.back_bet_id))
         OR (f.lay_bet_id <> 0 AND NOT EXISTS (SELECT 1 FROM bets b WHERE b.id = f.lay_bet_id))`)(q);
  const sums = await listed(`
    SELECT 'bet ' || b.id || ' has ' || b.matched || ' matched and ' || b.voided || ' void, its fills make ' ||
           COALESCE(f.size, 0) AS wrong
      FROM bets b LEFT JOIN (
        SELECT bet_id, sum(size) AS size FROM (
          SELECT back_bet_id AS bet_id, size FROM fills UNION ALL SELECT lay_bet_id, size FROM fills) s
          GROUP BY bet_id) f ON f.bet_id = b.id
      WHERE b.kind = 'order' AND (COALESCE(f.size, 0) < b.matched OR COALESCE(f.size, 0) > b.matched + b.voided)`)(q);
  // Where nothing was made void and nobody removed, the prices must agree to the last unit too.
  const prices = await listed(`
    SELECT 'runner ' || f.runner_id || ' of market ' || f.market_id || ' (' || f.world || '): bets and fills differ' AS wrong
      FROM (SELECT world, market_id, runner_id,
                   sum(CASE WHEN back_bet_id <> 0 THEN price * size ELSE 0 END) AS back,
                   sum(CASE WHEN lay_bet_id <> 0 THEN price * size ELSE 0 END) AS lay
              FROM fills GROUP BY world, market_id, runner_id) f
      JOIN (SELECT world, market_id, runner_id,
                   sum(CASE WHEN side = 'BACK' THEN matched_sum ELSE 0 END) AS back,
                   sum(CASE WHEN side = 'LAY' THEN matched_sum ELSE 0 END) AS lay
              FROM bets WHERE kind = 'order' GROUP BY world, market_id, runner_id) b USING (world, market_id, runner_id)
      JOIN markets m ON m.id = f.market_id AND m.world = f.world
      WHERE (f.back <> b.back OR f.lay <> b.lay) AND m.view NOT LIKE '%"REMOVED"%' AND m.view NOT LIKE '%non-runner%'
        AND NOT EXISTS (SELECT 1 FROM bets v WHERE v.market_id = f.market_id AND v.world = f.world
          AND (v.voided > 0 OR v.reason IS NOT NULL))`)(q);
  return [...sides, ...sums, ...prices];
}

async function keyBreaks(q: Query): Promise<string[]> {
  const found = findings();
  const counted = await listed(`
    SELECT 'bet ' || bet_id || ' answers ' || count(*) || ' keys' AS wrong
      FROM idempotency WHERE bet_id IS NOT NULL GROUP BY bet_id HAVING count(*) > 1
    UNION ALL SELECT 'key ' || i.key || ' of ' || i.actor || ' answers bet ' || i.bet_id || ', which is not there'
      FROM idempotency i LEFT JOIN bets b ON b.id = i.bet_id AND b.world = i.world
      WHERE i.bet_id IS NOT NULL AND b.id IS NULL`)(q);
  for (const wrong of counted) found.push(wrong);
  let after = { actor: '', key: '' };
  for (;;) {
    const rows = await q<{ actor: string; key: string; seq: number; bet_id: number | null; answer: string }>(
      `SELECT actor, key, seq, bet_id, answer FROM idempotency WHERE (actor, key) > ($1, $2)
         ORDER BY actor, key LIMIT 5000`,
      [after.actor, after.key],
    );
    for (const row of rows) {
      const fate = readFate(row.answer);
      const answer = fate.is === 'taken' ? fate.answer : null;
      const bets = answer?.events.map((event) => (event.type === 'bet' ? event.bet.betId : 0)) ?? [];
      if (answer && (answer.seq !== row.seq || (row.bet_id !== null && !bets.includes(row.bet_id)))) {
        found.push(`key ${row.key} of ${row.actor} has the answer of another command`);
      }
    }
    if (rows.length < 5000) return found.list;
    after = rows.at(-1)!;
  }
}

/** INV-16, from the postings and the bets' own results. Commission is its own posting and is left out of the nets. */
async function settlementBreaks(q: Query): Promise<string[]> {
  const twice = await listed(`
    SELECT 'market ' || l.market_id || ' (' || l.world || ') result ' || l.result_version || ' paid account ' ||
           e.account_id || ' ' || count(*) || ' times' AS wrong
      FROM ledger l JOIN ledger_entries e ON e.ledger_id = l.id
      WHERE l.kind = 'settle' AND e.account_id IS NOT NULL
      GROUP BY l.world, l.market_id, l.result_version, e.account_id HAVING count(*) > 1`)(q);
  const nets = await listed(`
    WITH paid AS (
      SELECT e.world, l.market_id, e.account_id, sum(e.amount) AS net
        FROM ledger l JOIN ledger_entries e ON e.ledger_id = l.id JOIN ledger_entries c ON c.ledger_id = l.id
        WHERE l.market_id IS NOT NULL AND e.account_id >= ${FIRST_PLAYER} AND c.account_id IS NULL
        GROUP BY e.world, l.market_id, e.account_id),
    due AS (
      SELECT world, market_id, account_id, sum(profit) AS net, count(*) AS bets,
             bool_and(kind = 'quote') AS quoted
        FROM bets WHERE matched > 0 GROUP BY world, market_id, account_id)
    SELECT 'market ' || m.id || ' (' || m.world || '): account ' || COALESCE(p.account_id, d.account_id) || ' was paid ' ||
           COALESCE(p.net, 0) || ', its bets make ' || COALESCE(d.net, 0) AS wrong
      FROM paid p FULL JOIN due d ON d.world = p.world AND d.market_id = p.market_id AND d.account_id = p.account_id
      JOIN markets m ON m.world = COALESCE(p.world, d.world) AND m.id = COALESCE(p.market_id, d.market_id)
      -- While it is SETTLING whoever had his turn has both, and nobody else has either.
      WHERE CASE WHEN m.status NOT IN ('CLOSED', 'SETTLING') THEN COALESCE(p.net, 0) <> 0
        -- Results of logic 1 rounded bets and accounts by themselves.
        ELSE abs(COALESCE(p.net, 0) - COALESCE(d.net, 0)) >
          CASE WHEN d.quoted OR m.view LIKE '%"bookedBy":%' THEN 0 ELSE COALESCE(d.bets, 0) END END`)(q);
  const open = await listed(`
    SELECT 'bet ' || b.id || ' is ' || b.result || ' in market ' || m.id || ', which is ' || m.status AS wrong
      FROM bets b JOIN markets m ON m.id = b.market_id AND m.world = b.world
      WHERE b.matched > 0 AND ((m.status = 'CLOSED' AND b.result = 'PENDING')
        OR (m.status NOT IN ('CLOSED', 'SETTLING') AND b.result IN ('WIN', 'LOSS', 'TIE')))
    UNION ALL SELECT 'bet ' || b.id || ' is of market ' || b.market_id || ', which is not there' FROM bets b
      WHERE NOT EXISTS (SELECT 1 FROM markets m WHERE m.id = b.market_id AND m.world = b.world)`)(q);
  return [...twice, ...nets, ...open];
}
