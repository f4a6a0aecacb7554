import { createStream, finish, gameOf, newRound, parseCard } from '@fairgame/casino';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Random } from '../src/game.ts';
import { cardTables, type TableView, tableInfo, tableOf } from '../src/rules/card-table.ts';
import { checkBySimulation, checkLaws, checkRefusals, checkReturns, quick, refused } from './solo.ts';

const codes = ['baccarat', 'dragon-tiger', 'lucky7', 'andar-bahar', 'teenpatti'];
const gameAt = (code: string) => cardTables.find((game) => game.code === code)!;
const fieldsOf = (code: string) => tableInfo(code).sections.flatMap((section) => section.fields);
const sideField = (code: string, id: number) => fieldsOf(code).find((field) => field.id === id)!;

const wagersOf = (code: string) =>
  fc
    .uniqueArray(fc.constantFrom(...fieldsOf(code).map(({ id }) => id)), { minLength: 1, maxLength: 6 })
    .map((ids) => ({ bets: ids.map((id, i) => ({ id, stakeMinor: 100 * (i + 1) })) }));

/** Puts the wanted cards on top of the stack: the numbers that the shuffle asks for, found from its last step to its first. */
function stacked(code: string, ...names: string[]): Random {
  const table = gameOf(tableOf(code));
  const copies = table.deck === 'D8' ? 8 : 1;
  const stack = Array.from({ length: copies * 52 }, (_, i) => i % 52);
  const wanted = names.map(parseCard);
  // Where each wanted card lies while positions from the last down to the number of wanted cards are shuffled by themselves.
  const picks: number[] = [];
  for (let i = stack.length - 1; i > 0; i--) {
    let j = i;
    // A wanted card is never left behind at a place above those of the wanted.
    if (i >= wanted.length) {
      const need = new Map<number, number>();
      for (const card of wanted) need.set(card, (need.get(card) ?? 0) + 1);
      const left = (card: number) => stack.slice(0, i + 1).filter((each) => each === card).length;
      j = stack.findIndex((card, at) => at <= i && left(card) > (need.get(card) ?? 0));
    } else j = stack.slice(0, i + 1).indexOf(wanted[i]!);
    picks.push(j);
    [stack[i], stack[j]] = [stack[j]!, stack[i]!];
  }
  let at = 0;
  return { int: () => picks[at++]! };
}

/** What one bet of 10.00 pays back when these cards lie on top. */
function paidFor(code: string, id: number, ...names: string[]): number {
  const game = gameAt(code);
  const step = game.open(game.wager({ bets: [{ id, stakeMinor: 1000 }] }), stacked(code, ...names));
  const view = game.view(step.state) as TableView;
  expect(view.cards.slice(0, names.length)).toEqual(names.slice(0, view.cards.length).map(parseCard));
  expect(view.bets[0]!.paidMinor).toBe(step.paidMinor);
  return step.paidMinor;
}

describe.each(codes)('card table %s', (code) => {
  const game = gameAt(code);

  it('[issue 5] every field returns between 92 % and 100 %', () => {
    checkReturns(game);
    for (const field of fieldsOf(code)) {
      expect(field.ppm, field.name).toBeGreaterThanOrEqual(920_000);
      expect(field.ppm, field.name).toBeLessThanOrEqual(1_000_000);
    }
  });

  it('deals what the table of the card room deals from the same seeds', () => {
    for (let nonce = 0; nonce < 25; nonce++) {
      const seeds = { serverSeed: 'c7'.repeat(32), clientSeed: 'player', nonce };
      const round = finish(newRound(tableOf(code), seeds));
      const { id } = fieldsOf(code)[0]!;
      const step = game.open(game.wager({ bets: [{ id, stakeMinor: 100 }] }), createStream(seeds));
      expect(game.view(step.state)).toMatchObject({ cards: round.cards, seats: round.seats });
    }
  });

  it('keeps the laws of a game', () => {
    const most = Math.max(...fieldsOf(code).map(({ times }) => times), code === 'teenpatti' ? 4600 : 0);
    checkLaws(game, wagersOf(code), null, most);
    checkRefusals((input) => game.wager(input));
    checkBySimulation(game, 60_000);
  });

  it('pays every bet for itself', () => {
    const ids = fieldsOf(code).map(({ id }) => id);
    const random = quick(3);
    for (let i = 0; i < 50; i++) {
      const seeds = { serverSeed: 'd8'.repeat(32), clientSeed: '', nonce: random.int(1000) };
      const paid = (bets: readonly number[]) =>
        game.open(game.wager({ bets: bets.map((id) => ({ id, stakeMinor: 300 })) }), createStream(seeds)).paidMinor;
      expect(paid(ids)).toBe(ids.reduce((sum, id) => sum + paid([id]), 0));
    }
  });

  it('refuses what is no wager, by field', () => {
    const { id } = fieldsOf(code)[0]!;
    expect(refused(() => game.wager({ bets: [] }))).toBe('bets');
    expect(refused(() => game.wager({ bets: [{ id: 999, stakeMinor: 100 }] }))).toBe('id');
    expect(refused(() => game.wager({ bets: [{ id, stakeMinor: 150 }] }))).toBe('stakeMinor');
    expect(
      refused(() =>
        game.wager({
          bets: [
            { id, stakeMinor: 100 },
            { id, stakeMinor: 100 },
          ],
        }),
      ),
    ).toBe('bets');
    const other = fieldsOf(code)[1]!.id;
    expect(
      refused(() =>
        game.wager({
          bets: [
            { id, stakeMinor: 50_000 },
            { id: other, stakeMinor: 100 },
          ],
        }),
      ),
    ).toBe('stakeMinor');
  });
});

describe('card tables by hand', () => {
  it('baccarat: banker with six pays half, a tie gives player and banker back and pays ten', () => {
    // Player K 3 draws K: 3. Banker 2 4: six, stands against a ten.
    expect(paidFor('baccarat', 2, 'KS', '2H', '3C', '4D', 'KH')).toBe(1500);
    expect(paidFor('baccarat', 1, 'KS', '2H', '9C', '9D')).toBe(2000);
    expect(paidFor('baccarat', 3, 'KS', 'QH', '8C', '8D')).toBe(10_000);
    expect(paidFor('baccarat', 1, 'KS', 'QH', '8C', '8D')).toBe(1000);
    expect(paidFor('baccarat', 6, '8S', 'QH', '8S', '3D')).toBe(28_000);
  });

  it('dragon tiger: suit decides equal ranks, the same card is a tie', () => {
    expect(paidFor('dragon-tiger', 1, 'KS', '2H')).toBe(2000);
    expect(paidFor('dragon-tiger', 1, 'KS', 'KH')).toBe(2000);
    expect(paidFor('dragon-tiger', 4, 'KS', 'KH')).toBe(12_500);
    expect(paidFor('dragon-tiger', 1, 'KS', 'KS')).toBe(0);
    expect(paidFor('dragon-tiger', 3, 'KS', 'KS')).toBe(56_000);
  });

  it('lucky seven: a seven costs half', () => {
    expect(paidFor('lucky7', 1, '6D')).toBe(2000);
    expect(paidFor('lucky7', 1, '7D')).toBe(500);
    expect(paidFor('lucky7', 2, '7D')).toBe(500);
    expect(paidFor('lucky7', 4, '7D')).toBe(1830);
  });

  it('andar bahar: the first card of a side pays a quarter, a later one the stake', () => {
    expect(paidFor('andar-bahar', 5, '9H', '9S')).toBe(1250);
    expect(paidFor('andar-bahar', 4, '9H', '9S')).toBe(16_000);
    expect(paidFor('andar-bahar', 2, '9H', '2S', '9D')).toBe(1250);
    expect(paidFor('andar-bahar', 1, '9H', '2S', '9D')).toBe(17_000);
    expect(paidFor('andar-bahar', 5, '9H', '2S', '3S', '9D')).toBe(2000);
    expect(paidFor('andar-bahar', 2, '9H', '2S', '3S', '9D')).toBe(0);
  });

  it('teenpatti: the better hand at 1.98, equal hands give back, a pure sequence pays 46', () => {
    // Cards go A, B, A, B, A, B.
    expect(paidFor('teenpatti', 1, 'KS', '2H', 'KD', '5C', '4S', '9D')).toBe(1980);
    expect(paidFor('teenpatti', 3, 'KS', '2H', 'KD', '5C', '4S', '9D')).toBe(0);
    expect(paidFor('teenpatti', 2, 'KS', '2H', 'QS', '5C', 'JS', '9D')).toBe(46_000);
    expect(paidFor('teenpatti', 1, 'KS', 'KH', 'QS', 'QD', '9S', '9H')).not.toBe(1000);
    expect(paidFor('teenpatti', 1, 'KS', 'KH', 'QD', 'QC', '9S', '9H')).toBe(1000);
  });
});

describe('returns of the fields whose price is not the table’s own', () => {
  // Every ordered pair of cards of eight decks, with its weight.
  function pairChance(counts: (a: number, b: number) => boolean): number {
    let ways = 0;
    for (let a = 0; a < 52; a++) for (let b = 0; b < 52; b++) if (counts(a, b)) ways += 8 * (a === b ? 7 : 8);
    return ways / (416 * 415);
  }
  const near = (code: string, id: number, chance: number) => {
    const { ppm, times } = sideField(code, id);
    expect(Math.abs(ppm - chance * times * 10_000)).toBeLessThan(2);
  };

  it('dragon tiger: tie and pair over every two cards', () => {
    near(
      'dragon-tiger',
      3,
      pairChance((a, b) => a === b),
    );
    near(
      'dragon-tiger',
      4,
      pairChance((a, b) => a % 13 === b % 13),
    );
  });

  it('baccarat: pairs over every two cards, the tie over every six values', () => {
    near(
      'baccarat',
      4,
      pairChance((a, b) => a % 13 === b % 13),
    );
    near(
      'baccarat',
      5,
      pairChance((a, b) => a % 13 === b % 13),
    );
    near('baccarat', 3, baccaratTie());
  });

  it('andar bahar: the first cards', () => {
    // Bahar's card is any of three among 51; Andar's comes after one that was not.
    near('andar-bahar', 4, 3 / 51);
    near('andar-bahar', 1, (48 / 51) * (3 / 50));
  });

  /** Chance of a tie with eight decks, by the drawing rules written out again: values 0 to 9 in the order of the deal. */
  function baccaratTie(): number {
    const left = [128, ...Array<number>(9).fill(32)];
    let cards = 416;
    let tie = 0;
    const take = (chance: number, then: (value: number, chance: number) => void) => {
      for (let value = 0; value < 10; value++) {
        const share = left[value]! / cards;
        left[value]! -= 1;
        cards -= 1;
        then(value, chance * share);
        left[value]! += 1;
        cards += 1;
      }
    };
    const bankerDraws = (banker: number, third: number) =>
      banker <= 2 ||
      (banker === 3 && third !== 8) ||
      (banker === 4 && third >= 2 && third <= 7) ||
      (banker === 5 && third >= 4 && third <= 7) ||
      (banker === 6 && (third === 6 || third === 7));
    const end = (player: number, banker: number, chance: number) => {
      if (player === banker) tie += chance;
    };
    take(1, (p1, c1) =>
      take(c1, (b1, c2) =>
        take(c2, (p2, c3) =>
          take(c3, (b2, c4) => {
            const player = (p1 + p2) % 10;
            const banker = (b1 + b2) % 10;
            if (player >= 8 || banker >= 8) return end(player, banker, c4);
            if (player >= 6) {
              if (banker >= 6) return end(player, banker, c4);
              return take(c4, (b3, c5) => end(player, (banker + b3) % 10, c5));
            }
            take(c4, (p3, c5) => {
              const drawn = (player + p3) % 10;
              if (!bankerDraws(banker, p3)) return end(drawn, banker, c5);
              take(c5, (b3, c6) => end(drawn, (banker + b3) % 10, c6));
            });
          }),
        ),
      ),
    );
    return tie;
  }
});
