import { score } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import { parentsFirst } from '../src/catalog/details.ts';
import { createHistory } from '../src/catalog/history.ts';
import { scoreLine, toScore } from '../src/catalog/scores.ts';
import { matches, searchable, wordsOf } from '../src/catalog/search.ts';
import type { FootballScore, RaceScore, TennisScore } from '../src/feed/feed.ts';
import { createGate, createMeter, readMatchIds } from '../src/live/gate.ts';

describe('order of a tournament', () => {
  it('[MAT-04] [MAT-05] parents first, then by sno, children of a lower sno behind them', () => {
    const list = [
      { id: 4, sno: 1, parentBetId: 3 },
      { id: 1, sno: 3, parentBetId: null },
      { id: 3, sno: 2, parentBetId: null },
      { id: 5, sno: 0, parentBetId: 99 },
    ];
    expect(parentsFirst(list).map((entry) => entry.id)).toEqual([5, 3, 1, 4]);
  });
});

describe('scores', () => {
  const context = { matchType: 'football' as const, teamA: 'Rovers', teamB: 'United' };
  const football: FootballScore = {
    sport: 'football',
    period: 'firstHalf',
    minute: 45,
    added: 2,
    addedAnnounced: 3,
    goalsA: 1,
    goalsB: 1,
    halfTimeA: 0,
    halfTimeB: 0,
    goals: [
      { minute: 30, added: 0, team: 'B', scorer: 'K. Lund', kind: 'penalty' },
      { minute: 12, added: 0, team: 'A', scorer: 'P. Moss', kind: 'ownGoal' },
    ],
    cards: [{ minute: 20, added: 0, team: 'B', player: 'T. Rask', colour: 'yellow' }],
    cornersA: 1,
    cornersB: 2,
    note: '',
  };

  it('football: phase, clock with added time, events in order', () => {
    const made = toScore(football, context);
    expect(score.parse(made)).toEqual(made);
    expect(made).toMatchObject({ phase: '1H', clock: '45+2', homeGoals: 1 });
    expect(made.sport === 'football' && made.events.map((event) => [event.minute, event.kind, event.side])).toEqual([
      [12, 'goal', 'home'],
      [20, 'yellow', 'away'],
      [30, 'penalty', 'away'],
    ]);
    expect(scoreLine(made)).toBe("1-1 45+2'");
    expect(scoreLine(toScore({ ...football, period: 'halfTime' }, context))).toBe('1-1 HT');
    expect(scoreLine(toScore({ ...football, period: 'notStarted' }, context))).toBe('');
  });

  it('tennis: sets, points, advantage', () => {
    const tennis: TennisScore = {
      sport: 'tennis',
      status: 'inPlay',
      bestOf: 3,
      sets: [
        { a: 6, b: 4 },
        { a: 2, b: 3 },
      ],
      setsA: 1,
      setsB: 0,
      pointsA: 'AD',
      pointsB: '40',
      server: 'B',
      tieBreak: false,
      note: '',
    };
    const made = toScore(tennis, { ...context, matchType: 'tennis' });
    expect(score.parse(made)).toMatchObject({ points: ['A', '40'], server: 1, setsWon: [1, 0] });
    expect(scoreLine(made)).toBe('6-4 2-3 (A-40)');
  });

  it('racing: who is where, by share of the distance', () => {
    const race: RaceScore = {
      sport: 'race',
      status: 'OFF',
      progress: 500,
      metresLeft: 500,
      positions: [
        { runnerId: 2, place: 1, behind: 0 },
        { runnerId: 1, place: 2, behind: 1000 },
      ],
      finish: [],
      nonRunners: [],
      note: '',
    };
    const runners = [
      { runnerId: 1, name: 'One', clothNumber: 1 },
      { runnerId: 2, name: 'Two', clothNumber: 2 },
    ];
    const made = toScore(race, { ...context, matchType: 'horseRacing', distanceMetres: 1000, runners });
    // Ten lengths of 2.4 m are 24 of 1000 m.
    expect(score.parse(made)).toMatchObject({
      sport: 'horseRacing',
      finished: false,
      order: [
        { name: 'Two', share: 500 },
        { name: 'One', share: 476 },
      ],
    });
    expect(scoreLine(made)).toBe('Running');
  });
});

describe('search words', () => {
  it('[API-25] ignores case and accents; every word must stand in it, signs as they are', () => {
    const text = searchable('São Paulo v Müller-Östberg, 50 % off');
    expect(matches(text, wordsOf('pau OST'))).toBe(true);
    expect(matches(text, wordsOf('aulo'))).toBe(true);
    expect(matches(text, wordsOf('müller-öst'))).toBe(true);
    expect(matches(text, wordsOf('paulo oslo'))).toBe(false);
    expect(matches(text, wordsOf('%'))).toBe(true);
    expect(matches(text, wordsOf('%_'))).toBe(false);
    expect(matches(text, wordsOf(' '))).toBe(false);
  });
});

describe('price history', () => {
  it('keeps changes only and thins the older half, so that memory is bounded', () => {
    const history = createHistory();
    const image = (price: number) => ({
      id: 1,
      runners: [{ id: 5, back: [[price, 100]], lay: [[price + 10, 100]], last: 0, tradedMinor: 0 }],
    });
    for (let i = 0; i < 5000; i++) history.sample(image(200 + (i % 5)) as never, i);
    history.sample(image(204) as never, 6000);
    const points = history.points(1, 5);
    expect(points.length).toBeLessThanOrEqual(360);
    expect(points.at(-1)?.[0]).toBe(4999);
    expect(points.map(([at]) => at)).toEqual(points.map(([at]) => at).sort((a, b) => a - b));
    history.forget(1);
    expect(history.points(1, 5)).toEqual([]);
  });

  it('tells with each price what was matched until then, also where money changed hands at the same price', () => {
    const history = createHistory();
    const at = (price: number, tradedMinor: number, now: number) =>
      history.sample(
        {
          id: 1,
          runners: [{ id: 5, back: [[price, 100]], lay: [[price + 2, 100]], last: price, tradedMinor }],
        } as never,
        now,
      );
    at(200, 0, 1000);
    at(200, 5000, 2000);
    at(200, 5000, 3000);
    at(202, 7000, 4000);
    expect(history.points(1, 5)).toEqual([
      [1000, 200, 0],
      [2000, 200, 5000],
      [4000, 202, 7000],
    ]);
  });
});

describe('the gate of the sockets', () => {
  const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
    ({ socket: { remoteAddress }, headers: { host: 'site.example:3000', ...headers } }) as never;
  const options = { publicOrigin: undefined, extraOrigins: [], trustProxy: [], perAddress: 2 };

  it('[SEC-W1] lets the own origin in and no other', () => {
    const gate = createGate(options);
    expect(gate.originAllowed(request('1.2.3.4'))).toBe(true);
    expect(gate.originAllowed(request('1.2.3.4', { origin: 'http://site.example:3000' }))).toBe(true);
    for (const origin of [
      'http://site.example',
      'https://evil.example',
      'null',
      'http://site.example:3000.evil.example',
    ])
      expect(gate.originAllowed(request('1.2.3.4', { origin }))).toBe(false);
    const live = createGate({ ...options, publicOrigin: 'https://play.example' });
    expect(live.originAllowed(request('1.2.3.4', { origin: 'https://play.example' }))).toBe(true);
    expect(live.originAllowed(request('1.2.3.4', { origin: 'http://site.example:3000' }))).toBe(false);
  });

  it('[SEC-W3] counts connections by address; [SEC-Z9] a forged header moves nobody', () => {
    const gate = createGate(options);
    gate.opened('1.2.3.4');
    gate.opened('1.2.3.4');
    expect(gate.refuse(request('1.2.3.4', { 'x-forwarded-for': '9.9.9.9' }))).toBe('address');
    expect(gate.refuse(request('1.2.3.5'))).toBeNull();
    gate.closed('1.2.3.4');
    expect(gate.refuse(request('1.2.3.4'))).toBeNull();
    const behind = createGate({ ...options, trustProxy: ['10.0.0.0/8'] });
    const forwarded = { 'x-forwarded-for': '6.6.6.6, 7.7.7.7, 10.0.0.2' };
    expect(behind.addressOf(request('::ffff:10.0.0.1', forwarded))).toBe('7.7.7.7');
    expect(behind.addressOf(request('8.8.8.8', forwarded))).toBe('8.8.8.8');
  });

  it('[SEC-W3] reads at most 60 positive ids and meters events by the second', () => {
    expect(readMatchIds('1,2,2')).toEqual([1, 2]);
    expect(readMatchIds(['1', '2,3'])).toEqual([1, 2, 3]);
    expect(readMatchIds(undefined)).toEqual([]);
    for (const bad of ['1;2', '1e3', '0', '-1', '1.5', {}, 5]) expect(readMatchIds(bad)).toBeNull();
    let now = 0;
    const meter = createMeter(20, () => now);
    const taken = () => Array.from({ length: 30 }, () => meter()).filter(Boolean).length;
    expect(taken()).toBe(20);
    now += 1000;
    expect(taken()).toBeLessThanOrEqual(20);
  });
});
