/**
 * What the events of a batch change in the tables: the last version of each bet, account and market, and every fill and
 * ledger entry. Folded while the batch is applied, kept only when it commits.
 */
import {
  type AccountId,
  type Bet,
  type ConditionalView,
  type Event,
  FIRST_PLAYER,
  type MarketView,
  type RoundView,
  roundKey,
} from '@fairgame/exchange';
import type { World } from './types.ts';

export interface AccountRow {
  world: World;
  id: AccountId;
  kind: 'player' | 'system';
  currency: string;
  balance: number;
  exposure: number;
  held: number;
  version: number;
  betBlocked: boolean;
  exposureLimit: number;
  entries: number;
  /** Left for good: the row stays for its history. */
  closed: boolean;
  seq: number;
}

/** The books of both worlds as committed: what the next batch's rows count on from. */
export interface Books {
  accounts: Map<string, AccountRow>;
  ledgerId: number;
}

interface EntryRow {
  ledgerId: number;
  line: number;
  world: World;
  account: string;
  accountId: number | null;
  amountMinor: number;
  n: number | null;
  balanceAfter: number | null;
  at: number;
}

/** The last version of a bet, and what its row says beside it. */
export interface BetRow {
  bet: Bet;
  world: World;
  settledAt: number | null;
  seq: number;
}

/** A player's part of a provider's round; new where its first movement is in the batch. */
type RoundRow = Omit<RoundView, 'bets'> & { isNew: boolean; world: World; view: string; seq: number };

export interface Rows {
  /** The batch in flight when this one was begun: what it changes counts as the books, should it commit. */
  parent: Rows | null;
  /** Bets with a higher id are new in this batch. */
  lastBetId: number;
  accounts: Map<string, AccountRow>;
  /** Accounts of which more than the wallet is to be written. */
  wholeAccounts: Set<string>;
  bets: Map<number, BetRow>;
  markets: Map<string, object>;
  archives: Map<string, object>;
  archiveParts: object[];
  holds: Map<string, object>;
  rounds: Map<string, RoundRow>;
  movements: object[];
  conditionalEnds: object[];
  fills: object[];
  ledger: object[];
  entries: EntryRow[];
  ledgerId: number;
}

export function createRows(books: Books, parent: Rows | null, lastBetId: number): Rows {
  return {
    parent,
    lastBetId,
    accounts: new Map(),
    wholeAccounts: new Set(),
    bets: new Map(),
    markets: new Map(),
    archives: new Map(),
    archiveParts: [],
    holds: new Map(),
    rounds: new Map(),
    movements: [],
    conditionalEnds: [],
    fills: [],
    ledger: [],
    entries: [],
    ledgerId: parent?.ledgerId ?? books.ledgerId,
  };
}

/** Adds one command's events; answers whether money or bets moved. Throws when a posting does not sum to zero or a wallet differs from its postings (INV-01, INV-02). */
export function foldEvents(
  rows: Rows,
  books: Books,
  at: { world: World; seq: number; at: number; actor: string },
  events: readonly Event[],
  marketOf: (marketId: number) => { eventId: number; kind: string } | null,
): boolean {
  const { world, seq } = at;
  let moved = false;
  const account = (id: AccountId): AccountRow => {
    const name = `${world}${id}`;
    let row = rows.accounts.get(name);
    if (!row) {
      const known = rows.parent?.accounts.get(name) ?? books.accounts.get(name);
      row = known ? { ...known } : newAccount(world, id);
      if (!known) rows.wholeAccounts.add(name);
      rows.accounts.set(name, row);
    }
    row.seq = seq;
    return row;
  };
  for (const event of events) {
    if (MOVING.has(event.type)) moved = true;
    switch (event.type) {
      case 'bet': {
        const settledAt = event.bet.result === 'PENDING' ? null : at.at;
        rows.bets.set(event.bet.betId, { bet: event.bet, world, settledAt, seq });
        break;
      }
      case 'fill':
        rows.fills.push({ world, at: at.at, seq, ...event });
        break;
      case 'wallet':
        takeWallet(account(event.accountId), event);
        break;
      case 'hold': {
        const { marketId, debtorId, creditorId } = event.hold;
        rows.holds.set(`${world}${marketId}.${debtorId}.${creditorId}`, { world, seq, ...event.hold });
        break;
      }
      case 'account':
        takeTerms(account(event.accountId), event);
        rows.wholeAccounts.add(`${world}${event.accountId}`);
        break;
      case 'accountClosed':
        account(event.accountId).closed = true;
        rows.wholeAccounts.add(`${world}${event.accountId}`);
        break;
      case 'ledger':
        foldPosting(rows, at, event, account, marketOf);
        break;
      case 'market':
        rows.markets.set(`${world}${event.market.marketId}`, marketRow(event.market, at));
        break;
      case 'archived':
        rows.archives.set(`${world}${event.marketId}`, archiveRow(event, at));
        break;
      case 'archivePart':
        rows.archiveParts.push({ world, seq, ...event });
        break;
      case 'round':
        foldRound(rows, event.round, at);
        break;
      case 'movement':
        rows.movements.push({ world, at: at.at, seq, ...event.movement });
        break;
      case 'conditional':
        if (event.conditional.status !== 'WAITING') rows.conditionalEnds.push(endRow(event.conditional, at));
        break;
      default:
    }
  }
  return moved;
}

function archiveRow(
  { marketId, snapshot }: Extract<Event, { type: 'archived' }>,
  { world, seq }: { world: World; seq: number },
): object {
  return { world, marketId, snapshot: JSON.stringify(snapshot), seq };
}

/** Ends that somebody meant; who met the price of an order is nobody's business. */
const MEANT: ReadonlySet<string | undefined> = new Set(['CANCELLED', 'ACCOUNT_BLOCKED']);

function endRow(
  { code, endCode, ...order }: ConditionalView,
  { world, seq, at, actor }: { world: World; seq: number; at: number; actor: string },
): object {
  return {
    world,
    seq,
    code: code ?? endCode ?? null,
    actor: MEANT.has(endCode) ? actor : null,
    endedAt: at,
    ...order,
  };
}

const MOVING: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'bet',
  'conditional',
  'fill',
  'wallet',
  'hold',
  'account',
  'accountClosed',
  'ledger',
  'archived',
  'archivePart',
  'round',
  'movement',
  'settled',
  'undeclared',
]);

/** Takes a committed batch's rows into the books. */
export function mergeRows(books: Books, rows: Rows): void {
  for (const [name, row] of rows.accounts) {
    if (row.closed) books.accounts.delete(name);
    else books.accounts.set(name, row);
  }
  books.ledgerId = rows.ledgerId;
  rows.parent = null;
}

/**
 * Brings the books on by a committed command's events, for who follows the log and writes no rows. Throws where a wallet
 * differs from its postings (INV-02).
 */
export function followBooks(books: Books, at: { world: World; seq: number }, events: readonly Event[]): void {
  const account = (id: AccountId): AccountRow => {
    const name = `${at.world}${id}`;
    const row = books.accounts.get(name) ?? newAccount(at.world, id);
    row.seq = at.seq;
    books.accounts.set(name, row);
    return row;
  };
  for (const event of events) {
    if (event.type === 'wallet') takeWallet(account(event.accountId), event);
    else if (event.type === 'account') takeTerms(account(event.accountId), event);
    else if (event.type === 'accountClosed') books.accounts.delete(`${at.world}${event.accountId}`);
    else if (event.type === 'ledger') {
      books.ledgerId++;
      for (const entry of event.entries) {
        const id = holderOf(entry.account);
        if (id !== null) takeEntry(account(id), entry.amountMinor);
      }
    }
  }
}

function takeWallet(row: AccountRow, event: Extract<Event, { type: 'wallet' }>): void {
  row.exposure = event.exposureMinor;
  row.held = event.heldMinor;
  row.version = event.version;
  if (row.balance !== event.balanceMinor)
    throw new Error(`INV-02: account ${event.accountId} has ${event.balanceMinor}, its entries make ${row.balance}`);
}

function takeTerms(row: AccountRow, event: Extract<Event, { type: 'account' }>): void {
  row.currency = event.currency;
  row.betBlocked = event.betBlocked;
  row.exposureLimit = event.exposureLimitMinor;
}

function takeEntry(row: AccountRow, amountMinor: number): void {
  row.balance += amountMinor;
  row.entries++;
}

/** The account behind an entry's name; null for the site's own. */
function holderOf(account: string): AccountId | null {
  return account.startsWith('a') ? Number(account.slice(1)) : null;
}

function foldPosting(
  rows: Rows,
  { world, seq, at }: { world: World; seq: number; at: number },
  event: Extract<Event, { type: 'ledger' }>,
  account: (id: AccountId) => AccountRow,
  marketOf: (marketId: number) => { eventId: number; kind: string } | null,
): void {
  const id = ++rows.ledgerId;
  const marketId = event.marketId ?? null;
  const market = marketId === null ? null : marketOf(marketId);
  rows.ledger.push({
    id,
    world,
    seq,
    at,
    kind: event.kind,
    // 0 money in and out, 1 sport, 2 card tables, 3 live casino (specification, statement).
    area: event.round ? 3 : market === null ? 0 : market.kind === 'card' ? 2 : 1,
    provider: event.round?.provider ?? null,
    roundId: event.round?.roundId ?? null,
    game: event.round?.game ?? null,
    text: event.text,
    marketId,
    eventId: market?.eventId ?? null,
    resultVersion: event.resultVersion ?? null,
  });
  let sum = 0;
  event.entries.forEach((entry, line) => {
    sum += entry.amountMinor;
    const accountId = holderOf(entry.account);
    const row: EntryRow = {
      ledgerId: id,
      line,
      world,
      account: entry.account,
      accountId,
      amountMinor: entry.amountMinor,
      n: null,
      balanceAfter: null,
      at,
    };
    if (accountId !== null) {
      const holder = account(accountId);
      takeEntry(holder, entry.amountMinor);
      row.n = holder.entries;
      row.balanceAfter = holder.balance;
    }
    rows.entries.push(row);
  });
  if (sum !== 0) throw new Error(`INV-01: a ${event.kind} posting sums to ${sum}`);
}

function marketRow(view: MarketView, at: { world: World; seq: number; at: number }): object {
  return {
    world: at.world,
    marketId: view.marketId,
    eventId: view.eventId,
    kind: view.kind,
    name: view.name,
    status: view.status,
    result: view.result === null ? null : JSON.stringify(view.result),
    resultVersion: view.resultVersion,
    settledAt: view.result === null ? null : at.at,
    view: JSON.stringify(view),
    seq: at.seq,
  };
}

function foldRound(rows: Rows, round: RoundView, at: { world: World; seq: number }): void {
  const name = `${at.world}${roundKey(round.provider, round.accountId, round.roundId)}`;
  const isNew = round.version === 1 || rows.rounds.get(name)?.isNew === true;
  rows.rounds.set(name, roundRow(round, isNew, at));
}

function roundRow(round: RoundView, isNew: boolean, at: { world: World; seq: number }): RoundRow {
  const { bets: _, ...parts } = round;
  return { ...parts, isNew, world: at.world, view: JSON.stringify(round), seq: at.seq };
}

function newAccount(world: World, id: AccountId): AccountRow {
  return {
    world,
    id,
    kind: id < FIRST_PLAYER ? 'system' : 'player',
    currency: '',
    balance: 0,
    exposure: 0,
    held: 0,
    version: 0,
    betBlocked: false,
    exposureLimit: 0,
    entries: 0,
    closed: false,
    seq: 0,
  };
}
