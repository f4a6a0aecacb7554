import { describe, expect, it } from 'vitest';
import { RULES_TEXTS } from '../src/account/rules-texts.ts';

/** The rules texts as data; the screens that show them have their own tests. */
describe('rules texts', () => {
  const categories = RULES_TEXTS.flatMap((entry) => entry.rules.map((part) => part.category));

  it('[RUL-06] the categories include Bookmaker, Fancy, Match, General, khado and fancy1, and others', () => {
    for (const name of ['Bookmaker', 'Fancy', 'Match', 'General', 'khado', 'fancy1'])
      expect(categories).toContain(name);
    expect(new Set(categories).size).toBeGreaterThan(6);
  });

  it('[RUL-08] every line is a full sentence in one of the three colours, and none stands twice in its category', () => {
    for (const { sportName, rules } of RULES_TEXTS) {
      for (const { category, description } of rules) {
        const texts = description.map((line) => line.text);
        expect({ sportName, category, twice: texts.length - new Set(texts).size }).toEqual({
          sportName,
          category,
          twice: 0,
        });
        for (const { text, color } of description) {
          expect(['red', 'black', 'none']).toContain(color);
          expect(text).toMatch(/^[A-Z].*\.$/);
        }
      }
    }
  });
});
