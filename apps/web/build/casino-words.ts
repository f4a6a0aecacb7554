import { describe, TABLES, type TableCode } from '@fairgame/casino';
import { CARD_WORDS, stemOf } from '../src/features/casino/stem.ts';

/** What hands come to, as the games note it under a seat. */
const HANDS = [
  '{a} high',
  'Pair of {a}',
  'Trail of {a}',
  '{a} to {b}',
  'one card to come',
  'two cards to come',
  'Two pair',
  '{a} and {b}',
  'Three {a}',
  'Straight to the {a}',
  'Full house',
  '{a} over {b}',
  'Four {a}',
  'Straight flush to the {a}',
  'Royal flush',
  '{a} of {b}',
  '{a} of {b} and {c} of {d}',
  'Low {a}',
  'High {a}',
  'spade {a}',
  'Pana {a}',
  'Total {a}',
  '{a} card',
  '{a} cards',
];

/** Every text of the card tables that a player reads, once; names and hints by their stems (features/casino/stem.ts). */
export function casinoMessages(): string[] {
  const all = new Set<string>([...HANDS, ...CARD_WORDS]);
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
