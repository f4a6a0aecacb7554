/** Sessions, seats, rounds and movements of the host: held in memory, every change on the journal. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Journal, openJournal, type Remembered } from './journal.ts';
import type { WalletCode } from './wallet.ts';

export type Mode = 'real' | 'demo';

/** One opened game page of one player; its id is in the page's address. */
export interface Session {
  readonly id: string;
  readonly mode: Mode;
  readonly game: string;
  /** What the operator calls the player; of a demo session made up here. */
  readonly player: string;
  readonly currency: string;
  /** The operator's id of the session; '' until the token is exchanged. */
  walletSession: string;
  /** Of the key that the page made for itself: its address alone is no way into it. */
  keyHash: string;
  /** The operator's most for one stake, or null. */
  readonly maxStakeMinor: number | null;
  readonly theme: 'dark' | 'light';
  readonly parentOrigin: string;
  status: 'new' | 'active' | 'replaced' | 'over';
  balanceMinor: number;
  usedAt: number;
}

/** A player at a game, over all his sessions: his seeds, his pace, his open round. */
export interface Seat {
  readonly id: string;
  clientSeed: string;
  /** Of the next round. */
  serverSeed: string;
  nonce: number;
  openRound: string | null;
  readyAt: number;
}

/** A round of one player, or one of his bets in a shared round. */
export interface Round {
  readonly id: string;
  /** What the operator knows the round by: the own id, or the shared round's, in which a player may have several bets. */
  readonly walletRound: string;
  readonly seat: string;
  readonly sessionId: string;
  readonly mode: Mode;
  readonly game: string;
  readonly player: string;
  /** Of the page that acted last: only a living session may stake more. */
  walletSession: string;
  readonly currency: string;
  /** What the page called its request. */
  readonly key: string;
  readonly wager: unknown;
  readonly serverSeed: string;
  /** Of a shared round made when betting ends, from `seedOf`. */
  clientSeed: string;
  seedOf: { readonly base: string; readonly words: readonly string[] } | null;
  readonly nonce: number;
  /** The shared round that the bet belongs to. */
  readonly table: string | null;
  readonly startedAt: number;
  /** `opening`: the stake is on its way. `void`: given back, it never was. */
  status: 'opening' | 'open' | 'over' | 'void';
  moves: { key: string; move: unknown }[];
  /** A move whose further stake is on its way. */
  pending: { key: string; move: unknown; tx: string } | null;
  stakeMinor: number;
  paidMinor: number;
  /** Shared rounds: the multiple it was cashed out at. */
  cashedTimes: number | null;
  lastAt: number;
  endedAt: number | null;
}

/** One movement of money, written down before it is first sent. */
export interface Tx {
  readonly id: string;
  readonly kind: 'debit' | 'credit' | 'debit-credit' | 'rollback' | 'round-end';
  readonly round: string;
  readonly walletRound: string;
  readonly mode: Mode;
  readonly player: string;
  readonly walletSession: string;
  readonly game: string;
  readonly currency: string;
  /** The stake; of a credit what is paid. */
  readonly amountMinor: number;
  /** What a debit-credit pays. */
  readonly creditMinor: number;
  readonly refTx: string | null;
  /** A credit that closes the operator's round. */
  readonly closes: boolean;
  readonly at: number;
  /** `none`: proved never to have reached the operator. `failed`: a day of attempts was not enough, or refused for good. */
  state: 'sent' | 'done' | 'refused' | 'none' | 'failed';
  code: WalletCode | null;
}

/** What a shared game remembers: the seeds of this round and the next, and what was shown last. */
export interface TableMemory {
  readonly game: string;
  readonly seq: number;
  readonly serverSeed: string;
  readonly nextSeed: string;
  readonly phase: 'bets' | 'runs' | 'rests';
  readonly last: readonly unknown[];
}

export interface Shelf<T> {
  get(id: string): T | undefined;
  put(value: T): void;
  values(): IterableIterator<T>;
}

export interface Store {
  readonly sessions: Shelf<Session>;
  readonly seats: Shelf<Seat>;
  readonly rounds: Shelf<Round>;
  readonly txs: Shelf<Tx>;
  readonly tables: Shelf<TableMemory>;
  /** Newest first. */
  roundsOf(seat: string): readonly Round[];
  txsOf(round: string): readonly Tx[];
  /** The bets of a player in a shared round, or his one round of that id. */
  inWalletRound(walletRound: string, player: string): readonly Round[];
  /** All that was put so far outlives a power cut. */
  synced(): Promise<void>;
  close(): void;
}

const DAY_MS = 86_400_000;
/** A finished round and its movements can be asked for this long. */
const KEEP_MS = 90 * DAY_MS;
/** Longer than any round that is kept: a round is never without its movements. */
const KEEP_TX_MS = KEEP_MS + 30 * DAY_MS;
const KEEP_SESSION_MS = DAY_MS;

export const randomId = (prefix: string) => `${prefix}${randomBytes(12).toString('hex')}`;
export const newSeed = () => randomBytes(32).toString('hex');

/** `folder` null: nothing outlives the process. */
export function openStore(
  folder: string | null,
  now: () => number,
  log: (text: string, what: object) => void = () => {},
): Store {
  const bySeat = new Map<string, Round[]>();
  const byRound = new Map<string, Tx[]>();
  const byWalletRound = new Map<string, Round[]>();
  const walletRoundOf = (round: Round) => `${round.walletRound} ${round.player}`;
  const { journal, remembered } = openJournal(folder === null ? null : join(folder, 'journal.jsonl'), {
    keep: (kind, value) => isOfUse(kind, value, now()),
    dropped(kind, id, value) {
      shelves[kind]?.forget(id);
      if (kind === 'tx') takeFrom(byRound, (value as Tx).round, value as Tx);
      if (kind !== 'round') return;
      const round = value as Round;
      takeFrom(bySeat, round.seat, round);
      takeFrom(byWalletRound, walletRoundOf(round), round);
    },
    log,
  });
  const rounds = shelf<Round>(
    'round',
    (round) => round.id,
    journal,
    remembered,
    (round) => {
      listIn(bySeat, round.seat).unshift(round);
      listIn(byWalletRound, walletRoundOf(round)).push(round);
    },
  );
  const txs = shelf<Tx>(
    'tx',
    (tx) => tx.id,
    journal,
    remembered,
    (tx) => {
      listIn(byRound, tx.round).push(tx);
    },
  );
  const sessions = shelf<Session>('session', (session) => session.id, journal, remembered);
  const seats = shelf<Seat>('seat', (seat) => seat.id, journal, remembered);
  const tables = shelf<TableMemory>('table', (table) => table.game, journal, remembered);
  const shelves: Record<string, { forget(id: string): void }> = {
    round: rounds,
    tx: txs,
    session: sessions,
    seat: seats,
    table: tables,
  };
  // The order of the file is that of the last changes; a player's list is in the order of play.
  for (const list of bySeat.values()) list.sort((one, other) => other.startedAt - one.startedAt);
  return {
    sessions,
    seats,
    rounds,
    txs,
    tables,
    roundsOf: (seat) => bySeat.get(seat) ?? [],
    txsOf: (round) => byRound.get(round) ?? [],
    inWalletRound: (walletRound, player) => byWalletRound.get(`${walletRound} ${player}`) ?? [],
    synced: () => journal.synced(),
    close: () => journal.close(),
  };
}

/** What may go from memory and file. */
function isOfUse(kind: string, value: unknown, now: number): boolean {
  switch (kind) {
    case 'session':
      return now - (value as Session).usedAt < KEEP_SESSION_MS;
    // Play money is of no use to anybody the day after.
    case 'seat':
      return !(value as Seat).id.startsWith('demo:') || now - (value as Seat).readyAt < DAY_MS;
    case 'round': {
      const round = value as Round;
      if (round.mode === 'demo') return now - round.lastAt < DAY_MS;
      return round.status === 'open' || round.status === 'opening' || now - round.lastAt < KEEP_MS;
    }
    case 'tx': {
      const tx = value as Tx;
      if (tx.mode === 'demo') return now - tx.at < 2 * DAY_MS;
      return tx.state === 'sent' || now - tx.at < KEEP_TX_MS;
    }
    default:
      return true;
  }
}

function shelf<T>(
  kind: string,
  idOf: (value: T) => string,
  journal: Journal,
  remembered: Remembered,
  added: (value: T) => void = () => {},
): Shelf<T> & { forget(id: string): void } {
  const held = new Map<string, T>();
  for (const [id, value] of remembered.get(kind) ?? []) {
    held.set(id, value as T);
    added(value as T);
  }
  return {
    get: (id) => held.get(id),
    put(value) {
      const id = idOf(value);
      journal.put(kind, id, value);
      if (!held.has(id)) added(value);
      held.set(id, value);
    },
    values: () => held.values(),
    forget: (id) => held.delete(id),
  };
}

function listIn<T>(map: Map<string, T[]>, key: string): T[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}

function takeFrom<T>(map: Map<string, T[]>, key: string, value: T): void {
  const rest = (map.get(key) ?? []).filter((one) => one !== value);
  if (rest.length > 0) map.set(key, rest);
  else map.delete(key);
}
