import { describe, TABLES, type TableCode } from '@fairgame/casino';
import { stemOf } from '../src/features/casino/stem.ts';

/** Every text of the card tables that a player reads, once; names and hints by their stems (features/casino/stem.ts). */
export function casinoMessages(): string[] {
  const all = new Set<string>();
  const named = (...texts: string[]) => {
    for (const text of texts) {
      const { stem } = stemOf(text);
      // "SP", "K♠", "1-4": nothing to translate.
      if (/[a-z]{2}/.test(stem)) all.add(stem);
    }
  };
  for (const code of Object.keys(TABLES) as TableCode[]) {
    const { seats, layout, groups, selections, rules, handRanks, endings } = describe(code);
    named(...[...seats, ...layout.sides, ...endings].map(({ name }) => name), ...groups, ...handRanks);
    for (const { name, label, hint, pays } of selections)
      named(name, label, hint, ...(pays ?? []).map(({ when }) => when));
    for (const rule of rules) all.add(rule);
  }
  return [...all];
}
