import type { Ending, Result, TableInfo } from '@fairgame/casino';
import type { CardResult } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { listed } from '../../platform/format.ts';
import { filled, language, wordsOf } from '../../platform/language.ts';
import { handStemOf, stemOf } from './stem.ts';

/** How the words of the tables stand among the messages of a language: by their English (build/messages.ts). */
const keyOf = (english: string): string => `casino:${english}`;

/**
 * A text of packages/casino in the language of the page: as a whole, or by its stem with its codes; what is no word stays.
 * The texts come from there and stand nowhere here: `npm run languages` gathers them for the translators.
 */
export function casinoWords(english: string): string {
  if (language() === 'en') return english;
  const whole = wordsOf(keyOf(english), english);
  if (whole !== english) return filled(whole);
  const { stem, held } = stemOf(english);
  const said = wordsOf(keyOf(stem), english);
  return said === english ? english : filled(said, held);
}

/** What a hand comes to, "King high, one card to come": its parts each by itself, its ranks and suits within them. */
export function noteWords(english: string): string {
  if (language() === 'en') return english;
  return listed(...english.split(', ').map(partWords));
}

function partWords(english: string): string {
  const whole = casinoWords(english);
  if (whole !== english) return whole;
  const { stem, held } = handStemOf(english);
  const said = wordsOf(keyOf(stem), english);
  if (said === english) return english;
  const values = Object.entries(held).map(([name, word]) => [name, casinoWords(word.toLowerCase())]);
  return filled(said, Object.fromEntries(values));
}

/** A table with its words in the language of the page. */
export function spoken<Info extends TableInfo>(info: Info): Info {
  if (language() === 'en') return info;
  const named = <One extends { name: string }>(one: One): One => ({ ...one, name: casinoWords(one.name) });
  return {
    ...info,
    seats: info.seats.map(named),
    layout: { ...info.layout, sides: info.layout.sides.map(named) },
    groups: info.groups.map(casinoWords),
    selections: info.selections.map((one) => ({
      ...named(one),
      group: casinoWords(one.group),
      label: casinoWords(one.label),
      hint: casinoWords(one.hint),
      pays: one.pays?.map((pay) => ({ ...pay, when: casinoWords(pay.when) })) ?? null,
    })),
    rules: info.rules.map(casinoWords),
    handRanks: info.handRanks.map(casinoWords),
    endings: info.endings.map(named),
  };
}

/** How a round ended. The reason is a sentence of its cards and told in English; another language names who or what won. */
export function resultWords(
  info: TableInfo,
  result: Pick<Result, 'win' | 'badge' | 'winners' | 'void' | 'words'>,
): string {
  if (language() === 'en') return result.words;
  if (result.void) return t`No result. Stakes are returned.`;
  const winners = listed(...result.winners.map((seat) => info.seats[seat]?.name));
  const ending = info.endings.find(({ win }) => win === result.win)?.name;
  return t`Result: ${{ result: winners || ending || result.badge }}`;
}

/** The same of a round of which only its row is known; several seats may have won it. */
export function endingWords(
  { win, badge, text }: Pick<CardResult, 'win' | 'badge' | 'text'>,
  endings: readonly Pick<Ending, 'win' | 'name'>[],
): string {
  if (language() === 'en') return text || badge;
  const wins = win.split(',');
  const names = endings.filter((one) => wins.includes(one.win)).map(({ name }) => casinoWords(name));
  return listed(...names) || badge;
}
