/** FAIRGAME_CURRENCIES and FAIRGAME_LIMITS: which currencies accounts may have, and what stakes are in each. */
import { CURRENCIES } from '@fairgame/contract';
import type { Currency, Terms } from './core/core.ts';

const KINDS: ReadonlySet<string> = new Set([
  '*',
  'book',
  'bookmaker',
  'session',
  'fancy1',
  'oddEven',
  'cricketCasino',
  'khado',
  'meter',
  'overByover',
  'ballByBall',
  'tied',
  'completed',
  'card',
]);
/** How many times the stakes of a site in EUR, where nothing else is said (decisions: EUR and USD alike). */
const FACTORS: Record<Currency, number> = { EUR: 1, USD: 1, BRL: 5 };
const MOST_MINOR = 2_147_483_647;

export function readCurrencies(names: readonly string[], problems: string[]): readonly Currency[] {
  const currencies = names.length === 0 ? ['EUR' as const] : (names as Currency[]);
  const known = currencies.every((name) => CURRENCIES.includes(name)) && new Set(currencies).size === currencies.length;
  if (!known) problems.push(`FAIRGAME_CURRENCIES must name some of ${CURRENCIES.join(', ')}, each once`);
  return currencies;
}

/**
 * `{"BRL": {"factor": 5, "book": [500, 2500000], "*": [500, 125000]}}`: by currency how many times the stakes and sizes of the
 * home currency, and least and greatest stake by kind of market in minor units, in place of the market's own.
 */
export function readTerms(text: string | undefined, problems: string[]): Partial<Record<Currency, Terms>> {
  const terms: Partial<Record<Currency, Terms>> = {};
  for (const currency of CURRENCIES) terms[currency] = { factor: FACTORS[currency], limits: {} };
  const given = parsed(text ?? '{}');
  if (!given) {
    problems.push('FAIRGAME_LIMITS must be a JSON object');
    return terms;
  }
  for (const [currency, of] of Object.entries(given)) {
    const own = terms[currency as Currency];
    if (!own || typeof of !== 'object' || of === null) {
      problems.push(`FAIRGAME_LIMITS: ${currency} must be one of ${CURRENCIES.join(', ')} with an object`);
      continue;
    }
    for (const [name, what] of Object.entries(of)) {
      if (name === 'factor' && isWhole(what, 1000)) own.factor = what;
      else if (KINDS.has(name) && isPair(what))
        own.limits[name as keyof Terms['limits']] = { minStakeMinor: what[0], maxStakeMinor: what[1] };
      else
        problems.push(
          `FAIRGAME_LIMITS: ${currency}.${name} must be a factor of 1 to 1000, or a kind of market with [least, greatest]`,
        );
    }
  }
  return terms;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function isWhole(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most;
}

function isPair(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return isWhole(value[0], MOST_MINOR) && isWhole(value[1], MOST_MINOR) && value[0] <= value[1];
}
