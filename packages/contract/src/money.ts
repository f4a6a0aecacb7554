/**
 * Numbers that cross the wire: integers only.
 *
 * - money: minor units (1/100 of the account's currency), safe integers;
 * - decimal odds: integer hundredths (1.01 is 101, 1000 is 100000);
 * - rates of bookmaker and session markets: whole numbers per 100;
 * - position sums inside a market: 1/10 000 of the currency (`...E4`), since stake x odds is exact there.
 */

export const CURRENCIES = ['EUR', 'BRL', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Bands of the CLASSIC ladder: [from, to, step] in hundredths (exchange reference, section 2). */
const BANDS: ReadonlyArray<readonly [number, number, number]> = [
  [101, 200, 1],
  [200, 300, 2],
  [300, 400, 5],
  [400, 600, 10],
  [600, 1000, 20],
  [1000, 2000, 50],
  [2000, 3000, 100],
  [3000, 5000, 200],
  [5000, 10_000, 500],
  [10_000, 100_000, 1000],
];

/** The 350 valid prices, ascending, in hundredths. */
export const LADDER: readonly number[] = (() => {
  const prices: number[] = [];
  for (const [from, to, step] of BANDS) for (let p = from; p < to; p += step) prices.push(p);
  prices.push(100_000);
  return prices;
})();

export const MIN_ODDS = 101;
export const MAX_ODDS = 100_000;
export const TICKS = LADDER.length;

const INDEX = (() => {
  const index = new Int16Array(MAX_ODDS + 1).fill(-1);
  for (let i = 0; i < LADDER.length; i++) index[LADDER[i]!] = i;
  return index;
})();

/** Index of a price on the ladder, or -1 when it is not a valid price. */
export function tickIndex(oddsHundredths: number): number {
  return oddsHundredths >= MIN_ODDS && oddsHundredths <= MAX_ODDS ? (INDEX[oddsHundredths] ?? -1) : -1;
}

/** The price `ticks` steps away, kept within the ladder. An off-ladder price is first taken down to its tick. */
export function moveTicks(oddsHundredths: number, ticks: number): number {
  const at = tickIndex(tickAtOrBelow(oddsHundredths));
  return LADDER[Math.min(TICKS - 1, Math.max(0, at + ticks))]!;
}

/** Largest valid price that is not above the given one (1.01 at least). */
export function tickAtOrBelow(oddsHundredths: number): number {
  if (!(oddsHundredths > MIN_ODDS)) return MIN_ODDS;
  if (oddsHundredths >= MAX_ODDS) return MAX_ODDS;
  let lo = 0;
  let hi = TICKS - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (LADDER[mid]! <= oddsHundredths) lo = mid;
    else hi = mid - 1;
  }
  return LADDER[lo]!;
}

/** Smallest valid price that is not below the given one (1000 at most). */
export function tickAtOrAbove(oddsHundredths: number): number {
  const below = tickAtOrBelow(oddsHundredths);
  return below >= oddsHundredths || below === MAX_ODDS ? below : moveTicks(below, 1);
}

/** A typed price rounded to a tick in the player's favour: a back up, a lay down. */
export function tickInFavour(oddsHundredths: number, side: 'BACK' | 'LAY'): number {
  return side === 'BACK' ? tickAtOrAbove(oddsHundredths) : tickAtOrBelow(oddsHundredths);
}

/** Integer division, half away from zero. `by` is positive. */
export function roundDiv(value: number, by: number): number {
  const sign = value < 0 ? -1 : 1;
  return sign * Math.floor((Math.abs(value) * 2 + by) / (by * 2)) || 0;
}

/** Integer division, down (a loss up): exact for every safe integer. `by` is positive. */
export function divFloor(value: number, by: number): number {
  const rest = value % by;
  return (rest < 0 ? (value - rest) / by - 1 : (value - rest) / by) || 0;
}

/** Integer division, up: exact for every safe integer. `by` is positive. */
export function divCeil(value: number, by: number): number {
  return -divFloor(-value, by) || 0;
}

/** A result in 1/10 000 of the currency in minor units, as it is booked: gains down, losses up. */
export function e4ToMinor(e4: number): number {
  return divFloor(e4, 100);
}

/** "1234.56" for 123456. No grouping, no exponent: for files and forms. */
export function minorToText(minor: number): string {
  const abs = Math.abs(minor);
  return `${minor < 0 ? '-' : ''}${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`;
}

/**
 * Minor units of a typed amount, or null when it is not a plain decimal number with at most two decimals.
 * Thousands commas are allowed where they stand right. No exponents, no signs, no other digits than 0-9.
 */
export function parseMinor(text: string): number | null {
  const trimmed = text.trim();
  if (!/^(\d{1,12}|\d{1,3}(,\d{3}){1,3})(\.\d{1,2})?$/.test(trimmed)) return null;
  const [whole, cents = ''] = trimmed.replaceAll(',', '').split('.');
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

/** Odds of a ladder as players read them: two decimals under 10, one from 10 to 19.5, none from 20. Never rounded. */
export function oddsText(oddsHundredths: number): string {
  const decimals = oddsHundredths < 1000 ? 2 : oddsHundredths < 2000 ? 1 : 0;
  const exact = oddsHundredths % 10 ** (2 - decimals) === 0;
  return (oddsHundredths / 100).toFixed(exact ? decimals : 2);
}

/** Odds of a card table, whose steps are hundredths: two decimals under 20, and above where they are needed. */
export const cardOddsText = (oddsHundredths: number): string =>
  oddsHundredths < 2000 ? (oddsHundredths / 100).toFixed(2) : oddsText(oddsHundredths);

/** Hundredths of typed odds, or null when the text is not a plain decimal number. Not rounded to a tick. */
export function parseOdds(text: string): number | null {
  const trimmed = text.trim();
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(trimmed)) return null;
  const [whole, rest = ''] = trimmed.split('.');
  return Number(whole) * 100 + Number(rest.padEnd(2, '0'));
}

/**
 * The price of a runner in an order book, hundredths; 0 where there is none: the last traded while it lies within today's
 * offers, else the best that can be backed. The house quotes without trading, and a trade of an hour ago is no price of now.
 */
export function priceNow(runner: {
  last: number;
  back: ReadonlyArray<readonly [number, number]>;
  lay: ReadonlyArray<readonly [number, number]>;
}): number {
  const back = runner.back[0]?.[0] ?? 0;
  const lay = runner.lay[0]?.[0] ?? 0;
  if (runner.last > 0 && runner.last >= back && (lay === 0 || runner.last <= lay)) return runner.last;
  return back || runner.last;
}
