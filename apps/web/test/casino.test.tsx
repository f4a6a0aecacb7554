import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commitOf,
  createStream,
  describe as describeTable,
  ENDINGS,
  parseCard,
  TABLES as RULES,
  type TableCode,
} from '@fairgame/casino';
import { CALLS, cardTile } from '@fairgame/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { CASINO_TABLES, routes } from '../src/app/routes.tsx';
import { chipText, limitsText, positionText, returnsText } from '../src/features/casino/amounts.ts';
import { cardNumber, shownCard } from '../src/features/casino/cards.ts';
import { BANNERS, CATEGORY_ICONS } from '../src/features/casino/categories.ts';
import { countEndings, countWins, roadSides, sidesOf } from '../src/features/casino/counts.ts';
import { factsOf } from '../src/features/casino/facts.ts';
import { cellText, quoteOf, sectionsOf } from '../src/features/casino/grid.ts';
import { Screen as Lobby } from '../src/features/casino/lobby.tsx';
import { beadPlate, bigRoad, derivedRoad, runLengths, type Side } from '../src/features/casino/roads.ts';
import * as rules from '../src/features/casino/rules.ts';
import { isFound } from '../src/features/casino/search.ts';
import { Screen as Table } from '../src/features/casino/table.tsx';
import { liveTable, serverNow, takeImage, watchTable } from '../src/features/casino/table-socket.ts';
import { stateOf } from '../src/features/casino/table-state.ts';
import { LOBBY_TABLES, TABLE_NAMES, TABLES, tableAt } from '../src/features/casino/tables.ts';
import { priceText, sumsOf } from '../src/features/casino/terms.ts';
import { checkRound, rememberCommit } from '../src/features/casino/verify.ts';
import { eventPath } from '../src/platform/links.ts';
import { sportName } from '../src/platform/sports.ts';
import { casinoSite, roundOf, show, tableAnswer, tile } from './casino-site.tsx';
import { line } from './fake-line.ts';
import { matchRoutes } from './memory-router.ts';
import { settle } from './settle.ts';

/** Table CAS-T1 of the requirements, word by word. */
const T1 = `ballbyball ballbyball Ball By Ball
superover superover Super Over
race20 race20 Race 20-20
queen queen Casino Queen
cricketv3 cricketv3 5Five Cricket
abj2 abj Andar Bahar 2
dt202 dt202 20-20 Dragon Tiger 2
baccarat2 baccarat2 Baccarat 2
baccarat baccarat Baccarat
lucky7eu lucky7eu Lucky 7 B
cmatch20 cmatch20 20-20 Cricket Match
cmeter cmeter Casino Meter
war war Casino War
dtl20 dtl20 20-20 Dragon Tiger Lion
teen9 teen9 Teenpatti Test
teen8 teen8 Teenpatti Open
teen teen Teenpatti 1-Day
teen20 teen20 20-20 Teenpatti
poker6 poker6 Poker 6 Players
poker poker Poker 1-Day
poker20 poker20 20-20 Poker
ab20 ab20 Andar Bahar
worli2 worli2 Instant Worli
3cardj 3cardj 3 Cards Judgement
32cards-A card32 32 Cards A
32cards-B card32eu 32 Cards B
aaa aaa Amar Akbar Anthony
btable btable Bollywood Casino
dt20 dt20 20-20 Dragon Tiger
dt6 dt6 1 Day Dragon Tiger
lucky7-A lucky7 Lucky 7 A`
  .split('\n')
  .map((line) => /^(\S+) (\S+) (.+)$/.exec(line)!.slice(1) as [string, string, string]);

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

describe('names and routes of the tables', () => {
  it.each(T1)('[CAS-05] [CAR-34] route /%s opens game %s as %s', (route, code, name) => {
    expect(tableAt(`/${route}`)).toMatchObject({ code, name });
    expect(matchRoutes(routes, `/${route}`)?.at(-1)?.route.handle).toMatchObject({ title: name, rail: true });
    expect(CASINO_TABLES[route]).toBe(name);
  });

  it('[CAS-07] has exactly 31 routes, told apart exactly', () => {
    expect(Object.keys(CASINO_TABLES)).toHaveLength(31);
    expect(tableAt('/32cards-a')).toBeUndefined();
    expect(tableAt('/abj')).toBeUndefined();
    expect(tableAt('/lucky7')).toBeUndefined();
  });

  it('[OPN-52] [CAS-08] [CAS-09] [CAS-10] knows 32 codes with names; worli has no route of its own and opens below the lobby', () => {
    expect(Object.keys(TABLE_NAMES)).toHaveLength(32);
    expect(Object.values(TABLE_NAMES).every((name) => name !== '')).toBe(true);
    expect(TABLE_NAMES.worli).toBe('Worli Matka');
    expect(TABLES.some(({ code }) => code === 'worli')).toBe(false);
    expect(tableAt('/worli')).toBeUndefined();
    expect(tableAt('/casino/worli')).toMatchObject({ code: 'worli', name: 'Worli Matka' });
    expect(matchRoutes(routes, '/casino/worli')?.at(-1)?.route.handle).toMatchObject({ rail: true, ownSlip: true });
  });

  it('names and routes are those of the rules', () => {
    for (const { code, name, route } of TABLES)
      expect(RULES[code as TableCode]).toMatchObject({ name, route: `/${route}` });
    expect(Object.keys(RULES).sort()).toEqual(Object.keys(TABLE_NAMES).sort());
  });

  it('leads from a bet at a table to the lobby, by the word Casino', () => {
    expect(eventPath({ matchType: 'casino', id: 117 })).toBe('/casino');
    expect(sportName('casino')).toBe('Casino');
  });

  it('[CAS-16] has icons of the fourteen categories', () => {
    expect(Object.keys(CATEGORY_ICONS).map((name) => name.toLowerCase())).toEqual([
      'dragon tiger',
      'baccarat',
      'roulette',
      'poker',
      'lucky 7',
      'andar bahar',
      'teenpatti',
      'crash',
      'aviator',
      'mines',
      'slots',
      'color prediction',
      'live game show',
      'chicken games',
    ]);
    expect(Object.values(CATEGORY_ICONS).every(Boolean)).toBe(true);
  });

  it('[CAS-17] [CAS-03] has a picture for every banner and every table, without inline styles', () => {
    expect(BANNERS.map(({ name }) => name)).toEqual(['Aviator', 'Mines', 'Fun Games', 'Color Prediction']);
    const folder = join(import.meta.dirname, '../public');
    for (const path of [
      ...BANNERS.map(({ image }) => image),
      ...LOBBY_TABLES.map(({ code }) => `/casino/${code}.svg`),
    ]) {
      expect(existsSync(join(folder, path)), path).toBe(true);
      const drawing = readFileSync(join(folder, path), 'utf8');
      expect(drawing).not.toMatch(/style=|<text|<script|href="http/);
    }
  });
});

const site = casinoSite();

describe('lobby', () => {
  it('[CAS-01] [CAS-03] [CAS-04] [CAS-06] shows a tile with image, name and link for each table', async () => {
    await show('/casino', Lobby);
    for (const [route, code, name] of T1) {
      const link = document.querySelector<HTMLAnchorElement>(`a.market__tile[href="/${route}"]`);
      expect(link, route).toBeTruthy();
      expect(link!.textContent).toContain(name);
      expect(link!.querySelector('img')?.getAttribute('src')).toBe(`/casino/${code}.svg`);
    }
    // And the one table that has no route of its own.
    expect(document.querySelector('a.market__tile[href="/casino/worli"]')?.textContent).toContain('Worli Matka');
    expect(document.querySelectorAll('a.market__tile img')).toHaveLength(32);
  });

  it('[CAS-02] takes tiles of the shape the server gives', () => {
    expect(cardTile.safeParse(tile('teen')).success).toBe(true);
    for (const field of ['game_id', 'url', 'imgSrc', 'name'])
      expect(cardTile.safeParse({ ...tile('teen'), [field]: undefined }).success).toBe(false);
  });

  it('finds tables, and keeps favourites', async () => {
    await show('/casino', Lobby);
    fireEvent.change(screen.getByLabelText('Find a game'), { target: { value: 'queen' } });
    expect(document.querySelectorAll('a.market__tile img')).toHaveLength(1);
    fireEvent.change(screen.getByLabelText('Find a game'), { target: { value: '' } });
    fireEvent.click(screen.getByRole('tab', { name: /Favourites/ }));
    expect(document.querySelectorAll('a.market__tile img')).toHaveLength(1);
    fireEvent.click(screen.getByRole('tab', { name: /^All/ }));
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Baccarat is a favourite' })));
    await settle();
    expect(site.placed).toEqual([{ matchIds: [], tables: ['dt20', 'baccarat'] }]);
    expect(screen.getByRole('button', { name: 'Baccarat is a favourite' }).getAttribute('aria-pressed')).toBe('true');
  });

  it.each([
    ['teen pati', 'Teenpatti 1-Day', true],
    ['dragn tiger', '20-20 Dragon Tiger', true],
    ['baccarrat', 'Baccarat 2', true],
    ['roulete', 'Européan Roulette', true],
    ['european', 'Européan Roulette', true],
    ['32 card', '32 Cards A', true],
    ['poker', 'Lucky 7 A', false],
    ['bacon', 'Baccarat', false],
    ['race', 'Race 20-20', true],
  ])('a search for "%s" and %s: %s', (search, name, found) => expect(isFound(search, name)).toBe(found));

  it('tells what a table does now', () => {
    const now = 1_000_000;
    expect(stateOf({ phase: 'OPEN', endsAt: now + 13_400, open: true }, now)).toBe('Open, 14 s');
    expect(stateOf({ phase: 'DEALING', endsAt: now, open: true }, now)).toBe('Dealing');
    expect(stateOf({ phase: 'IDLE', endsAt: 0, open: true }, now)).toBe('Starts with you');
    expect(stateOf({ phase: 'OPEN', endsAt: 0, open: false }, now)).toBe('Not open');
  });

  it('[CAS-01] shows tables at /live-casino too, under a plain word that no provider is connected', async () => {
    await show('/live-casino', Lobby);
    expect(screen.getByText('Live games are not open yet')).toBeTruthy();
    expect(document.querySelectorAll('a.market__tile img')).toHaveLength(32);
  });
});

describe('fairness in the browser', () => {
  it('repeats the vectors of the book', () => {
    const serverSeed = '736f8b5da725b7ed7f5d6f5656330336eb8fe413d66a357a86727cfebc65e2c6';
    expect(commitOf(serverSeed)).toBe('340af8ac6142f61406a6e25919b316d87d7cca8443d22bf501e55ab359028bb3');
    const stream = createStream({ serverSeed, clientSeed: 'player-one', nonce: 0 });
    expect([1, 2, 3, 4].map(() => stream.uint32())).toEqual([480653463, 3526566360, 1006078675, 2739837231]);
    expect(commitOf('e86681d4300a88be7df679f3099dd3ed44250bc1318facb3fa28d178e10aa828')).toBe(
      '7c28b04b720a76a5e88eb37d404848ec1b19836782046a2f2bd0a8fd802d13f4',
    );
    expect(commitOf('dacec137e866aaba12896a41cf46b5d97df894b053e76d6a7453cf9b9974272f')).toBe(
      '915f0e401d9f84637ee0dd2118c2e35b20a5ce1c01786b2cdebbfb6c939ddd90',
    );
  });

  it('deals a finished round again and finds every change', async () => {
    const round = roundOf('teen20', 11);
    // The worked example of the book: nonce 11, Player B.
    expect(round.cards.map(({ code }) => code)).toEqual(['2DD', '4SS', 'JCC', '4DD', '6DD', 'JHH']);
    expect(await checkRound('teen20', round, '3')).toMatchObject({
      ok: true,
      commitHolds: true,
      cardsHold: true,
      resultHolds: true,
    });
    expect(await checkRound('teen20', round, '1')).toMatchObject({ ok: false, resultHolds: false });
    expect(await checkRound('teen20', { ...round, nonce: 12 }, '3')).toMatchObject({ ok: false, cardsHold: false });
    expect(await checkRound('teen20', { ...round, commit: '0'.repeat(64) }, '3')).toMatchObject({
      ok: false,
      commitHolds: false,
    });
    expect(await checkRound('teen20', { ...round, serverSeed: null }, '3')).toBeNull();
  });

  it('holds a round against the hash it was shown while bets were open', async () => {
    const round = roundOf('teen20', 11, { mid: 'seen-1' });
    expect((await checkRound('teen20', round, '3'))?.sameAsSeen).toBeNull();
    rememberCommit({ ...round, phase: 'OPEN' });
    rememberCommit({ ...round, phase: 'OPEN', commit: 'f'.repeat(64) });
    expect(await checkRound('teen20', round, '3')).toMatchObject({ ok: true, sameAsSeen: true });
    rememberCommit({ mid: 'seen-2', commit: 'f'.repeat(64), phase: 'OPEN' });
    expect(await checkRound('teen20', { ...round, mid: 'seen-2' }, '3')).toMatchObject({
      ok: false,
      sameAsSeen: false,
    });
  });
});

describe('cards and words', () => {
  it('reads the doubled letters of the site', () => {
    expect(['KHH', '10SS', 'ADD', '7CC'].map(shownCard)).toEqual(['KS', '10D', 'AH', '7C']);
    for (const code of ['KHH', '10SS', 'ADD', '7CC', 'QDD', 'AHH']) expect(cardNumber(code)).toBe(parseCard(code));
    expect(cardNumber('1')).toBeNull();
  });

  it('works out hands, notes and winners from the public cards', () => {
    const facts = factsOf(RULES.teen20.game, roundOf('teen20', 11));
    expect(facts.hands.map((hand) => hand.map(({ code }) => code))).toEqual([
      ['2H', 'JC', '6H'],
      ['4D', '4H', 'JS'],
    ]);
    expect(facts.notes[1]).toMatch(/^Pair/);
    expect(facts.result?.winners).toEqual([1]);
  });

  it('draws a face-down card and says nothing of it', () => {
    const round = roundOf('teen20', 11, { phase: 'DEALING' });
    const facts = factsOf(RULES.teen20.game, {
      phase: 'DEALING',
      cards: round.cards.map((card, at) => (at === 5 ? { ...card, code: null } : card)),
    });
    expect(facts.hands[1]!.at(-1)!.code).toBe('back');
    expect(facts.result).toBeNull();
  });
});

describe('odds grid', () => {
  it('places every selection of every table exactly once', () => {
    for (const code of Object.keys(RULES) as TableCode[]) {
      const info = describeTable(code);
      const ids = sectionsOf(info).flatMap((section) => {
        if (section.kind === 'pair') return section.rows.flatMap((row) => row.cells.flat());
        if (section.kind === 'matrix') return section.rows.flatMap((row) => row.cells);
        if (section.kind === 'chips') return section.blocks.flatMap((block) => block.cells);
        return 'rows' in section ? section.rows : section.cells;
      });
      expect(new Set(ids.map((one) => one?.id)), code).toEqual(new Set(info.selections.map((one) => one.id)));
      expect(ids.length, code).toBe(info.selections.length);
    }
  });

  it('reads prices, lines and ranges', () => {
    const info = describeTable('race20');
    const total = info.selections.find((one) => one.name === 'Total Point')!;
    const rows = [
      {
        runnerId: 5,
        sel: '5',
        back: 100,
        lay: 100,
        line: 83,
        noLine: 79,
        open: true,
        minMinor: 100,
        maxMinor: 100,
        end: null,
      },
    ];
    expect(quoteOf(rows, 'BACK')).toMatchObject({ line: 83, price: 100 });
    expect(quoteOf(rows, 'LAY')).toMatchObject({ line: 79, price: 100 });
    expect(cellText(total, quoteOf(rows, 'LAY')!)).toEqual({ price: '79', under: '100' });
    const plus = describeTable('teen20').selections.find((one) => one.name === 'Pair Plus A')!;
    expect(cellText(plus, { price: 200, line: null }).price).toBe('1\u201345');
    const tie = describeTable('baccarat').selections.find((one) => one.name === 'Tie')!;
    expect(cellText(tie, { price: 900, line: null }).price).toBe('8 : 1');
    // Banker pays one to one; that a six pays half is said in words, not as a range.
    const banker = describeTable('baccarat').selections.find((one) => one.name === 'Banker')!;
    expect(cellText(banker, { price: 200, line: null })).toEqual({ price: '1 : 1', under: null });
    expect(banker.hint).toBe('half on a six');
    // Of one event that comes or not the rate is what counts, not the line 1.
    const wicket = describeTable('superover').selections.find((one) => one.name === 'Common Wicket')!;
    expect(cellText(wicket, { price: 113, line: 1 })).toEqual({ price: '113', under: 'per 100' });
    // Odds from 10 to 20 keep their hundredths.
    const eight = describeTable('card32').selections.find((one) => one.name === 'Player 8')!;
    expect(cellText(eight, { price: 1217, line: null }).price).toBe('12.17');
    expect(priceText({ price: 1217, line: null }, undefined)).toBe('12.17');
  });

  it('tells what a bet may bring and cost', () => {
    const sums = (code: TableCode, name: string, bet: Parameters<typeof sumsOf>[3], stakeMinor: number) => {
      const selection = describeTable(code).selections.find((one) => one.name === name)!;
      return sumsOf(rules, RULES[code].game, selection, bet, stakeMinor);
    };
    expect(sums('cmeter', 'Low', { side: 'BACK', price: 215, line: null }, 100)).toEqual({
      profitMinor: 5750,
      liabilityMinor: 5000,
      upTo: true,
    });
    expect(sums('worli', 'SP All', { side: 'BACK', price: 14_300, line: null }, 100)).toEqual({
      profitMinor: 2300,
      liabilityMinor: 12_000,
      upTo: false,
    });
    expect(sums('3cardj', 'No', { side: 'LAY', price: 184, line: null, pick: [1, 2, 3] }, 10_000)).toEqual({
      profitMinor: 10_000,
      liabilityMinor: 8400,
      upTo: false,
    });
    expect(sums('race20', 'Total Card', { side: 'LAY', price: 105, line: 13 }, 10_000)).toMatchObject({
      profitMinor: 10_000,
      liabilityMinor: 10_500,
    });
    expect(sums('race20', 'Total Card', { side: 'BACK', price: 94, line: 13 }, 10_000)).toMatchObject({
      profitMinor: 9400,
      liabilityMinor: 10_000,
    });
    expect(sums('baccarat', 'Banker', { side: 'BACK', price: 200, line: null }, 10_000)).toMatchObject({
      profitMinor: 10_000,
    });
  });
});

describe('amounts', () => {
  it('rounds a position, never cuts it, and keeps what fits', () => {
    expect([196, -204, 500, 0, 123_456, -199_999].map(positionText)).toEqual([
      '+1.96',
      '\u22122.04',
      '+5',
      '0',
      '+1,235',
      '\u22122,000',
    ]);
    expect([10, 250, 2500, 100_000, 150_000, 1_234_500].map(chipText)).toEqual([
      '0.1',
      '2.5',
      '25',
      '1k',
      '1.5k',
      '12k',
    ]);
  });

  it('says limits in words that are true: ab20 begins at 0.10', () => {
    const { limits } = describeTable('ab20').selections[0]!;
    expect(limitsText(limits.min, limits.max)).toBe('0.10 to 100');
    expect(limitsText(100, 500_000)).toBe('1 to 5,000');
  });

  it('tells the returns of all bets it stands over, as a range where they differ', () => {
    const of = (code: TableCode, group: string) =>
      returnsText(describeTable(code).selections.filter((one) => one.group === group));
    expect(of('teen20', 'Colour')).toBe('Returns 98.5 %');
    const [, least, most] = /^Returns ([\d.]+) to ([\d.]+) %$/.exec(of('poker6', 'Winning hand'))!;
    expect(Number(least)).toBeLessThan(Number(most));
    expect(returnsText([{ returnPpm: null }])).toBe('');
  });
});

describe('statistics', () => {
  const wins = (...codes: string[]) => codes.map((win) => ({ win }));

  it('counts every side of a three-way table, and the ties', () => {
    const lion = countEndings(ENDINGS.dtl20, wins('1', '21', '41', '41', '41'));
    expect(lion.map(({ name, count }) => [name, count])).toEqual([
      ['Dragon', 1],
      ['Tiger', 1],
      ['Lion', 3],
    ]);
    const test = countEndings(ENDINGS.teen9, wins('11', '31', '31', '0'));
    expect(test.map(({ name, count }) => [name, count])).toEqual([
      ['Tiger', 1],
      ['Lion', 0],
      ['Dragon', 2],
      ['Tie', 1],
    ]);
    const brothers = countEndings(ENDINGS.aaa, wins('3', '3', '1'));
    expect(brothers.find(({ name }) => name === 'Anthony')?.count).toBe(2);
  });

  it('draws roads of two sides only, without leaving a result out', () => {
    for (const code of ['dtl20', 'teen9', 'aaa', 'card32', 'race20', 'btable'] as const)
      expect(roadSides(ENDINGS[code]), code).toBeNull();
    for (const code of ['baccarat', 'dt20', 'teen20', 'abj', 'lucky7'] as const) {
      expect(roadSides(ENDINGS[code]), code).not.toBeNull();
      const all = ENDINGS[code].map(({ win }) => ({ win }));
      expect(sidesOf(ENDINGS[code], all)).toHaveLength(all.length);
    }
    // Banker with a six is a Banker all the same.
    expect(sidesOf(ENDINGS.baccarat, wins('4', '2', '1', '3'))).toEqual(['t', 'a', 'b', 'b']);
    expect(countEndings(ENDINGS.baccarat, wins('4', '2')).find(({ name }) => name === 'Banker')?.count).toBe(2);
  });

  it.each([
    ['teen8', '3/8'],
    ['ab20', '6:7'],
    ['war', '0/6'],
    ['3cardj', 'A 10 5'],
    ['cmeter', 'H 78'],
    ['ballbyball', 'LB'],
  ] as const)('%s: the strip writes out what came: %s', async (code, badge) => {
    const answer = tableAnswer(code, roundOf(code, 11));
    site.answers['/match/card'] = { ...answer, topTenResult: [{ ...answer.topTenResult[0]!, badge }] };
    await show(`/${TABLES.find((one) => one.code === code)!.route}`, Table);
    await settle();
    expect(document.querySelector('.felt__foot .results__results')?.textContent).toBe(badge);
  });

  it('counts each winner where several may win', () => {
    const counts = countEndings(ENDINGS.teen8, wins('1,3,8', '3', '0'));
    expect(counts.filter(({ count }) => count > 0).map(({ name, count }) => [name, count])).toEqual([
      ['Player 1', 1],
      ['Player 3', 2],
      ['Player 8', 1],
    ]);
  });

  it('counts by the cards in how many rounds each bet won', () => {
    const { game } = RULES.dt20;
    const { selections } = describeTable('dt20');
    const { rounds, wins: won } = countWins(game, selections, [
      { cards: ['KHH', '9SS'] },
      { cards: ['2DD', 'JCC'] },
      { cards: ['7DD', '7DD'] },
      {},
    ]);
    const of = (name: string) => won.get(selections.find((one) => one.name === name)!.id) ?? 0;
    expect(rounds).toBe(3);
    expect([of('Dragon'), of('Tiger'), of('Tie'), of('Pair'), of('Dragon Odd')]).toEqual([1, 1, 1, 1, 2]);
  });
});

describe('roads', () => {
  const of = (text: string): Side[] => text.split('').map((letter) => ({ P: 'a', B: 'b', T: 't' })[letter] as Side);

  it('fills the bead plate by columns of six and drops the oldest column', () => {
    expect(beadPlate(of('PBTPBTP'), 10).at(-1)).toMatchObject({ column: 1, row: 0, side: 'a' });
    expect(beadPlate(of('P'.repeat(61)), 10)).toHaveLength(55);
  });

  it('starts a column at each change and strikes ties through the mark before', () => {
    expect(bigRoad(of('TPPTTBP')).map(({ column, row, side, ties }) => [column, row, side, ties])).toEqual([
      [0, 0, 'a', 0],
      [0, 1, 'a', 2],
      [1, 0, 'b', 0],
      [2, 0, 'a', 0],
    ]);
  });

  it('turns right at the floor and at a mark of another run, and never draws on a taken place', () => {
    const long = bigRoad(of('P'.repeat(8)));
    expect(long.slice(-3).map(({ column, row }) => [column, row])).toEqual([
      [0, 5],
      [1, 5],
      [2, 5],
    ]);
    const marks = bigRoad(of(`${'P'.repeat(9)}${'B'.repeat(8)}PBBP`));
    expect(new Set(marks.map(({ column, row }) => `${column}.${row}`)).size).toBe(marks.length);
  });

  it('derives red where the road repeats itself and blue where it does not', () => {
    expect(runLengths(of('PPTBPPP'))).toEqual([2, 1, 3]);
    // Columns of 2, 2: the second mark of the second column has a mark beside it: red.
    expect(derivedRoad(of('PPBB'), 1).map(({ side }) => side)).toEqual(['b']);
    // Columns of 1, 2: none beside it, but one above: blue. Then the third column opens after unequal lengths: blue.
    expect(derivedRoad(of('PBBP'), 1).map(({ side }) => side)).toEqual(['a', 'a']);
    // Two empty places beside each other are equal again: red.
    expect(derivedRoad(of('PBBB'), 1).map(({ side }) => side)).toEqual(['a', 'b']);
    expect(derivedRoad(of('PB'), 2)).toEqual([]);
  });
});

describe('socket of the tables', () => {
  const message = (n: number, roundNo: number) => ({
    n,
    now: Date.now() + 5000,
    round: roundOf('teen20', 11, { roundNo }),
    topTenResult: [],
  });

  it('replaces the whole image, and joins again on a gap', async () => {
    const stop = watchTable('teen20');
    await vi.waitFor(() => expect(line.emitted('joinTable')).toHaveLength(1));
    takeImage('teen20', message(1, 1));
    takeImage('teen20', message(2, 2));
    expect(liveTable('teen20')?.round.roundNo).toBe(2);
    takeImage('teen20', message(2, 9));
    expect(liveTable('teen20')?.round.roundNo).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    takeImage('teen20', message(5, 5));
    expect(liveTable('teen20')?.round.roundNo).toBe(5);
    expect(line.emitted('joinTable')).toHaveLength(2);
    // The answer to the joining starts at one again.
    takeImage('teen20', message(1, 6));
    takeImage('teen20', message(2, 7));
    expect(liveTable('teen20')?.round.roundNo).toBe(7);
    expect(line.emitted('joinTable')).toHaveLength(2);
    takeImage('teen', message(9, 99));
    expect(liveTable('teen20')?.round.roundNo).toBe(7);
    stop();
    expect(liveTable('teen20')).toBeNull();
    expect(line.sent.at(-1)).toMatchObject({ event: 'leaveTable', value: { code: 'teen20' } });
  });

  it("counts by the server's clock", () => {
    const stop = watchTable('teen20');
    takeImage('teen20', message(1, 1));
    expect(Math.abs(serverNow() - Date.now() - 5000)).toBeLessThan(1000);
    stop();
  });
});

describe('calls of the tables', () => {
  it('[REP-07] [OPN-35] [REP-06] [REP-19] asks the card report by pages of fifteen and a round by its id', async () => {
    expect(CALLS.casino.report.path).toBe('/card/report/:type');
    expect(CALLS.casino.resultDetail.path).toBe('/card/result/detail');
    const asked: string[] = [];
    const before = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      asked.push(url);
      return before(url, init);
    });
    const round = roundOf('teen20', 11);
    site.answers['/match/card'] = tableAnswer('teen20', round);
    site.answers['/card/report/teen20'] = {
      rows: tableAnswer('teen20', round).topTenResult,
      total: 40,
      page: 1,
      limit: 15,
    };
    site.answers['/card/result/detail'] = {
      result: { ...tableAnswer('teen20', round).topTenResult[0]!, win: '3' },
      round,
    };
    await show('/teen20', Table);
    await settle();
    fireEvent.click(await screen.findByRole('button', { name: 'Rounds of this table' }, { timeout: 10_000 }));
    await vi.waitFor(
      () => expect(document.querySelector('dialog')?.textContent).toContain('1 to 15 of 40 entries'),
      10_000,
    );
    const reports = asked
      .map((url) => new URL(url, 'http://site'))
      .filter(({ pathname }) => pathname.endsWith('/card/report/teen20'))
      .map(({ searchParams }) => Object.fromEntries(searchParams));
    // The statistics below the table ask for a hundred.
    expect(reports.filter(({ limit }) => limit !== '100')).toEqual([
      { page: '1', limit: '15', sort: 'cardResult.createdAt:DESC' },
    ]);
    fireEvent.change(screen.getByLabelText('Search for'), { target: { value: 'trail' } });
    fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    await settle();
    expect(asked.some((url) => /searchBy=result/.test(url) && /keyword=trail/.test(url))).toBe(true);
    fireEvent.click(
      screen.getAllByRole('button', { name: /Player A wins/ }).find((button) => button.className === 'link')!,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Verify in this browser' }, { timeout: 10_000 }));
    await screen.findByText('This round was dealt as promised.', undefined, { timeout: 10_000 });
    expect(asked.some((url) => url.includes('/card/result/detail?mid='))).toBe(true);
  });
});
