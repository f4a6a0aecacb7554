/** INV-09 and INV-10: the log is whole, says what the rows say, and gives the stored state when it is replayed. */
import { audit, marketsOf, openBets, roundsOf, wallet } from '@fairgame/exchange';
import { hashWorlds, type LogRow, loadState, openWorlds, readLog, unpackRow, type Worlds } from '../core/core.ts';
import type { Log, Query } from '../db/db.ts';

const PAGE = 500;

/**
 * Every kept log row is whole; behind the older snapshot none is missing; every bet was placed by exactly one command, and
 * every movement of a provider by the command it names.
 */
export async function logBreaks(q: Query): Promise<string[]> {
  const found: string[] = [];
  const [bounds] = await q<{ older: number | null; last: number }>(
    `SELECT (SELECT min(seq) FROM (SELECT seq FROM core_snapshots ORDER BY seq DESC LIMIT 2) s) AS older,
            (SELECT last_seq FROM leader) AS last`,
  );
  const placed = new Map<number, number>();
  const moved = new Map<number, string>();
  let after = -1;
  for (;;) {
    const rows = await q<LogRow>(
      `SELECT first_seq, last_seq, logic, body, checksum FROM core_log WHERE first_seq > $1 ORDER BY first_seq LIMIT ${PAGE}`,
      [after],
    );
    for (const row of rows) {
      after = row.first_seq;
      try {
        for (const item of unpackRow(row)) {
          const command = item.applied[0]?.command;
          if (!command) continue;
          if ('txId' in command) moved.set(item.seq, `${command.provider} ${command.txId}`);
          const id =
            command.type === 'order.place' || command.type === 'quote.take'
              ? command.betId
              : command.type === 'order.replace'
                ? command.newBetId
                : 0;
          if (id === 0) continue;
          if (placed.has(id)) found.push(`bet ${id} was placed by commands ${placed.get(id)} and ${item.seq}`);
          placed.set(id, item.seq);
        }
      } catch (error) {
        found.push((error as Error).message);
      }
    }
    if (rows.length < PAGE) break;
  }
  // Behind the older snapshot nothing may be missing; before it only what moved money or bets is kept.
  try {
    for await (const _ of readLog(q, bounds!.older ?? 0, bounds!.last));
  } catch (error) {
    found.push((error as Error).message);
  }
  const txs = await q<{ provider: string; tx_id: string; seq: number }>(
    'SELECT provider, tx_id, seq FROM provider_txs',
  );
  for (const row of txs) {
    if (moved.get(row.seq) !== `${row.provider} ${row.tx_id}`)
      found.push(`movement ${row.tx_id} of ${row.provider} is not command ${row.seq} of the log`);
  }
  let lastId = 0;
  for (;;) {
    const rows = await q<{ id: number; seq: number }>('SELECT id, seq FROM bets WHERE id > $1 ORDER BY id LIMIT 5000', [
      lastId,
    ]);
    for (const row of rows) {
      lastId = row.id;
      const seq = placed.get(row.id);
      if (seq === undefined) found.push(`bet ${row.id} is in no command of the log`);
      else if (row.seq < seq) found.push(`bet ${row.id} changed at command ${row.seq}, before it was placed at ${seq}`);
    }
    if (rows.length < 5000) return found;
  }
}

/** Replays from the older snapshot (or the beginning) and compares every stored hash, and at the end every account and open bet. */
export async function replayBreaks(q: Query, log: Log): Promise<string[]> {
  const found: string[] = [];
  const hashes = new Map(
    (await q<{ seq: number; hash: string }>('SELECT seq, hash FROM core_hashes')).map((row) => [row.seq, row.hash]),
  );
  const [newest] = await q<{ seq: number | null }>('SELECT max(seq) AS seq FROM core_snapshots');
  const older = (await q('SELECT 1 FROM core_snapshots')).length > 1;
  const onBatch = (seq: number, worlds: Worlds) => {
    const stored = hashes.get(seq);
    if (stored !== undefined && stored !== hashWorlds(worlds))
      found.push(`the state at command ${seq} has another hash`);
  };
  const db = { query: q };
  const replayed = await loadState(db, log, {
    onBatch,
    // With one snapshot and the whole log behind it, replay from the very beginning; else from the older snapshot.
    ...(newest?.seq != null &&
    (older ||
      (await q('SELECT 1 FROM core_log WHERE first_seq = 1 UNION ALL SELECT 1 FROM core_log_short WHERE first_seq = 1'))
        .length > 0)
      ? { before: newest.seq }
      : {}),
  });
  const shortcut = await loadState(db, log);
  if (hashWorlds(shortcut.worlds) !== hashWorlds(replayed.worlds)) {
    found.push('the newest snapshot leads to another state than the one before it');
  }
  for (const world of openWorlds(replayed.worlds)) {
    for (const fault of audit(replayed.worlds[world])) found.push(`${world}: ${fault}`);
  }
  await compareAccounts(q, replayed.worlds, found);
  await compareBets(q, replayed.worlds, found);
  await compareRounds(q, replayed.worlds, found);
  return found;
}

async function compareAccounts(q: Query, worlds: Worlds, found: string[]): Promise<void> {
  const rows = await q<{ world: 'real' | 'demo'; id: number; balance: number; exposure: number }>(
    'SELECT world, id, balance, exposure FROM accounts',
  );
  for (const row of rows) {
    const held = wallet(worlds[row.world], row.id);
    if (held?.balanceMinor === row.balance && held.exposureMinor === row.exposure) continue;
    found.push(
      `account ${row.id} (${row.world}): the table says ${row.balance}/${row.exposure}, ` +
        `the log ${held?.balanceMinor}/${held?.exposureMinor}`,
    );
  }
}

/** Rounds in memory (all open ones are) as their rows have them. */
async function compareRounds(q: Query, worlds: Worlds, found: string[]): Promise<void> {
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

async function compareBets(q: Query, worlds: Worlds, found: string[]): Promise<void> {
  const rows = await q<{ id: number; world: 'real' | 'demo'; account_id: number; parts: string }>(
    `SELECT id, world, account_id, matched || '/' || matched_sum || '/' || remaining || '/' || version AS parts
       FROM bets WHERE result = 'PENDING'`,
  );
  const open = new Map<number, string>();
  for (const world of openWorlds(worlds)) {
    const accounts = new Set(rows.filter((row) => row.world === world).map((row) => row.account_id));
    for (const account of accounts) {
      for (const bet of openBets(worlds[world], account)) {
        open.set(bet.betId, `${bet.matchedMinor}/${bet.matchedSum}/${bet.remainingMinor}/${bet.version}`);
      }
    }
  }
  for (const row of rows) {
    const parts = open.get(row.id);
    open.delete(row.id);
    if (parts !== row.parts)
      found.push(`open bet ${row.id}: the table says ${row.parts}, the log ${parts ?? 'nothing'}`);
  }
  for (const id of open.keys()) found.push(`open bet ${id} is in the log's state and not in the table`);
  const status = new Map(
    (await q<{ id: number; status: string }>("SELECT id, status FROM markets WHERE world = 'real'")).map((row) => [
      row.id,
      row.status,
    ]),
  );
  for (const market of marketsOf(worlds.real)) {
    if (status.get(market.marketId) === market.status) continue;
    found.push(`market ${market.marketId} is ${status.get(market.marketId)} in the table, ${market.status} in the log`);
  }
}
