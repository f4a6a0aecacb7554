import { describe, expect, it } from 'vitest';
import { cardOf, parseCard } from '../src/cards.ts';
import { cards32Chances } from '../src/chances/cards32.ts';
import { reaching, runsToCome } from '../src/chances/overs.ts';
import { boardCounts } from '../src/chances/poker.ts';
import { queenChances } from '../src/chances/queen.ts';
import { raceChances } from '../src/chances/race.ts';
import { handChances } from '../src/chances/teenpatti.ts';
import { type Deal, type Game, NO_CARDS } from '../src/game.ts';
import { teenStrength } from '../src/hands.ts';
import { type Chance, priceOf } from '../src/odds.ts';
import { pokerHand } from '../src/poker.ts';
import { offersFor } from '../src/round.ts';
import { gameOf, prepareOdds, TABLES, type TableCode } from '../src/table.ts';
import { createDealer, createRandom } from './sim.ts';

const hand = (text: string) => text.split(' ').map(parseCard);
const close = (found: readonly number[], book: readonly number[], digits = 8) => {
  expect(found).toHaveLength(book.length);
  for (const [i, chance] of book.entries()) expect(found[i]!).toBeCloseTo(chance, digits);
};

describe('state tables of the rule book', () => {
  it('card32: a lay price that a shared win would bring out even is rounded up, as the exact fraction rounds it', () => {
    // Decided: the stack can run out in a tie-break (2 in 10^14) and the round is void then, so the chance is a hair below.
    const [, , , eleven] = cards32Chances([6, 6, 13]);
    expect(priceOf({ kind: 'RUNNER', win: eleven!, lose: 1 - eleven! })).toEqual({ back: 556, lay: 605 });
    expect(priceOf({ kind: 'RUNNER', win: 5 / 29, lose: 24 / 29 })).toEqual({ back: 556, lay: 604 });
  });

  it('card32: start and after every first card, and the further states', () => {
    close(cards32Chances([]), [0.0783277716, 0.1637869237, 0.2930231121, 0.4648621926]);
    const table = [
      [6, 0, 0.18000247, 0.31711779, 0.50287974],
      [7, 0, 0.18099122, 0.31788407, 0.50112471],
      [8, 0, 0.18264739, 0.31798294, 0.49936967],
      [9, 0.00370782, 0.18378445, 0.31719194, 0.49531578],
      [10, 0.02536151, 0.18086763, 0.31086392, 0.48290693],
      [11, 0.0790508, 0.16905203, 0.29385737, 0.4580398],
      [12, 0.17901372, 0.1415647, 0.2613274, 0.41809418],
      [13, 0.33948832, 0.09138549, 0.20795946, 0.36116673],
    ] as const;
    for (const [card, ...chances] of table) close(cards32Chances([card]), chances, 7);
    close(cards32Chances([12, 9]), [0.24942529, 0, 0.2954023, 0.45517241], 7);
    close(cards32Chances([12, 9, 6]), [0.43103448, 0, 0, 0.56896552], 7);
    close(cards32Chances([9, 10, 13]), [0, 0, 0.82758621, 0.17241379], 7);
  });

  it('teen: start and after every first card; the tie never changes', () => {
    const table = [
      [1, 0.7303512043, 0.2685423105],
      [2, 0.4174292696, 0.5814642453],
      [3, 0.4322707807, 0.5666227342],
      [4, 0.4420207232, 0.5568727917],
      [5, 0.4449326965, 0.5539608184],
      [6, 0.4484554673, 0.5504380476],
      [7, 0.4531808468, 0.545712668],
      [8, 0.4601478889, 0.5387456259],
      [9, 0.471107592, 0.5277859229],
      [10, 0.4887345577, 0.5101589572],
      [11, 0.5168482712, 0.4820452436],
      [12, 0.5607234383, 0.4381700765],
      [13, 0.6266051101, 0.3722884047],
    ] as const;
    let average = 0;
    for (const [rank, winA, winB] of table) {
      const found = handChances([cardOf(rank, rank % 4)], []);
      close([found.winA, found.tie, found.winB], [winA, 0.0011064851, winB], 9);
      average += found.winA / 13;
    }
    const start = handChances([], []);
    close([start.winA, start.tie, start.winB], [0.4994467574, 0.0011064851, 0.4994467574], 9);
    expect(average).toBeCloseTo(start.winA, 12);
  });

  it('teen: inclusion and exclusion counts what walking every completion counts', () => {
    const random = createRandom(11);
    for (const [sizeA, sizeB] of [
      [2, 1],
      [2, 2],
      [3, 2],
    ] as const) {
      const cards = Array.from({ length: 52 }, (_, i) => i);
      const drawn = Array.from({ length: sizeA + sizeB }, () => cards.splice(random(cards.length), 1)[0]!);
      const a = drawn.slice(0, sizeA);
      const b = drawn.slice(sizeA);
      let [win, tie, all] = [0, 0, 0];
      const walk = (ownA: number[], ownB: number[], from: number) => {
        if (ownA.length < 3) {
          for (let i = from; i < cards.length; i++) {
            if (!ownB.includes(cards[i]!)) walk([...ownA, cards[i]!], ownB, i + 1);
          }
        } else if (ownB.length < 3) {
          for (let i = ownB.length === b.length ? 0 : cards.indexOf(ownB.at(-1)!) + 1; i < cards.length; i++) {
            if (!ownA.includes(cards[i]!)) walk(ownA, [...ownB, cards[i]!], 0);
          }
        } else {
          const difference = teenStrength(ownA[0]!, ownA[1]!, ownA[2]!) - teenStrength(ownB[0]!, ownB[1]!, ownB[2]!);
          all += 1;
          if (difference > 0) win += 1;
          else if (difference === 0) tie += 1;
        }
      };
      walk(a, b, 0);
      const found = handChances(a, b);
      close([found.winA, found.tie], [win / all, tie / all], 12);
    }
  });

  it('queen: start, after every first card, and after 6, 3, 4, 2', () => {
    const start = queenChances([]);
    close(start, [0.1417087165, 0.18901521, 0.269010101, 0.4000395948], 9);
    expect(1 - start.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(2.264e-4, 7);
    const table = [
      [2, 0.05479929, 0.20316184, 0.2951609, 0.44655275],
      [3, 0.06240799, 0.20599301, 0.29465059, 0.43670538],
      [4, 0.07751772, 0.20476524, 0.29006978, 0.42744073],
      [5, 0.1167292, 0.1967521, 0.27714317, 0.40917212],
      [6, 0.18251657, 0.18165766, 0.25527859, 0.3803369],
      [12, 1, 0, 0, 0],
    ] as const;
    for (const [points, ...chances] of table) close(queenChances([points]), chances, 7);
    close(queenChances([6, 3, 4, 2]), [0.35640048, 0.10495887, 0.35640048, 0.18194308], 7);
  });

  it('race20: a quarter each at the start, and the example state', () => {
    close(raceChances([0, 0, 0, 0]), [0.25, 0.25, 0.25, 0.25], 12);
    close(raceChances([1, 0, 2, 1]), [0.224708, 0.117362, 0.433221, 0.224708], 6);
  });

  it('poker: AS KD against 2C 7H before the flop, and any flop as walked', () => {
    expect(boardCounts(hand('AS KD'), hand('2C 7H'), [])).toEqual({ winA: 1_143_573, tie: 7419, winB: 561_312 });
    const suited = boardCounts(hand('9S 8S'), hand('AS 9H'), []);
    const swapped = boardCounts(hand('AS 9H'), hand('9S 8S'), []);
    expect([suited.winA, suited.tie, suited.winB]).toEqual([swapped.winB, swapped.tie, swapped.winA]);
    expect(suited.winA + suited.tie + suited.winB).toBe(1_712_304);
  });

  it('poker: the counted boards before the flop are the walked boards', () => {
    for (const [a, b] of [
      ['9S 8S', 'AS 9H'],
      ['QD QC', 'JD 10D'],
    ] as const) {
      const [holeA, holeB] = [hand(a), hand(b)];
      const unseen = Array.from({ length: 52 }, (_, i) => i).filter((i) => !holeA.includes(i) && !holeB.includes(i));
      const counts = { winA: 0, tie: 0, winB: 0 };
      const walk = (board: number[], from: number) => {
        if (board.length === 5) {
          const difference = pokerHand([...holeA, ...board]) - pokerHand([...holeB, ...board]);
          if (difference > 0) counts.winA += 1;
          else if (difference < 0) counts.winB += 1;
          else counts.tie += 1;
          return;
        }
        for (let i = from; i < unseen.length; i++) {
          board.push(unseen[i]!);
          walk(board, i + 1);
          board.pop();
        }
      };
      walk([], 0);
      expect(boardCounts(holeA, holeB, [])).toEqual(counts);
    }
  });

  it('superover: innings of the book, and its fancies', () => {
    const innings = { left: [5, 5, 5, 5, 5, 5, 5], balls: 6, wickets: 2 };
    const distribution = runsToCome(innings);
    const mean = distribution.reduce((sum, chance, runs) => sum + chance * runs, 0);
    const variance = distribution.reduce((sum, chance, runs) => sum + chance * (runs - mean) ** 2, 0);
    expect(mean).toBeCloseTo(13.009603, 6);
    expect(Math.sqrt(variance)).toBeCloseTo(5.442816, 5);
    const atLeast = reaching(distribution, 0);
    close([atLeast[13]!, atLeast[14]!], [0.55840973, 0.48296225]);
    expect(atLeast.slice(8, 14).every((chance, i) => chance > atLeast[i + 9]!)).toBe(true);
    const tie = distribution.reduce((sum, chance) => sum + chance * chance, 0);
    expect(tie).toBeCloseTo(0.0525990564, 9);
    const chances = gameOf('superover').chances(NO_CARDS);
    const event = (id: number) => {
      const chance = chances.get(id)!;
      return chance.kind === 'SESSION' ? chance.atLeast[1]! : Number.NaN;
    };
    expect(event(4)).toBeCloseTo(0.6341857858, 9);
    expect(event(5)).toBeCloseTo(6080 / 7161, 12);
    const offers = offersFor(gameOf('superover'), NO_CARDS);
    const offer = (id: number) => offers.find((entry) => entry.selectionId === id)!;
    expect([offer(4).yes, offer(4).no]).toEqual([
      { line: 1, rate: 54 },
      { line: 1, rate: 61 },
    ]);
    expect([offer(5).yes, offer(5).no]).toEqual([
      { line: 1, rate: 16 },
      { line: 1, rate: 19 },
    ]);
    const balls = gameOf('superover').selections.filter(({ name }) => name.startsWith('0.1 '));
    expect(balls.map(({ id }) => offer(id).back)).toEqual([670, 670, 670, 670, 670, 337]);
  });

  it('superover: 4 runs after 4 balls, both sides alive', () => {
    const deal: Deal = { cards: hand('4S 10S 10H 10C'), seats: [0, 0, 0, 0] };
    const runner = gameOf('superover').chances(deal).get(2)!;
    expect(runner.kind === 'RUNNER' && 1 + runner.lose / runner.win).toBeCloseTo(1.307, 2);
  });

  it('cricketv3: innings of the book', () => {
    const distribution = runsToCome({ left: [10, 10, 10, 10, 10, 10, 10], balls: 30, wickets: 10 });
    const mean = distribution.reduce((sum, chance, runs) => sum + chance * runs, 0);
    const variance = distribution.reduce((sum, chance, runs) => sum + chance * (runs - mean) ** 2, 0);
    expect(mean).toBeCloseTo(68.571061, 6);
    expect(Math.sqrt(variance)).toBeCloseTo(8.55158, 5);
    const atLeast = reaching(distribution, 0);
    close([atLeast[69]!, atLeast[70]!], [0.50211804, 0.45589763]);
    const runner = gameOf('cricketv3').chances(NO_CARDS).get(1)!;
    expect(runner.kind === 'RUNNER' && runner.win).toBeCloseTo(0.4835677929, 9);
    const session = offersFor(gameOf('cricketv3'), NO_CARDS).find((offer) => offer.selectionId === 3)!;
    expect([session.yes, session.no]).toEqual([
      { line: 69, rate: 94 },
      { line: 69, rate: 105 },
    ]);
    const firstOver = reaching(runsToCome({ left: [10, 10, 10, 10, 10, 10, 10], balls: 6, wickets: 10 }), 0);
    expect(firstOver[14]).toBeCloseTo(0.504686, 6);
  });
});

describe('prices from chances (C10)', () => {
  const runner = (win: number, lose: number) => {
    const price = priceOf({ kind: 'RUNNER', win, lose });
    return price ? `${price.back}/${price.lay}` : null;
  };

  it('gives the reference values', () => {
    const table: [number, number, string | null][] = [
      [9, 1, '110/112'],
      [4, 1, '124/126'],
      [7, 3, '142/144'],
      [3, 2, '165/168'],
      [1, 1, '198/202'],
      [2, 3, '244/256'],
      [3, 7, '321/345'],
      [1, 3, '385/415'],
      [1, 4, '480/520'],
      [1, 7, '765/835'],
      [1, 15, '1525/1675'],
      [99, 1, '101/102'],
      [1, 99, '9505/10495'],
      [100, 1, null],
      [1, 100, null],
      [1, 0, null],
      [0, 1, null],
    ];
    for (const [win, lose, price] of table) expect(runner(win / (win + lose), lose / (win + lose))).toBe(price);
    // A refunded tie does not change the price of an even chance.
    expect(runner(0.473700472, 0.473700472)).toBe('198/202');
  });

  it('suspends a session that is nearly sure, and a next ball that cannot be or must be', () => {
    expect(priceOf({ kind: 'SESSION', atLeast: [1, 0.985], line: 1 })).toBeNull();
    expect(priceOf({ kind: 'SESSION', atLeast: [1, 0.015], line: 1 })).toBeNull();
    expect(priceOf({ kind: 'NEXT', win: 0 })).toBeNull();
    expect(priceOf({ kind: 'NEXT', win: 1 })).toBeNull();
    expect(priceOf({ kind: 'NEXT', win: 1 / 7 })).toEqual({ back: 670 });
  });

  it('takes the lower line when two are as even', () => {
    expect(priceOf({ kind: 'SESSION', atLeast: [1, 0.6, 0.4] })!.yes!.line).toBe(1);
  });
});

/** Every state with a window of some random rounds of a table whose prices move. */
function* states(game: Game, rounds: number, seed: number): Generator<Deal> {
  const deal = createDealer(game, createRandom(seed));
  for (let i = 0; i < rounds; i++) {
    const { cards, seats } = deal();
    for (let dealt = 0; dealt < cards.length; dealt++) {
      const state = { cards: cards.slice(0, dealt), seats: seats.slice(0, dealt) };
      if (game.windowMs(state) > 0) yield state;
    }
  }
}

const LIVE: readonly (readonly [TableCode, number])[] = [
  ['teen', 40],
  ['dt6', 400],
  ['card32', 60],
  ['card32eu', 20],
  ['poker', 12],
  ['race20', 300],
  ['superover', 60],
  ['cricketv3', 12],
  ['queen', 60],
];

describe('every window of random rounds', () => {
  for (const [code, rounds] of LIVE) {
    it(`${code}: a netted market's chances and the void sum to 1, and no price favours the player`, () => {
      const game = gameOf(code);
      const markets = new Map<string, number[]>();
      for (const { id, net, price } of game.selections) {
        if (net !== null && price === null) markets.set(net, [...(markets.get(net) ?? []), id]);
      }
      expect(markets.size).toBe(1);
      let priced = 0;
      for (const state of states(game, rounds, 5)) {
        const chances = game.chances(state);
        for (const ids of markets.values()) {
          let sum = 0;
          let back = 1;
          for (const id of ids) {
            const chance = chances.get(id)!;
            if (chance.kind !== 'RUNNER') throw new Error('A runner was expected.');
            sum += chance.win;
            back = 1 - chance.win - chance.lose;
          }
          expect(sum + back).toBeCloseTo(1, 8);
        }
        for (const offer of offersFor(game, state)) {
          const chance = chances.get(offer.selectionId);
          if (offer.state !== 'OPEN' || !chance) continue;
          priced += 1;
          for (const value of worth(chance, offer)) expect(value).toBeLessThanOrEqual(1e-9);
        }
      }
      expect(priced).toBeGreaterThan(20);
    });
  }

  it('fixed prices that one deck would make favourable later are closed after the first window', () => {
    for (const code of ['dt6', 'teen', 'card32eu', 'race20', 'poker'] as const) {
      const game = gameOf(code);
      for (const state of states(game, 5, 3)) {
        if (state.cards.length === 0) continue;
        for (const offer of offersFor(game, state)) {
          const { price } = game.selections.find(({ id }) => id === offer.selectionId)!;
          if (price !== null) expect(offer.state).toBe('CLOSED');
        }
      }
    }
  });

  it('chances are what happens: simulated winners of every live table, four standard errors', () => {
    for (const [code] of LIVE) {
      const game = gameOf(code);
      const opening = game.chances(NO_CARDS);
      const deal = createDealer(game, createRandom(99));
      const n = 20_000;
      const wins = new Map<number, number>();
      for (let i = 0; i < n; i++) {
        const played = deal();
        const outcome = game.outcome(played);
        for (const selection of game.selections) {
          if (selection.net === 'winner' && selection.mark(outcome, []).kind === 'WIN') {
            wins.set(selection.id, (wins.get(selection.id) ?? 0) + 1);
          }
        }
      }
      for (const [id, chance] of opening) {
        if (chance.kind !== 'RUNNER') continue;
        const error = Math.sqrt((chance.win * (1 - chance.win)) / n);
        expect(Math.abs((wins.get(id) ?? 0) / n - chance.win), `${code} ${id}`).toBeLessThan(4 * error);
      }
    }
  });
});

/** What a stake of one is worth to the player on each side offered: never above nothing. */
function worth(chance: Chance, offer: ReturnType<typeof offersFor>[number]): number[] {
  if (chance.kind === 'RUNNER') {
    return [
      (chance.win * (offer.back! - 100)) / 100 - chance.lose,
      chance.lose - (chance.win * (offer.lay! - 100)) / 100,
    ];
  }
  if (chance.kind === 'NEXT') return [(chance.win * offer.back!) / 100 - 1];
  const yes = chance.atLeast[offer.yes!.line]!;
  return [(yes * offer.yes!.rate) / 100 - (1 - yes), 1 - yes - (yes * offer.no!.rate) / 100];
}

describe('preparing the odds', () => {
  it('goes in short steps and leaves the tables as right as before', () => {
    let steps = 0;
    for (const _ of prepareOdds()) steps += 1;
    expect(steps).toBeGreaterThan(500);
    close(queenChances([6, 3, 4, 2]), [0.35640048, 0.10495887, 0.35640048, 0.18194308], 7);
  });

  it('every table with a moving price is checked here', () => {
    const moving = Object.values(TABLES).filter(({ game }) => game.selections.some(({ price }) => price === null));
    expect(moving.map(({ code }) => code).sort()).toEqual(LIVE.map(([code]) => code).sort());
  });
});
