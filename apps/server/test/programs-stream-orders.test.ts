import { describe, expect, it } from 'vitest';
import { silent } from '../src/db/types.ts';
import { ProgramOrders } from '../src/programs/orders.ts';
import type { Json } from './program-door.ts';
import { IDS, prices, quotes, state } from './site.ts';
import { byPrice, idOf, player, rpc, signedIn, site, standForStream, subscription } from './stream-ground.ts';

const { football, race } = IDS;

standForStream();

describe('orders', () => {
  const order = (price: number, size: number, more: object = {}) => ({
    orderType: 'LIMIT',
    selectionId: football.home,
    side: 'BACK',
    limitOrder: { size, price, persistenceType: 'LAPSE' },
    ...more,
  });
  const place = (instruction: object) =>
    rpc('placeOrders', { marketId: idOf(football.odds), instructions: [instruction], customerStrategyRef: 'drift' });

  it('come whole with every change, and once with their end', async () => {
    await site.feed(prices(football.odds, [football.home, 200, 204]));
    const resting = (await place(order(3, 7, { customerOrderRef: 'open' }))).instructionReports[0].betId;
    const line = await signedIn();
    line.send({
      op: 'orderSubscription',
      id: 3,
      orderFilter: { partitionMatchedByStrategyRef: true },
      initialClk: null,
      clk: null,
    });
    const image = await line.hears((one) => one.op === 'ocm');
    expect(image).toMatchObject({ id: 3, ct: 'SUB_IMAGE', oc: [{ id: idOf(football.odds), fullImage: true }] });
    const first = image.oc[0].orc.find((one: Json) => one.id === football.home);
    expect(first).toMatchObject({
      fullImage: true,
      uo: [{ id: resting, status: 'E', sr: 7, rfo: 'open', rfs: 'drift', pt: 'L', ot: 'L' }],
    });
    const told = (betId: string) =>
      line.told.flatMap((one) =>
        (one.oc ?? []).flatMap((oc: Json) =>
          (oc.orc ?? []).flatMap((orc: Json) => (orc.uo ?? []).filter((uo: Json) => uo.id === betId)),
        ),
      );

    const { betId } = (await place(order(2.5, 10, { customerOrderRef: 'd-2' }))).instructionReports[0];
    await expect
      .poll(() => told(betId))
      .toMatchObject([
        { p: 2.5, s: 10, side: 'B', status: 'E', sm: 0, sr: 10, rfo: 'd-2', rfs: 'drift', rac: '', rc: 'REG_LGA' },
      ]);
    await rpc('cancelOrders', { instructions: [{ betId, sizeReduction: 4 }] });
    await expect.poll(() => told(betId).length).toBe(2);
    await rpc('cancelOrders', { instructions: [{ betId }] });
    await expect
      .poll(() => told(betId).map(({ status, sr, sc }: Json) => [status, sr, sc]))
      .toEqual([
        ['E', 10, 0],
        ['E', 6, 4],
        ['EC', 0, 10],
      ]);

    // Matched at once, and killed: each shows once, as ended.
    const taken = (await place(order(2, 10))).instructionReports[0].betId;
    await expect.poll(() => told(taken)).toMatchObject([{ status: 'EC', sm: 10, sr: 0, avp: 2 }]);
    const smc = line.told.findLast((one) => one.oc?.[0]?.orc?.[0]?.smc)?.oc[0].orc[0];
    expect(smc.smc.drift.mb.map(([price]: number[]) => price)).toContain(2);
    const kill = { ...order(2.9, 10), limitOrder: { size: 10, price: 2.9, timeInForce: 'FILL_OR_KILL' } };
    const killed = (await place(kill)).instructionReports[0].betId;
    await expect.poll(() => told(killed)).toMatchObject([{ status: 'EC', sm: 0, sc: 10, rfs: 'drift' }]);

    const replaced = await rpc('replaceOrders', {
      marketId: idOf(football.odds),
      instructions: [{ betId: resting, newPrice: 2.9 }],
    });
    const next = replaced.instructionReports[0].placeInstructionReport.betId;
    await expect.poll(() => told(next)).toMatchObject([{ status: 'E', p: 2.9, rfo: 'open', rfs: 'drift' }]);
    expect(told(resting).at(-1)).toMatchObject({ status: 'EC', sc: 7 });
    // What the stream says and what the list says agree.
    const list = (await rpc('listCurrentOrders', { orderProjection: 'EXECUTABLE' })).currentOrders.map(
      (one: Json) => one.betId,
    );
    const all = new Map<string, string>();
    for (const one of line.told)
      for (const oc of one.oc ?? [])
        for (const orc of oc.orc ?? []) for (const uo of orc.uo ?? []) all.set(uo.id, uo.status);
    expect([...all].filter(([, status]) => status === 'E').map(([id]) => id)).toEqual(list);
    expect([...all.keys()].every((id) => told(id).filter((uo: Json) => uo.status === 'EC').length <= 1)).toBe(true);
  });

  it('go on from the clocks of a connection that broke, at any gateway that heard of what came since', async () => {
    const first = await signedIn();
    const wish = { op: 'orderSubscription', orderFilter: { partitionMatchedByStrategyRef: true }, heartbeatMs: 500 };
    first.send({ ...wish, id: 2 });
    const { initialClk } = await first.hears((one) => one.ct === 'SUB_IMAGE');
    const gone = (await place(order(3.1, 5, { customerOrderRef: 'gone' }))).instructionReports[0].betId;
    const kept = (await place(order(3.2, 5))).instructionReports[0].betId;
    const tells = (one: Json, betId: string) => JSON.stringify(one).includes(`"id":"${betId}"`);
    await first.hears((one) => tells(one, kept));
    const beat = await first.hears((one) => one.ct === 'HEARTBEAT' && one.clk === first.last().clk);
    first.socket.destroy();
    const { db, core } = site.app;
    const elsewhere = new ProgramOrders({ db, core, clock: site.clock, log: silent, took: () => undefined });
    elsewhere.follow();
    await rpc('cancelOrders', { instructions: [{ betId: gone }] });
    const fresh = (await place(order(3.3, 5))).instructionReports[0].betId;

    const second = await signedIn();
    second.send({ ...wish, id: 9, initialClk, clk: beat.clk });
    const told = await second.hears((one) => one.op === 'ocm');
    expect(told).toMatchObject({ id: 9, ct: 'RESUB_DELTA', initialClk, oc: [{ id: idOf(football.odds) }] });
    expect(told.oc).toHaveLength(1);
    const [runner] = told.oc[0].orc;
    expect(runner).toMatchObject({ id: football.home, fullImage: true });
    const status = (betId: string) => runner.uo.find((uo: Json) => uo.id === betId)?.status;
    expect([gone, kept, fresh].map(status)).toEqual(['EC', 'E', 'E']);
    // The numbers are those of the log, the same at every gateway.
    const since = elsewhere.changedSince('real', player.userId, Number(beat.clk.slice(1)));
    expect(new Set(since?.map(({ betId }) => String(betId)))).toEqual(new Set([gone, fresh]));
    // A process that began later knows nothing of before: then it is an image, as after a restart.
    expect(elsewhere.changedSince('real', player.userId, 0)).toBeNull();
    await elsewhere.stop();
    // Nothing new since: nothing but that.
    const { clk } = second.last();
    second.send({ ...wish, id: 10, initialClk, clk });
    expect(await second.hears((one) => one.op === 'ocm' && one.id === 10)).toMatchObject({ ct: 'RESUB_DELTA', oc: [] });
    for (const [n, clocks] of [
      { initialClk, clk: 'o99999999999' },
      { initialClk: 'o1', clk },
      { initialClk, clk: 'x' },
    ].entries()) {
      second.send({ ...wish, id: 20 + n, ...clocks });
      expect(await second.hears((one) => one.op === 'ocm' && one.id === 20 + n)).toMatchObject({ ct: 'SUB_IMAGE' });
    }
    await rpc('cancelOrders', {});
  });

  it('say what lapsed and why, what was void, and what a runner that left made of the others', async () => {
    const [first, second, third] = race.horses;
    const market = idOf(race.win);
    const open = () =>
      site.feed(state(race.win, { status: 'OPEN' }), prices(race.win, [first, 250, 260], [third, 400, 420]));
    await open();
    const line = await signedIn();
    line.send({ op: 'orderSubscription', id: 3 });
    await line.hears((one) => one.op === 'ocm');
    const backed = async (selectionId: number, price: number) => {
      const instructions = [order(price, 10, { selectionId })];
      return (await rpc('placeOrders', { marketId: market, instructions })).instructionReports[0].betId;
    };
    const orc = () => line.told.flatMap((one) => (one.oc ?? []).flatMap((oc: Json) => oc.orc ?? []));
    const last = (betId: string) =>
      orc()
        .flatMap((one) => one.uo ?? [])
        .findLast((uo: Json) => uo.id === betId);
    const over = { status: 'EC', sm: 0, sr: 0 };
    const suspended = await backed(second, 6);
    await site.feed(state(race.win, { status: 'SUSPENDED', lapse: true }));
    const lapsed = { ...over, sl: 10, ld: site.clock() };
    await expect.poll(() => last(suspended)).toMatchObject({ ...lapsed, lsrc: 'MKT_SUSPENDED' });
    await open();
    const [left, waiting, stays] = [await backed(third, 4), await backed(third, 9), await backed(first, 2.5)];
    await expect.poll(() => last(stays)).toMatchObject({ status: 'EC', sm: 10, avp: 2.5 });
    await site.feed({
      type: 'command',
      command: { type: 'runner.remove', marketId: race.win, runnerId: third, factor: 3000 },
    });
    await expect.poll(() => last(waiting)).toMatchObject({ ...lapsed, lsrc: 'RNR_UNKNOWN' });
    await expect.poll(() => last(left)).toMatchObject({ ...over, sv: 10 });
    // The price of a bet that had ended: by the position alone.
    await expect
      .poll(() => orc().findLast((one) => one.id === first && one.mb).mb)
      .toEqual([
        [2.5, 0],
        [1.75, 10],
      ]);
    expect(last(stays)).toMatchObject({ avp: 2.5 });
    const cleared = async (betStatus: string) =>
      (await rpc('listClearedOrders', { betStatus, marketIds: [market] })).clearedOrders.map((one: Json) => [
        one.betId,
        one.sizeCancelled,
        one.profit,
      ]);
    const ended = await cleared('LAPSED');
    expect(new Map(ended.map((one: Json) => [one[0], one]))).toEqual(
      new Map([suspended, waiting].map((betId) => [betId, [betId, 10, 0]])),
    );
    expect(ended).toHaveLength(2);
    expect(await cleared('VOIDED')).toEqual([[left, 10, 0]]);
    const [book] = await rpc('listMarketBook', {
      marketIds: [market],
      priceProjection: { priceData: ['EX_TRADED'] },
    });
    expect(book).toMatchObject({ numberOfRunners: 3, numberOfActiveRunners: 2 });
    const runner = (id: number) => book.runners.find((one: Json) => one.selectionId === id);
    expect(runner(third)).toMatchObject({ status: 'REMOVED', removalDate: new Date(site.clock()).toISOString() });
    expect(runner(first)).toMatchObject({ adjustmentFactor: 30, ex: { tradedVolume: [{ price: 2.5, size: 10 }] } });
  });

  it('are narrowed to strategies, and close with the result', async () => {
    const line = await signedIn();
    line.send({
      op: 'orderSubscription',
      id: 4,
      orderFilter: { customerStrategyRefs: ['other'], includeOverallPosition: false },
      heartbeatMs: 500,
    });
    const image = await line.hears((one) => one.op === 'ocm');
    expect(image.oc).toEqual([]);
    await place(order(2.6, 5));
    await rpc('placeOrders', {
      marketId: idOf(football.odds),
      instructions: [order(2.7, 5)],
      customerStrategyRef: 'other',
    });
    const change = await line.hears((one) => one.op === 'ocm' && one.ct === undefined);
    expect(change.oc[0].orc).toMatchObject([{ uo: [{ p: 2.7, rfs: 'other' }] }]);
    expect(change.oc[0].orc[0].uo).toHaveLength(1);
    await line.hears((one) => one.op === 'ocm' && one.ct === 'HEARTBEAT');
    await site.feed({
      type: 'command',
      command: {
        type: 'market.declare',
        marketId: football.odds,
        result: { kind: 'winners', runnerIds: [football.home] },
      },
    });
    await line.hears((one) => one.oc?.some((oc: Json) => oc.closed === true && oc.id === idOf(football.odds)));
  });
});

describe('lines', () => {
  const { session: runs, sessionRow: row } = IDS.cricket;
  const market = idOf(runs);
  const order = (side: 'BACK' | 'LAY', price: number, size: number, more: object = {}) => ({
    orderType: 'LIMIT',
    selectionId: row,
    side,
    limitOrder: { size, price },
    ...more,
  });
  const place = (...instructions: object[]) => rpc('placeOrders', { marketId: market, instructions });
  const offers = async () => {
    const [book] = await rpc('listMarketBook', {
      marketIds: [market],
      priceProjection: { priceData: ['EX_BEST_OFFERS'] },
    });
    const { availableToBack: back, availableToLay: lay } = book.runners[0].ex;
    return [back[0]?.price, lay[0]?.price];
  };

  it('are the runs of a session with its words turned round, in lists, books, orders and stream', async () => {
    // A price that jumps is believed once it is told again.
    for (let told = 0; told < 2; told++) await site.feed(quotes(runs, [row, 100, 100, 48, 47]));
    const filter = { marketBettingTypes: ['LINE'], eventTypeIds: ['4'] };
    const [listed, ...others] = await rpc('listMarketCatalogue', {
      filter,
      maxResults: 10,
      marketProjection: ['MARKET_DESCRIPTION', 'RUNNER_DESCRIPTION'],
    });
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      marketId: market,
      description: {
        bettingType: 'LINE',
        marketType: 'SESSION_LINE',
        lineRangeInfo: { maxUnitValue: 999.5, minUnitValue: 0.5, interval: 1, marketUnit: 'Runs' },
        priceLadderDescription: { type: 'LINE_RANGE' },
      },
      runners: [{ selectionId: row }],
    });
    // No at 47 sells the line 46.5, yes at 48 buys 47.5.
    expect(await offers()).toEqual([46.5, 47.5]);
    const line = await signedIn();
    line.send(subscription(2, [market]));
    line.send({ op: 'orderSubscription', id: 3, orderFilter: { includeOverallPosition: true } });
    await line.hears((one) => one.op === 'ocm');
    await line.hears((one) => one.op === 'mcm');
    expect(line.books.get(market).definition).toMatchObject({
      bettingType: 'LINE',
      lineMinUnit: 0.5,
      numberOfWinners: 0,
      priceLadderDefinition: { type: 'LINE_RANGE' },
    });
    expect([...line.books.get(market).runners.get(row).atl]).toEqual([[47.5, 250]]);

    // Struck at the line of the quote, which is better for him.
    const [sold] = (await place(order('BACK', 44.5, 10, { customerOrderRef: 'sold' }))).instructionReports;
    expect(sold).toMatchObject({ orderStatus: 'EXECUTION_COMPLETE', averagePriceMatched: 46.5, sizeMatched: 10 });
    expect(site.app.core.read.bet('real', Number(sold.betId))).toMatchObject({ side: 'LAY', line: 47 });
    const commands: Json[] = [];
    const off = site.app.core.onCommitted(({ items }) => {
      for (const { actor, command } of items) if (actor === `player:${player.userId}`) commands.push(command);
    });
    // One command of the two that meet an offer; of what the first leaves there is not enough for the last.
    const [bought, unmet, late] = (
      await place(order('LAY', 47.5, 20), order('LAY', 46.5, 20), order('LAY', 47.5, 240, { customerOrderRef: 'late' }))
    ).instructionReports;
    off();
    expect(commands).toMatchObject([{ type: 'quotes.take', takes: [{ stakeMinor: 2000 }, { stakeMinor: 24_000 }] }]);
    expect(late).toMatchObject({ status: 'SUCCESS', orderStatus: 'EXPIRED', sizeMatched: 0 });
    expect(bought).toMatchObject({ orderStatus: 'EXECUTION_COMPLETE', averagePriceMatched: 47.5 });
    expect(unmet).toMatchObject({ status: 'SUCCESS', orderStatus: 'EXPIRED', sizeMatched: 0 });
    const { instructionReports: cancelled } = await rpc('cancelOrders', { instructions: [{ betId: unmet.betId }] });
    expect(cancelled).toMatchObject([{ errorCode: 'BET_TAKEN_OR_LAPSED' }]);
    const uo = (betId: string) =>
      line.told
        .flatMap((one) => (one.oc ?? []).flatMap((oc: Json) => oc.orc?.flatMap((orc: Json) => orc.uo ?? []) ?? []))
        .filter((one: Json) => one.id === betId);
    await expect.poll(() => uo(unmet.betId)).toMatchObject([{ status: 'EC', side: 'L', p: 46.5, sm: 0, sc: 20 }]);
    await expect
      .poll(() => uo(late.betId))
      .toMatchObject([{ status: 'EC', side: 'L', p: 47.5, sm: 0, sc: 240, rfo: 'late' }]);
    expect(uo(sold.betId)).toMatchObject([{ status: 'EC', side: 'B', p: 46.5, avp: 46.5, sm: 10, rfo: 'sold' }]);
    const positions = line.told.flatMap((one) => (one.oc ?? []).flatMap((oc: Json) => oc.orc ?? []));
    expect(positions.some(({ mb }: Json) => mb?.[0]?.[0] === 46.5 && mb[0][1] === 10)).toBe(true);
    // What was struck is told by line.
    await expect
      .poll(() => byPrice(line.books.get(market).runners.get(row).trd, 1))
      .toEqual([
        [46.5, 10],
        [47.5, 20],
      ]);
    expect(line.books.get(market).runners.get(row)).toMatchObject({ ltp: 47.5, tv: 30 });
    expect(await rpc('listMarketBook', { marketIds: [market] })).toMatchObject([
      { totalMatched: 30, runners: [{ lastPriceTraded: 47.5 }] },
    ]);
    const { currentOrders } = await rpc('listCurrentOrders', { marketIds: [market] });
    expect(currentOrders).toMatchObject([
      { betId: sold.betId, side: 'BACK', priceSize: { price: 46.5, size: 10 }, customerOrderRef: 'sold' },
      { betId: bought.betId, side: 'LAY', averagePriceMatched: 47.5, sizeMatched: 20 },
    ]);
    expect(await rpc('listMarketProfitAndLoss', { marketIds: [market] })).toEqual([]);
  });

  it('take what their range and the house allow, and settle by the score', async () => {
    const codes = async (...instructions: object[]) =>
      (await place(...instructions)).instructionReports.map((one: Json) => one.errorCode);
    expect(await codes(order('BACK', 44, 10), order('BACK', 2.5, 10), order('LAY', 1000.5, 10))).toEqual([
      'INVALID_ODDS',
      'ERROR_IN_ORDER',
      'INVALID_ODDS',
    ]);
    // Only evens can be said: of other rates nothing is offered, and nothing met.
    await site.feed(quotes(runs, [row, 90, 110, 48, 48]));
    expect(await offers()).toEqual([undefined, undefined]);
    expect((await place(order('LAY', 60.5, 10))).instructionReports).toMatchObject([{ orderStatus: 'EXPIRED' }]);
    await site.feed(quotes(runs, [row, 100, 100, 48, 48]));
    expect(await offers()).toEqual([47.5, undefined]);
    await site.feed(quotes(runs, [row, 100, 110, 48, 48]));
    expect(await offers()).toEqual([undefined, 47.5]);
    await site.feed({
      type: 'command',
      command: {
        type: 'house.quotes',
        marketId: runs,
        rows: [{ runnerId: row, back: null, lay: null, status: 'BALL_RUNNING' }],
      },
    });
    expect(await place(order('LAY', 60.5, 10))).toMatchObject({ errorCode: 'MARKET_SUSPENDED' });

    await site.feed({
      type: 'command',
      command: { type: 'market.declare', marketId: runs, result: { kind: 'score', score: 48 } },
    });
    const cleared = (more: object = {}) =>
      rpc('listClearedOrders', { betStatus: 'SETTLED', marketIds: [market], ...more });
    const { clearedOrders } = await cleared();
    const [lay, back] = clearedOrders[0].side === 'LAY' ? clearedOrders : [...clearedOrders].reverse();
    expect(lay).toMatchObject({ side: 'LAY', betOutcome: 'WON', profit: 20, priceRequested: 47.5 });
    expect(back).toMatchObject({ side: 'BACK', betOutcome: 'LOST', profit: -10, customerOrderRef: 'sold' });
    expect((await cleared({ side: 'LAY' })).clearedOrders.map((one: Json) => one.betId)).toEqual([lay.betId]);
    const runner = { marketId: market, selectionId: row };
    expect((await cleared({ runnerIds: [runner], recordCount: 1 })).moreAvailable).toBe(true);
    expect((await cleared({ runnerIds: [{ ...runner, selectionId: 1 }] })).clearedOrders).toEqual([]);
  });
});
