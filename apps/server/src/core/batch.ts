/** One batch: the commands applied in memory, what they told, and the rows they change. Nothing of it is visible yet. */
import { performance } from 'node:perf_hooks';
import { type Command, type Event, isSettling, LOGIC_VERSION, marketView } from '@fairgame/exchange';
import { type Fate, ownEvents, packFate, type Refusal } from './answers.ts';
import { betIdsOf, numbered, toldBetId } from './bet-ids.ts';
import { LISTS, type ListName, listText } from './columns.ts';
import { chained, type Logged, packItems } from './log.ts';
import { betText, keyText } from './row-texts.ts';
import { type AccountRow, type Books, createRows, foldEvents, type Rows } from './rows.ts';
import { applyIn } from './state.ts';
import type { Answer, World } from './types.ts';
import type { Worlds } from './worlds.ts';

export interface Item {
  actor: string;
  /** The key that its outcome settles. */
  key?: string | undefined;
  payloadHash?: string | undefined;
  /** What each world gets, bet ids still 0. None: only the key is settled, by `refusal` or, without one, as burnt. */
  commands: Array<{ world: World; command: Command }>;
  refusal?: Refusal | undefined;
  /** Taken however long the queue is. */
  urgent?: boolean | undefined;
  requestId?: string | undefined;
  expiresAt?: number | undefined;
  queuedAt: number;
  /** When it came to the writer, in the writer's own time (stall.ts). */
  waitsSince?: number | undefined;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A piece of a large act (work.ts). */
export function isSlice({ commands: [first] }: Item): boolean {
  const type = first?.command.type;
  return type === 'work' || type === 'market.recallPart';
}

export interface Outcome {
  item: Item;
  logged: Logged;
  /** One list a world, in the order of `logged.applied`. */
  events: Event[][];
  /** Why nothing was done. */
  refusal: Refusal | undefined;
  /** Money or bets moved: its place in the log is kept. */
  kept: boolean;
  /** How long applying it took. */
  applyMs: number;
}

export interface Batch {
  first: number;
  last: number;
  lastBetId: number;
  /** The end of the chain over the kept rows of the log; with this batch once it is sealed. */
  chain: string;
  outcomes: Outcome[];
  /** Of them, of play money. */
  demo: number;
  rows: Rows;
  /** Up to here ids may be given out once it has committed. */
  idBound: number;
  /** What core_commit gets, once nothing is added any more. */
  texts: unknown[] | null;
  /** As it stands in the log, once it is sealed: the bodies of its rows, and the hash of the state behind it where one is noted. */
  logged: { kept: string | null; short: string | null; hash: string | null };
  /** How long the database took for it; 0 before. */
  flightMs: number;
  /** The keys it settles, once it is sealed. */
  keys: readonly KeyRow[];
}

export interface KeyRow {
  actor: string;
  key: string;
  world: World | 'all';
  payloadHash: string;
  seq: number;
  at: number;
  betId: number | null;
  /** Its fate, packed. */
  answer: string;
}

/** The next batch behind `parent`, which is still in flight, or behind what is committed. */
export function createBatch(
  from: { seq: number; lastBetId: number },
  chainEnd: string,
  books: Books,
  parent: Batch | null,
): Batch {
  const { last: seq, lastBetId, chain } = parent ?? { last: from.seq, lastBetId: from.lastBetId, chain: chainEnd };
  const rows = createRows(books, parent?.rows ?? null, lastBetId);
  return {
    first: seq + 1,
    last: seq,
    lastBetId,
    chain,
    outcomes: [],
    demo: 0,
    rows,
    idBound: 0,
    texts: null,
    logged: { kept: null, short: null, hash: null },
    keys: [],
    flightMs: 0,
  };
}

/** Applies one item as the batch's next command. When it throws, `worlds` may be half changed and must be thrown away. */
export function applyItem(batch: Batch, item: Item, at: number, worlds: Worlds, books: Books): void {
  const seq = batch.last + 1;
  const started = performance.now();
  const applied = withBetIds(batch, unlessSettling(item.commands, worlds));
  const { events, lastBetId } = applyIn(worlds, applied, at, batch.lastBetId);
  const logged: Logged = { seq, at, actor: item.actor, key: item.key, requestId: item.requestId, applied };
  if (lastBetId > batch.lastBetId) {
    logged.fired = { first: batch.lastBetId + 1, count: lastBetId - batch.lastBetId };
    batch.lastBetId = lastBetId;
  }
  let kept = false;
  events.forEach((list, i) => {
    const { world } = applied[i]!;
    kept =
      foldEvents(batch.rows, books, { world, seq, at, actor: item.actor }, list, (id) =>
        marketView(worlds[world], id),
      ) || kept;
  });
  const first = events[0]?.[0];
  batch.last = seq;
  batch.outcomes.push({
    item,
    logged,
    events,
    refusal: first?.type === 'refused' ? first : item.refusal,
    kept,
    applyMs: performance.now() - started,
  });
}

/** Closes the batch: its rows as the texts that core_commit takes. `hash` is of the state right behind it. */
export function sealBatch(batch: Batch, hash: string | null, slot: number): void {
  const { rows } = batch;
  const kept = packItems(batch.outcomes.flatMap((outcome) => (outcome.kept ? outcome.logged : [])));
  const short = packItems(batch.outcomes.flatMap((outcome) => (outcome.kept ? [] : outcome.logged)));
  if (kept) batch.chain = chained(batch.chain, kept.checksum);
  batch.logged = { kept: kept?.body ?? null, short: short?.body ?? null, hash };
  batch.keys = keyRows(batch.outcomes);
  const lists = listsOf(batch, rows);
  batch.texts = [
    LOGIC_VERSION,
    batch.logged.kept,
    kept?.checksum ?? null,
    batch.chain,
    slot,
    batch.logged.short,
    short?.checksum ?? null,
    hash,
    ...LISTS.map((name) => lists[name]),
  ];
}

/** The lists as JSON, null where they are empty. */
function listsOf(batch: Batch, rows: Rows): Record<ListName, string | null> {
  const newBets: string[] = [];
  const betChanges: string[] = [];
  for (const [betId, row] of rows.bets) (betId > rows.lastBetId ? newBets : betChanges).push(betText(row));
  const newAccounts: object[] = [];
  const walletChanges: object[] = [];
  for (const [name, row] of rows.accounts) {
    if (rows.wholeAccounts.has(name)) newAccounts.push(row);
    else walletChanges.push(walletRow(row));
  }
  const rounds = [...rows.rounds.values()];
  return {
    newAccounts: listText('newAccounts', newAccounts),
    newBets: joined(newBets),
    betChanges: joined(betChanges),
    walletChanges: listText('walletChanges', walletChanges),
    fills: listText('fills', rows.fills),
    ledger: listText('ledger', rows.ledger),
    entries: listText('entries', rows.entries),
    markets: listText('markets', [...rows.markets.values()]),
    archives: listText('archives', [...rows.archives.values()]),
    archiveParts: listText('archiveParts', rows.archiveParts),
    holds: listText('holds', [...rows.holds.values()]),
    newRounds: listText(
      'newRounds',
      rounds.filter((round) => round.isNew),
    ),
    roundChanges: listText(
      'roundChanges',
      rounds.filter((round) => !round.isNew),
    ),
    movements: listText('movements', rows.movements),
    conditionalEnds: listText('conditionalEnds', rows.conditionalEnds),
    keys: joined(batch.keys.map(keyText)),
  };
}

const joined = (texts: readonly string[]): string | null => (texts.length === 0 ? null : `[${texts.join()}]`);

/** The parameters of core_commit. */
export function commitParams(batch: Batch, epoch: number): unknown[] {
  return [epoch, batch.first, batch.last, batch.outcomes.at(-1)!.logged.at, batch.idBound, ...batch.texts!];
}

function walletRow({ world, id, balance, exposure, held, version, entries, seq }: AccountRow): object {
  return { world, id, balance, exposure, held, version, entries, seq };
}

/** What an outcome makes of its key; null where there is none, or where the key stays free. */
function fateOf(outcome: Outcome): Fate | null {
  const { item, refusal } = outcome;
  if (item.key === undefined) return null;
  if (item.commands.length === 0) return refusal ? { is: 'refused', refusal } : { is: 'burnt' };
  if (!refusal) return { is: 'taken', answer: keptAnswer(outcome) };
  const { command } = item.commands[0]!;
  // An operator's act waits for the end of another; a player's late bet must not be taken then.
  const isEarly = refusal.code === 'MARKET_SETTLING' && !('accountId' in command);
  return isEarly || REPEATABLE.has(command.type) ? null : { is: 'refused', refusal };
}

/**
 * Their refusals don't settle the key: a provider sends them again until they are taken (trust 4.2: a credit may come before
 * its debit), and taken late they do what they should have done at once.
 */
const REPEATABLE: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'game.credit',
  'game.rollback',
  'game.promo',
  'game.end',
]);

function keptAnswer({ logged, events }: Outcome): Answer {
  const own = ownEvents(logged.applied[0]!.command, events[0]!);
  return { seq: logged.seq, at: logged.at, events: own, replayed: false };
}

/**
 * A command about a market is taken by all of its worlds or by none: while one of them still books the result of the market,
 * that one alone is asked, and refuses.
 */
function unlessSettling(commands: Item['commands'], worlds: Worlds): Item['commands'] {
  if (commands.length < 2) return commands;
  const settling = commands.filter(({ world, command }) => {
    const marketId = 'marketId' in command ? command.marketId : undefined;
    return marketId !== undefined && isSettling(worlds[world], marketId);
  });
  return settling.length > 0 ? settling : commands;
}

function withBetIds(batch: Batch, commands: Item['commands']): Item['commands'] {
  const [first] = commands;
  const ids = betIdsOf(first?.command);
  if (!first || ids === null) return commands;
  const command = numbered(first.command, batch.lastBetId);
  batch.lastBetId += ids.count;
  return [{ world: first.world, command }];
}

function keyRows(outcomes: readonly Outcome[]): KeyRow[] {
  const rows: KeyRow[] = [];
  for (const outcome of outcomes) {
    const fate = fateOf(outcome);
    if (!fate) continue;
    const { item, logged } = outcome;
    rows.push({
      actor: item.actor,
      key: item.key!,
      world: item.commands.length === 1 ? item.commands[0]!.world : 'all',
      payloadHash: item.payloadHash ?? '',
      seq: logged.seq,
      at: logged.at,
      betId: fate.is === 'taken' ? toldBetId(logged.applied[0]?.command, outcome.events[0]!) : null,
      answer: packFate(fate),
    });
  }
  return rows;
}
