import { ENDINGS, endOf } from '../endings.ts';
import {
  type Game,
  inOrder,
  LOSE,
  NO_CHANCES,
  type Pick,
  type PickRule,
  pays,
  type Selection,
  seat,
  selection,
  windowsAt,
  won,
} from '../game.ts';
import { ankOf, type PanaKind, panaKind, panaOf, worliDigit } from '../hands.ts';
import { PACES, sideBySide } from './card-bets.ts';

interface Drawn {
  readonly pana: string;
  readonly kind: PanaKind;
  readonly ank: number;
}

/** All 220 panas with what they are. */
const PANAS: readonly Drawn[] = (() => {
  const found = new Map<string, Drawn>();
  for (let number = 0; number < 1000; number++) {
    const digits = [Math.floor(number / 100), Math.floor(number / 10) % 10, number % 10];
    const pana = panaOf(digits);
    found.set(pana, { pana, kind: panaKind(pana), ank: ankOf(digits) });
  }
  return [...found.values()];
})();

const KIND_WORDS = { SP: 'three different', DP: 'a pair', TP: 'three equal' } as const;

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];

/** Single digits, and lines of five at a fifth of the odds. */
function singles(singleOdds: number, lineOdds: number, returnPpm: number): Selection<Drawn>[] {
  const line = (id: number, name: string, hint: string, has: (ank: number) => boolean) =>
    selection<Drawn>({
      id,
      name,
      group: 'Line',
      label: name.replace(' Single', ''),
      hint,
      price: { back: lineOdds },
      returnPpm,
      limit: 'side',
      mark: ({ ank }) => won(has(ank)),
    });
  return [
    ...DIGITS.map((digit, index) =>
      selection<Drawn>({
        id: index + 1,
        name: `${digit} Single`,
        group: 'Single',
        label: String(digit),
        price: { back: singleOdds },
        returnPpm,
        limit: 'side',
        mark: ({ ank }) => won(ank === digit),
      }),
    ),
    line(11, 'Line 1 Single', '1 to 5', (ank) => ank >= 1 && ank <= 5),
    line(12, 'Line 2 Single', '6 to 9 and 0', (ank) => ank >= 6 || ank === 0),
    line(13, 'Odd Single', '1 3 5 7 9', (ank) => ank % 2 === 1),
    line(14, 'Even Single', '2 4 6 8 0', (ank) => ank % 2 === 0),
  ];
}

function worliGame(selections: readonly Selection<Drawn>[], rules: readonly string[]): Game<Drawn> {
  return {
    family: 'worli',
    deck: 'D40',
    seats: [seat('C', 'Cards')],
    pace: PACES.single.pace,
    layout: sideBySide('pads', 1, 3),
    selections,
    rules: [
      'The cards ace to 10 of one deck, three cards; ace is 1, 10 is 0.',
      'The single is the last digit of the sum. The pana is the three digits in order, 1 lowest, 0 highest.',
      ...rules,
    ],
    handRanks: [],
    nextSeat: inOrder([0, 0, 0]),
    windowMs: windowsAt({ 0: PACES.single.first }),
    outcome: ({ cards }) => {
      const digits = cards.map(worliDigit);
      const pana = panaOf(digits);
      return { pana, kind: panaKind(pana), ank: ankOf(digits) };
    },
    endings: ENDINGS.worli,
    result: ({ pana, kind, ank }) => ({
      ...endOf(ENDINGS.worli, String(ank)),
      text: `${pana}|${kind}|${ank}`,
      words: `Pana ${pana.split('').join(' ')} (${KIND_WORDS[kind]}), single ${ank}.`,
      winners: [],
      best: [],
      void: false,
    }),
    chances: () => NO_CHANCES,
    note: ({ cards }) => (cards.length === 3 ? `Pana ${panaOf(cards.map(worliDigit))}` : ''),
  };
}

export const worli2: Game<Drawn> = worliGame(singles(900, 180, 900_000), ['Line 1 is 1 to 5, line 2 is 6 to 9 and 0.']);

/** Rates per unit, the stake of the hit unit included, in hundredths. */
export interface PanaRates {
  readonly SP: number;
  readonly DP: number;
  readonly TP: number;
}

const digitRule = (least: number, most: number, repeats: boolean): PickRule => ({
  of: 'digits',
  from: 0,
  to: 9,
  least,
  most,
  repeats,
});
const has = (pana: string, digit: number) => pana.includes(String(digit));
const from = (pana: string, allowed: readonly number[]) =>
  pana.split('').every((digit) => allowed.includes(Number(digit)));
const ODD = [1, 3, 5, 7, 9];
const EVEN = [0, 2, 4, 6, 8];
const RUNS = ['123', '234', '345', '456', '567', '678', '789', '890', '190', '120'];
/** A: odd digits only, B: even digits only, R: runs. */
const inLetter = (letter: string, pana: string) =>
  letter === 'R' ? RUNS.includes(pana) : from(pana, letter === 'A' ? ODD : EVEN);

type Covers = (drawn: Drawn, pick: Pick) => boolean;

/** A bundle of panas, one unit on each: the hit unit pays by its own kind, the others are lost. */
function bundle(
  rates: PanaRates,
  id: number,
  name: string,
  covers: Covers,
  pick: PickRule | null = null,
  returnOf: PanaKind | null = null,
): Selection<Drawn> {
  const sizes = new Map<string, number>();
  const size = (chosen: Pick) => {
    const key = chosen.join();
    let count = sizes.get(key);
    if (count === undefined) {
      count = PANAS.filter((pana) => covers(pana, chosen)).length;
      sizes.set(key, count);
    }
    return count;
  };
  return selection<Drawn>({
    id,
    name,
    group: 'Pana',
    price: { back: rates[returnOf ?? 'SP'] },
    limit: 'side',
    pick,
    pays: PANA_KINDS.filter((kind) => returnOf === null || returnOf === kind).map((kind) => ({
      when: kind,
      odds: rates[kind],
    })),
    returnPpm: returnOf ? Math.round(rates[returnOf] * 10_000 * CHANCE[returnOf]) : null,
    units: size,
    most: (chosen) => {
      const covered = PANAS.filter((pana) => covers(pana, chosen)).map(({ kind }) => rates[kind]);
      return Math.max(0, ...covered) - 100 * covered.length;
    },
    mark: (drawn, chosen) => (covers(drawn, chosen) ? pays(rates[drawn.kind]) : LOSE),
  });
}

const PANA_KINDS = ['SP', 'DP', 'TP'] as const;

/** Chance of one named pana of each kind with this deck (C7). */
const CHANCE: Readonly<Record<PanaKind, number>> = { SP: 8 / 1235, DP: 3 / 1235, TP: 1 / 2470 };

const one = digitRule(1, 1, false);

function bundles(rates: PanaRates): Selection<Drawn>[] {
  const make = (id: number, name: string, covers: Covers, pick: PickRule | null = null, of: PanaKind | null = null) =>
    bundle(rates, id, name, covers, pick, of);
  const single = ({ kind }: Drawn) => kind === 'SP';
  const double = ({ kind }: Drawn) => kind === 'DP';
  const letters =
    (text: string): Covers =>
    (drawn) =>
      single(drawn) && text.split('').some((letter) => inLetter(letter, drawn.pana));
  const sameParity = (pana: string) => from(pana, ODD) || from(pana, EVEN);
  return [
    make(20, 'Pana', ({ pana }, pick) => pana === panaOf(pick), digitRule(3, 3, true)),
    make(21, 'SP', (drawn, pick) => single(drawn) && drawn.ank === pick[0], one, 'SP'),
    make(22, 'SP All', single, null, 'SP'),
    make(23, 'DP', (drawn, pick) => double(drawn) && drawn.ank === pick[0], one, 'DP'),
    make(24, 'DP All', double, null, 'DP'),
    make(25, 'All Trio', ({ kind }) => kind === 'TP', null, 'TP'),
    make(
      26,
      'Cycle',
      ({ pana }, [x, y]) => (x === y ? pana.split(String(x)).length > 2 : has(pana, x!) && has(pana, y!)),
      digitRule(2, 2, true),
    ),
    make(27, 'Motor SP', (drawn, pick) => single(drawn) && from(drawn.pana, pick), digitRule(4, 9, false), 'SP'),
    make(28, '56 Charts', (drawn) => single(drawn) && !has(drawn.pana, 0) && !has(drawn.pana, 1), null, 'SP'),
    make(29, '64 Charts', (drawn) => single(drawn) && (has(drawn.pana, 0) || has(drawn.pana, 1)), null, 'SP'),
    ...['A', 'B', 'R', 'AB', 'AR', 'BR', 'ABR'].map((text, index) => make(30 + index, text, letters(text), null, 'SP')),
    make(37, 'ABR Cut', (drawn) => single(drawn) && !letters('ABR')(drawn, []), null, 'SP'),
    make(38, 'Common SP', (drawn, pick) => single(drawn) && has(drawn.pana, pick[0]!), one, 'SP'),
    make(39, 'Common DP', (drawn, pick) => double(drawn) && has(drawn.pana, pick[0]!), one, 'DP'),
    make(
      40,
      'Color DP',
      (drawn, pick) => double(drawn) && has(drawn.pana, pick[0]!) && sameParity(drawn.pana),
      one,
      'DP',
    ),
    make(41, 'Color DP All', (drawn) => double(drawn) && sameParity(drawn.pana), null, 'DP'),
  ];
}

export function makeWorli(rates: PanaRates): Game<Drawn> {
  return worliGame(
    [...singles(950, 190, 950_000), ...bundles(rates)],
    [
      'Line 1 is 1 to 5, line 2 is 6 to 9 and 0. Your stake is one unit; a bundle puts one unit on each of its panas.',
      'SP has three different digits, DP two equal, TP three equal.',
    ],
  );
}

/** The rates that panas were designed with (140, 240, 700) return 91, 58 and 28 %: these return 92 % or a little more. */
export const worli: Game<Drawn> = makeWorli({ SP: 14_300, DP: 38_000, TP: 228_000 });
