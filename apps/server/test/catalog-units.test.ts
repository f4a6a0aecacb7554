import { score } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import { type Candle, createCandles, joined, packed, unpacked } from '../src/catalog/candles.ts';
import { Charts } from '../src/catalog/charts.ts';
import { parentsFirst } from '../src/catalog/details.ts';
import { openEvents } from '../src/catalog/events.ts';
import { scoreLine, toScore } from '../src/catalog/scores.ts';
import { matches, searchable, wordsOf } from '../src/catalog/search.ts';
import { silent } from '../src/db/db.ts';
import type { FeedEvent, FootballScore, RaceScore, TennisScore } from '../src/feed/feed.ts';
import { createGate, createMeter, readMatchIds } from '../src/live/gate.ts';
import { event } from './site.ts';

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

  it('finds a name in the script it is shown in, whole letters and no other name of its consonants', () => {
    for (const [name, query, other] of [
      ['दिल्ली कैपिटल्स v मुंबई इंडियंस', 'दिल्ली मुंबई', 'दलाल'],
      ['फ़िरोज़ कप', 'फिरोज', 'फिराज'],
      ['কলকাতা নাইট রাইডার্স', 'কলকাতা', 'কলিকতা'],
      ['சென்னை சூப்பர் கிங்ஸ்', 'சென்னை', 'சனன'],
      ['سن رائزرز v آسٹریلیا', 'اسٹریلیا', 'سین'],
    ] as const) {
      expect([query, matches(searchable(name), wordsOf(query))]).toEqual([query, true]);
      expect([other, matches(searchable(name), wordsOf(other))]).toEqual([other, false]);
    }
  });
});

describe('what a search looks through', () => {
  it('has a competition by its English and by what each language calls it', async () => {
    const events = await openEvents({ query: async () => [] } as never, silent);
    const told = (event(1, 'cricket', { competitionName: 'Southern Smash' }) as { event: FeedEvent }).event;
    const { searchText } = events.put(told);
    for (const query of ['southern smash', 'सदर्न', 'ஸ்மாஷ்', 'سدرن اسمیش'])
      expect([query, matches(searchText, wordsOf(query))]).toEqual([query, true]);
    expect(matches(searchText, wordsOf('विश्व कप'))).toBe(false);
  });
});

describe('candles', () => {
  const MINUTE = 60_000;

  it('a span has its first, highest, lowest and last price and what was matched; one without a change is left out', () => {
    const candles = createCandles();
    candles.take(0, 200);
    candles.take(1000, 210, 500);
    candles.take(2000, 190, 700);
    candles.take(25_000, 190);
    candles.take(50_000, 190, 100);
    expect(candles.hour(60_000)).toEqual([
      [0, 200, 210, 190, 190, 1200],
      [40_000, 190, 190, 190, 190, 100],
    ]);
    expect(candles.all()).toEqual(candles.hour(60_000));
  });

  it('are bounded over a market of weeks, which loses no price and no money by it; the last hour stays fine', () => {
    const candles = createCandles();
    const ends = 30 * 24 * 60;
    for (let minute = 0; minute <= ends; minute++) candles.take(minute * MINUTE, 200 + (minute % 7), 10);
    candles.take(ends * MINUTE, 900, 10);
    const all = candles.all();
    expect(all.length).toBeLessThanOrEqual(120);
    expect(all.reduce((sum, [, , , , , matched]) => sum + matched, 0)).toBe((ends + 2) * 10);
    expect(Math.min(...all.map(([, , , low]) => low))).toBe(200);
    expect(all.at(-1)).toMatchObject({ 2: 900, 4: 900 });
    const hour = candles.hour(ends * MINUTE).filter(([at]) => at >= (ends - 60) * MINUTE);
    expect(hour.length).toBeGreaterThanOrEqual(60);
    expect(hour.length).toBeLessThanOrEqual(182);
  });

  it('what was kept comes before what is known since, once, and packs and unpacks to itself', () => {
    const before = createCandles();
    for (let at = 0; at < 90; at++) before.take(at * MINUTE, 300 + at, at);
    const stepMs = before.longMs();
    const text = JSON.stringify(packed(before.all(), stepMs));
    expect(unpacked(JSON.parse(text) as number[], stepMs)).toEqual(before.all());
    const after = createCandles();
    after.take(100 * MINUTE, 500, 7);
    after.before(unpacked(JSON.parse(text) as number[], stepMs), stepMs);
    expect(after.all()).toEqual([...before.all(), [100 * MINUTE, 500, 500, 500, 500, 7]]);
    // An hour that began before the start is drawn from what was kept.
    expect(after.hour(100 * MINUTE)[0]![0]).toBeLessThanOrEqual(40 * MINUTE);
    const twice: Candle[] = joined(before.all(), stepMs * 6);
    expect(twice.reduce((sum, [, , , , , matched]) => sum + matched, 0)).toBe((89 * 90) / 2);
    expect(twice[0]).toEqual([0, 300, 301, 300, 301, 1]);
  });

  it('a market whose prices stand is not written again', async () => {
    let now = MINUTE;
    let written = 0;
    const query = async (text: string) => {
      if (text.includes('INSERT')) written += 1;
      return [];
    };
    const image = { id: 1, status: 'OPEN', inPlay: false, runners: [{ id: 2, name: 'Ada', last: 200 }] };
    const from = { db: { query }, log: {}, clock: () => now, keeps: true };
    const charts = new Charts({
      ...from,
      images: { view: () => ({ kind: 'book' }), image: () => image },
    } as unknown as ConstructorParameters<typeof Charts>[0]);
    const afterTen = async (price: number): Promise<number> => {
      charts.sample(
        'real',
        { ...image, runners: [{ ...image.runners[0], back: [[price, 100]], lay: [] }] } as never,
        now,
      );
      now += 10 * MINUTE;
      await charts.turn();
      return written;
    };
    expect(await afterTen(200)).toBe(1);
    expect(await afterTen(200)).toBe(1);
    expect(await afterTen(202)).toBe(2);
  });

  it('a clock that was set back moves nothing that stands', () => {
    const candles = createCandles();
    candles.take(MINUTE, 200);
    candles.take(1000, 220, 5);
    expect(candles.all()).toEqual([[MINUTE, 200, 220, 200, 220, 5]]);
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
