import type { BetAnswer, PlaceBody } from '@fairgame/contract';
import type { ApiError } from '../api/api.ts';
import { newKey } from '../platform/key.ts';
import { Listeners, Signal } from '../platform/listeners.ts';
import { perPlayer } from '../platform/per-player.ts';
import { tab } from '../platform/storage.ts';

/**
 * The bet in the slip, or several where the player keeps several. A draft's key is made and stored before anything is sent, so
 * that a lost answer, a reload or a crash ends in exactly one bet and a slip that knows what became of it.
 */
export interface Selection {
  matchId: number;
  marketId: number;
  runnerId: number;
  kind: string;
  side: 'BACK' | 'LAY';
  /** Hundredths, or a rate per 100. */
  price: number;
  line?: number;
  box?: number;
  runnerName: string;
  marketName: string;
  eventName: string;
  marketVersion: number;
  betDelayMs: number;
  minStakeMinor: number;
  maxStakeMinor: number;
}

export type Phase =
  | 'editing'
  /** "Ask before placing": the player looks once more. */
  | 'review'
  | 'placing'
  /** The answer was lost; its fate is being asked. */
  | 'checking'
  | 'done'
  | 'refused';

export interface Draft extends Selection {
  key: string;
  /** Counts the presses on a price: each one, also of the same runner, starts the form anew. No two bets of the slip have one. */
  pressed: number;
  stakeText: string;
  persistence: 'LAPSE' | 'PERSIST';
  fillOrKill: boolean;
  /** Ticks from it at which its other side is placed once it is matched; 0: none. */
  offset: number;
  /** Seconds after which what is unmatched of it ends, as a ladder asked for; 0: never. */
  seconds: number;
  phase: Phase;
  /** The server's words, shown in the slip until the next try. */
  message: string | null;
  field: string | null;
  /** Why the server refused. */
  refusal: ApiError['code'] | null;
  /** The price the market moved to, when that is why it was refused. */
  movedTo: number | null;
  /** The stake that waits for the player's password: it was refused because the session had been idle for an hour. */
  passwordFor: number | null;
  answer: BetAnswer | null;
  /** What was sent, as long as its fate is open. */
  sent: PlaceBody | null;
  /** The player went on to another screen while it was on its way: its fate is told as a message. */
  left?: true;
}

const STORE = 'fg.player.slip';
/** Of a stored draft: another one was kept by another build of the client, whose fields may mean something else. */
const DRAFT_VERSION = 4;
let held: readonly Draft[] = load();
const changed = new Signal();
/** Listeners of one runner's cells: with hundreds of prices on the screen a press wakes only the cells it changes. */
const ofRunner = new Listeners();
/** Nothing was sent yet, and nothing said to it. */
export const UNSENT = {
  phase: 'editing',
  message: null,
  field: null,
  refusal: null,
  movedTo: null,
  passwordFor: null,
  answer: null,
  sent: null,
} as const satisfies Partial<Draft>;
/** Runners the slip took up or left since listeners were last told. */
const touched = new Set<string>();
/** Bets that gave way to another since then, and to which: until that is drawn a form still stands for the one that went. */
const heirs = new Map<number, number>();

/** All of them, in the order of their first presses. */
export const bets = (): readonly Draft[] => held;
/** The one pressed last. */
export const slip = (): Draft | null =>
  held.reduce<Draft | null>((last, one) => (last && last.pressed > one.pressed ? last : one), null);
export const betOf = (id: number | undefined): Draft | null => held.find(({ pressed }) => pressed === id) ?? null;
export const onSlip = changed.on;

/** Told when the slip takes up or leaves this runner. */
export const onPicked = (marketId: number, runnerId: number, listener: () => void): (() => void) =>
  ofRunner.add(`${marketId}.${runnerId}`, listener);

/** Stands for whatever price a cell shows: house quotes are followed by their place, not by their price. */
export const ANY_PRICE = -1;

/** The price with which the slip holds this side of a runner (and this box), ANY_PRICE, or null when it does not. */
export function pricePicked(marketId: number, runnerId: number, side: 'BACK' | 'LAY', box = 0): number | null {
  const one = held.find(
    (bet) =>
      bet.phase !== 'done' &&
      bet.marketId === marketId &&
      bet.runnerId === runnerId &&
      bet.side === side &&
      (bet.box ?? 0) === box,
  );
  return one ? (one.kind === 'book' ? one.price : ANY_PRICE) : null;
}

export const isBusy = (one = slip()): boolean => one?.phase === 'placing' || one?.phase === 'checking';

type Change = Partial<
  Pick<Draft, 'stakeText' | 'price' | 'line' | 'persistence' | 'fillOrKill' | 'offset' | 'seconds' | 'marketVersion'>
>;

/** Edits what the player may edit; another bet than the one refused gets another key. `id`: which; the last pressed. */
export function edit(change: Change, id = slip()?.pressed): void {
  let heir = id;
  for (let next = heir; next !== undefined; next = heirs.get(next)) heir = next;
  const one = betOf(heir);
  if (one && !isBusy(one)) setDraft({ ...one, ...(heir === id ? change : meantFor(change)), key: newKey(), ...UNSENT });
}

/** What was typed after a press of another price is meant for that one, but for what is of the price that stood there. */
function meantFor({ price: _price, line: _line, marketVersion: _version, ...rest }: Change): Change {
  return rest;
}

/** One bet gives way to another, which is yet to be drawn. */
export const giveWay = (one: Draft, to: Draft): void => void heirs.set(one.pressed, to.pressed);

/** Takes one out, the last pressed where none is named; a bet on its way stays. */
export function clearSlip(id = slip()?.pressed): void {
  const one = betOf(id);
  if (one && !isBusy(one)) drop(one);
}

/** The player goes to another screen: an unsent bet does not follow him. One on its way is told of when it is decided. */
export function leaveSlip(): void {
  if (held.length > 0) setBets(held.filter((one) => isBusy(one)).map((one) => ({ ...one, left: true })));
}

export function backToEditing(): void {
  const one = slip();
  if (one && !isBusy(one)) setDraft({ ...one, phase: 'editing' });
}

/** The player does not give the password now: the bet stays in the slip, unplaced. */
export function leavePassword(): void {
  if (held.some(({ passwordFor }) => passwordFor)) setBets(held.map((one) => ({ ...one, passwordFor: null })));
}

/** Puts a bet in the place of what it was. */
export const setDraft = (next: Draft): void => setBets(held.map((one) => (one.pressed === next.pressed ? next : one)));
export const drop = ({ pressed }: Draft): void => setBets(held.filter((one) => one.pressed !== pressed));

/** The one place that changes what is in the slip: stores it, then tells those who show it. */
export function setBets(next: readonly Draft[], when: 'now' | 'frame' = 'now'): void {
  for (const one of [...held, ...next])
    if (!held.includes(one) || !next.includes(one)) touched.add(`${one.marketId}.${one.runnerId}`);
  held = next;
  const last = slip();
  tab.keep(STORE, last && { ...last, others: held.filter((one) => one !== last), version: DRAFT_VERSION });
  // Drawn in the frame itself: rendered before it, the browser lays the page out twice (its hover test asks for it).
  if (when === 'frame') requestAnimationFrame(tellSlip);
  else tellSlip();
}

function load(): Draft[] {
  type Stored = Draft & { version?: number; others?: Draft[] };
  const { version, others = [], ...last } = Object(tab.value(STORE)) as Stored;
  return version === DRAFT_VERSION ? [...others, last] : [];
}

perPlayer(() => setBets([]));

/** Wakes who shows the slip, and the cells of the runners it took up or left. */
export function tellSlip(): void {
  const runners = [...touched];
  touched.clear();
  heirs.clear();
  changed.tell();
  for (const key of runners) ofRunner.tell(key);
}
