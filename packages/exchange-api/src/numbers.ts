/** Numbers of the format are decimal and ours are integers: read from their text, so that 2.3 is 230 and nothing else. */
import { roundDiv } from '@fairgame/contract';

const DECIMAL = /^(-?)(\d{1,13})(?:\.(\d{1,20}))?$/;

/** Hundredths of a decimal, or null where it is none, too large or finer than two decimals. */
export function hundredths(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign, whole, rest = ''] = match;
  if (/[1-9]/.test(rest.slice(2))) return null;
  const found = Number(whole) * 100 + Number(rest.slice(0, 2).padEnd(2, '0'));
  return sign === '-' ? -found || 0 : found;
}

/** A number that came under a name, as a number; nothing where it is none. */
export function numberNamed<N extends string>(name: N, value: unknown): { [K in N]?: number } {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN);
  return (Number.isFinite(number) ? { [name]: number } : {}) as { [K in N]?: number };
}

/** As it is written: money, prices and percentages of hundredths. */
export const decimal = (hundredthsOf: number): number => hundredthsOf / 100;

/** The average price of what is matched, two decimals, half away; 0 while nothing is. */
export const averagePrice = (matchedSum: number, matchedMinor: number): number =>
  matchedMinor === 0 ? 0 : decimal(roundDiv(matchedSum, matchedMinor));

/** Always with three decimals: programs read them with a fixed pattern. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
