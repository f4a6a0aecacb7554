import { describe, expect, it } from 'vitest';
import { bestPrices, createFold, crossedRunners, type Fold } from '../src/feed/replay/fold.ts';
import { type MarketMessage, parseMessage } from '../src/feed/replay/message.ts';
import { bookText, madeDefinition, makeFootball, makeGolf, makeRace } from './replay-fixtures.ts';

const ID = '1.5';

describe('an image and its deltas', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('equal the book they were told from, seed %i', (seed) => {
    const made = makeRace(seed);
    const fold = createFold();
    made.lines.forEach((line, at) => {
      const message = parseMessage(line) as MarketMessage;
      const before = message.markets[0]!.image && at > 0 ? booksOf(fold) : null;
      fold.apply(message);
      expect(booksOf(fold)).toBe(made.truth[at]);
      // A repeated image is what the deltas had made of the one before it.
      if (before !== null) expect(booksOf(fold)).toBe(before);
    });
    expect(fold.counts).toMatchObject({ images: made.images, deltas: made.deltas, refused: 0 });
    expect(made.images).toBe(3);
  });

  it('never show a crossed book while open, line by line', () => {
    const fold = createFold();
    for (const line of makeRace(11).lines) {
      for (const change of fold.apply(parseMessage(line) as MarketMessage))
        expect(crossedRunners(change.market)).toEqual([]);
    }
  });
});

describe('the fold rules', () => {
  it('an image throws the former one away, whole', () => {
    const fold = folded(
      {
        rc: [
          { id: 1, atb: [[2, 5]], ltp: 2 },
          { id: 2, atl: [[3, 5]] },
        ],
      },
      { img: true, rc: [{ id: 1, atl: [[4, 1]] }] },
    );
    const market = fold.markets.get(ID)!;
    expect([...market.runners.keys()]).toEqual(['1/0']);
    expect(market.runners.get('1/0')!.prices.atb.size).toBe(0);
    expect(market.runners.get('1/0')!.lastPrice).toBe(0);
  });

  it('a market that starts with a delta starts empty and is marked incomplete', () => {
    const fold = folded({ rc: [{ id: 1, atb: [[2, 5]] }] });
    expect(fold.markets.get(ID)!.incomplete).toBe(true);
    fold.apply(message([{ img: true, rc: [] }]));
    expect(fold.markets.get(ID)!.incomplete).toBe(false);
  });

  it('a definition replaces the former one whole; runners missing in rc keep their ladders', () => {
    const fold = folded(
      { marketDefinition: madeDefinition([runner(1), runner(2), runner(3)]), rc: [{ id: 1, atb: [[2, 5]] }] },
      { marketDefinition: madeDefinition([runner(1), runner(2)], { name: undefined, version: 1001 }) },
    );
    const market = fold.markets.get(ID)!;
    expect(market.definition!.runners.map((one) => one.runnerId)).toEqual([1, 2]);
    expect(market.definition!.marketName).toBeNull();
    expect(market.runners.get('1/0')!.prices.atb.get(200)).toBe(500);
  });

  it('runners are told apart by id and handicap', () => {
    const fold = folded({
      rc: [
        { id: 1, hc: -0.5, atb: [[1.9, 5]] },
        { id: 1, atb: [[2.1, 6]] },
        { id: 1, hc: 0.25, atb: [[2.5, 7]] },
      ],
    });
    const runners = fold.markets.get(ID)!.runners;
    expect([...runners.keys()]).toEqual(['1/-50', '1/0', '1/25']);
    expect(runners.get('1/-50')!.prices.atb.get(190)).toBe(500);
  });

  it('sizes are absolute, 0 deletes, and deleting what is not there is legal', () => {
    const fold = folded(
      {
        rc: [
          {
            id: 1,
            atb: [
              [2, 5],
              [1.9, 4],
            ],
          },
        ],
      },
      {
        rc: [
          {
            id: 1,
            atb: [
              [2, 3],
              [1.9, 0],
              [1.8, 0],
            ],
          },
        ],
      },
    );
    expect([...fold.markets.get(ID)!.runners.get('1/0')!.prices.atb]).toEqual([[200, 300]]);
  });

  it('level-keyed lists replace the level; they may be sparse', () => {
    const fold = folded(
      {
        rc: [
          {
            id: 1,
            batb: [
              [0, 2, 5],
              [1, 1.9, 4],
              [2, 1.8, 3],
            ],
            batl: [[0, 2.2, 1]],
          },
        ],
      },
      {
        rc: [
          {
            id: 1,
            batb: [
              [2, 1.7, 9],
              [1, 0, 0],
            ],
          },
        ],
      },
    );
    const market = fold.markets.get(ID)!;
    expect(bestPrices(market, market.runners.get('1/0'), 'back', 10)).toEqual([
      [200, 500],
      [170, 900],
    ]);
    expect(bestPrices(market, market.runners.get('1/0'), 'lay', 10)).toEqual([[220, 100]]);
  });

  it('best prices come from the fullest ladder there is', () => {
    const fold = folded({ rc: [{ id: 1, bdatb: [[0, 2.04, 1]] }] });
    const market = fold.markets.get(ID)!;
    const best = (): Array<[number, number]> => bestPrices(market, market.runners.get('1/0'), 'back', 1);
    expect(best()).toEqual([[204, 100]]);
    fold.apply(message([{ rc: [{ id: 1, batb: [[0, 2.02, 1]] }] }]));
    expect(best()).toEqual([[202, 100]]);
    fold.apply(
      message([
        {
          rc: [
            {
              id: 1,
              atb: [
                [1.5, 3],
                [2, 1],
                [1.9, 2],
              ],
            },
          ],
        },
      ]),
    );
    expect(best()).toEqual([[200, 100]]);
  });

  it('scalars are set when present; 0, NaN and Infinity are values', () => {
    const fold = folded({ rc: [{ id: 1, ltp: 2.5, spn: 'Infinity', spf: 'NaN' }] }, { rc: [{ id: 1, spf: 3.217 }] });
    expect(fold.markets.get(ID)!.runners.get('1/0')).toMatchObject({
      lastPrice: 250,
      nearPrice: Number.POSITIVE_INFINITY,
      farPrice: 3.217,
    });
    fold.apply(message([{ rc: [{ id: 1, ltp: 0, spn: 'NaN' }] }]));
    expect(fold.markets.get(ID)!.runners.get('1/0')).toMatchObject({ lastPrice: 0, nearPrice: Number.NaN });
  });

  it('several entries of one runner, and several messages of one market in a line, are applied in order and seen once', () => {
    const fold = createFold();
    const football = makeFootball();
    const seen = football.map((line) => fold.apply(parseMessage(line) as MarketMessage));
    expect(seen[4]!.map((change) => change.market.marketId)).toEqual(['1.900000003']);
    expect(fold.counts.deltas).toBe(football.flatMap((line) => JSON.parse(line).mc).length);
    const fresh = createFold();
    for (const line of football.slice(0, 5))
      for (const change of fresh.apply(parseMessage(line) as MarketMessage))
        expect(crossedRunners(change.market)).toEqual([]);
    const home = fresh.markets.get('1.900000003')!.runners.get('31/0')!;
    expect([...home.prices.atb]).toEqual([[200, 9000]]);
    expect([...home.prices.atl]).toEqual([[212, 15000]]);
  });

  it('a segmented message is seen when its last segment has come, per stream', () => {
    const fold = createFold();
    expect(fold.apply(message([{ rc: [{ id: 1, atb: [[2, 1]] }] }], { segmentType: 'SEG_START' }), 'a')).toEqual([]);
    expect(fold.apply(message([{ id: '1.6', rc: [] }]), 'b')).toHaveLength(1);
    expect(fold.apply(message([{ rc: [{ id: 2, atb: [[2, 1]] }] }], { segmentType: 'SEG' }), 'a')).toEqual([]);
    const changes = fold.apply(message([{ id: '1.7', rc: [] }], { segmentType: 'SEG_END' }), 'a');
    expect(changes.map((change) => change.market.marketId)).toEqual([ID, '1.7']);
    expect([...changes[0]!.runners]).toEqual(['1/0', '2/0']);
  });

  it('a definition of a lower version loses', () => {
    const fold = createFold();
    const states = makeFootball()
      .flatMap((line) => fold.apply(parseMessage(line) as MarketMessage))
      .filter((change) => change.market.marketId === '1.900000003');
    expect(fold.counts.refused).toBe(1);
    expect(states.flatMap((change) => change.definitions.map((one) => one.version))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('a close keeps the image, the result and the last totals', () => {
    const fold = folded(
      { marketDefinition: madeDefinition([runner(1), runner(2)]), rc: [{ id: 1, trd: [[2, 50]], tv: 50 }], tv: 50 },
      { rc: [{ id: 1, trd: [[2, 0]], tv: 0 }], tv: 0 },
      {
        marketDefinition: madeDefinition([runner(1, 'WINNER'), runner(2, 'LOSER')], {
          status: 'CLOSED',
          version: 1001,
        }),
      },
    );
    const market = fold.markets.get(ID)!;
    expect(market.definition!.status).toBe('CLOSED');
    expect(market.totalMinor).toBe(5000);
    expect(market.runners.get('1/0')!.totalMinor).toBe(5000);
  });

  it('a removed runner loses its ladders and keeps its row; its trades stay', () => {
    const fold = folded(
      {
        marketDefinition: madeDefinition([runner(1), runner(2)]),
        rc: [{ id: 1, atb: [[2, 5]], batb: [[0, 2, 5]], trd: [[2, 1]] }],
      },
      { marketDefinition: madeDefinition([runner(1, 'REMOVED'), runner(2)], { version: 1001 }) },
    );
    const gone = fold.markets.get(ID)!.runners.get('1/0')!;
    expect([gone.prices.atb.size, gone.levels.batb.size, gone.prices.trd.size]).toEqual([0, 0, 1]);
  });

  it('runner totals are the sum of the traded ladder when tv covers the line only, and never under what is told', () => {
    const fold = folded({ rc: [{ id: 1, trd: [[2, 50]], tv: 50 }] }, { rc: [{ id: 1, trd: [[2.1, 30]], tv: 30 }] });
    expect(fold.markets.get(ID)!.runners.get('1/0')!.totalMinor).toBe(8000);
    fold.apply(message([{ rc: [{ id: 1, trd: [[2.1, 31]], tv: 900 }] }]));
    expect(fold.markets.get(ID)!.runners.get('1/0')!.totalMinor).toBe(90_000);
  });

  it('heartbeats change nothing', () => {
    const fold = folded({ rc: [{ id: 1, atb: [[2, 5]] }] });
    expect(fold.apply(parseMessage('{"op":"mcm","ct":"HEARTBEAT","pt":5}') as MarketMessage)).toEqual([]);
    expect(fold.counts).toMatchObject({ heartbeats: 1, deltas: 1 });
  });

  it('play that stops and a player who comes back do not end anything (item 17)', () => {
    const fold = createFold();
    const states: string[] = [];
    for (const line of makeGolf()) {
      for (const { definitions } of fold.apply(parseMessage(line) as MarketMessage)) {
        for (const { status, inPlay, runners } of definitions)
          states.push(`${status}${inPlay ? '+' : ''}${runners.some((one) => one.status === 'REMOVED') ? ' out' : ''}`);
      }
    }
    expect(states).toEqual(['OPEN', 'OPEN+', 'OPEN', 'OPEN out', 'OPEN', 'OPEN+', 'SUSPENDED+', 'CLOSED+']);
    expect(fold.counts.stateChanges).toBe(6);
  });
});

function message(markets: Array<Record<string, unknown>>, fields: Record<string, unknown> = {}): MarketMessage {
  return parseMessage(
    JSON.stringify({ op: 'mcm', pt: 1, mc: markets.map((market) => ({ id: ID, ...market })), ...fields }),
  ) as MarketMessage;
}

function folded(...markets: Array<Record<string, unknown>>): Fold {
  const fold = createFold();
  for (const market of markets) fold.apply(message([market]));
  return fold;
}

function runner(id: number, status = 'ACTIVE'): { id: number; status: string } {
  return { id, status };
}

function booksOf(fold: Fold): string {
  const runners = [...fold.markets.get('1.900000001')!.runners.values()];
  return bookText(new Map(runners.map((one) => [one.runnerId, one.prices])));
}
