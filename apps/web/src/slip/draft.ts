import type { BetAnswer, PlaceBody } from '@fairgame/contract';
import type { ApiError } from '../api/api.ts';
import { newKey } from '../platform/key.ts';
import { Listeners, Signal } from '../platform/listeners.ts';
import { perPlayer } from '../platform/per-player.ts';
import { tab } from '../platform/storage.ts';

/**
 * The bet in the slip. A draft's key is made and stored before anything is sent, so that a lost answer, a reload or a crash
 * ends in exactly one bet and a slip that knows what became of it.
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
  /** Counts the presses on a price: each one, also of the same runner, starts the form anew. */
  pressed: number;
  stakeText: string;
  persistence: 'LAPSE' | 'PERSIST';
  fillOrKill: boolean;
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
const DRAFT_VERSION = 2;
let draft: Draft | null = load();
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

export const slip = (): Draft | null => draft;
export const onSlip = changed.on;

/** Told when the slip takes up or leaves this runner. */
export const onPicked = (marketId: number, runnerId: number, listener: () => void): (() => void) =>
  ofRunner.add(`${marketId}.${runnerId}`, listener);
/** A price was pressed. A bet on its way is never replaced: its answer comes first. */
export function select(selection: Selection, stakeText = ''): void {
  if (isBusy()) return;
  const same =
    draft &&
    draft.marketId === selection.marketId &&
    draft.runnerId === selection.runnerId &&
    draft.side === selection.side;
  const next: Draft = {
    ...selection,
    key: newKey(),
    pressed: (draft?.pressed ?? 0) + 1,
    stakeText: same || (draft && draft.phase !== 'done') ? (draft?.stakeText ?? stakeText) : stakeText,
    persistence: 'LAPSE',
    fillOrKill: false,
    ...UNSENT,
  };
  setDraft(next, 'frame');
}

/** Stands for whatever price a cell shows: house quotes are followed by their place, not by their price. */
export const ANY_PRICE = -1;

/** The price with which the slip holds this side of a runner (and this box), ANY_PRICE, or null when it does not. */
export function pricePicked(marketId: number, runnerId: number, side: 'BACK' | 'LAY', box = 0): number | null {
  if (draft === null || draft.phase === 'done') return null;
  if (draft.marketId !== marketId || draft.runnerId !== runnerId) return null;
  if (draft.side !== side || (draft.box ?? 0) !== box) return null;
  return draft.kind === 'book' ? draft.price : ANY_PRICE;
}

export const isBusy = (): boolean => draft?.phase === 'placing' || draft?.phase === 'checking';

/** Edits what the player may edit; another bet than the one refused gets another key. */
export function edit(
  change: Partial<Pick<Draft, 'stakeText' | 'price' | 'line' | 'persistence' | 'fillOrKill' | 'marketVersion'>>,
): void {
  if (!draft || isBusy()) return;
  setDraft({ ...draft, ...change, key: newKey(), ...UNSENT });
}

export function clearSlip(): void {
  if (!isBusy()) setDraft(null);
}

/** The player goes to another screen: an unsent bet does not follow him. One on its way is told of when it is decided. */
export function leaveSlip(): void {
  if (!draft) return;
  setDraft(isBusy() ? { ...draft, left: true } : null);
}

export function backToEditing(): void {
  if (draft && !isBusy()) setDraft({ ...draft, phase: 'editing' });
}

/** The player does not give the password now: the bet stays in the slip, unplaced. */
export function leavePassword(): void {
  if (draft?.passwordFor) setDraft({ ...draft, passwordFor: null });
}

/** The one place that changes the draft: stores it, then tells those who show it. */
export function setDraft(next: Draft | null, when: 'now' | 'frame' = 'now'): void {
  for (const one of [draft, next]) if (one) touched.add(`${one.marketId}.${one.runnerId}`);
  draft = next;
  tab.keep(STORE, next && { ...next, version: DRAFT_VERSION });
  // Drawn in the frame itself: rendered before it, the browser lays the page out twice (its hover test asks for it).
  if (when === 'frame') requestAnimationFrame(tellSlip);
  else tellSlip();
}

function load(): Draft | null {
  const { version, ...stored } = Object(tab.value(STORE)) as Draft & { version?: number };
  return version === DRAFT_VERSION ? stored : null;
}

perPlayer(() => setDraft(null));

/** Wakes who shows the slip, and the cells of the runners it took up or left. */
export function tellSlip(): void {
  const runners = [...touched];
  touched.clear();
  changed.tell();
  for (const key of runners) ofRunner.tell(key);
}
