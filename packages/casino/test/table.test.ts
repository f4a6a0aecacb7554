import { expect, it, describe as suite } from 'vitest';
import { defaultLimits, describe, gameOf, isTableCode, TABLES, type TableCode, tableByRoute } from '../src/casino.ts';

/** Table CAS-T1 of the requirements: route, code, display name. */
const ROUTES: readonly (readonly [string, TableCode, string])[] = [
  ['/ballbyball', 'ballbyball', 'Ball By Ball'],
  ['/superover', 'superover', 'Super Over'],
  ['/race20', 'race20', 'Race 20-20'],
  ['/queen', 'queen', 'Casino Queen'],
  ['/cricketv3', 'cricketv3', '5Five Cricket'],
  ['/abj2', 'abj', 'Andar Bahar 2'],
  ['/dt202', 'dt202', '20-20 Dragon Tiger 2'],
  ['/baccarat2', 'baccarat2', 'Baccarat 2'],
  ['/baccarat', 'baccarat', 'Baccarat'],
  ['/lucky7eu', 'lucky7eu', 'Lucky 7 B'],
  ['/cmatch20', 'cmatch20', '20-20 Cricket Match'],
  ['/cmeter', 'cmeter', 'Casino Meter'],
  ['/war', 'war', 'Casino War'],
  ['/dtl20', 'dtl20', '20-20 Dragon Tiger Lion'],
  ['/teen9', 'teen9', 'Teenpatti Test'],
  ['/teen8', 'teen8', 'Teenpatti Open'],
  ['/teen', 'teen', 'Teenpatti 1-Day'],
  ['/teen20', 'teen20', '20-20 Teenpatti'],
  ['/poker6', 'poker6', 'Poker 6 Players'],
  ['/poker', 'poker', 'Poker 1-Day'],
  ['/poker20', 'poker20', '20-20 Poker'],
  ['/ab20', 'ab20', 'Andar Bahar'],
  ['/worli2', 'worli2', 'Instant Worli'],
  ['/3cardj', '3cardj', '3 Cards Judgement'],
  ['/32cards-A', 'card32', '32 Cards A'],
  ['/32cards-B', 'card32eu', '32 Cards B'],
  ['/aaa', 'aaa', 'Amar Akbar Anthony'],
  ['/btable', 'btable', 'Bollywood Casino'],
  ['/dt20', 'dt20', '20-20 Dragon Tiger'],
  ['/dt6', 'dt6', '1 Day Dragon Tiger'],
  ['/lucky7-A', 'lucky7', 'Lucky 7 A'],
];
const codes = Object.keys(TABLES) as TableCode[];

suite('tables', () => {
  it('[CAS-07] has exactly the 31 routes', () => {
    const routed = Object.values(TABLES).filter(({ route }) => route !== null);
    expect(routed.map(({ route, code, name }) => [route, code, name])).toEqual(ROUTES);
    expect(routed).toHaveLength(31);
  });

  it('[CAS-08] knows worli as the 32nd code, without a route', () => {
    expect(TABLES.worli).toMatchObject({ code: 'worli', route: null, name: 'Worli Matka' });
    expect(codes.at(-1)).toBe('worli');
  });

  it('[CAS-09] has exactly the 32 codes of the specification', () => {
    const specified =
      'dt20, abj, ab20, teen20, card32, card32eu, lucky7, dt202, dtl20, teen, teen8, teen9, dt6, lucky7eu, war, race20, superover, poker6, poker, poker20, 3cardj, baccarat, baccarat2, cricketv3, aaa, btable, worli2, cmatch20, ballbyball, cmeter, queen, worli';
    expect([...codes].sort()).toEqual(specified.split(', ').sort());
    expect(codes).toHaveLength(32);
  });

  it('[CAS-10] gives every code a display name of its own', () => {
    const names = codes.map((code) => TABLES[code].name);
    expect(names.every((name) => name.trim().length > 0)).toBe(true);
    expect(new Set(names).size).toBe(32);
  });

  it('[CAR-34] tells near-equal routes apart exactly, with their case', () => {
    for (const [route, code] of ROUTES) expect(tableByRoute(route)?.code).toBe(code);
    for (const wrong of [
      '/32cards-a',
      '/32CARDS-A',
      '/lucky7-a',
      '/lucky7',
      '/card32',
      '/abj',
      '/ABJ2',
      '/Teen',
      '/teen2',
      '/worli',
      '/baccarat/',
      'teen',
      '',
    ]) {
      expect(tableByRoute(wrong), wrong).toBeUndefined();
    }
    expect(isTableCode('teen')).toBe(true);
    expect(isTableCode('abj2')).toBe(false);
    expect(isTableCode('constructor')).toBe(false);
  });
});

suite('descriptions', () => {
  for (const code of codes) {
    it(`${code}: is plain data, and everything in it has its place`, () => {
      const info = describe(code);
      expect(JSON.parse(JSON.stringify(info))).toEqual(info);
      const ids = info.selections.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => Number.isInteger(id) && id > 0)).toBe(true);
      expect(new Set(info.selections.map(({ name }) => name)).size).toBe(ids.length);
      const columns = new Set(['', ...info.seats.map(({ id }) => id)]);
      for (const { name, group, label, column, limits, price, sides } of info.selections) {
        expect(columns.has(column), `${name} in column "${column}"`).toBe(true);
        expect(info.groups).toContain(group);
        expect(label.length, name).toBeGreaterThan(0);
        expect(limits.min).toBeLessThan(limits.max);
        expect(sides.length).toBeGreaterThan(0);
        for (const odds of [price?.back, price?.lay]) if (odds !== undefined) expect(odds).toBeGreaterThan(100);
      }
      const places = new Set(info.layout.places.map(({ row, column }) => `${row}:${column}`));
      expect(places.size).toBe(info.layout.places.length);
      expect(info.layout.places.map(({ seat }) => seat).sort((x, y) => x - y)).toEqual(info.seats.map((_, i) => i));
      expect(info.rules.length).toBeGreaterThan(0);
    });
  }

  it('takes the limits of the book', () => {
    expect(defaultLimits('teen20', 'main')).toEqual({ min: 100, max: 500_000 });
    expect(defaultLimits('teen20', 'side')).toEqual({ min: 100, max: 25_000 });
    expect(defaultLimits('ab20', 'main')).toEqual({ min: 10, max: 10_000 });
    expect(defaultLimits('dt20', 'fancy')).toEqual({ min: 100, max: 30_000 });
    expect(defaultLimits('ballbyball', 'long')).toEqual({ min: 100, max: 5000 });
  });

  it('nets the markets that C8 names and no others', () => {
    const netted = codes.flatMap((code) => {
      const nets = new Set(gameOf(code).selections.flatMap(({ net }) => net ?? []));
      return nets.size > 0 ? [`${code} ${nets.size}`] : [];
    });
    expect(netted.sort()).toEqual([
      'aaa 1',
      'btable 1',
      'card32 1',
      'card32eu 4',
      'cmatch20 9',
      'cricketv3 1',
      'dt6 1',
      'poker 1',
      'queen 1',
      'race20 1',
      'superover 1',
      'teen 1',
    ]);
  });
});
