import { type BetAnswer, CALLS, type PlaceBody, TIME } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { ApiError, api, refresh, refreshBets } from '../api/api.ts';
import { knowBets, takeWallet } from '../live/live.ts';
import { formatMoney } from '../platform/format.ts';
import { newKey } from '../platform/key.ts';
import { say } from '../platform/language.ts';
import { named } from '../platform/named.ts';
import { holdReload } from '../platform/reload.ts';
import { toast } from '../platform/toasts.ts';
import { broughtBy } from './after.ts';
import { betOf, bets, type Draft, drop, isBusy, setDraft, slip, UNSENT } from './draft.ts';
import { fateOf } from './fate.ts';
import { asksFirst, priceRule } from './settings.ts';

/** Sends the draft and follows it to its end, whatever becomes of the answer. */

/** A rule that takes new prices by itself does so this many times for one press; then the player is asked. */
const MOST_TRIES = 3;
interface Run {
  /** What the player pressed, and how often the rule has followed the price since. */
  pressedPrice: number;
  tries: number;
}

/**
 * First press: looks once more, where the player wants that. Second press: places. `id`: the bet that he sees; another that was
 * pressed since, and is yet to be drawn, is not placed unseen.
 */
export function press(stakeMinor: number, id: number): void {
  const draft = slip();
  if (draft?.pressed !== id || isBusy()) return;
  if (asksFirst() && draft.phase !== 'review') setDraft({ ...draft, phase: 'review', message: null });
  else void place(stakeMinor);
}

/** The player places a bet of the slip, the last pressed where none is named: sends it and follows it to its end. */
export async function place(stakeMinor: number, id = slip()?.pressed): Promise<void> {
  const draft = betOf(id);
  if (draft && !isBusy(draft)) await send(draft, stakeMinor, { pressedPrice: draft.price, tries: 0 });
}

async function send(draft: Draft, stakeMinor: number, run: Run): Promise<void> {
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
    ...broughtBy(draft),
    marketVersion: draft.marketVersion,
  };
  setDraft({ ...draft, ...UNSENT, phase: 'placing', sent: body });
  await follow(body, draft.betDelayMs, run, () =>
    api(CALLS.bets.place, { body }, { quiet: true, timeoutMs: TIME.placeTimeoutMs + draft.betDelayMs }),
  );
}

/** After a reload: a bet whose answer never came is asked for before anything else. */
export function resume(): void {
  for (const open of bets()) {
    if (!open.sent || !isBusy(open)) continue;
    setDraft({ ...open, phase: 'checking' });
    const run = { pressedPrice: open.price, tries: 0 };
    void follow(open.sent, open.betDelayMs, run, () => Promise.reject(new ApiError(0, 'NETWORK', '')));
  }
}

/** The bet of the slip that was sent under this key; null: it is not there any more. */
const sentAs = (key: string): Draft | null => bets().find(({ sent }) => sent?.key === key) ?? null;

async function follow(body: PlaceBody, delayMs: number, run: Run, send: () => Promise<BetAnswer>): Promise<void> {
  const release = holdReload();
  try {
    finish(body, await send());
  } catch (error) {
    if (error instanceof ApiError && !error.unknown) refuse(body, error, run);
    else await ask(body, delayMs, run, error);
  } finally {
    release();
  }
}

const NOT_ARRIVED = msg`Your bet was not placed: the connection was lost before it arrived. Nothing was taken.`;

/** Asks what became of the key, and says in the slip why it has to. */
async function ask(body: PlaceBody, delayMs: number, run: Run, lost: unknown): Promise<void> {
  // A server that said why it could not take the bet is quoted; a lost line is told in the slip's own words.
  const said = lost instanceof ApiError && lost.code === 'UNAVAILABLE' ? lost.message : null;
  const draft = sentAs(body.key);
  if (draft) setDraft({ ...draft, phase: 'checking', message: said });
  try {
    finish(body, await fateOf(body.key, delayMs, () => sentAs(body.key) === null));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refuse(
      body,
      error.code === 'KEY_UNKNOWN' ? new ApiError(404, 'KEY_UNKNOWN', said ?? say(NOT_ARRIVED)) : error,
      run,
    );
  }
}

function finish(body: PlaceBody, answer: BetAnswer): void {
  takeWallet(answer.wallet);
  knowBets([answer.bet]);
  refreshBets();
  if (answer.orders) refresh(CALLS.trader.conditionals);
  const draft = sentAs(body.key);
  if (!draft) return;
  if (draft.left) {
    toast.success(t`${{ runner: named(draft.runnerName) }}: your bet is placed`, BETS_PATH);
    drop(draft);
  } else setDraft({ ...draft, phase: 'done', answer, sent: null, key: newKey(), message: null });
}

/** Where a bet is looked up. */
const BETS_PATH = '/unsettled-bet';

/** What others took of a quote is gone: the player is told what is left of it. A price that is none may be that of its offset. */
function wordsOf({ message, current, field }: ApiError): string {
  if (field === 'offset.ticks') return t`The offset goes beyond the last price there is.`;
  if (current?.sizeMinor === undefined) return message;
  return t`At most ${{ amount: formatMoney(current.sizeMinor) }} can be bet at this price now.`;
}

function refuse(body: PlaceBody, error: ApiError, run: Run): void {
  const draft = sentAs(body.key);
  if (!draft) return;
  if (draft.left) {
    toast.error(`${named(draft.runnerName)}: ${error.message}`);
    drop(draft);
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
  setDraft(next);
  if (moved !== null && acceptable(draft, moved, run)) {
    const followed = {
      ...next,
      ...UNSENT,
      price: moved,
      ...(error.current?.line === undefined ? {} : { line: error.current.line }),
    };
    setDraft(followed);
    void send(followed, body.stake, { ...run, tries: run.tries + 1 });
  }
}

/** The password was given: what waited for it goes on, as it stands in the slip now. */
export function goOnAfterPassword(): void {
  for (const { passwordFor, pressed } of bets()) if (passwordFor) void place(passwordFor, pressed);
}

/**
 * Does the player's rule take the new price without asking? A moved line is another bet: it is always asked. "Any" has its
 * bounds: a few tries, and no price that wins less than half of what was pressed, or costs more than twice as much.
 */
function acceptable(bet: Draft, price: number, { pressedPrice, tries }: Run): boolean {
  if (bet.line !== undefined || priceRule() === 'ask' || tries >= MOST_TRIES) return false;
  const gain = (at: number) => (kindOfRate(bet.kind) ? at : at - 100);
  if (priceRule() === 'better') return bet.side === 'BACK' ? price >= pressedPrice : price <= pressedPrice;
  return bet.side === 'BACK' ? gain(price) * 2 >= gain(pressedPrice) : gain(price) <= gain(pressedPrice) * 2;
}

/** Rates are won per 100; odds hold the stake. */
const kindOfRate = (kind: string): boolean => kind === 'bookmaker' || kind === 'session';
