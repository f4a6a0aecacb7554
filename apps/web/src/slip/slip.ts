import { type BetAnswer, CALLS, type PlaceBody, TIME, tickIndex } from '@fairgame/contract';
import { ApiError, api } from '../api/api.ts';
import { refreshBets } from '../api/refresh.ts';
import { knowBets } from '../live/own-bets.ts';
import { takeWallet } from '../live/wallet.ts';
import { formatMoney } from '../platform/format.ts';
import { newKey } from '../platform/key.ts';
import { Listeners } from '../platform/listeners.ts';
import { perPlayer } from '../platform/per-player.ts';
import { holdReload } from '../platform/reload.ts';
import { toast } from '../platform/toasts.ts';

/**
 * The bet in the slip and the bets on their way. A draft's key is made and stored before anything is sent, so that a lost
 * answer, a reload or a crash ends in exactly one bet and a slip that knows what became of it.
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

/** What to do when the price moved between the press and the answer (OPN-09, exchange reference 11.4). */
export type PriceRule = 'ask' | 'better' | 'any';

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
/** A rule that takes new prices by itself does so this many times for one press; then the player is asked. */
const MOST_TRIES = 3;
const PREFS = 'fg.slip';
let draft: Draft | null = null;
let rule: PriceRule = 'ask';
let review = true;
/** Armed by a switch, off at every start, never remembered. */
let oneClick: number | null = null;
/** Not used for so long it is off again. */
export const ONE_CLICK_MS = 120_000;
let oneClickEnds = 0;
let oneClickTimer: ReturnType<typeof setTimeout> | undefined;
/** What the player pressed, and how often the rule has followed the price since. */
let pressedPrice = 0;
let tries = 0;
const listeners = new Set<() => void>();
/** Listeners of one runner's cells: with hundreds of prices on the screen a press wakes only the cells it changes. */
const ofRunner = new Listeners();
/** Runners the slip took up or left since listeners were last told. */
const touched = new Set<string>();
load();

export const slip = (): Draft | null => draft;
export const priceRule = (): PriceRule => rule;
export const asksFirst = (): boolean => review;
/** Stake of a one-click bet in minor units; null while one-click is off. */
export const oneClickStake = (): number | null => oneClick;
/** When one-click ends by itself, by this device's clock. */
export const oneClickEndsAt = (): number => oneClickEnds;

export function onSlip(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Told when the slip takes up or leaves this runner. */
export const onPicked = (marketId: number, runnerId: number, listener: () => void): (() => void) =>
  ofRunner.add(`${marketId}.${runnerId}`, listener);

export function setPriceRule(next: PriceRule): void {
  rule = next;
  savePrefs();
  tell();
}
export function setAsksFirst(next: boolean): void {
  review = next;
  savePrefs();
  tell();
}
/** Arms one-click with a stake, or ends it; it ends by itself when it is not used for a while. */
export function setOneClick(next: number | null): void {
  oneClick = next;
  clearTimeout(oneClickTimer);
  if (next !== null) {
    oneClickEnds = Date.now() + ONE_CLICK_MS;
    oneClickTimer = setTimeout(() => setOneClick(null), ONE_CLICK_MS);
  }
  tell();
}
/** Each bet placed by it gives it its whole time again. */
export function usedOneClick(): void {
  if (oneClick !== null) setOneClick(oneClick);
}

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
    phase: 'editing',
    message: null,
    field: null,
    refusal: null,
    movedTo: null,
    passwordFor: null,
    answer: null,
    sent: null,
  };
  set(next, 'frame');
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
  set({
    ...draft,
    ...change,
    key: newKey(),
    phase: 'editing',
    message: null,
    field: null,
    refusal: null,
    movedTo: null,
    passwordFor: null,
    answer: null,
    sent: null,
  });
}

export function clearSlip(): void {
  if (!isBusy()) set(null);
}

/** The player goes to another screen: an unsent bet does not follow him. One on its way is told of when it is decided. */
export function leaveSlip(): void {
  if (!draft) return;
  set(isBusy() ? { ...draft, left: true } : null);
}

/** First press: looks once more, where the player wants that. Second press: places. */
export function press(stakeMinor: number): void {
  if (!draft || isBusy()) return;
  if (review && draft.phase !== 'review') set({ ...draft, phase: 'review', message: null });
  else void place(stakeMinor);
}

export function backToEditing(): void {
  if (draft && !isBusy()) set({ ...draft, phase: 'editing' });
}

/** The player places the draft: sends it and follows it to its end. */
export async function place(stakeMinor: number): Promise<void> {
  if (!draft || isBusy()) return;
  tries = 0;
  pressedPrice = draft.price;
  await send(stakeMinor);
}

async function send(stakeMinor: number): Promise<void> {
  if (!draft || isBusy()) return;
  const body: PlaceBody = {
    key: draft.key,
    betId: draft.marketId,
    matchId: draft.matchId,
    runnerId: draft.runnerId,
    bettingType: draft.side,
    odd: draft.price,
    stake: stakeMinor,
    ...(draft.line === undefined ? {} : { line: draft.line }),
    ...(draft.box === undefined ? {} : { placeIndex: draft.box }),
    ...(draft.kind === 'book' ? { persistence: draft.persistence } : {}),
    ...(draft.fillOrKill ? { minFill: stakeMinor } : {}),
    marketVersion: draft.marketVersion,
  };
  set({
    ...draft,
    phase: 'placing',
    sent: body,
    message: null,
    field: null,
    refusal: null,
    movedTo: null,
    passwordFor: null,
  });
  await follow(body, draft.betDelayMs, () =>
    api(CALLS.bets.place, { body }, { quiet: true, timeoutMs: TIME.placeTimeoutMs + (draft?.betDelayMs ?? 0) }),
  );
}

/** After a reload: a bet whose answer never came is asked for before anything else. */
export function resume(): void {
  const open = draft;
  if (!open?.sent || !(open.phase === 'placing' || open.phase === 'checking')) return;
  set({ ...open, phase: 'checking' });
  const body = open.sent;
  void follow(body, open.betDelayMs, () => Promise.reject(new ApiError(0, 'NETWORK', '')));
}

async function follow(body: PlaceBody, delayMs: number, send: () => Promise<BetAnswer>): Promise<void> {
  const release = holdReload();
  try {
    finish(body, await send());
  } catch (error) {
    if (error instanceof ApiError && !error.unknown) refuse(body, error);
    else await ask(body, delayMs, error);
  } finally {
    release();
  }
}

const NOT_ARRIVED = 'Your bet was not placed: the connection was lost before it arrived. Nothing was taken.';

/** Asks what became of the key, and says in the slip why it has to. */
async function ask(body: PlaceBody, delayMs: number, lost: unknown): Promise<void> {
  // A server that said why it could not take the bet is quoted; a lost line is told in the slip's own words.
  const said = lost instanceof ApiError && lost.code === 'UNAVAILABLE' ? lost.message : null;
  if (draft?.sent?.key === body.key) set({ ...draft, phase: 'checking', message: said });
  try {
    finish(body, await fateOf(body.key, delayMs, () => draft?.sent?.key !== body.key));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refuse(body, error.code === 'KEY_UNKNOWN' ? new ApiError(404, 'KEY_UNKNOWN', said ?? NOT_ARRIVED) : error);
  }
}

/**
 * What became of a placing key whose answer was lost: asked until there is an answer. A key nothing was taken under is given
 * up by the server, so that it never will be: then this rejects with KEY_UNKNOWN.
 */
export async function fateOf(key: string, delayMs: number, gaveUp: () => boolean = () => false): Promise<BetAnswer> {
  for (let round = 0; ; round++) {
    try {
      return await api(CALLS.bets.settleKey, { body: { key } }, { quiet: true, timeoutMs: 8000 + delayMs });
    } catch (error) {
      if (!(error instanceof ApiError) || gaveUp()) throw error;
      if (!error.unknown && error.status < 500 && error.status !== 429) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** round, 5000)));
  }
}

function finish(body: PlaceBody, answer: BetAnswer): void {
  takeWallet(answer.wallet);
  knowBets([answer.bet]);
  refreshBets();
  if (draft?.sent?.key !== body.key) return;
  if (draft.left) {
    toast.success(`${draft.runnerName}: your bet is placed`, BETS_PATH);
    set(null);
  } else set({ ...draft, phase: 'done', answer, sent: null, key: newKey(), message: null });
}

/** Where a bet is looked up. */
const BETS_PATH = '/unsettled-bet';

/** What others took of a quote is gone: the player is told what is left of it. */
function wordsOf({ message, current }: ApiError): string {
  if (current?.sizeMinor === undefined) return message;
  return `At most ${formatMoney(current.sizeMinor)} can be bet at this price now.`;
}

function refuse(body: PlaceBody, error: ApiError): void {
  if (draft?.sent?.key !== body.key) return;
  if (draft.left) {
    toast.error(`${draft.runnerName}: ${error.message}`);
    set(null);
    return;
  }
  const moved = error.current?.price ?? null;
  const next: Draft = {
    ...draft,
    phase: 'refused',
    // A bet that only wants the password first is the same bet under the same key (PP-11).
    key: error.code === 'STEP_UP_REQUIRED' ? body.key : newKey(),
    sent: null,
    message: wordsOf(error),
    field: error.field ?? null,
    refusal: error.code,
    movedTo: moved,
    passwordFor: error.code === 'STEP_UP_REQUIRED' ? body.stake : null,
  };
  if (error.current?.version !== undefined) next.marketVersion = error.current.version;
  set(next);
  if (moved !== null && acceptable(draft, moved)) {
    set({
      ...next,
      price: moved,
      ...(error.current?.line === undefined ? {} : { line: error.current.line }),
      phase: 'editing',
      message: null,
      movedTo: null,
      passwordFor: null,
    });
    tries += 1;
    void send(body.stake);
  }
}

/** The password was given: the bet that waited for it goes on, as it stands in the slip now. */
export function goOnAfterPassword(): void {
  const stake = draft?.passwordFor;
  if (stake) void place(stake);
}

/** The player does not give the password now: the bet stays in the slip, unplaced. */
export function leavePassword(): void {
  if (draft?.passwordFor) set({ ...draft, passwordFor: null });
}

/**
 * Does the player's rule take the new price without asking? A moved line is another bet: it is always asked. "Any" has its
 * bounds: a few tries, and no price that wins less than half of what was pressed, or costs more than twice as much.
 */
function acceptable(bet: Draft, price: number): boolean {
  if (bet.line !== undefined || rule === 'ask' || tries >= MOST_TRIES) return false;
  const gain = (at: number) => (kindOfRate(bet.kind) ? at : at - 100);
  if (rule === 'better') return bet.side === 'BACK' ? price >= pressedPrice : price <= pressedPrice;
  return bet.side === 'BACK' ? gain(price) * 2 >= gain(pressedPrice) : gain(price) <= gain(pressedPrice) * 2;
}

/** Rates are won per 100; odds hold the stake. */
const kindOfRate = (kind: string): boolean => kind === 'bookmaker' || kind === 'session';

/** A price the ladder knows, where the market has one. */
export const isValidPrice = (kind: string, price: number): boolean =>
  kind === 'book' ? tickIndex(price) >= 0 : price > 0;

function set(next: Draft | null, when: 'now' | 'frame' = 'now'): void {
  for (const one of [draft, next]) if (one) touched.add(`${one.marketId}.${one.runnerId}`);
  draft = next;
  try {
    if (next) sessionStorage.setItem(STORE, JSON.stringify({ ...next, version: DRAFT_VERSION }));
    else sessionStorage.removeItem(STORE);
  } catch {
    // Storage full or switched off: the slip works on, only a reload forgets it.
  }
  // Drawn in the frame itself: rendered before it, the browser lays the page out twice (its hover test asks for it).
  if (when === 'frame') requestAnimationFrame(tell);
  else tell();
}

function load(): void {
  try {
    const text = sessionStorage.getItem(STORE);
    const { version, ...stored } = JSON.parse(text ?? '{}') as Draft & { version?: number };
    if (version === DRAFT_VERSION) draft = stored;
    const prefs = JSON.parse(localStorage.getItem(PREFS) ?? '{}') as { rule?: PriceRule; review?: boolean };
    if (prefs.rule === 'better' || prefs.rule === 'any') rule = prefs.rule;
    if (prefs.review === false) review = false;
  } catch {
    draft = null;
  }
}

function savePrefs(): void {
  localStorage.setItem(PREFS, JSON.stringify({ rule, review }));
}

perPlayer(() => {
  setOneClick(null);
  set(null);
});

function tell(): void {
  const runners = [...touched];
  touched.clear();
  for (const listener of listeners) listener();
  for (const key of runners) ofRunner.tell(key);
}
