import { t } from '@lingui/core/macro';
import { onLineLost } from '../live/live.ts';
import { perPlayer } from '../platform/per-player.ts';
import { device } from '../platform/storage.ts';
import { toast } from '../platform/toasts.ts';
import { type Draft, edit, tellSlip } from './draft.ts';

/** How the player wants to place: what to do with a moved price, whether to look once more, and bets by one click. */

/** What to do when the price moved between the press and the answer (OPN-09, exchange reference 11.4). */
export type PriceRule = 'ask' | 'better' | 'any';

type Kept = Pick<Draft, 'persistence' | 'fillOrKill' | 'offset'>;
/** The most ticks of an offset. */
export const MOST_TICKS = 100;
interface Prefs extends Kept {
  rule: PriceRule;
  review: boolean;
  several: boolean;
}

const PREFS = 'fg.slip';
let { rule, review, several, persistence, fillOrKill, offset } = load();
/** Armed by a switch, off at every start, never remembered. */
let oneClick: number | null = null;
/** Not used for so long it is off again. */
export const ONE_CLICK_MS = 120_000;
let oneClickEnds = 0;
let oneClickTimer: ReturnType<typeof setTimeout> | undefined;

export const priceRule = (): PriceRule => rule;
export const asksFirst = (): boolean => review;
/** A pressed price is added to those in the slip, and does not replace them. */
export const keepsSeveral = (): boolean => several;
/** What becomes of the unmatched rest of a bet in a book, and what follows its match, as last chosen in the slip. */
export const choicesKept = (): Kept => ({ persistence, fillOrKill, offset });
/** Stake of a one-click bet in minor units; null while one-click is off. */
export const oneClickStake = (): number | null => oneClick;
/** When one-click ends by itself, by this device's clock. */
export const oneClickEndsAt = (): number => oneClickEnds;

export function setPriceRule(next: PriceRule): void {
  rule = next;
  savePrefs();
}
export function setAsksFirst(next: boolean): void {
  review = next;
  savePrefs();
}
export function setKeepsSeveral(next: boolean): void {
  several = next;
  savePrefs();
}
/** Of this bet, and of those to come. */
export function keepChoice(next: Partial<Kept>, id: number): void {
  persistence = next.persistence ?? persistence;
  fillOrKill = next.fillOrKill ?? fillOrKill;
  offset = next.offset ?? offset;
  savePrefs();
  edit(next, id);
}
/** Arms one-click with a stake, or ends it; it ends by itself when it is not used for a while. */
export function setOneClick(next: number | null): void {
  oneClick = next;
  clearTimeout(oneClickTimer);
  if (next !== null) {
    oneClickEnds = Date.now() + ONE_CLICK_MS;
    oneClickTimer = setTimeout(() => setOneClick(null), ONE_CLICK_MS);
  }
  tellSlip();
}
/** Each bet placed by it gives it its whole time again. */
export function usedOneClick(): void {
  if (oneClick !== null) setOneClick(oneClick);
}

function load(): Prefs {
  const { rule, review, several, persistence, fillOrKill, offset } = Object(device.value(PREFS)) as Partial<Prefs>;
  return {
    rule: rule === 'better' || rule === 'any' ? rule : 'ask',
    review: review !== false,
    several: several === true,
    persistence: persistence === 'PERSIST' ? 'PERSIST' : 'LAPSE',
    fillOrKill: fillOrKill === true,
    offset: Number.isInteger(offset) ? Math.max(0, Math.min(offset!, MOST_TICKS)) : 0,
  };
}

function savePrefs(): void {
  device.keep(PREFS, { rule, review, several, persistence, fillOrKill, offset });
  tellSlip();
}

perPlayer(() => setOneClick(null));
// Who saw neither prices nor what became of his bets looks again before a press places.
onLineLost(() => {
  if (oneClick === null) return;
  setOneClick(null);
  toast.info(t`One-click is off: the connection was lost.`);
});
