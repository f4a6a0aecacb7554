/** All bets of a player are cancelled in several commands, and still once. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, type Committed, cancelAll, type Request } from '../src/core/core.ts';
import { type Fixture, makeCore, makeDb, marketDef, type TestDb } from './fixture.ts';

const MARKETS = 3;
const EACH = 3;
const ALL = MARKETS * EACH;

let f: Fixture;
let database: TestDb;
beforeAll(async () => {
  database = await makeDb();
});
afterAll(() => database.drop());
beforeEach(async () => {
  f = await makeCore({}, database);
  const ids = Array.from({ length: MARKETS }, () => [f.core.nextId(), f.core.nextId()] as const);
  for (const [marketId, runnerId] of ids) {
    const market = marketDef(marketId, f.eventId, { runners: [{ runnerId, name: 'India' }] });
    await f.send({ type: 'market.create', market }, { world: 'all' });
  }
  const place = { type: 'order.place', betId: 0, accountId: f.anna, side: 'BACK', price: 300, sizeMinor: 100 } as const;
  for (let i = 0; i < EACH; i++)
    for (const [marketId, runnerId] of ids) await f.send({ ...place, marketId, runnerId, persistence: 'PERSIST' });
});
afterEach(() => f.close());

/** Two bets at once, which a market of three goes beyond. */
const cancel = async (key: string, submit = (request: Request): Promise<Answer> => f.core.submit(request)) => {
  const asked = { world: 'real', actor: `player:${f.anna}`, key, payloadHash: 'all' } as const;
  const { betIds } = await cancelAll({ submit }, { type: 'order.cancelAll', accountId: f.anna }, asked, 2);
  return [...betIds].sort((a, b) => a - b);
};
const resting = () => f.core.read.openBets('real', f.anna).map(({ betId }) => betId);

it('market after market, each whole, with room for others between', async () => {
  const before = resting();
  const heard: Committed[] = [];
  f.core.onCommitted((batch) => heard.push(batch));
  expect(await cancel('cancel-key-00001')).toEqual(before);
  expect(resting()).toEqual([]);
  const counts = heard.flatMap(({ items }) =>
    items.map(({ events }) => events.filter(({ type }) => type === 'bet').length),
  );
  expect(counts).toEqual([EACH, EACH, EACH, 0]);
});

it('a cut between two commands leaves the rest as it was; the same key goes on and tells of all, however often', async () => {
  const before = resting();
  let parts = 0;
  const cut = (request: Request) => (parts++ === 1 ? Promise.reject(new Error('killed')) : f.core.submit(request));
  await expect(cancel('cancel-key-00001', cut)).rejects.toThrow('killed');
  await f.restart();
  expect(resting()).toHaveLength(ALL - EACH);
  expect(await cancel('cancel-key-00001')).toEqual(before);
  expect(resting()).toEqual([]);
  expect(await cancel('cancel-key-00001')).toEqual(before);
});

it('two at the same time cancel each bet once, and either ends when nothing rests; twins get one answer', async () => {
  const before = resting();
  const [one, twin, other] = await Promise.all([
    cancel('cancel-key-00001'),
    cancel('cancel-key-00001'),
    cancel('cancel-key-00002').then((betIds) => {
      expect(resting()).toEqual([]);
      return betIds;
    }),
  ]);
  expect(twin).toEqual(one);
  expect([...one!, ...other!].sort((a, b) => a - b)).toEqual(before);
});
