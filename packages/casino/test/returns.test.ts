import { describe, expect, it } from 'vitest';
import { type Card, cardOf, deckOf, rankOf } from '../src/cards.ts';
import { runsToCome } from '../src/chances/overs.ts';
import type { Deal, Game, Selection } from '../src/game.ts';
import { makeDt6 } from '../src/games/dragon-tiger.ts';
import { makeTeen9 } from '../src/games/teenpatti-many.ts';
import { makeWorli } from '../src/games/worli.ts';
import { gameOf, TABLES, type TableCode } from '../src/table.ts';
import { measure, type Returns, randomDeals } from './sim.ts';

type Weighted = readonly [Deal, number];
const dealOf = (game: Game, cards: readonly Card[]): Deal => {
  const seats: number[] = [];
  for (let i = 0; i < cards.length; i++) seats.push(game.nextSeat({ cards: cards.slice(0, i), seats }));
  return { cards, seats };
};

/** Every ordered deal of the first cards of a small table from a stack with each card so many times. */
function* ordered(game: Game, size: number, kinds: readonly Card[], copies: number): Generator<Weighted> {
  const seats = Array.from({ length: size }, (_, i) => game.nextSeat({ cards: kinds.slice(0, i), seats: [] }));
  function* more(cards: Card[], weight: number): Generator<Weighted> {
    if (cards.length === size) {
      yield [{ cards: [...cards], seats }, weight];
      return;
    }
    for (const card of kinds) {
      const left = copies - cards.filter((taken) => taken === card).length;
      if (left === 0) continue;
      cards.push(card);
      yield* more(cards, weight * left);
      cards.pop();
    }
  }
  yield* more([], 1);
}

const D1 = deckOf('D1');
const D40 = deckOf('D40');

/** Every set of three cards of a stack, in any one order. */
function* triples(stack: readonly Card[], seats: readonly number[]): Generator<Weighted> {
  for (let a = 0; a < stack.length; a++) {
    for (let b = a + 1; b < stack.length; b++) {
      for (let c = b + 1; c < stack.length; c++) yield [{ cards: [stack[a]!, stack[b]!, stack[c]!], seats }, 1];
    }
  }
}

/** Compares with the returns the table shows (the book's RTP column), to the last digit shown. */
function expectBook(game: Game, { mean }: Returns, least = 1): void {
  let compared = 0;
  for (const { id, name, returnPpm, price, book } of game.selections) {
    const found = mean.get(id);
    if (found === undefined || returnPpm === null) continue;
    // Of raised odds the return is made of the book's rounded figure.
    const within = book ? 0.51 * (1 + price!.back! / book.back) : 0.51;
    expect(Math.abs(found * 1_000_000 - returnPpm), name).toBeLessThan(within);
    compared += 1;
  }
  expect(compared).toBeGreaterThanOrEqual(least);
}

const named = (game: Game, returns: Returns, name: string) =>
  returns.mean.get(game.selections.find((selection) => selection.name === name)!.id)!;

describe('what is offered', () => {
  it('no bet at fixed odds returns less than 92 %; odds of the book that do are raised and kept beside', () => {
    const raised: string[] = [];
    for (const [code, { game }] of Object.entries(TABLES)) {
      for (const { name, price, returnPpm, book, pick } of game.selections) {
        if (price === null || price.yes !== undefined) continue;
        if (returnPpm === null) expect(pick, `${code} ${name}`).not.toBeNull();
        else expect(returnPpm, `${code} ${name}`).toBeGreaterThanOrEqual(920_000);
        if (!book) continue;
        raised.push(`${code} ${name}`);
        expect(book.returnPpm, name).toBeLessThan(920_000);
        expect(price.back, name).toBeGreaterThan(book.back);
      }
    }
    expect(raised).toHaveLength(65);
    const race = gameOf('race20').selections.find(({ name }) => name === 'Win with 5')!;
    expect([race.price, race.returnPpm, race.book]).toEqual([
      { back: 49_800 },
      921_369,
      { back: 10_100, returnPpm: 186_864 },
    ]);
    // A refund of a cancelled round is part of the return: only the wins are paid better.
    const four = gameOf('poker20').selections.find(({ name }) => name === 'Four of a Kind A')!;
    expect(four.returnPpm).toBeCloseTo(1_000_000 * (0.040674134 + (0.001609411 * four.price!.back!) / 100), -1);
  });
});

describe('returns by full enumeration', () => {
  const small: readonly (readonly [TableCode, number, readonly Card[], number])[] = [
    ['dt20', 2, D1, 8],
    ['dt202', 2, D1, 8],
    ['dt6', 2, D1, 1],
    ['dtl20', 3, D1, 1],
    ['lucky7', 1, D1, 8],
    ['lucky7eu', 1, D1, 8],
    ['aaa', 1, D1, 1],
    ['btable', 1, [...new Set(deckOf('DB'))], 2],
    ['cmatch20', 1, D40, 1],
    ['ballbyball', 1, Array.from({ length: 1000 }, (_, i) => i), 1],
  ];
  for (const [code, size, kinds, copies] of small) {
    it(`${code}: every bet returns what the book says`, () => {
      const game = gameOf(code);
      const fixed = game.selections.filter(({ price }) => price !== null);
      expectBook(game, measure(game, ordered(game, size, kinds, copies)), fixed.length);
    });
  }

  it('worli2 and worli: singles, lines and every bundle', () => {
    const instant = gameOf('worli2');
    expectBook(instant, measure(instant, triples(D40, [0, 0, 0])), 14);
    const matka = gameOf('worli');
    const returns = measure(matka, triples(D40, [0, 0, 0]));
    expectBook(matka, returns, 30);
    for (const { id } of matka.selections) expect(returns.mean.get(id)!).toBeLessThan(1);
  });

  it('worli: the rates of the book return what the book says, ours more', () => {
    const book = makeWorli({ SP: 14_000, DP: 24_000, TP: 70_000 });
    const returns = measure(book, triples(D40, [0, 0, 0]));
    expectBook(book, returns, 30);
    const percent = (name: string) => Number((named(book, returns, name) * 100).toFixed(4));
    expect(percent('Pana')).toBe(90.6883);
    expect(percent('SP All')).toBe(90.6883);
    expect(percent('DP All')).toBe(58.2996);
    expect(percent('All Trio')).toBe(28.3401);
    expect(percent('Cycle')).toBe(84.2105);
    expect(percent('Color DP')).toBe(58.2996);
    const ours = gameOf('worli');
    const better = measure(ours, triples(D40, [0, 0, 0]));
    for (const name of ['DP', 'DP All', 'All Trio', 'Common DP', 'Color DP']) {
      expect(named(ours, better, name), name).toBeGreaterThan(0.89);
    }
  });

  it('worli: bundles cover as many panas as the book says', () => {
    const units = (name: string, pick: readonly number[] = []) =>
      gameOf('worli')
        .selections.find((selection) => selection.name === name)!
        .units(pick);
    expect(units('SP', [3])).toBe(12);
    expect(units('SP All')).toBe(120);
    expect(units('DP', [0])).toBe(9);
    expect(units('DP All')).toBe(90);
    expect(units('All Trio')).toBe(10);
    expect(units('Cycle', [5, 6])).toBe(10);
    expect(units('Cycle', [7, 7])).toBe(10);
    expect([4, 5, 6, 7, 8, 9].map((n) => units('Motor SP', [0, 1, 2, 3, 4, 5, 6, 7, 8].slice(0, n)))).toEqual([
      4, 10, 20, 35, 56, 84,
    ]);
    expect(units('56 Charts')).toBe(56);
    expect(units('64 Charts')).toBe(64);
    for (const letter of ['A', 'B', 'R']) expect(units(letter), letter).toBe(10);
    for (const letters of ['AB', 'AR', 'BR']) expect(units(letters), letters).toBe(20);
    expect(units('ABR')).toBe(30);
    expect(units('ABR Cut')).toBe(90);
    expect(units('Common SP', [4])).toBe(36);
    expect(units('Common DP', [4])).toBe(18);
    expect(units('Color DP', [4])).toBe(8);
    expect(units('Color DP All')).toBe(40);
  });

  it('3cardj: 47 of 85', () => {
    const game = gameOf('3cardj');
    expectBook(game, measure(game, triples(D1, [0, 0, 0])), 2);
  });

  it('teen9 and pair plus of teen20 and teen8: every three-card hand', () => {
    for (const [code, seat] of [
      ['teen9', 0],
      ['teen20', 0],
      ['teen8', 3],
    ] as const) {
      const game = gameOf(code);
      const others = game.seats.map((_, index) => [0, 1, 2].map((i) => 3 + index * 3 + i));
      const column = game.seats[seat]!.id;
      const own = (selection: Selection<unknown>) =>
        selection.column === column && !['Winner', '3 Baccarat', 'Total', 'Colour'].includes(selection.group);
      const deals = function* (): Generator<readonly [{ outcome: unknown }, number]> {
        for (const [{ cards }] of triples(D1, [])) {
          const hands = game.seats.map((_, index) => (index === seat ? cards : others[index]!));
          const deal = { cards: hands.flat(), seats: hands.flatMap((_, index) => [index, index, index]) };
          yield [{ outcome: game.outcome(deal) }, 1];
        }
      };
      expectBook(game, measure(game, deals(), own), code === 'teen9' ? 5 : 1);
    }
  });

  it('teen9 and dt6: the better odds that the book proposes', () => {
    const back = (game: Game, name: string) => game.selections.find((entry) => entry.name === name)!.price!.back;
    const names = ['Pair', 'Flush', 'Straight', 'Trio', 'Straight Flush'].map((name) => `${name} Tiger`);
    expect(names.map((name) => back(gameOf('teen9'), name))).toEqual([560, 1900, 2900, 40_000, 43_500]);
    const published = makeTeen9('published');
    const printed = names.map((name) => published.selections.find((entry) => entry.name === name)!.book!);
    expect(printed.map(({ back }) => back)).toEqual([500, 1200, 2100, 12_600, 15_100]);
    const ppm = (game: Game, name: string) => game.selections.find((entry) => entry.name === name)!.returnPpm!;
    expect(printed.map(({ returnPpm }) => returnPpm)).toEqual([847_059, 595_113, 684_163, 296_471, 327_964]);
    for (const name of names) expect(ppm(gameOf('teen9'), name)).toBeGreaterThan(920_000);
    expect(back(gameOf('dt6'), 'Pair')).toBe(1600);
    const sourced = makeDt6(1200, 705_882);
    expectBook(sourced, measure(sourced, ordered(sourced, 2, D1, 1)), 17);
  });

  it('war: every player card against every dealer card', () => {
    const game = gameOf('war');
    for (let player = 0; player < 6; player++) {
      const deals = function* (): Generator<Weighted> {
        for (const own of D1) {
          for (const dealer of D1) {
            if (own === dealer) continue;
            const cards = [0, 1, 2, 3, 4, 5].map((index) => (index === player ? own : cardOf(1, 0)));
            yield [{ cards: [...cards, dealer], seats: [0, 1, 2, 3, 4, 5, 6] }, 1];
          }
        }
      };
      expectBook(
        game,
        measure(game, deals(), ({ column }) => column === String(player + 1)),
        9,
      );
    }
  });

  it('abj: every place of the first match, every joker', () => {
    const game = gameOf('abj');
    const deals = function* (joker: Card, from: number): Generator<Weighted> {
      const others = D1.filter((card) => rankOf(card) !== rankOf(joker));
      const match = D1.find((card) => card !== joker && rankOf(card) === rankOf(joker))!;
      for (let place = from; place <= 49; place++) {
        const cards = [joker, ...others.slice(0, place - 1), match];
        yield [dealOf(game, cards), ((51 - place) * (50 - place)) / 2];
      }
    };
    const joker = cardOf(4, 0);
    expectBook(
      game,
      measure(game, deals(joker, 1), ({ at }) => at![0] === 1),
      4,
    );
    // Second bets are taken only when two cards have not decided.
    expectBook(
      game,
      measure(game, deals(joker, 3), ({ at }) => at![0] === 3),
      2,
    );
    const jokers = function* (): Generator<Weighted> {
      for (const card of D1) for (const [deal] of [...deals(card, 1)].slice(0, 1)) yield [deal, 1];
    };
    expectBook(
      game,
      measure(game, jokers(), ({ at }) => at![0] === 0),
      19,
    );
  });

  it('ab20: every place where a rank first comes', () => {
    const game = gameOf('ab20');
    const deals = function* (): Generator<readonly [{ outcome: unknown }, number]> {
      for (let place = 0; place <= 48; place++) {
        const left = 51 - place;
        yield [{ outcome: Array(14).fill(place) }, left * (left - 1) * (left - 2)];
      }
    };
    expectBook(game, measure(game, deals()), 26);
  });

  it('card32eu: side bets over all first cards', () => {
    const game = gameOf('card32eu');
    const deck = deckOf('D32');
    const outcome = (first: readonly Card[]) => ({ outcome: { first, totals: [], winner: 0 } });
    const sets = function* (splits: boolean): Generator<readonly [{ outcome: unknown }, number]> {
      for (let a = 0; a < 32; a++) {
        for (let b = a + 1; b < 32; b++) {
          for (let c = b + 1; c < 32; c++) {
            for (let d = c + 1; d < 32; d++) {
              const [w, x, y, z] = [deck[a]!, deck[b]!, deck[c]!, deck[d]!];
              yield [outcome([w, x, y, z]), 1];
              if (!splits) continue;
              yield [outcome([w, y, x, z]), 1];
              yield [outcome([w, z, x, y]), 1];
              yield [outcome([y, z, w, x]), 1];
              yield [outcome([x, z, w, y]), 1];
              yield [outcome([x, y, w, z]), 1];
            }
          }
        }
      }
    };
    expectBook(
      game,
      measure(game, sets(false), ({ group }) => group === 'Single' || group === 'Colour'),
      13,
    );
    expectBook(
      game,
      measure(game, sets(true), ({ group }) => group === 'Total'),
      2,
    );
    const parity = function* (): Generator<readonly [{ outcome: unknown }, number]> {
      for (const card of deck) yield [outcome([card, card, card, card]), 1];
    };
    expectBook(
      game,
      measure(game, parity(), ({ group }) => group === 'Odd or even'),
      8,
    );
  });

  it('baccarat and baccarat2: all hands of eight decks', () => {
    const left = [128, 32, 32, 32, 32, 32, 32, 32, 32, 32];
    const deals = function* (game: Game): Generator<Weighted> {
      // Suits alternate so that no two representatives make a perfect pair; pairs are counted below.
      const cardFor = (value: number, place: number) => cardOf(value === 0 ? 10 : value, place % 4);
      function* more(cards: Card[], seats: number[], weight: number): Generator<Weighted> {
        const seat = game.nextSeat({ cards, seats });
        if (seat < 0) {
          yield [{ cards: [...cards], seats: [...seats] }, weight];
          return;
        }
        for (let value = 0; value < 10; value++) {
          const count = left[value]!;
          left[value] = count - 1;
          cards.push(cardFor(value, cards.length));
          seats.push(seat);
          yield* more(cards, seats, weight * (count / (416 - cards.length + 1)));
          cards.pop();
          seats.pop();
          left[value] = count;
        }
      }
      yield* more([], [], 1);
    };
    const byValue = ({ name }: Selection<unknown>) => !name.includes('Pair');
    for (const code of ['baccarat', 'baccarat2'] as const) {
      const game = gameOf(code);
      expectBook(game, measure(game, deals(game), byValue), code === 'baccarat' ? 5 : 8);
    }
  });

  it('baccarat: pair bets over the first two cards of both hands', () => {
    const game = gameOf('baccarat');
    const two = 416 * 415;
    const four = two * 414 * 413;
    const samePair = 13 * 32 * 31;
    const bothRank = 13 * 32 * 31 * 30 * 29 + 13 * 12 * (32 * 31) ** 2;
    const bothCard = 52 * 8 * 7 * 6 * 5 + 52 * 51 * (8 * 7) ** 2;
    const perfect = (52 * 8 * 7) / two;
    const chance: Record<string, number> = {
      'Player Pair': samePair / two,
      'Banker Pair': samePair / two,
      'Either Pair': (2 * samePair) / two - bothRank / four,
      'Perfect Pair': 2 * perfect - bothCard / four,
    };
    for (const { name, price, returnPpm } of game.selections) {
      if (!name.includes('Pair')) continue;
      expect(Math.abs(chance[name]! * price!.back! * 10_000 - returnPpm!), name).toBeLessThan(1.1);
    }
  });

  it('cmeter: the exact distribution of eleven cards', () => {
    const game = gameOf('cmeter');
    // difference -> ways, by number of cards taken.
    const waysFor = (zone: 'low' | 'high') => {
      let rows = Array.from({ length: 12 }, () => new Map<number, number>());
      rows[0]!.set(0, 1);
      for (const card of D1) {
        const deal = { cards: [card], seats: [0] };
        const points = game.outcome(deal) as { low: number; high: number; spade: number };
        const step = points[zone] - points[zone === 'low' ? 'high' : 'low'] - points.spade;
        const next = rows.map((row) => new Map(row));
        for (let taken = 0; taken < 11; taken++) {
          for (const [sum, ways] of rows[taken]!) {
            next[taken + 1]!.set(sum + step, (next[taken + 1]!.get(sum + step) ?? 0) + ways);
          }
        }
        rows = next;
      }
      return rows[11]!;
    };
    const expected = {
      low: [0.424816907, 7.23932, 11.657114, -3.331896],
      high: [0.425110212, 7.783217, 11.159017, -2.208317],
    };
    for (const zone of ['low', 'high'] as const) {
      let [all, win, won, lost] = [0, 0, 0, 0];
      for (const [difference, ways] of waysFor(zone)) {
        const capped = Math.max(-50, Math.min(50, difference));
        all += ways;
        if (capped > 0) {
          win += ways;
          won += ways * capped;
        } else lost -= ways * capped;
      }
      expect(all).toBe(60_403_728_840);
      const [chance, wonPoints, lostPoints, ev] = expected[zone];
      expect(win / all).toBeCloseTo(chance!, 8);
      expect(won / all).toBeCloseTo(wonPoints!, 5);
      expect(lost / all).toBeCloseTo(lostPoints!, 5);
      expect((won * 1.15 - lost) / all).toBeCloseTo(ev!, 5);
      const { returnPpm } = game.selections[zone === 'low' ? 0 : 1]!;
      expect(Math.abs((1 + (won * 1.15 - lost) / all / 50) * 1_000_000 - returnPpm!)).toBeLessThan(0.51);
    }
  });

  it('lay bets cost the player what the book says', () => {
    const book: readonly (readonly [TableCode, string, number, number])[] = [
      ['aaa', 'Amar', 6 / 13, -0.024615],
      ['aaa', 'Akbar', 4 / 13, -0.030769],
      ['aaa', 'Anthony', 3 / 13, -0.026923],
      ['btable', 'DON', 1 / 16, -0.0625],
      ['btable', 'Ghulam', 3 / 16, -0.03125],
      ['btable', 'Dharam Veer', 1 / 8, -0.04375],
      ['btable', 'Kis KisKo Pyaar Karoon', 1 / 4, -0.0375],
      ['btable', 'Odd', 3 / 4, -0.02],
      ['cmatch20', 'Run 2', 0.1, -0.05],
      ['cmatch20', 'Run 4', 0.3, -0.029],
      ['cmatch20', 'Run 7', 0.6, -0.014],
      ['cmatch20', 'Run 10', 0.9, -0.008],
      ['card32eu', 'Any Three Card Black', 539 / 1798, -0.034232],
      ['card32eu', 'Two Black Two Red', 360 / 899, -0.01713],
      ['teen', 'Consecutive A', 172 / 425, -0.023906],
      ['3cardj', 'No', 47 / 85, -0.017412],
    ];
    for (const [code, name, chance, ev] of book) {
      const { price } = gameOf(code).selections.find((selection) => selection.name === name)!;
      expect(1 - chance - (chance * (price!.lay! - 100)) / 100, `${code} ${name}`).toBeCloseTo(ev, 6);
    }
  });
});

describe('returns by simulation, within four standard errors', () => {
  const rounds: Partial<Record<TableCode, number>> = { poker6: 120_000, teen8: 100_000 };
  for (const code of ['teen20', 'teen', 'teen8', 'teen9', 'poker', 'poker20', 'poker6', 'race20'] as const) {
    it(`${code}`, () => {
      const game = gameOf(code);
      const { mean, error } = measure(game, randomDeals(game, rounds[code] ?? 200_000, 20_261));
      let compared = 0;
      for (const { id, name, returnPpm } of game.selections) {
        if (returnPpm === null || !mean.has(id)) continue;
        compared += 1;
        expect(error.get(id)!, name).toBeGreaterThan(0);
        expect(Math.abs(mean.get(id)! - returnPpm / 1_000_000), name).toBeLessThan(4 * error.get(id)!);
      }
      expect(compared).toBeGreaterThan(3);
    });
  }

  it('race20: sessions return what the book says', () => {
    const game = gameOf('race20');
    let [points83, under79, cards13] = [0, 0, 0];
    const n = 200_000;
    for (const [deal] of randomDeals(game, n, 7)) {
      const { points, cards } = game.outcome(deal) as { points: number; cards: number };
      if (points >= 83) points83 += 1;
      if (points < 79) under79 += 1;
      if (cards >= 13) cards13 += 1;
    }
    const within = (count: number, chance: number) =>
      expect(Math.abs(count / n - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / n));
    within(points83, 0.47127244);
    within(under79, 0.4481047);
    within(cards13, 0.516284879);
    // Yes wins its rate for a stake of 100, No wins 100 for its rate.
    const returned = (name: string, yes: number, no: number) => {
      const price = game.selections.find((one) => one.name === name)!.price!;
      return [yes * (1 + price.yes!.rate / 100), no * (1 + 100 / price.no!.rate)];
    };
    for (const share of [
      ...returned('Total Point', 0.47127244, 0.4481047),
      ...returned('Total Card', 0.516284879, 0.483715121),
    ])
      expect(share).toBeGreaterThan(0.92);
  });
});

describe('no selection returns more than it takes', () => {
  it('of the fixed prices', () => {
    for (const { code, game } of Object.values(TABLES)) {
      for (const { name, price, returnPpm, pick } of game.selections) {
        if (price === null || price.yes) continue;
        if (returnPpm === null) expect(pick, `${code} ${name}`).not.toBeNull();
        else expect(returnPpm, `${code} ${name}`).toBeLessThan(1_000_000);
      }
    }
  });

  it('of the innings distribution the chances add up to one', () => {
    for (const [left, balls, wickets] of [
      [[5, 5, 5, 5, 5, 5, 5], 6, 2],
      [[10, 10, 10, 10, 10, 10, 10], 30, 10],
    ] as const) {
      const sum = runsToCome({ left, balls, wickets }).reduce((total, chance) => total + chance, 0);
      expect(sum).toBeCloseTo(1, 12);
    }
  });
});
