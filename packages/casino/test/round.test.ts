import { describe, expect, it } from 'vitest';
import {
  type Bet,
  commitOf,
  finish,
  LOCK_MS,
  newRound,
  openSelections,
  publicView,
  type Round,
  recordOf,
  refusalOf,
  resultOf,
  settle,
  step,
  TABLES,
  type TableCode,
  verifyRound,
} from '../src/casino.ts';

const codes = Object.keys(TABLES) as TableCode[];
const seeds = (nonce: number) => ({ serverSeed: commitOf(`seed ${nonce}`), clientSeed: 'table', nonce });
const all = (round: Round): Round[] => {
  const rounds = [round];
  while (rounds.at(-1)!.phase !== 'SETTLED') rounds.push(step(rounds.at(-1)!));
  return rounds;
};
const phases = (code: TableCode, nonce = 1) =>
  all(newRound(code, seeds(nonce)))
    .map(({ phase }) => phase[0])
    .join('');

describe('the round of every table (C9)', () => {
  for (const code of codes) {
    it(`${code}: goes from open to settled, and the same seeds always give the same round`, () => {
      for (let nonce = 0; nonce < 8; nonce++) {
        const rounds = all(newRound(code, seeds(nonce)));
        expect(phases(code, nonce)).toMatch(/^(OLD+)+RS$/);
        const last = rounds.at(-1)!;
        expect(last).toEqual(finish(newRound(code, seeds(nonce))));
        expect(step(last)).toBe(last);
        for (const round of rounds) {
          expect(round.lastsMs > 0).toBe(round.phase !== 'SETTLED');
          if (round.phase === 'LOCKED') expect(round.lastsMs).toBe(LOCK_MS);
          expect(resultOf(round) === null).toBe(round.cards.length < last.cards.length);
        }
        expect(last.window).toBe(rounds.filter(({ phase }) => phase === 'OPEN').length);
        const result = resultOf(last)!;
        expect(result.words).toMatch(/\.$/);
        expect(result.badge.length).toBeGreaterThan(0);
        expect(verifyRound(recordOf(last)).ok).toBe(true);
      }
    });

    it(`${code}: goes on from storage at any step`, () => {
      const end = finish(newRound(code, seeds(3)));
      for (const round of all(newRound(code, seeds(3)))) {
        const restored = JSON.parse(JSON.stringify(round)) as Round;
        expect(finish(restored)).toEqual(end);
        expect(openSelections(restored)).toEqual(openSelections(round));
      }
    });

    it(`${code}: shows nothing of the cards to come, and the seed only at the end`, () => {
      for (const round of all(newRound(code, seeds(5)))) {
        const view = publicView(round);
        const text = JSON.stringify(view);
        expect(text.includes(round.seeds.serverSeed)).toBe(round.phase === 'SETTLED');
        expect(view.commit).toBe(commitOf(round.seeds.serverSeed));
        expect(view.cards).toHaveLength(round.cards.length);
        expect(view.notes).toHaveLength(TABLES[code].game.seats.length);
        expect(view.result !== null).toBe(round.phase === 'RESULT' || round.phase === 'SETTLED');
        if (round.phase !== 'OPEN') expect(view.offers.every(({ state }) => state === 'CLOSED')).toBe(true);
      }
    });
  }

  it('has the windows of C9', () => {
    expect(phases('dt20')).toBe('OLDDRS');
    expect(phases('teen')).toBe('OLDOLDOLDOLDOLDOLDRS');
    expect(phases('dt6')).toBe('OLDOLDRS');
    expect(phases('poker')).toBe('OLDDDDOLDDDOLDOLDRS');
    expect(phases('card32')).toMatch(/^OLDOLDOLDOLDD*RS$/);
    expect(phases('queen')).toMatch(/^(OLD){4,20}RS$/);
    expect(phases('race20')).toMatch(/^OLDDDD(OLD{1,4}){0,3}DRS$|^OLD+(OLD+)*RS$/);
    expect(phases('abj')).toMatch(/^OLDOLDD(OLD+)?RS$/);
    expect(phases('superover')).toMatch(/^(OLD){3,12}RS$/);
    expect(newRound('dt20', seeds(0)).lastsMs).toBe(22_000);
    expect(newRound('ab20', seeds(0)).lastsMs).toBe(27_000);
    expect(newRound('ballbyball', seeds(0)).lastsMs).toBe(12_000);
  });

  it('abj: bets of each window only in that window, no third window when the first two cards decide', () => {
    let short = 0;
    for (let nonce = 0; nonce < 60; nonce++) {
      const open = all(newRound('abj', seeds(nonce))).filter(({ phase }) => phase === 'OPEN');
      const groups = open.map((round) => {
        const ids = openSelections(round).flatMap((offer) => (offer.state === 'OPEN' ? offer.selectionId : []));
        return [Math.min(...ids), ids.length].join();
      });
      expect(groups).toEqual(['7,19', '1,4', '3,2'].slice(0, open.length));
      if (open.length === 2) short += 1;
    }
    expect(short).toBeGreaterThan(0);
  });

  it('refuses seeds that C11 does not allow', () => {
    expect(() => newRound('teen', { serverSeed: 'x', clientSeed: '', nonce: 0 })).toThrow('server seed');
    expect(() => newRound('teen', { ...seeds(0), clientSeed: 'x'.repeat(65) })).toThrow('client seed');
    expect(() => newRound('teen', { ...seeds(0), nonce: 1.5 })).toThrow('nonce');
  });

  it('uses two shuffles for two innings', () => {
    const { cards, seats } = finish(newRound('cricketv3', seeds(2)));
    const first = cards.filter((_, i) => seats[i] === 0);
    const second = cards.filter((_, i) => seats[i] === 1);
    expect(first.slice(0, 10)).not.toEqual(second.slice(0, 10));
    expect(first.length).toBeGreaterThan(9);
  });
});

describe('a bet that may not stand', () => {
  const round = newRound('teen', seeds(9));
  const bet: Bet = { selectionId: 1, side: 'BACK', price: 198, stakeMinor: 100 };
  const refused = (change: Partial<Bet>, at = round, window = at.window) =>
    refusalOf(at, window, { ...bet, ...change });

  it('is told why', () => {
    expect(refused({})).toBeNull();
    expect(refused({ side: 'LAY', price: 202 })).toBeNull();
    expect(refused({ price: 199 })).toBe('ODDS_CHANGED');
    expect(refused({ selectionId: 999 })).toBe('NO_SELECTION');
    expect(refused({ side: 'YES' })).toBe('BAD_SIDE');
    expect(refused({ stakeMinor: 0 })).toBe('BAD_STAKE');
    expect(refused({ stakeMinor: 1.5 })).toBe('BAD_STAKE');
    expect(refused({ pick: [1] })).toBe('BAD_PICK');
    expect(refused({}, step(round))).toBe('ROUND_CLOSED');
    expect(refused({}, finish(round))).toBe('ROUND_CLOSED');
    const second = step(step(step(round)));
    expect(second).toMatchObject({ phase: 'OPEN', window: 2 });
    expect(refused({}, second, 1)).toBe('WINDOW_CHANGED');
    expect(refused({ selectionId: 11, price: 183 }, second)).toBe('SELECTION_CLOSED');
  });

  it('is suspended where the price is', () => {
    for (let nonce = 0; nonce < 40; nonce++) {
      for (const at of all(newRound('teen', seeds(nonce)))) {
        const offer = openSelections(at).find(({ selectionId }) => selectionId === 1)!;
        if (at.phase !== 'OPEN' || offer.state !== 'SUSPENDED') continue;
        expect(refused({}, at)).toBe('SUSPENDED');
        return;
      }
    }
    throw new Error('No window with a suspended price was found.');
  });

  it('checks line and rate of a session, and the pick of a bundle', () => {
    const race = newRound('race20', seeds(0));
    const session = { selectionId: 5, side: 'YES' as const, price: 100, line: 83, stakeMinor: 100 };
    expect(refusalOf(race, 1, session)).toBeNull();
    expect(refusalOf(race, 1, { ...session, line: 82 })).toBe('ODDS_CHANGED');
    expect(refusalOf(race, 1, { ...session, side: 'NO', price: 94 })).toBe('ODDS_CHANGED');
    expect(refusalOf(race, 1, { ...session, side: 'NO', price: 94, line: 79 })).toBeNull();
    const worli = newRound('worli', seeds(0));
    const motor = { selectionId: 27, side: 'BACK' as const, price: 14_300, stakeMinor: 100 };
    expect(refusalOf(worli, 1, { ...motor, pick: [1, 2, 3, 4] })).toBeNull();
    for (const pick of [[1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 10], []])
      expect(refusalOf(worli, 1, { ...motor, pick })).toBe('BAD_PICK');
    const judgement = newRound('3cardj', seeds(0));
    const yes = { selectionId: 1, side: 'BACK' as const, price: 178, stakeMinor: 100 };
    expect(refusalOf(judgement, 1, { ...yes, pick: [1, 7, 13] })).toBeNull();
    expect(refusalOf(judgement, 1, { ...yes, pick: [0, 7, 13] })).toBe('BAD_PICK');
    expect(refusalOf(judgement, 1, { ...yes, selectionId: 2, pick: [1, 7, 13] })).toBe('BAD_SIDE');
  });

  it('cannot be settled before the last card', () => {
    expect(() => settle(round, bet)).toThrow('no result');
    expect(() => recordOf(step(round))).toThrow('no result');
  });
});

describe('verification of a past round (C11)', () => {
  const record = recordOf(finish(newRound('teen20', seeds(4))));

  it('holds for a true record and tells what a false one breaks', () => {
    expect(verifyRound(record)).toMatchObject({ ok: true, commitHolds: true, cardsHold: true, resultHolds: true });
    expect(verifyRound({ ...record, commit: commitOf('other') })).toMatchObject({ ok: false, commitHolds: false });
    const swapped = [record.cards[1]!, record.cards[0]!, ...record.cards.slice(2)];
    expect(verifyRound({ ...record, cards: swapped })).toMatchObject({ ok: false, cardsHold: false });
    expect(verifyRound({ ...record, win: 'x' })).toMatchObject({ ok: false, cardsHold: true, resultHolds: false });
    expect(verifyRound({ ...record, clientSeed: 'other' })).toMatchObject({ ok: false, cardsHold: false });
    expect(verifyRound({ ...record, nonce: 5 })).toMatchObject({ ok: false, cardsHold: false });
    expect(verifyRound({ ...record, cards: record.cards.slice(0, 5) }).ok).toBe(false);
  });

  it('players put words into the public seed of a shared table when the round is made, and never after', () => {
    const given = { ...seeds(4), clientSeed: 'teen20' };
    const opened = newRound('teen20', given);
    const withTwo = newRound('teen20', given, ['one', 'another']);
    expect(withTwo.seeds.clientSeed).toBe(commitOf('teen20\none\nanother'));
    expect(newRound('teen20', given, [])).toEqual(opened);
    const record = recordOf(finish(withTwo));
    expect(record.cards).not.toEqual(recordOf(finish(opened)).cards);
    expect(verifyRound(record)).toMatchObject({ ok: true, wordsHold: true });
    expect(verifyRound({ ...record, words: ['one'] })).toMatchObject({ ok: false, wordsHold: false, cardsHold: true });
  });

  it('answers for nonsense without failing', () => {
    for (const broken of [
      { serverSeed: 'nothing' },
      { code: 'roulette' },
      { nonce: -1 },
      { clientSeed: 'x'.repeat(65) },
    ]) {
      expect(verifyRound({ ...record, ...broken })).toMatchObject({ ok: false, dealt: null });
    }
  });
});
