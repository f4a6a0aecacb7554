/**
 * Reconciliation of a day with a provider (PRV-11): its list of movements against our books, by transaction id. Clocks
 * differ, so each side is asked for more than the day; a movement belongs to the day by the clock of the side that has it.
 */
import type { ProviderClient, ProviderMovement } from './adapters/dialect.ts';
import type { WalletDesk, WalletRow } from './movement.ts';

export const DAY_MS = 86_400_000;
const HOUR_MS = 60 * 60_000;
/** A provider names the moment it first sent a movement, and sends for up to a day; clocks are a little apart. */
const BEFORE_MS = DAY_MS + HOUR_MS;
const AFTER_MS = HOUR_MS;
/** What has been on its way for longer than this is stuck. */
const STUCK_MS = HOUR_MS;
const MOST_PAGES = 10_000;

export interface Difference {
  /** `missing`: we do not have it. `extra`: the provider does not have it. `amount`, `content`: both have it, not the same. */
  readonly kind: 'missing' | 'extra' | 'amount' | 'content';
  readonly txId: string;
  readonly roundId: string;
  readonly what: WalletRow['kind'];
  /** Minor units, null on the side that has nothing. */
  readonly theirsMinor: number | null;
  readonly oursMinor: number | null;
}

export interface Reconciled {
  readonly theirs: number;
  readonly ours: number;
  /** On their way by the provider's word, and not for long, or wins that wait for a person: no difference yet. */
  readonly pending: number;
  readonly differences: Difference[];
}

/** `fromMs` inclusive, `toMs` exclusive. Throws ProviderFault, ProviderRefusal. */
export async function reconcile(
  provider: string,
  client: Pick<ProviderClient, 'transactions'>,
  desk: WalletDesk,
  fromMs: number,
  toMs: number,
  nowMs: number,
): Promise<Reconciled> {
  const theirs = await wholeList(client, fromMs - BEFORE_MS, toMs + AFTER_MS);
  const ours = await desk.movements(provider, fromMs - AFTER_MS, toMs + AFTER_MS);
  const ofTheirs = new Map(theirs.map((row) => [row.txId, row]));
  const ofOurs = new Map(ours.map((row) => [row.txId, row]));
  const inDay = ({ at }: { at: number }) => at >= fromMs && at < toMs;
  const onTheWay = ({ state, at }: ProviderMovement) => state === 'PENDING' && nowMs - at <= STUCK_MS;
  // Taken much later than it was sent: looked up by id before it is called missing.
  const unknown = theirs.filter((row) => !onTheWay(row) && inDay(row) && !ofOurs.has(row.txId));
  for (let at = 0; at < unknown.length; at += 1000) {
    const ids = unknown.slice(at, at + 1000).map(({ txId }) => txId);
    for (const row of await desk.movementsById(provider, ids)) ofOurs.set(row.txId, row);
  }
  const waiting = new Set<string>();
  for (const { txId } of unknown) if (!ofOurs.has(txId) && (await desk.waits(provider, txId))) waiting.add(txId);
  // A rollback of a stake that never came leaves no movement with us: there is nothing it could have moved.
  const refs = unknown.flatMap(({ kind, refTx }) => (kind === 'rollback' && refTx !== undefined ? [refTx] : []));
  for (let at = 0; at < refs.length; at += 1000)
    for (const row of await desk.movementsById(provider, refs.slice(at, at + 1000))) ofOurs.set(row.txId, row);
  const ofNothing = (row: WalletRow) => row.kind === 'rollback' && row.refTx !== undefined && !ofOurs.has(row.refTx);
  // A stake that the side which has it took back again counts for nobody: the other side need not have seen it.
  const undoneThere = rolledBack(theirs);
  const undoneHere = rolledBack(ofOurs.values());
  const differences: Difference[] = [];
  for (const row of theirs) {
    if (onTheWay(row) || waiting.has(row.txId)) continue;
    const own = ofOurs.get(row.txId);
    if (!own) {
      if (inDay(row) && !undoneThere.has(row.txId) && !ofNothing(row))
        differences.push(difference('missing', row, null));
    } else if (inDay(row) || inDay(own)) {
      const kind = unlike(row, own);
      if (kind) differences.push(difference(kind, row, own));
    }
  }
  for (const row of ours) {
    if (inDay(row) && !ofTheirs.has(row.txId) && !undoneHere.has(row.txId))
      differences.push(difference('extra', null, row));
  }
  return {
    theirs: theirs.filter((row) => !onTheWay(row) && inDay(row)).length,
    ours: ours.filter(inDay).length,
    pending: theirs.filter((row) => onTheWay(row) && inDay(row)).length + waiting.size,
    differences,
  };
}

async function wholeList(
  client: Pick<ProviderClient, 'transactions'>,
  fromMs: number,
  toMs: number,
): Promise<ProviderMovement[]> {
  const rows: ProviderMovement[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const told = await client.transactions(fromMs, toMs, after);
    for (const row of told.rows) rows.push(row);
    if (told.next === null || told.next === after) return rows;
    after = told.next;
  }
  return rows;
}

function unlike(theirs: WalletRow, ours: WalletRow): 'amount' | 'content' | null {
  for (const name of ['kind', 'playerRef', 'roundId', 'game', 'currency'] as const)
    if (theirs[name] !== ours[name]) return 'content';
  // What a rollback gave back is in the movement it names; a rollback of nothing (tombstone) gave nothing.
  if (theirs.kind === 'rollback') return theirs.refTx === ours.refTx ? null : 'content';
  const same = theirs.amountMinor === ours.amountMinor && (theirs.creditMinor ?? 0) === (ours.creditMinor ?? 0);
  return same ? null : 'amount';
}

function difference(kind: Difference['kind'], theirs: WalletRow | null, ours: WalletRow | null): Difference {
  const row = (theirs ?? ours)!;
  const sum = (of: WalletRow | null) => (of ? of.amountMinor + (of.creditMinor ?? 0) : null);
  return {
    kind,
    txId: row.txId,
    roundId: row.roundId,
    what: row.kind,
    theirsMinor: sum(theirs),
    oursMinor: sum(ours),
  };
}

function rolledBack(rows: Iterable<WalletRow>): Set<string> {
  const refs = new Set<string>();
  for (const { kind, refTx } of rows) if (kind === 'rollback' && refTx !== undefined) refs.add(refTx);
  return refs;
}
