/**
 * From the tables back to the state in memory: the newest good snapshot and the log behind it. Everything is checked on
 * the way; what does not fit stops the start with a plain message instead of going on with wrong money.
 */
import type { Event, State } from '@fairgame/exchange';
import {
  createState,
  hashState,
  isHashNear as isNear,
  isTold,
  LOGIC_VERSION,
  restore,
  snapshot,
  wallet,
} from '@fairgame/exchange';
import type { Db, Log, Query } from '../db/db.ts';
import { readLog } from './log.ts';
import { carriedChain } from './moving-out.ts';
import type { AccountRow, Books } from './rows.ts';
import { readSnapshot } from './snapshots.ts';
import { advance, type CommittedState } from './state.ts';
import { openWorlds, type World, type Worlds } from './worlds.ts';

type OnBatch = (seq: number, worlds: Worlds, events: Event[][]) => void;

export interface Loaded extends CommittedState {
  /** Of the last kept row of the log. */
  chain: string;
  /** Where the replay began. */
  fromSeq: number;
  /** A snapshot of older rules was taken over, and no command has come since: what bets may cost may be counted otherwise. */
  recounts: boolean;
}

/** The worlds of the database with the currency of each; none before the first start. */
export async function readWorlds(q: Query): Promise<Map<World, string>> {
  const rows = await q<{ name: World; currency: string }>('SELECT name, currency FROM worlds');
  return new Map(rows.map(({ name, currency }) => [name, currency]));
}

/** An independent copy. Its first hash, which looks at all of it, is taken here and not between the bets that follow. */
export function copyWorlds(worlds: Worlds): Worlds {
  const copy = eachWorld(worlds, (state) => restore(snapshot(state)));
  hashWorlds(copy);
  return copy;
}

/** Of the worlds that had a command. */
export function hashWorlds(worlds: Worlds): string {
  return openWorlds(worlds)
    .filter((world) => worlds[world].now > 0)
    .map((world) => hashState(worlds[world]))
    .join('.');
}

/** Whether that takes no longer than a command may. */
export function isHashNear(worlds: Worlds): boolean {
  return openWorlds(worlds).every((world) => isNear(worlds[world]));
}

function eachWorld(worlds: Worlds, change: (state: State) => State): Worlds {
  return Object.fromEntries(openWorlds(worlds).map((world) => [world, change(worlds[world])])) as Worlds;
}

/**
 * State as of the end of the log. A damaged snapshot is passed over for the one before it (`before`: only snapshots older
 * than that command are taken), `to` ends it before the end of the log; a damaged or missing log row throws, and so does a log of another version of the rules.
 * `onBatch` sees each replayed batch after it was applied.
 */
export async function loadState(
  db: Pick<Db, 'query'>,
  log: Log,
  options: { before?: number | undefined; to?: number; onBatch?: OnBatch } = {},
): Promise<Loaded> {
  const q = db.query;
  const found = await readSnapshot(q, log, options.before);
  const currencies = await readWorlds(q);
  const loaded = found?.taken ?? { worlds: {} as Worlds, seq: 0, at: 0, lastBetId: 0 };
  const fromSeq = loaded.seq;
  const { last, chain } = await logEnd(q);
  await follow(q, loaded, options.to ?? last, { currencies, onBatch: options.onBatch });
  fitWorlds(loaded.worlds, currencies);
  return {
    ...loaded,
    chain,
    fromSeq,
    recounts: (found?.logic ?? LOGIC_VERSION) < LOGIC_VERSION && loaded.seq === fromSeq,
  };
}

/** A world without a command so far is there too, and none that the database does not name any more. */
export function fitWorlds(worlds: Worlds, currencies: Map<World, string>): void {
  for (const [world, currency] of currencies) worlds[world] ??= createState({ currency });
  for (const world of openWorlds(worlds)) if (!currencies.has(world)) delete (worlds as Partial<Worlds>)[world];
}

/** Brings a loaded state up to command `to`. */
export async function follow(
  q: Query,
  loaded: CommittedState,
  to: number,
  options: { currencies: Map<World, string>; onBatch?: OnBatch | undefined },
): Promise<void> {
  for await (const batch of readLog(q, loaded.seq, to)) {
    if (batch.logic !== LOGIC_VERSION) throw new Error(otherLogic(loaded.seq, batch.logic));
    const events = advance(loaded, batch, (world) => options.currencies.get(world) ?? world);
    options.onBatch?.(batch.last, loaded.worlds, events.flat());
  }
}

/** Its last command; 0 for none. */
export async function newestSnapshot(q: Query): Promise<number> {
  const [row] = await q<{ seq: number | null }>('SELECT max(seq) AS seq FROM core_snapshots');
  return row?.seq ?? 0;
}

/** What to do about a log that this program's rules did not write. */
function otherLogic(seq: number, logic: number): string {
  const which = logic < LOGIC_VERSION ? 'an older' : 'a newer';
  return (
    `the commands behind ${seq} were applied by the rules of ${which} program (logic ${logic}, this one has ` +
    `${LOGIC_VERSION}), which ended without a last snapshot. Start the program that wrote them once and end it in good order ` +
    '(SIGTERM): it takes the snapshot, and this one can go on from it'
  );
}

/** The last command of the log by the leader's row, and the end of the chain over its kept rows. */
export async function logEnd(q: Query): Promise<{ last: number; chain: string }> {
  const [end] = await q<{ last_seq: number; chain: string | null }>(
    'SELECT last_seq, (SELECT chain FROM core_log ORDER BY first_seq DESC LIMIT 1) AS chain FROM leader',
  );
  return { last: end?.last_seq ?? 0, chain: end?.chain ?? (await carriedChain(q)) ?? '' };
}

/**
 * The books from their rows, compared with the replayed state (INV-02 and the agreement of log and rows). Where newer rules
 * have taken over (`recounts`), what bets may cost is written back as they count it by who may write.
 */
export async function loadBooks(
  db: Pick<Db, 'query'> & { write?: Query },
  { worlds, recounts }: Pick<Loaded, 'worlds' | 'recounts'>,
): Promise<Books> {
  const recounted: AccountRow[] = [];
  const accounts = new Map<string, AccountRow>();
  const rows = await db.query<AccountRow>(
    `SELECT world, id, kind, currency, balance, exposure, held, version, bet_blocked AS "betBlocked",
            exposure_limit AS "exposureLimit", entries, closed, seq FROM accounts WHERE NOT closed`,
  );
  for (const row of rows) {
    accounts.set(`${row.world}${row.id}`, row);
    const held = worlds[row.world] && wallet(worlds[row.world], row.id);
    const same = held && held.balanceMinor === row.balance && held.heldMinor === row.held;
    // What bets may cost can be told later than it is held.
    const isExposureTold = row.kind === 'player' && worlds[row.world] && isTold(worlds[row.world], row.id);
    if (same && recounts && held.exposureMinor !== row.exposure) {
      row.exposure = held.exposureMinor;
      recounted.push(row);
    } else if (!same || (isExposureTold && held.exposureMinor !== row.exposure)) {
      throw new Error(
        `account ${row.id} (${row.world}): the table says ${row.balance}/${row.exposure}/${row.held}, ` +
          `the log ${held?.balanceMinor}/${held?.exposureMinor}/${held?.heldMinor}`,
      );
    }
  }
  if (recounted.length > 0) {
    await db.write?.(
      `UPDATE accounts a SET exposure = n.exposure
         FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS n (world, id, exposure)
        WHERE a.world = n.world AND a.id = n.id`,
      [recounted.map((row) => row.world), recounted.map((row) => row.id), recounted.map((row) => row.exposure)],
    );
  }
  const [last] = await db.query<{ id: number | null }>('SELECT max(id) AS id FROM ledger');
  return { accounts, ledgerId: last?.id ?? 0 };
}
