import type { PlaceBody } from '@fairgame/contract';
import { useCallback, useSyncExternalStore } from 'react';
import { newKey } from '../../api/key.ts';
import { perPlayer } from '../../session/per-player.ts';
import { formatMoney } from '../../ui/format.ts';
import { type Fate, sendBets } from './send-bets.ts';

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
const listeners = new Set<() => void>();
perPlayer(() => {
  tables.clear();
  underWay.clear();
  tell();
});

export const chipsOf = (matchId: number): TableChips => tables.get(matchId) ?? EMPTY;

export function useChips(matchId: number): TableChips {
  return useSyncExternalStore(
    onChips,
    useCallback(() => chipsOf(matchId), [matchId]),
  );
}

function onChips(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
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
      if (tables.has(matchId)) set(matchId, { ...now, marketId: round.betId, window: round.window });
      return;
    }
    const { played } = now;
    set(matchId, {
      ...now,
      marketId: round.betId,
      window: round.window,
      laid: [],
      past: [],
      review: false,
      sent: now.sent.filter(({ fate }) => fate !== 'placed'),
      played:
        now.laid.length > 0 && played.marketId !== now.marketId ? { marketId: now.marketId, bets: now.laid } : played,
      said: now.laid.length > 0 ? warn('Betting closed before your chips were placed. They are back.') : null,
    });
  } else if (round.phase === 'OPEN' && now.window !== round.window) set(matchId, { ...now, window: round.window });
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
  set(matchId, {
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
  return stakeMinor > maxMinor ? `The largest stake on ${name} is ${amount(maxMinor)}.` : null;
}

/** Another set of chips on the fields, which undo takes back. */
function relay(matchId: number, laid: readonly Laid[], said: TableChips['said'] = null): void {
  const now = chipsOf(matchId);
  set(matchId, { ...now, laid, past: [...now.past, now.laid].slice(-MOST_UNDO), review: false, said });
}

export function undo(matchId: number): void {
  const now = chipsOf(matchId);
  const before = now.past.at(-1);
  if (before) set(matchId, { ...now, laid: before, past: now.past.slice(0, -1), review: false, said: null });
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
  relay(matchId, doubled, short ? warn('Doubled as far as the limits go.') : null);
}

/** Lays the bets of the last round again, at the prices of now. `offer` gives what a bet would be now, or null. */
export function repeat(matchId: number, offer: (bet: Laid) => Omit<Laid, 'stakeMinor'> | null): void {
  const now = chipsOf(matchId);
  const laid = now.played.bets.flatMap((bet) => {
    const at = offer(bet);
    return at ? [{ ...at, stakeMinor: Math.min(bet.stakeMinor, at.maxMinor) }] : [];
  });
  const left = now.played.bets.length - laid.length;
  relay(matchId, laid, left > 0 ? warn(`${left === 1 ? 'One bet is' : `${left} bets are`} not offered now.`) : null);
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
  set(matchId, { ...chipsOf(matchId), review });
}

/** Sends the bets that lie there (or the named ones) in one go. Their keys are stored first. */
export async function place(matchId: number, ids?: readonly string[]): Promise<void> {
  const now = chipsOf(matchId);
  const going = now.laid.filter(({ id }) => ids === undefined || ids.includes(id));
  const small = going.find(({ stakeMinor, minMinor }) => stakeMinor < minMinor);
  if (small) return say(matchId, warn(`The smallest stake on ${small.name} is ${amount(small.minMinor)}.`));
  if (going.length === 0) return;
  const sent = going.map((bet): Sent => ({ ...bet, body: bodyOf(matchId, now, bet), fate: 'sending', betId: null }));
  const same = now.played.marketId === now.marketId;
  set(matchId, {
    ...now,
    laid: now.laid.filter((bet) => !going.includes(bet)),
    past: [],
    sent: [...now.sent, ...sent],
    played: { marketId: now.marketId, bets: merged(same ? now.played.bets : [], going) },
    review: false,
    said: null,
  });
  await send(matchId, sent);
}

const waitsForPassword = ({ fate }: Sent): boolean => fate === 'password';

/** Whether bets of any table wait for the player's password. */
export const usePasswordAsked = (): boolean =>
  useSyncExternalStore(onChips, () => [...tables.values()].some(({ sent }) => sent.some(waitsForPassword)));

/** The password was given: the bets that waited for it go on under their keys. */
export function goOn(): void {
  for (const [matchId, { sent }] of tables) {
    const waiting = sent.filter(waitsForPassword);
    for (const { body } of waiting) mark(matchId, body.key, 'sending');
    if (waiting.length > 0) void send(matchId, waiting);
  }
}

/** The password is not given now: the chips are back on their fields. */
export function giveBack(): void {
  for (const [matchId, { sent }] of tables) for (const bet of sent.filter(waitsForPassword)) takeBack(matchId, bet);
}

/** After a reload: bets whose answer never came are asked for before anything else. */
export function resumeChips(): void {
  for (const [matchId, { sent }] of tables) {
    const open = sent.filter(
      ({ fate, body }) => (fate === 'sending' || fate === 'checking') && !underWay.has(body.key),
    );
    if (open.length > 0) void send(matchId, open, true);
  }
}

/** On leaving the page of a table nothing of what was not placed stays on it. */
export function leaveTables(): void {
  for (const [matchId, now] of tables)
    if (now.laid.length > 0 || now.said) set(matchId, { ...now, laid: [], past: [], review: false, said: null });
}

/** The list of bets has these now. */
export function known(matchId: number, betIds: ReadonlySet<number>): void {
  const now = chipsOf(matchId);
  const sent = now.sent.filter(({ betId }) => betId === null || !betIds.has(betId));
  if (sent.length < now.sent.length) set(matchId, { ...now, sent });
}

function bodyOf(matchId: number, { marketId, window }: TableChips, bet: Laid): PlaceBody {
  return {
    key: newKey(),
    betId: marketId,
    matchId,
    runnerId: bet.pick ? bet.selectionId : bet.runnerId,
    bettingType: bet.side,
    odd: bet.price,
    stake: bet.stakeMinor,
    window,
    ...(bet.line === null ? {} : { line: bet.line }),
    ...(bet.pick === null ? {} : { pick: [...bet.pick] }),
  };
}

/** Keys this page follows to their end already. */
const underWay = new Set<string>();

async function send(matchId: number, sent: readonly Sent[], knownBefore = false): Promise<void> {
  for (const { body } of sent) underWay.add(body.key);
  const placed: Laid[] = [];
  const reasons = new Set<string>();
  const step = (key: string, fate: Fate) => {
    const bet = chipsOf(matchId).sent.find(({ body }) => body.key === key);
    if (fate.is !== 'checking') underWay.delete(key);
    if (!bet) return;
    if (fate.is === 'checking') mark(matchId, key, 'checking');
    else if (fate.is === 'placed') {
      placed.push(bet);
      mark(matchId, key, 'placed', fate.answer.bet.id);
    } else if (fate.code === 'STEP_UP_REQUIRED') mark(matchId, key, 'password');
    else {
      reasons.add(`${bet.name}: ${fate.message}`);
      takeBack(matchId, bet);
    }
  };
  await sendBets(
    sent.map(({ body }) => body),
    step,
    knownBefore,
  );
  if (reasons.size > 0) say(matchId, { tone: 'err', text: `Not placed: ${[...reasons].join(' ')}`, placed });
  else if (placed.length > 0) say(matchId, { tone: 'ok', text: '', placed });
}

function mark(matchId: number, key: string, fate: Sent['fate'], betId: number | null = null): void {
  const now = chipsOf(matchId);
  set(matchId, { ...now, sent: now.sent.map((one) => (one.body.key === key ? { ...one, fate, betId } : one)) });
}

/** A bet that was not taken goes back to its field while its round is on the table. */
function takeBack(matchId: number, sent: Sent): void {
  const now = chipsOf(matchId);
  const { body, fate: _fate, betId: _betId, ...bet } = sent;
  const back = body.betId === now.marketId && !now.laid.some(({ id }) => id === bet.id);
  set(matchId, {
    ...now,
    sent: now.sent.filter((one) => one.body.key !== body.key),
    laid: back ? [...now.laid, bet] : now.laid,
  });
}

function merged(before: readonly Laid[], more: readonly Laid[]): Laid[] {
  const all = new Map(before.map((bet) => [bet.id, bet]));
  for (const bet of more) {
    const held = all.get(bet.id);
    all.set(bet.id, held ? { ...bet, stakeMinor: held.stakeMinor + bet.stakeMinor } : bet);
  }
  return [...all.values()];
}

function say(matchId: number, said: Said): void {
  set(matchId, { ...chipsOf(matchId), review: false, said });
}

const warn = (text: string): Said => ({ tone: 'warn', text, placed: [] });

/** 2.50, and 25 for 25.00. */
const amount = (minor: number): string => formatMoney(minor, minor % 100 === 0 ? 0 : 2);

function set(matchId: number, next: TableChips): void {
  tables.set(matchId, next);
  try {
    const kept = [...tables].filter(([, { laid, sent }]) => laid.length > 0 || sent.length > 0);
    if (kept.length === 0) sessionStorage.removeItem(STORE);
    else sessionStorage.setItem(STORE, JSON.stringify(kept.map(([id, table]) => [id, { ...table, past: [] }])));
  } catch {
    // Without storage the chips work on, only a reload forgets them.
  }
  tell();
}

function load(): Array<[number, TableChips]> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORE) ?? '[]');
    return Array.isArray(kept) ? (kept as Array<[number, TableChips]>) : [];
  } catch {
    return [];
  }
}

function tell(): void {
  for (const listener of listeners) listener();
}
