import { perPlayer } from '../platform/per-player.ts';
import { device } from '../platform/storage.ts';
import { tellSlip } from './draft.ts';

/** How the player wants to place: what to do with a moved price, whether to look once more, and bets by one click. */

/** What to do when the price moved between the press and the answer (OPN-09, exchange reference 11.4). */
export type PriceRule = 'ask' | 'better' | 'any';

const PREFS = 'fg.slip';
let { rule, review } = load();
/** Armed by a switch, off at every start, never remembered. */
let oneClick: number | null = null;
/** Not used for so long it is off again. */
export const ONE_CLICK_MS = 120_000;
let oneClickEnds = 0;
let oneClickTimer: ReturnType<typeof setTimeout> | undefined;

export const priceRule = (): PriceRule => rule;
export const asksFirst = (): boolean => review;
/** Stake of a one-click bet in minor units; null while one-click is off. */
export const oneClickStake = (): number | null => oneClick;
/** When one-click ends by itself, by this device's clock. */
export const oneClickEndsAt = (): number => oneClickEnds;

export function setPriceRule(next: PriceRule): void {
  rule = next;
  savePrefs();
  tellSlip();
}
export function setAsksFirst(next: boolean): void {
  review = next;
  savePrefs();
  tellSlip();
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

function load(): { rule: PriceRule; review: boolean } {
  const { rule, review } = Object(device.value(PREFS)) as { rule?: PriceRule; review?: boolean };
  return { rule: rule === 'better' || rule === 'any' ? rule : 'ask', review: review !== false };
}

function savePrefs(): void {
  device.keep(PREFS, { rule, review });
}

perPlayer(() => setOneClick(null));
