import type { PlaceBody } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useCallback, useSyncExternalStore } from 'react';
import { formatStake } from '../../platform/format.ts';
import { Signal } from '../../platform/listeners.ts';
import { perPlayer } from '../../platform/per-player.ts';
import { tab } from '../../platform/storage.ts';

/** A bet as its chips lie on a field, at the price it was laid at. Chips on one field are one bet. Nothing is sent yet. */
export interface Laid {
  /** The field: selection, choice and side. */
  readonly id: string;
  readonly selectionId: number;
  readonly runnerId: number;
  readonly side: 'BACK' | 'LAY';
  /** Hundredths, or a rate per 100. */
  readonly price: number;
  readonly line: number | null;
  /** Ranks or digits the player chose. */
  readonly pick: readonly number[] | null;
  readonly name: string;
  readonly minMinor: number;
  readonly maxMinor: number;
  readonly stakeMinor: number;
}

/** A bet on its way, under its key; `placed` until the list of bets has it. `password`: it waits for the player's. */
export interface Sent extends Laid {
  readonly body: PlaceBody;
  readonly fate: 'sending' | 'checking' | 'password' | 'placed';
  /** Number of the placed bet. */
  readonly betId: number | null;
}

export interface TableChips {
  /** The round these chips are for. */
  readonly marketId: number;
  readonly window: number;
  readonly laid: readonly Laid[];
  /** What lay before each press, for undo. */
  readonly past: ReadonlyArray<readonly Laid[]>;
  readonly sent: readonly Sent[];
  /** The bets of the last round played here, to be laid again. */
  readonly played: { readonly marketId: number; readonly bets: readonly Laid[] };
  /** The player looks once more before the bets are placed. */
  readonly review: boolean;
  readonly said: Said | null;
}

/** What happened last, in the table's words; `placed` are the bets that were taken. */
export interface Said {
  readonly tone: 'ok' | 'warn' | 'err';
  readonly text: string;
  readonly placed: readonly Laid[];
}

const STORE = 'fg.player.chips';
const MOST_UNDO = 60;
const EMPTY: TableChips = {
  marketId: 0,
  window: 0,
  laid: [],
  past: [],
  sent: [],
  played: { marketId: 0, bets: [] },
  review: false,
  said: null,
};

/** By the event of the table. */
const tables = new Map<number, TableChips>(load());
const changed = new Signal();
export const onChips = changed.on;
perPlayer(() => {
  tables.clear();
  changed.tell();
});

/** Every table's, by the event of the table. */
export const allChips = (): ReadonlyArray<readonly [number, TableChips]> => [...tables];
export const chipsOf = (matchId: number): TableChips => tables.get(matchId) ?? EMPTY;

export function useChips(matchId: number): TableChips {
  return useSyncExternalStore(
    onChips,
    useCallback(() => chipsOf(matchId), [matchId]),
  );
}

export const sumOf = (bets: ReadonlyArray<{ stakeMinor: number }>): number =>
  bets.reduce((sum, one) => sum + one.stakeMinor, 0);

/** Bets whose answer is still out. */
export const onTheirWay = ({ sent }: TableChips): readonly Sent[] => sent.filter(({ fate }) => fate !== 'placed');

/**
 * The round on the table. Chips of another round that were not placed come back to the player, and can be laid again; bets on
 * their way are followed to their end whatever the table does.
 */
export function follow(matchId: number, round: { betId: number; window: number; phase: string }): void {
  const now = chipsOf(matchId);
  if (now.marketId !== round.betId) {
    if (now.marketId === 0 && now.laid.length === 0) {
      if (tables.has(matchId)) putChips(matchId, { ...now, marketId: round.betId, window: round.window });
      return;
    }
    const { played } = now;
    putChips(matchId, {
      ...now,
      marketId: round.betId,
      window: round.window,
      laid: [],
      past: [],
      review: false,
      sent: now.sent.filter(({ fate }) => fate !== 'placed'),
      played:
        now.laid.length > 0 && played.marketId !== now.marketId ? { marketId: now.marketId, bets: now.laid } : played,
      said: now.laid.length > 0 ? warn(t`Betting closed before your chips were placed. They are back.`) : null,
    });
  } else if (round.phase === 'OPEN' && now.window !== round.window) putChips(matchId, { ...now, window: round.window });
}

/** Puts a chip on a field. What the field cannot take is said, and changes nothing. */
export function lay(
  matchId: number,
  round: { betId: number; window: number },
  bet: Omit<Laid, 'stakeMinor'>,
  stakeMinor: number,
): boolean {
  const now = chipsOf(matchId);
  const laid = now.marketId === round.betId ? now.laid : [];
  const held = laid.find(({ id }) => id === bet.id);
  const stake = (held?.stakeMinor ?? 0) + stakeMinor;
  const refusal = refusalOf(bet, stake);
  if (refusal) {
    say(matchId, warn(refusal));
    return false;
  }
  const next = { ...bet, stakeMinor: stake };
  putChips(matchId, {
    ...now,
    marketId: round.betId,
    window: round.window,
    laid: held ? laid.map((one) => (one === held ? next : one)) : [...laid, next],
    past: [...(now.marketId === round.betId ? now.past : []), laid].slice(-MOST_UNDO),
    review: false,
    said: null,
  });
  return true;
}

function refusalOf({ name, maxMinor }: Pick<Laid, 'name' | 'maxMinor'>, stakeMinor: number): string | null {
  return stakeMinor > maxMinor ? t`The largest stake on ${name} is ${{ stake: formatStake(maxMinor) }}.` : null;
}

/** Another set of chips on the fields, which undo takes back. */
function relay(matchId: number, laid: readonly Laid[], said: TableChips['said'] = null): void {
  const now = chipsOf(matchId);
  putChips(matchId, { ...now, laid, past: [...now.past, now.laid].slice(-MOST_UNDO), review: false, said });
}

export function undo(matchId: number): void {
  const now = chipsOf(matchId);
  const before = now.past.at(-1);
  if (before) putChips(matchId, { ...now, laid: before, past: now.past.slice(0, -1), review: false, said: null });
}

export const clearChips = (matchId: number): void => relay(matchId, []);

export const takeOff = (matchId: number, id: string): void =>
  relay(
    matchId,
    chipsOf(matchId).laid.filter((one) => one.id !== id),
  );

/** Doubles what lies there, as far as each field takes it. */
export function double(matchId: number): void {
  const { laid } = chipsOf(matchId);
  const doubled = laid.map((one) => ({ ...one, stakeMinor: Math.min(one.stakeMinor * 2, one.maxMinor) }));
  const short = doubled.some((one, at) => one.stakeMinor < laid[at]!.stakeMinor * 2);
  relay(matchId, doubled, short ? warn(t`Doubled as far as the limits go.`) : null);
}

/** Lays the bets of the last round again, at the prices of now. `offer` gives what a bet would be now, or null. */
export function repeat(matchId: number, offer: (bet: Laid) => Omit<Laid, 'stakeMinor'> | null): void {
  const now = chipsOf(matchId);
  const laid = now.played.bets.flatMap((bet) => {
    const at = offer(bet);
    return at ? [{ ...at, stakeMinor: Math.min(bet.stakeMinor, at.maxMinor) }] : [];
  });
  const left = now.played.bets.length - laid.length;
  const missing = plural(left, { one: 'One bet is not offered now.', other: '# bets are not offered now.' });
  relay(matchId, laid, left > 0 ? warn(missing) : null);
}

/** Takes the prices of now for the bets that lie there; what is not offered any more comes off. */
export function accept(matchId: number, offer: (bet: Laid) => Omit<Laid, 'stakeMinor'> | null): void {
  relay(
    matchId,
    chipsOf(matchId).laid.flatMap((bet) => {
      const at = offer(bet);
      return at ? [{ ...at, stakeMinor: bet.stakeMinor }] : [];
    }),
  );
}

export function setReview(matchId: number, review: boolean): void {
  putChips(matchId, { ...chipsOf(matchId), review });
}

/** On leaving the page of a table nothing of what was not placed stays on it. */
export function leaveTables(): void {
  for (const [matchId, now] of tables)
    if (now.laid.length > 0 || now.said) putChips(matchId, { ...now, laid: [], past: [], review: false, said: null });
}

/** The list of bets has these now. */
export function known(matchId: number, betIds: ReadonlySet<number>): void {
  const now = chipsOf(matchId);
  const sent = now.sent.filter(({ betId }) => betId === null || !betIds.has(betId));
  if (sent.length < now.sent.length) putChips(matchId, { ...now, sent });
}

export function say(matchId: number, said: Said): void {
  putChips(matchId, { ...chipsOf(matchId), review: false, said });
}

export const warn = (text: string): Said => ({ tone: 'warn', text, placed: [] });

export function putChips(matchId: number, next: TableChips): void {
  tables.set(matchId, next);
  const kept = [...tables].filter(([, { laid, sent }]) => laid.length > 0 || sent.length > 0);
  tab.keep(STORE, kept.length === 0 ? null : kept.map(([id, table]) => [id, { ...table, past: [] }]));
  changed.tell();
}

function load(): Array<[number, TableChips]> {
  const kept = tab.value(STORE);
  return Array.isArray(kept) ? (kept as Array<[number, TableChips]>) : [];
}
