/**
 * Answers by client-made key (INV-08). The newest are in memory, all are in the table. A filter of bits says of most new
 * keys at once that the table does not have them, so that a fresh bet costs no look-up.
 */
import { roundKey } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import { type Fate, unpackFate } from './answers.ts';

/** Bits of the filter: 16 MiB; with four bits an id it stays sharp to some twenty million, then look-ups slowly return. */
const BITS = 2 ** 27;
const PLACES = 4;
const NEWEST = 10_000;
const PAGE = 1000;
/** While it is read the database does other things for so many times as long: at a start everything else waits for it too. */
const REST = 3;
const LEAST_REST_MS = 2;
const RETRY_MS = 1000;

export interface Kept {
  payloadHash: string;
  fate: Fate;
}

export interface Keys {
  /** The kept answer; undefined when there is none; null when only the table can say. */
  look(id: string): Kept | undefined | null;
  fetch(actor: string, key: string): Promise<Kept | undefined>;
  /** `answer` is the fate as the table has it (`packFate`). */
  add(id: string, payloadHash: string, answer: string): void;
  /** The table has the key; its answer is there. */
  note(id: string): void;
  /** A round of a provider is in its table; `mayHaveRound` says false only where it certainly is not. */
  noteRound(id: string): void;
  mayHaveRound(id: string): boolean;
  /**
   * Reads all keys of the table into the filter, in small pages; until then every unknown key costs a look-up. Tried again
   * until it is done or stopped; once, however often it is asked for.
   */
  load(): Promise<void>;
  stop(): void;
}

export function keyId(actor: string, key: string): string {
  return `${actor}\n${key}`;
}

export function createKeys(db: Pick<Db, 'query'>, log: Log): Keys {
  const filter = new Uint8Array(BITS / 8);
  /**
   * As texts: most are never asked for, and ten thousand answers that live for seconds as objects cost more than reading one.
   */
  const newest = new Map<string, { payloadHash: string; answer: string }>();
  /** Their ids in a ring. A map's own order would have to be searched: it steps over every entry that was ever taken out. */
  const order: string[] = [];
  let oldest = 0;
  let whole = false;
  let stopped = false;
  let loading: Promise<void> | null = null;
  const add: Keys['add'] = (id, payloadHash, answer) => {
    mark(filter, id);
    if (order.length === NEWEST) newest.delete(order[oldest]!);
    newest.set(id, { payloadHash, answer: inOnePiece(answer) });
    order[oldest] = id;
    oldest = (oldest + 1) % NEWEST;
  };

  const isStopped = (): boolean => stopped;
  const readKeys = (): Promise<void> =>
    readPages(db, KEYS, isStopped, ({ actor, key }) => mark(filter, keyId(actor, key)));
  const readRounds = (): Promise<void> =>
    readPages(db, ROUNDS, isStopped, (row) =>
      mark(filter, roundName(roundKey(row.provider, row.account_id, row.round_id))),
    );

  async function load(): Promise<void> {
    while (!stopped && !whole) {
      try {
        await readKeys();
        await readRounds();
        whole = !stopped;
      } catch (error) {
        log.warn({ err: error }, 'the keys could not be read; tried again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }

  return {
    add,
    note: (id) => mark(filter, id),
    noteRound: (id) => mark(filter, roundName(id)),
    mayHaveRound: (id) => !whole || has(filter, roundName(id)),
    look(id) {
      const kept = newest.get(id);
      if (kept) return { payloadHash: kept.payloadHash, fate: unpackFate(kept.answer) };
      return whole && !has(filter, id) ? undefined : null;
    },
    async fetch(actor, key) {
      const [row] = await db.query<{ payload_hash: string; answer: string }>(
        'SELECT payload_hash, answer FROM idempotency WHERE actor = $1 AND key = $2',
        [actor, key],
      );
      return row && { payloadHash: row.payload_hash, fate: unpackFate(row.answer) };
    },
    load() {
      loading ??= load();
      return loading;
    },
    stop() {
      stopped = true;
    },
  };
}

/** The first bet that was taken under each of these keys, by the key. */
export async function firstBets(
  db: Pick<Db, 'query'>,
  asked: ReadonlyArray<{ actor: string; key: string }>,
): Promise<Map<string, number>> {
  if (asked.length === 0) return new Map();
  const rows = await db.query<{ key: string; bet_id: number }>(
    `SELECT i.key, i.bet_id FROM unnest($1::text[], $2::text[]) AS d (actor, key)
       JOIN idempotency i ON i.actor = d.actor AND i.key = d.key WHERE i.bet_id IS NOT NULL`,
    [asked.map(({ actor }) => actor), asked.map(({ key }) => key)],
  );
  return new Map(rows.map((row) => [row.key, row.bet_id]));
}

interface Pages<Row> {
  sql: string;
  /** Before the first row. */
  first: Row;
  values: (row: Row) => unknown[];
}

const KEYS: Pages<{ actor: string; key: string }> = {
  sql: `SELECT actor, key FROM idempotency WHERE (actor, key) > ($1, $2) ORDER BY actor, key LIMIT ${PAGE}`,
  first: { actor: '', key: '' },
  values: ({ actor, key }) => [actor, key],
};

const ROUNDS: Pages<{ provider: string; account_id: number; round_id: string }> = {
  sql: `SELECT provider, account_id, round_id FROM provider_rounds WHERE (provider, account_id, round_id) > ($1, $2, $3)
          ORDER BY provider, account_id, round_id LIMIT ${PAGE}`,
  first: { provider: '', account_id: 0, round_id: '' },
  values: (row) => [row.provider, row.account_id, row.round_id],
};

async function readPages<Row>(
  db: Pick<Db, 'query'>,
  { sql, first, values }: Pages<Row>,
  isStopped: () => boolean,
  take: (row: Row) => void,
): Promise<void> {
  let after = first;
  while (!isStopped()) {
    const asked = performance.now();
    const rows = await db.query<Row>(sql, values(after));
    for (const row of rows) take(row);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!;
    await restSince(asked);
  }
}

function restSince(asked: number): Promise<void> {
  const ms = Math.max(LEAST_REST_MS, REST * (performance.now() - asked));
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Put together of forty pieces, a text stays a tree of them until it is looked into: seven times as large, and all of it to be collected. */
const inOnePiece = (text: string): string => (text.charCodeAt(0) === 0 ? '' : text);

const roundName = (id: string) => `round\n${id}`;

function mark(filter: Uint8Array, id: string): void {
  const [a, step] = sums(id);
  for (let k = 0; k < PLACES; k++) {
    const bit = place(a, step, k);
    filter[bit >>> 3]! |= 1 << (bit & 7);
  }
}

function has(filter: Uint8Array, id: string): boolean {
  const [a, step] = sums(id);
  for (let k = 0; k < PLACES; k++) {
    const bit = place(a, step, k);
    if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

const place = (a: number, step: number, k: number): number => ((a + Math.imul(k, step)) >>> 0) % BITS;

/** Two sums over the text (FNV-1a with two bases), of which all places are made. */
function sums(id: string): [number, number] {
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  for (let i = 0; i < id.length; i++) {
    const char = id.charCodeAt(i);
    a = Math.imul(a ^ char, 0x01000193);
    b = Math.imul(b ^ char, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return [a, b | 1];
}
