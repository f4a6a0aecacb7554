/** INV-09 and INV-10: the log is whole, says what the rows say, and gives the stored state when it is replayed. */
import {
  audit,
  betOf,
  FIRST_PLAYER,
  isTold,
  marketsOf,
  openBets,
  pursesOf,
  roundsOf,
  wallet,
} from '@fairgame/exchange';
import {
  betIdsOf,
  carriedChain,
  chainAfter,
  follow,
  hashWorlds,
  type Logged,
  type LogRow,
  loadState,
  openWorlds,
  readLog,
  readWorlds,
  unpackRow,
  type World,
  type Worlds,
} from '../core/core.ts';
import type { Db, Log, Query } from '../db/db.ts';
import { type Findings, findings, ONE_VIEW } from './findings.ts';
import { compareConditionals } from './verify-conditionals.ts';

const PAGE = 100;
const BETS_PAGE = 5000;

/** What has been read of the log so far: bet ids rise with the commands, so both are read once, side by side. */
interface Walk {
  chain: string | null;
  /** Bets up to here are compared. */
  betId: number;
  movements: number;
}

/** What a page of the log says was done. */
interface Page {
  placed: Map<number, number>;
  keys: Array<{ actor: string; key: string; seq: number }>;
  moved: Array<{ provider: string; txId: string; seq: number }>;
}

/**
 * Every kept log row is whole and follows the one before it; behind the older snapshot none is missing; every bet was placed
 * by exactly one command, every movement of a provider by the command it names, and every key of a command that moved money is
 * there. A page at a time, up to the last command when it began: the server may go on meanwhile.
 */
export async function logBreaks(q: Query): Promise<string[]> {
  const found = findings();
  const { last, betsFrom, keysFrom, logFrom } = await boundsOf(q);
  // From where what was moved out ended; a month that was merely dropped left nothing to go on from.
  const walk: Walk = { chain: (await carriedChain(q)) ?? (logFrom > 0 ? null : ''), betId: 0, movements: 0 };
  let after = -1;
  for (;;) {
    const rows = await q<LogRow & { chain: string }>(
      `SELECT first_seq, last_seq, logic, body, checksum, chain FROM core_log WHERE first_seq > $1 AND first_seq <= $2
         ORDER BY first_seq LIMIT ${PAGE}`,
      [after, last],
    );
    const page: Page = { placed: new Map(), keys: [], moved: [] };
    for (const row of rows) {
      after = row.first_seq;
      if (walk.chain !== null && row.chain !== chainAfter(walk.chain, row))
        found.push(`log row ${row.first_seq} does not follow the one before it`);
      walk.chain = row.chain;
      try {
        for (const item of unpackRow(row)) note(page, item, { keysFrom, betId: walk.betId }, found);
      } catch (error) {
        found.push((error as Error).message);
      }
    }
    await compareKeys(q, page, found);
    await compareMovements(q, page, walk, found);
    const lastPage = rows.length < PAGE;
    await comparePlaced(
      q,
      page,
      walk,
      { to: lastPage ? null : Math.max(0, ...page.placed.keys()), from: betsFrom, last },
      found,
    );
    if (lastPage) break;
  }
  const [txs] = await q<{ n: number }>('SELECT count(*) AS n FROM provider_txs WHERE seq <= $1 AND at >= $2', [
    last,
    logFrom,
  ]);
  if (txs!.n !== walk.movements)
    found.push(
      `${txs!.n} movements of providers are kept, ${walk.movements} of them are the commands of the log they name`,
    );
  return found.list;
}

/** Nothing is missing behind the older snapshot; before it only what moved money or bets is kept. */
export async function logGaps(q: Query): Promise<string[]> {
  const [bounds] = await q<{ older: number | null; last: number }>(
    `SELECT (SELECT min(seq) FROM (SELECT seq FROM core_snapshots ORDER BY seq DESC LIMIT 2) s) AS older,
            (SELECT last_seq FROM leader) AS last`,
  );
  for await (const _ of readLog(q, bounds!.older ?? 0, bounds!.last));
  return [];
}

/** Up to which command is compared, and from when rows are kept at all. */
async function boundsOf(q: Query): Promise<{ last: number; betsFrom: number; keysFrom: number; logFrom: number }> {
  const [leader] = await q<{ last_seq: number }>('SELECT last_seq FROM leader');
  const gone = new Map(
    (await q<{ table_name: string; before_at: number }>('SELECT table_name, before_at FROM retired')).map((row) => [
      row.table_name,
      row.before_at,
    ]),
  );
  const logFrom = gone.get('core_log') ?? 0;
  return {
    last: leader?.last_seq ?? 0,
    logFrom,
    betsFrom: Math.max(logFrom, gone.get('bets') ?? 0),
    keysFrom: gone.get('idempotency') ?? 0,
  };
}

function note(page: Page, item: Logged, from: { keysFrom: number; betId: number }, found: Findings): void {
  if (item.key !== undefined && item.at >= from.keysFrom)
    page.keys.push({ actor: item.actor, key: item.key, seq: item.seq });
  const command = item.applied[0]?.command;
  if (!command) return;
  if ('txId' in command) page.moved.push({ provider: command.provider, txId: command.txId, seq: item.seq });
  // Conditional orders that fired in it placed theirs by the same command.
  for (const { first, count } of [betIdsOf(command), item.fired].filter((ids) => ids != null)) {
    for (let id = first; id < first + count; id++) {
      if (page.placed.has(id) || id <= from.betId) found.push(`bet ${id} was placed once more by command ${item.seq}`);
      page.placed.set(id, item.seq);
    }
  }
}

/** What moved money under a key has settled it in the same commit. */
async function compareKeys(q: Query, { keys }: Page, found: Findings): Promise<void> {
  if (keys.length === 0) return;
  const rows = await q<{ actor: string; key: string; seq: number }>(
    `SELECT i.actor, i.key, i.seq FROM unnest($1::text[], $2::text[]) AS k(actor, key)
       JOIN idempotency i ON i.actor = k.actor AND i.key = k.key`,
    [keys.map((one) => one.actor), keys.map((one) => one.key)],
  );
  const kept = new Map(rows.map((row) => [`${row.actor}\n${row.key}`, row.seq]));
  for (const { actor, key, seq } of keys) {
    const at = kept.get(`${actor}\n${key}`);
    if (at === undefined) found.push(`key ${key} of ${actor}, settled by command ${seq}, is gone`);
    else if (at !== seq) found.push(`key ${key} of ${actor} was settled by commands ${at} and ${seq}`);
  }
}

async function compareMovements(q: Query, { moved }: Page, walk: Walk, found: Findings): Promise<void> {
  if (moved.length === 0) return;
  const rows = await q<{ provider: string; tx_id: string; seq: number; logged: number }>(
    `SELECT t.provider, t.tx_id, t.seq, k.seq AS logged
       FROM unnest($1::text[], $2::text[], $3::bigint[]) AS k(provider, tx_id, seq)
       JOIN provider_txs t ON t.provider = k.provider AND t.tx_id = k.tx_id`,
    [moved.map((one) => one.provider), moved.map((one) => one.txId), moved.map((one) => one.seq)],
  );
  for (const { provider, tx_id, seq, logged } of rows) {
    if (seq === logged) walk.movements++;
    else found.push(`movement ${tx_id} of ${provider} is command ${seq} by its row, ${logged} by the log`);
  }
}

/** The bets up to `to`, all that are left where it is null. */
async function comparePlaced(
  q: Query,
  { placed }: Page,
  walk: Walk,
  bounds: { to: number | null; from: number; last: number },
  found: Findings,
): Promise<void> {
  const most = Math.max(0, ...placed.keys());
  for (;;) {
    const rows = await q<{ id: number; seq: number; placed_at: number }>(
      `SELECT id, seq, placed_at FROM bets WHERE id > $1 AND ($2::bigint IS NULL OR id <= $2) ORDER BY id LIMIT ${BETS_PAGE}`,
      [walk.betId, bounds.to],
    );
    for (const row of rows) {
      walk.betId = row.id;
      const seq = placed.get(row.id);
      if (seq !== undefined) {
        if (row.seq < seq) found.push(`bet ${row.id} changed at command ${row.seq}, before it was placed at ${seq}`);
      } else if (row.placed_at >= bounds.from && (row.id <= most || row.seq <= bounds.last))
        found.push(`bet ${row.id} is in no command of the log`);
    }
    if (rows.length < BETS_PAGE) return;
  }
}

/**
 * Replays from the older snapshot (or the beginning) and compares every stored hash, and at the end every account and open
 * bet. Only that end is one view of the tables; one state is in memory at a time.
 */
export async function replayBreaks(db: Pick<Db, 'query' | 'tx'>, log: Log): Promise<string[]> {
  const q = db.query;
  const found = findings();
  const hashes = new Map(
    (await q<{ seq: number; hash: string }>('SELECT seq, hash FROM core_hashes')).map((row) => [row.seq, row.hash]),
  );
  const [leader] = await q<{ last_seq: number }>('SELECT last_seq FROM leader');
  const to = leader!.last_seq;
  const shortcut = hashWorlds((await loadState(db, log, { to })).worlds);
  const replayed = await loadState(db, log, {
    to,
    before: await replayBefore(q),
    onBatch: (seq, worlds) => {
      const stored = hashes.get(seq);
      if (stored !== undefined && stored !== hashWorlds(worlds))
        found.push(`the state at command ${seq} has another hash`);
    },
  });
  if (shortcut !== hashWorlds(replayed.worlds))
    found.push('the newest snapshot leads to another state than the one before it');
  for (const world of openWorlds(replayed.worlds)) {
    for (const fault of audit(replayed.worlds[world])) found.push(`${world}: ${fault}`);
  }
  await db.tx(async (view) => {
    await view(ONE_VIEW);
    const [now] = await view<{ last_seq: number }>('SELECT last_seq FROM leader');
    await follow(view, replayed, now!.last_seq, { currencies: await readWorlds(view) });
    await compareAccounts(view, replayed.worlds, found);
    await compareBets(view, replayed.worlds, found);
    await compareRounds(view, replayed.worlds, found);
    await comparePools(view, replayed.worlds, found);
    await compareConditionals(view, replayed.worlds, found);
  });
  return found.list;
}

/** With one snapshot and the whole log behind it, replay from the very beginning; else from the older snapshot. */
async function replayBefore(q: Query): Promise<number | undefined> {
  const snapshots = await q<{ seq: number }>('SELECT seq FROM core_snapshots ORDER BY seq DESC');
  if (snapshots.length > 1) return snapshots[0]!.seq;
  const first = await q(
    'SELECT 1 FROM core_log WHERE first_seq = 1 UNION ALL SELECT 1 FROM core_log_short WHERE first_seq = 1',
  );
  return first.length > 0 ? snapshots[0]?.seq : undefined;
}

/** Whether a command changed the account and its bets, and slices behind it are yet to tell so. */
function isLater(worlds: Worlds, world: World, accountId: number): boolean {
  return worlds[world] !== undefined && !isTold(worlds[world], accountId);
}

async function compareAccounts(q: Query, worlds: Worlds, found: Findings): Promise<void> {
  const rows = await q<{ world: World; id: number; balance: number; exposure: number; held: number }>(
    'SELECT world, id, balance, exposure, held FROM accounts WHERE NOT closed',
  );
  for (const row of rows) {
    const held = worlds[row.world] && wallet(worlds[row.world], row.id);
    const same =
      held?.balanceMinor === row.balance && (isLater(worlds, row.world, row.id) || held.exposureMinor === row.exposure);
    if (same && held.heldMinor === row.held) continue;
    found.push(
      `account ${row.id} (${row.world}): the table says ${row.balance}/${row.exposure}/${row.held}, ` +
        `the log ${held?.balanceMinor}/${held?.exposureMinor}/${held?.heldMinor}`,
    );
  }
}

/** What another pool has of this one's money is what its players' purses there make. */
async function comparePools(q: Query, worlds: Worlds, found: Findings): Promise<void> {
  const rows = await q<{ world: World; account: string; total: number }>(
    `SELECT world, account, sum(amount)::bigint AS total FROM ledger_entries
      WHERE account_id IS NULL AND account LIKE 'pool:%' GROUP BY world, account`,
  );
  const expected = new Map<string, number>();
  for (const world of openWorlds(worlds))
    for (const { pool, netMinor } of pursesOf(worlds[world])) {
      const account = `pool:${pool} (${world})`;
      expected.set(account, (expected.get(account) ?? 0) - netMinor);
    }
  for (const { world, account, total } of rows) {
    const wanted = expected.get(`${account} (${world})`) ?? 0;
    expected.delete(`${account} (${world})`);
    if (wanted !== total) found.push(`${account} (${world}) stands at ${total}, the purses there make ${wanted}`);
  }
  for (const [account, wanted] of expected)
    if (wanted !== 0) found.push(`${account} has no entries, the purses there make ${wanted}`);
}

/** Rounds in memory (all open ones are) as their rows have them. */
async function compareRounds(q: Query, worlds: Worlds, found: Findings): Promise<void> {
  const rows = await q<{ world: string; provider: string; account_id: number; round_id: string; parts: string }>(
    `SELECT world, provider, account_id, round_id,
            status || '/' || staked || '/' || paid || '/' || refunded || '/' || version AS parts
       FROM provider_rounds WHERE status = 'OPEN' OR closed_at > (SELECT last_at FROM leader) - 600000`,
  );
  const stored = new Map(rows.map((row) => [nameOf(row.world, row.provider, row.account_id, row.round_id), row.parts]));
  const open = new Set(
    rows
      .filter((row) => row.parts.startsWith('OPEN'))
      .map((row) => nameOf(row.world, row.provider, row.account_id, row.round_id)),
  );
  for (const world of openWorlds(worlds)) {
    for (const round of roundsOf(worlds[world])) {
      const name = nameOf(world, round.provider, round.accountId, round.roundId);
      const parts = [round.status, round.stakedMinor, round.paidMinor, round.refundedMinor, round.version].join('/');
      open.delete(name);
      const row = stored.get(name);
      if (row === parts || (row === undefined && round.status !== 'OPEN')) continue;
      found.push(`round ${round.roundId} of ${round.provider}: the table says ${row ?? 'nothing'}, the log ${parts}`);
    }
  }
  for (const name of open) found.push(`open round ${name} is in the table and not in the log's state`);
}

const nameOf = (world: string, provider: string, accountId: number, roundId: string) =>
  `${world} ${provider} ${accountId} ${roundId}`;

async function compareBets(q: Query, worlds: Worlds, found: Findings): Promise<void> {
  const rows = new Map<string, number>();
  let after = 0;
  for (;;) {
    const page = await q<{ id: number; world: World; account_id: number; parts: string }>(
      `SELECT id, world, account_id, matched || '/' || matched_sum || '/' || remaining || '/' || version AS parts
         FROM bets WHERE result = 'PENDING' AND id > $1 ORDER BY id LIMIT ${BETS_PAGE}`,
      [after],
    );
    for (const row of page) {
      after = row.id;
      // What was changed and is not told yet stands in the table as it was.
      if (isLater(worlds, row.world, row.account_id)) continue;
      const holder = `${row.world} ${row.account_id}`;
      rows.set(holder, (rows.get(holder) ?? 0) + 1);
      const bet = worlds[row.world] && betOf(worlds[row.world], row.id);
      const parts =
        bet?.result === 'PENDING'
          ? `${bet.matchedMinor}/${bet.matchedSum}/${bet.remainingMinor}/${bet.version}`
          : 'nothing';
      if (parts !== row.parts) found.push(`open bet ${row.id}: the table says ${row.parts}, the log ${parts}`);
    }
    if (page.length < BETS_PAGE) break;
  }
  const accounts = await q<{ world: World; id: number }>(
    'SELECT world, id FROM accounts WHERE id >= $1 AND NOT closed',
    [FIRST_PLAYER],
  );
  for (const { world, id } of accounts) {
    if (isLater(worlds, world, id)) continue;
    const held = worlds[world] ? openBets(worlds[world], id).length : 0;
    const kept = rows.get(`${world} ${id}`) ?? 0;
    if (held !== kept)
      found.push(`account ${id} (${world}) has ${kept} open bets in the table, ${held} in the log's state`);
  }
  await compareMarkets(q, worlds.real, found);
}

async function compareMarkets(q: Query, home: Worlds['real'], found: Findings): Promise<void> {
  for (const market of marketsOf(home)) {
    const [row] = await q<{ status: string }>("SELECT status FROM markets WHERE world = 'real' AND id = $1", [
      market.marketId,
    ]);
    if (row?.status === market.status) continue;
    found.push(`market ${market.marketId} is ${row?.status} in the table, ${market.status} in the log`);
  }
}
