import { CALLS, CodedError } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silent } from '../src/db/types.ts';
import { Heartbeats } from '../src/programs/heartbeat.ts';
import { ProgramOrders } from '../src/programs/orders.ts';
import { codeOf, type Json, type Player, programDoor } from './program-door.ts';
import { IDS, prices, type Site, state } from './site.ts';

let site: Site;
let anna: Player;
const { open, keyOf, login, fresh, shown, rpc } = programDoor();

beforeAll(async () => {
  ({ site, anna } = await open());
});
afterAll(() => site.close());

const { football, race, tennis } = IDS;
const idOf = (marketId: number) => `1.${200_000_000 + marketId}`;
const odds = idOf(football.odds);
const limit = (price: number, size: number, more: object = {}) => ({ size, price, persistenceType: 'LAPSE', ...more });
const order = (price: number, size: number, more: object = {}, limitMore: object = {}) => ({
  orderType: 'LIMIT',
  selectionId: football.home,
  handicap: 0,
  side: 'BACK',
  limitOrder: limit(price, size, limitMore),
  ...more,
});
const place = (instructions: object[], more: object = {}, headers = shown()) =>
  rpc('placeOrders', { marketId: odds, instructions, ...more }, headers);
const current = async (more: object = {}, headers = shown()) =>
  (await rpc('listCurrentOrders', more, headers)).currentOrders as Json[];
/** The feed goes on: markets of one that falls silent are suspended. */
async function minuteLater(): Promise<void> {
  site.clock.advance(61_000);
  await site.feed(state(football.odds, { status: 'OPEN' }), prices(football.odds, [football.home, 200, 204]));
}
const later = setTimeout;
const codes = (report: Json) => report.instructionReports.map((one: Json) => one.errorCode);

describe('orders', () => {
  beforeAll(async () => {
    const [horse, second, third] = race.horses;
    await site.feed(
      ...[football.odds, tennis.odds, race.win].map((id) => state(id, { status: 'OPEN' })),
      prices(football.odds, [football.home, 200, 204], [football.away, 380, 390], [football.draw, 340, 350]),
      prices(tennis.odds, [tennis.one, 150, 152], [tennis.two, 290, 300]),
      prices(race.win, [horse, 250, 260], [second, 300, 310], [third, 400, 420]),
    );
  });

  it('rest with what their program calls them, and are refused when they come again', async () => {
    const asked = [order(2.5, 10, { customerOrderRef: 'd-0001' })];
    const told = await place(asked, { customerRef: 'mira-1', customerStrategyRef: 'drift' });
    expect(told).toEqual({
      status: 'SUCCESS',
      marketId: odds,
      customerRef: 'mira-1',
      instructionReports: [
        {
          status: 'SUCCESS',
          instruction: asked[0],
          betId: expect.stringMatching(/^\d+$/),
          placedDate: expect.stringMatching(/\.\d{3}Z$/),
          averagePriceMatched: 0,
          sizeMatched: 0,
          orderStatus: 'EXECUTABLE',
        },
      ],
    });
    const { betId } = told.instructionReports[0];
    expect(await place(asked, { customerRef: 'mira-1' })).toEqual({
      status: 'FAILURE',
      errorCode: 'DUPLICATE_TRANSACTION',
      marketId: odds,
      customerRef: 'mira-1',
      instructionReports: [],
    });
    const mine = { customerOrderRefs: ['d-0001'] };
    expect(await current(mine)).toMatchObject([
      {
        betId,
        priceSize: { price: 2.5, size: 10 },
        sizeRemaining: 10,
        customerOrderRef: 'd-0001',
        customerStrategyRef: 'drift',
      },
    ]);
    expect(await current({ customerStrategyRefs: ['other'] })).toEqual([]);
    // The same bet stands on the website.
    const list = await site.call(CALLS.bets.list, { query: { isCurrentBets: 'true' } }, { token: await fresh(anna) });
    expect(list.data.rows.map(({ id }) => String(id))).toContain(betId);
    await minuteLater();
    expect(await place([order(2.5, 5)], { customerRef: 'mira-1' })).toMatchObject({ status: 'SUCCESS' });
    await rpc('cancelOrders', {});
  });

  it('are matched at what is there, or killed with a number that can be found again', async () => {
    expect((await place([order(1.9, 10)])).instructionReports[0]).toMatchObject({
      orderStatus: 'EXECUTION_COMPLETE',
      averagePriceMatched: 2,
      sizeMatched: 10,
    });
    const killed = (await place([order(2.5, 10, { customerOrderRef: 'fok' }, { timeInForce: 'FILL_OR_KILL' })]))
      .instructionReports[0];
    expect(killed).toMatchObject({
      status: 'SUCCESS',
      orderStatus: 'EXPIRED',
      sizeMatched: 0,
      betId: expect.stringMatching(/^\d+$/),
    });
    const cleared = await rpc('listClearedOrders', { betStatus: 'CANCELLED', betIds: [killed.betId] });
    expect(cleared.clearedOrders).toMatchObject([
      { betId: killed.betId, sizeCancelled: 10, customerOrderRef: 'fok', profit: 0 },
    ]);
    expect(codes(await rpc('cancelOrders', { instructions: [{ betId: killed.betId }] }))).toEqual([
      'BET_TAKEN_OR_LAPSED',
    ]);
    const part = (await place([order(2, 4999, {}, { timeInForce: 'FILL_OR_KILL', minFillSize: 0 })]))
      .instructionReports[0];
    expect(part).toMatchObject({ orderStatus: 'EXECUTION_COMPLETE', averagePriceMatched: 2 });
    expect(part.sizeMatched).toBeLessThan(4999);
    await site.feed(prices(football.odds, [football.home, 200, 204]));
  });

  it('are none of them placed where one is wrong, and each is told what it is', async () => {
    const before = (await current()).length;
    const told = await place([order(2.5, 10), order(2.51, 10), order(2.5, 0.5), order(2.5, 10, { selectionId: 1 })]);
    expect(told).toMatchObject({ status: 'FAILURE', errorCode: 'BET_ACTION_ERROR' });
    expect(codes(told)).toEqual(['ERROR_IN_ORDER', 'INVALID_ODDS', 'INVALID_BET_SIZE', 'INVALID_RUNNER']);
    expect(told.instructionReports[0]).not.toHaveProperty('betId');
    const cross = await place([order(2.5, 10), order(2.6, 10, { side: 'LAY' })]);
    expect(codes(cross)).toEqual(['INVALID_BACK_LAY_COMBINATION', 'INVALID_BACK_LAY_COMBINATION']);
    const { version } = site.app.core.read.market(football.odds)!;
    const old = await place([order(2.5, 10)], { marketVersion: { version: version - 1 } });
    expect(codes(old)).toEqual(['BET_TAKEN_OR_LAPSED']);
    const atClose = { ...order(2.5, 10), orderType: 'MARKET_ON_CLOSE', marketOnCloseOrder: { liability: 10 } };
    expect(codes(await place([atClose, order(2.5, 10)]))).toEqual([
      'MARKET_NOT_OPEN_FOR_BSP_BETTING',
      'ERROR_IN_ORDER',
    ]);
    expect(await place([order(2.5, 10)], { customerStrategyRef: 'x'.repeat(16) })).toMatchObject({
      errorCode: 'INVALID_CUSTOMER_STRATEGY_REF',
    });
    const many = Array.from({ length: 201 }, () => order(2.5, 10));
    expect(await place(many)).toMatchObject({ errorCode: 'TOO_MANY_INSTRUCTIONS', instructionReports: [] });
    expect(
      await rpc('placeOrders', { marketId: idOf(IDS.cricket.bookmaker), instructions: [order(2.5, 10)] }),
    ).toMatchObject({
      errorCode: 'INVALID_MARKET_ID',
      instructionReports: [{ errorCode: 'ERROR_IN_ORDER' }],
    });
    expect(await rpc('placeOrders', { marketId: odds })).toEqual({ code: -32602, message: 'DSC-0018' });
    const counted = await (await site.fetch('/metrics')).text();
    for (const outcome of ['ok', 'BET_ACTION_ERROR', 'INVALID_MARKET_ID', 'INVALID_PARAMS'])
      expect(counted).toMatch(
        new RegExp(`xch_program_calls_total\\{op="placeOrders",outcome="${outcome}"[^}]*\\} \\d`),
      );
    await site.feed(state(football.odds, { status: 'SUSPENDED' }));
    expect(await place([order(2.5, 10)])).toMatchObject({
      errorCode: 'MARKET_SUSPENDED',
      instructionReports: [{ errorCode: 'ERROR_IN_ORDER' }],
    });
    await site.feed(state(football.odds, { status: 'OPEN' }));
    expect((await current()).length).toBe(before);
  });

  it('are sized by what they shall pay, where nothing better than their price is on offer', async () => {
    await site.feed(prices(football.odds, [football.away, 380, 390]));
    const paying = (price: number, betTargetSize: number, betTargetType = 'PAYOUT', side = 'BACK') =>
      place([order(price, 0, { selectionId: football.away, side }, { size: null, betTargetType, betTargetSize })]);
    const rests = await paying(5, 20);
    expect(rests.instructionReports).toMatchObject([
      { orderStatus: 'EXECUTABLE', instruction: { limitOrder: { betTargetType: 'PAYOUT', betTargetSize: 20 } } },
    ]);
    const [{ betId }] = rests.instructionReports;
    expect(await current({ betIds: [betId] })).toMatchObject([{ priceSize: { price: 5, size: 4 }, sizeRemaining: 4 }]);
    const met = { orderStatus: 'EXECUTION_COMPLETE', sizeMatched: 10 };
    expect((await paying(3.8, 38)).instructionReports).toMatchObject([{ ...met, averagePriceMatched: 3.8 }]);
    const profit = await paying(3.9, 29, 'BACKERS_PROFIT', 'LAY');
    expect(profit.instructionReports).toMatchObject([{ ...met, averagePriceMatched: 3.9 }]);
    for (const refused of [await paying(3.75, 38), await paying(3.95, 38, 'PAYOUT', 'LAY')])
      expect(refused).toMatchObject({
        errorCode: 'INVALID_ORDER',
        instructionReports: [{ errorCode: 'ERROR_IN_ORDER' }],
      });
    // An empty list is none.
    await rpc('cancelOrders', { marketId: odds, instructions: [] });
    expect(await current({ betIds: [betId] })).toEqual([]);
    expect(await rpc('cancelOrders', { instructions: [] })).toEqual({ code: -32602, message: 'DSC-0018' });
  });

  it('are told as not known where the core is silent, and may come again under their name where it was too busy', async () => {
    const told = await place([order(2.5, 10), order(2.6, 10), order(2.7, 10)]);
    const [one, two, three] = told.instructionReports.map((report: Json) => report.betId);
    const changes: Array<[string, object]> = [
      ['cancelOrders', { instructions: [{ betId: one }] }],
      ['updateOrders', { instructions: [{ betId: two, newPersistenceType: 'PERSIST' }] }],
      ['replaceOrders', { instructions: [{ betId: three, newPrice: 2.8 }] }],
      ['placeOrders', { instructions: [order(2.9, 10)] }],
      ['cancelOrders', {}],
    ];
    const submit = vi.spyOn(site.app.protection.guarded, 'submit');
    const ask = ([name, more]: [string, object], customerRef: string) =>
      rpc(name, { marketId: odds, customerRef, ...more });
    const patience = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((then: () => void, ms: number) => later(then, ms === 5000 ? 0 : ms)) as never);
    for (const [n, change] of changes.entries()) {
      submit.mockReturnValueOnce(new Promise(() => undefined));
      const report = await ask(change, `silent-${n}`);
      expect([report.status, report.instructionReports[0].status]).toEqual(['TIMEOUT', 'TIMEOUT']);
    }
    patience.mockRestore();
    expect(await current({ orderProjection: 'EXECUTABLE' })).toHaveLength(3);
    for (const [n, change] of changes.entries()) {
      submit.mockRejectedValueOnce(new CodedError('BUSY'));
      expect(await ask(change, `busy-${n}`)).toMatchObject({ status: 'FAILURE', errorCode: 'SERVICE_UNAVAILABLE' });
      expect(await ask(change, `busy-${n}`)).toMatchObject({ status: 'SUCCESS' });
      expect(await ask(change, `busy-${n}`)).toMatchObject({ errorCode: 'DUPLICATE_TRANSACTION' });
    }
    submit.mockRestore();
    expect(await current({ orderProjection: 'EXECUTABLE' })).toEqual([]);
  });

  it('are none of them placed where the money is not enough for all, by the limits of their player', async () => {
    const hugo = await site.player('hugo', 10_000);
    const own = await keyOf(hugo);
    const headers = shown(own, await login(hugo, own));
    const told = await place([order(2.5, 60), order(2.6, 60)], {}, headers);
    expect(told).toMatchObject({ status: 'FAILURE', errorCode: 'INSUFFICIENT_FUNDS' });
    expect(codes(told)).toEqual(['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS']);
    expect((await place([order(2.5, 40), order(2.6, 40)], {}, headers)).status).toBe('SUCCESS');
    await rpc('cancelOrders', {}, headers);
    expect(await current({}, headers)).toEqual([]);
    expect(await place([order(2.5, 900)], {}, headers)).toMatchObject({
      status: 'FAILURE',
      errorCode: 'INSUFFICIENT_FUNDS',
    });

    // What holds for the player holds for his programs.
    const set = { body: { kind: 'stake', span: 'bet', amountMinor: 2000 } } as const;
    expect((await site.call(CALLS.protection.setLimit, set, { token: hugo.token })).status).toBe(200);
    expect(codes(await place([order(2.5, 21)], {}, headers))).toEqual(['INVALID_BET_SIZE']);
    const exposure = { body: { kind: 'exposure', span: 'always', amountMinor: 5000 } } as const;
    expect((await site.call(CALLS.protection.setLimit, exposure, { token: hugo.token })).status).toBe(200);
    expect(await rpc('Account/getAccountFunds', {}, headers)).toMatchObject({ exposureLimit: -50 });
    await site.app.protection.block((await site.app.auth.user(hugo.userId))!, 'betting', true, 'test');
    expect(await place([order(2.5, 10)], {}, headers)).toMatchObject({ errorCode: 'INVALID_ACCOUNT_STATE' });
    const reads = await keyOf(hugo, { rights: 'read' });
    expect(codeOf(await place([order(2.5, 10)], {}, { ...headers, 'X-Application': reads }))).toBe('ACCESS_DENIED');
  });

  it('go by two hundred in one call, each with its own answer, in their order', async () => {
    const many = Array.from({ length: 200 }, (_, n) => order(5 + (n % 10) / 10, 2, { customerOrderRef: `n${n}` }));
    const commands: Array<[string, number]> = [];
    const off = site.app.core.onCommitted(({ items }) => {
      for (const { actor, command, events } of items)
        if (actor === `player:${anna.userId}`)
          commands.push([command.type, events.filter(({ type }) => type === 'bet').length]);
    });
    const told = await place(many);
    off();
    expect(told.status).toBe('SUCCESS');
    expect(commands).toEqual([['orders.place', 200]]);
    expect(told.instructionReports.map((one: Json) => one.instruction.customerOrderRef)).toEqual(
      many.map((one) => (one as Json).customerOrderRef),
    );
    const first = await rpc('listCurrentOrders', {
      recordCount: 150,
      marketIds: [odds],
      orderProjection: 'EXECUTABLE',
    });
    expect([first.currentOrders.length, first.moreAvailable]).toEqual([150, true]);
    const all = await rpc('cancelOrders', { marketId: odds });
    expect(all.status).toBe('SUCCESS');
    expect(all.instructionReports).toHaveLength(200);
    expect(all.instructionReports[0]).toMatchObject({
      sizeCancelled: 2,
      instruction: { betId: told.instructionReports[0].betId },
    });
  });

  it('are cut, changed, replaced and cancelled, and say why not', async () => {
    const [{ betId }] = (await place([order(2.5, 10, { customerOrderRef: 'r-1' })], { customerStrategyRef: 's-1' }))
      .instructionReports;
    const change = (name: string, instruction: object, more: object = {}) =>
      rpc(name, { marketId: odds, instructions: [instruction], ...more });
    expect((await change('cancelOrders', { betId: Number(betId), sizeReduction: 4 })).instructionReports).toMatchObject(
      [{ status: 'SUCCESS', sizeCancelled: 4, instruction: { betId, sizeReduction: 4 } }],
    );
    expect(await change('updateOrders', { betId, newPersistenceType: 'PERSIST' })).toMatchObject({ status: 'SUCCESS' });
    expect(codes(await change('updateOrders', { betId, newPersistenceType: 'PERSIST' }))).toEqual([
      'NO_ACTION_REQUIRED',
    ]);
    expect((await current({ betIds: [betId] }))[0]).toMatchObject({
      persistenceType: 'PERSIST',
      sizeRemaining: 6,
      sizeCancelled: 4,
    });

    const off = await change('replaceOrders', { betId, newPrice: 2.61 });
    expect(off).toMatchObject({ status: 'FAILURE', errorCode: 'BET_ACTION_ERROR' });
    expect(off.instructionReports[0]).toMatchObject({
      cancelInstructionReport: { status: 'FAILURE', errorCode: 'ERROR_IN_ORDER' },
      placeInstructionReport: { status: 'FAILURE', errorCode: 'INVALID_ODDS' },
    });
    expect(await current({ betIds: [betId] })).toHaveLength(1);
    const replaced = (await change('replaceOrders', { betId, newPrice: 2.6 })).instructionReports[0];
    expect(replaced).toMatchObject({
      status: 'SUCCESS',
      cancelInstructionReport: { status: 'SUCCESS', sizeCancelled: 6, instruction: { betId } },
      placeInstructionReport: {
        status: 'SUCCESS',
        orderStatus: 'EXECUTABLE',
        instruction: { limitOrder: { size: 6, price: 2.6 } },
      },
    });
    const next = replaced.placeInstructionReport.betId;
    expect(next).not.toBe(betId);
    expect(await current({ customerOrderRefs: ['r-1'] })).toMatchObject([{ betId: next, customerStrategyRef: 's-1' }]);

    expect(codes(await change('cancelOrders', { betId }))).toEqual(['BET_TAKEN_OR_LAPSED']);
    expect(codes(await change('cancelOrders', { betId: '99999999' }))).toEqual(['INVALID_BET_ID']);
    const twice = { marketId: odds, instructions: [{ betId: next }, { betId: next }] };
    expect(await rpc('cancelOrders', twice)).toMatchObject({ errorCode: 'DUPLICATE_BETIDS' });
    const replacedTwice = await rpc('replaceOrders', {
      marketId: odds,
      instructions: [
        { betId: next, newPrice: 2.7 },
        { betId: next, newPrice: 2.8 },
      ],
    });
    expect(replacedTwice).toMatchObject({ errorCode: 'DUPLICATE_BETIDS' });
    const ida = await site.player('ida');
    const idas = await keyOf(ida);
    const other = await rpc(
      'cancelOrders',
      { marketId: odds, instructions: [{ betId: next }] },
      shown(idas, await login(ida, idas)),
    );
    expect(codes(other)).toEqual(['INVALID_BET_ID']);
    const mixed = await rpc('cancelOrders', { marketId: odds, instructions: [{ betId: next }, { betId }] });
    expect(mixed).toMatchObject({ status: 'PROCESSED_WITH_ERRORS', errorCode: 'PROCESSED_WITH_ERRORS' });
    expect(codes(mixed)).toEqual([undefined, 'BET_TAKEN_OR_LAPSED']);
    // A wrapped body is no wish to cancel everything.
    expect(await rpc('cancelOrders', { params: { marketId: odds } })).toEqual({ code: -32602, message: 'DSC-0018' });
  });

  it('are found by stream and lists alone where they are placed or replaced without waiting', async () => {
    const told = await place([order(2.5, 10, { customerOrderRef: 'later' })], { async: true });
    expect(told.instructionReports).toEqual([
      { status: 'SUCCESS', instruction: expect.any(Object), orderStatus: 'PENDING' },
    ]);
    await expect.poll(() => current({ customerOrderRefs: ['later'] })).toHaveLength(1);
    const [{ betId }] = await current({ customerOrderRefs: ['later'] });
    const instructions = [{ betId, newPrice: 2.7 }];
    expect(await rpc('replaceOrders', { marketId: odds, instructions, async: true })).toMatchObject({
      status: 'SUCCESS',
      instructionReports: [
        {
          status: 'SUCCESS',
          cancelInstructionReport: { status: 'SUCCESS', instruction: { betId } },
          placeInstructionReport: { orderStatus: 'PENDING', instruction: { limitOrder: { size: 10, price: 2.7 } } },
        },
      ],
    });
    await expect
      .poll(() => current({ customerOrderRefs: ['later'] }))
      .toMatchObject([{ priceSize: { price: 2.7, size: 10 } }]);
    await rpc('cancelOrders', {});
  });

  it('move together without meeting each other, whichever stands first, and say what is not a matter of one alone', async () => {
    await site.feed(prices(football.odds, [football.draw, 250, 500]));
    const at = (price: number, side: string) => order(price, 10, { selectionId: football.draw, side });
    let ids = (await place([at(3.5, 'BACK'), at(3.4, 'LAY')])).instructionReports.map((one: Json) => one.betId);
    const move = async (wishes: Array<[string, number]>) => {
      const instructions = wishes.map(([betId, newPrice]) => ({ betId, newPrice }));
      const report = await rpc('replaceOrders', { marketId: odds, instructions });
      const placed = report.instructionReports.map((one: Json) => one.placeInstructionReport);
      ids = placed.map((one: Json) => one.betId);
      return placed.map((one: Json) => one.orderStatus);
    };
    // Down by more than lies between them, then up, the one that would meet the other first.
    const rest = ['EXECUTABLE', 'EXECUTABLE'];
    expect(
      await move([
        [ids[0], 3.3],
        [ids[1], 3.2],
      ]),
    ).toEqual(rest);
    expect(
      await move([
        [ids[1], 3.4],
        [ids[0], 3.5],
      ]),
    ).toEqual(rest);
    await site.feed(state(football.odds, { status: 'SUSPENDED' }));
    const asked = { marketId: odds, instructions: [{ betId: ids[0], newPrice: 3.2 }] };
    expect(await rpc('replaceOrders', asked)).toMatchObject({ status: 'FAILURE', errorCode: 'MARKET_SUSPENDED' });
    await site.feed(state(football.odds, { status: 'OPEN' }), prices(football.odds, [football.home, 200, 204]));
    const nowhere = idOf(IDS.cricket.bookmaker);
    for (const [name, more] of [
      ['cancelOrders', {}],
      ['updateOrders', { newPersistenceType: 'PERSIST' }],
      ['replaceOrders', { newPrice: 3 }],
    ] as const)
      expect(await rpc(name, { marketId: nowhere, instructions: [{ betId: ids[0], ...more }] })).toMatchObject({
        errorCode: 'INVALID_MARKET_ID',
        instructionReports: [{ errorCode: 'ERROR_IN_ORDER' }],
      });
    // Programs make an order of the instruction, also of one that is told as failed.
    const gone = await rpc('replaceOrders', { marketId: odds, instructions: [{ betId: '99999999', newPrice: 3 }] });
    expect(gone.instructionReports).toMatchObject([
      {
        errorCode: 'INVALID_BET_ID',
        cancelInstructionReport: { errorCode: 'INVALID_BET_ID', instruction: { betId: '99999999' } },
        placeInstructionReport: {
          errorCode: 'RELATED_ACTION_FAILED',
          instruction: { orderType: 'LIMIT', limitOrder: { price: 3 } },
        },
      },
    ]);
    await rpc('cancelOrders', {});
  });

  it('keep what they are called when the process ends before it has noted their number', async () => {
    const { db, core } = site.app;
    const parts = { db, core, clock: site.clock, log: silent, took: () => undefined };
    const elsewhere = new ProgramOrders(parts);
    elsewhere.follow();
    const asked = [order(2.7, 10, { customerOrderRef: 'before' }), order(2.5, 10, { customerOrderRef: 'kept' })];
    const { betId } = (await place(asked, { customerStrategyRef: 'kept-s' })).instructionReports[1];
    const row = () => db.query<{ bet_id: number | null }>("SELECT bet_id FROM program_orders WHERE order_ref = 'kept'");
    await expect.poll(row).toEqual([{ bet_id: Number(betId) }]);
    await db.query("UPDATE program_orders SET bet_id = NULL WHERE order_ref = 'kept'");
    await minuteLater();
    const bet = core.read.bet('real', Number(betId))!;
    // Another gateway knows it by its request.
    expect([...(await elsewhere.refsOf([bet])).values()]).toEqual([{ order: 'kept', strategy: 'kept-s' }]);
    await elsewhere.stop();
    const next = new ProgramOrders(parts);
    next.follow();
    await next.catchUp();
    expect(await row()).toEqual([{ bet_id: Number(betId) }]);
    expect([...(await next.refsOf([bet])).values()]).toEqual([{ order: 'kept', strategy: 'kept-s' }]);
    await next.stop();
    await rpc('cancelOrders', {});
  });

  it("wait their delay out in play, unseen and in nobody's hand", async () => {
    const market = idOf(tennis.odds);
    await site.feed(state(tennis.odds, { inPlay: true, betDelayMs: 3000 }));
    const asked = rpc('placeOrders', {
      marketId: market,
      instructions: [order(2.5, 10, { selectionId: tennis.one, customerOrderRef: 'slow' })],
    });
    const waiting = () => site.app.core.read.openBets('real', anna.userId, tennis.odds);
    await expect.poll(() => waiting().map(({ status }) => status)).toEqual(['PENDING']);
    const cancel = { marketId: market, instructions: [{ betId: String(waiting()[0]!.betId) }] };
    expect(codes(await rpc('cancelOrders', cancel))).toEqual(['BET_IN_PROGRESS']);
    expect(await current({ customerOrderRefs: ['slow'] })).toEqual([]);
    expect(await rpc('listMarketBook', { marketIds: [market] })).toMatchObject([{ inplay: true, betDelay: 3 }]);
    site.clock.advance(3001);
    await site.feed(prices(tennis.odds, [tennis.one, 150, 152]));
    expect((await asked).instructionReports).toMatchObject([{ status: 'SUCCESS', orderStatus: 'EXECUTABLE' }]);
    expect(await current({ customerOrderRefs: ['slow'] })).toHaveLength(1);
    await rpc('cancelOrders', { marketId: market });
  });
});

describe('books and money', () => {
  it('show offers by what was asked, with the orders and matches of the account', async () => {
    await site.feed(
      prices(football.odds, [football.home, 200, 204], [football.away, 380, 390], [football.draw, 340, 350]),
    );
    await place([order(2.5, 10, { customerOrderRef: 'b-1' })], { customerStrategyRef: 'books' });
    const ask = (priceData: string[], more: object = {}) =>
      rpc('listMarketBook', { marketIds: [odds], priceProjection: { priceData }, ...more });
    const [bare] = await ask([]);
    expect(bare).toMatchObject({
      marketId: odds,
      status: 'OPEN',
      isMarketDataDelayed: false,
      complete: true,
      numberOfWinners: 1,
      crossMatching: false,
    });
    expect(bare.runners[0]).not.toHaveProperty('ex');
    expect(bare.lastMatchTime).toMatch(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
    const [quiet] = await rpc('listMarketBook', { marketIds: [idOf(IDS.politics.odds)] });
    expect(quiet).not.toHaveProperty('lastMatchTime');
    const [book] = await ask(['EX_BEST_OFFERS']);
    const home = book.runners.find((one: Json) => one.selectionId === football.home);
    expect(home.ex).toEqual({
      availableToBack: [{ price: 2, size: 500 }],
      availableToLay: [
        { price: 2.04, size: 500 },
        { price: 2.5, size: 10 },
      ],
      tradedVolume: [],
    });
    // Sizes are the account's own, no price is virtual; small levels are joined by what was asked.
    const asked = (more: object) => ({
      marketIds: [odds],
      currencyCode: 'GBP',
      priceProjection: { priceData: ['EX_BEST_OFFERS'], virtualise: true, ...more },
    });
    expect(await rpc('listMarketBook', asked({}))).toEqual([book]);
    const rolled = asked({ exBestOffersOverrides: { rollupModel: 'PAYOUT', rollupLimit: 1100 } });
    const [{ runners }] = await rpc('listMarketBook', rolled);
    expect(runners.find((one: Json) => one.selectionId === football.home).ex).toMatchObject({
      availableToBack: [],
      availableToLay: [{ price: 2.5, size: 510 }],
    });
    const [own] = await ask(['EX_ALL_OFFERS', 'EX_TRADED'], {
      orderProjection: 'EXECUTABLE',
      matchProjection: 'ROLLED_UP_BY_AVG_PRICE',
      partitionMatchedByStrategyRef: true,
    });
    const mine = own.runners.find((one: Json) => one.selectionId === football.home);
    expect(mine.orders).toMatchObject([
      { price: 2.5, size: 10, customerOrderRef: 'b-1', customerStrategyRef: 'books' },
    ]);
    expect(mine.matches).toMatchObject([{ side: 'BACK', price: 2 }]);
    expect(mine.ex.tradedVolume[0].price).toBe(2);
    const ordersSince = async (ms: number) => {
      const matchedSince = new Date(site.clock() + ms).toISOString();
      const [since] = await ask([], { orderProjection: 'ALL', matchedSince });
      return since.runners.find((one: Json) => one.selectionId === football.home).orders as Json[];
    };
    expect((await ordersSince(1000)).map((one) => one.customerOrderRef)).toEqual(['b-1']);
    expect((await ordersSince(-86_400_000)).length).toBeGreaterThan(1);
    expect(await rpc('listRunnerBook', { marketId: odds, selectionId: football.draw })).toMatchObject([
      { runners: [{ selectionId: football.draw }] },
    ]);
    expect(
      codeOf(
        await rpc('listMarketBook', {
          marketIds: Array.from({ length: 13 }, (_, n) => idOf(n + 1)),
          priceProjection: { priceData: ['EX_ALL_OFFERS'] },
        }),
      ),
    ).toBe('TOO_MUCH_DATA');
    expect(await rpc('listMarketBook', { marketIds: ['1.999999999', 'x'] })).toEqual([]);
    await site.feed(state(football.odds, { status: 'SUSPENDED' }));
    expect((await ask(['EX_ALL_OFFERS']))[0]).toMatchObject({ status: 'SUSPENDED', totalAvailable: 0 });
    await site.feed(state(football.odds, { status: 'OPEN' }));
    await rpc('cancelOrders', {});
  });

  it('tell funds, profit and loss, and the statement of the account alone', async () => {
    const { balanceMinor, exposureMinor, availableMinor } = site.app.core.read.wallet('real', anna.userId);
    expect(await rpc('Account/getAccountFunds', { wallet: 'UK' })).toMatchObject({
      availableToBetBalance: availableMinor / 100,
      exposure: -exposureMinor / 100,
      discountRate: 0,
      wallet: 'UK',
    });
    expect(exposureMinor).toBeGreaterThan(0);
    expect(await rpc('Account/getAccountFunds', { wallet: 'AUSTRALIAN' })).toEqual({
      code: -32602,
      message: 'DSC-0018',
    });
    expect(await rpc('Account/getAccountDetails')).toMatchObject({
      currencyCode: 'EUR',
      firstName: 'anna',
      timezone: 'GMT',
    });
    expect(await rpc('Account/listCurrencyRates', { fromCurrency: 'GBP' })).toEqual([{ currencyCode: 'EUR', rate: 1 }]);
    expect(codeOf(await rpc('Account/transferFunds', {}))).toBe('WALLET_TRANSFER_ERROR');
    const statement = await rpc('Account/getAccountStatement', { recordCount: 1 });
    expect(statement).toMatchObject({
      accountStatement: [{ amount: 10_000, balance: balanceMinor / 100, itemClass: 'UNKNOWN' }],
      moreAvailable: false,
    });
    const [profit] = await rpc('listMarketProfitAndLoss', { marketIds: [odds], netOfCommission: true });
    const position = site.app.core.read.position('real', anna.userId, football.odds).runners!;
    expect(profit.profitAndLosses).toEqual(
      position.map(({ runnerId, netMinor }) => ({ selectionId: runnerId, ifWin: netMinor / 100 })),
    );
    expect(
      codeOf(await rpc('listMarketProfitAndLoss', { marketIds: Array.from({ length: 51 }, (_, n) => idOf(n + 1)) })),
    ).toBe('TOO_MUCH_DATA');
  });

  it('settle into the cleared orders, one by one and by market', async () => {
    const market = idOf(race.win);
    const [horse, second] = race.horses;
    const asked = [
      order(2.5, 10, { selectionId: horse, customerOrderRef: 'win' }),
      order(3, 10, { selectionId: second, customerOrderRef: 'lose' }),
    ];
    const told = await rpc('placeOrders', { marketId: market, instructions: asked, customerStrategyRef: 'races' });
    expect(told.instructionReports.map((one: Json) => one.orderStatus)).toEqual([
      'EXECUTION_COMPLETE',
      'EXECUTION_COMPLETE',
    ]);
    await site.feed({
      type: 'command',
      command: { type: 'market.declare', marketId: race.win, result: { kind: 'winners', runnerIds: [horse] } },
    });
    const settled = await rpc('listClearedOrders', {
      betStatus: 'SETTLED',
      marketIds: [market],
      includeItemDescription: true,
    });
    const startsAt = new Date(site.app.catalog.event(race.event)!.startAt).toISOString();
    const byRef = (ref: string) => settled.clearedOrders.find((one: Json) => one.customerOrderRef === ref);
    expect(byRef('win')).toMatchObject({
      betOutcome: 'WON',
      profit: 15,
      priceMatched: 2.5,
      sizeSettled: 10,
      customerStrategyRef: 'races',
      eventTypeId: '7',
      lastMatchedDate: expect.stringMatching(/\.\d{3}Z$/),
      itemDescription: { runnerDesc: 'Horse 1', marketType: 'WIN', marketStartTime: startsAt },
    });
    expect(byRef('lose')).toMatchObject({ betOutcome: 'LOST', profit: -10 });
    const groups = await rpc('listClearedOrders', { betStatus: 'SETTLED', marketIds: [market], groupBy: 'MARKET' });
    expect(groups).toMatchObject({
      clearedOrders: [{ marketId: market, betCount: 2, commission: 0, profit: 5 }],
      moreAvailable: false,
    });
    const named = await rpc('listClearedOrders', { betStatus: 'SETTLED', customerOrderRefs: ['win'] });
    expect(named.clearedOrders.map((one: Json) => one.betId)).toEqual([byRef('win').betId]);
    const one = await rpc('listClearedOrders', { betStatus: 'SETTLED', marketIds: [market], recordCount: 1 });
    expect([one.clearedOrders.length, one.moreAvailable]).toEqual([1, true]);
    expect(codeOf(await rpc('listClearedOrders', { betStatus: 'LAPSED', groupBy: 'MARKET' }))).toBe(
      'INVALID_INPUT_DATA',
    );
    // Three heavy readings of an account at a time.
    const together = () =>
      Promise.all(Array.from({ length: 12 }, () => rpc('listClearedOrders', { betStatus: 'SETTLED' })));
    await expect.poll(async () => (await together()).map(codeOf)).toContain('TOO_MANY_REQUESTS');
    expect((await rpc('listClearedOrders', { betStatus: 'SETTLED' })).clearedOrders).toHaveLength(2);
    const ids = Array.from({ length: 251 }, (_, n) => String(n + 1));
    for (const name of ['betIds', 'marketIds'])
      expect(codeOf(await rpc('listCurrentOrders', { [name]: ids }))).toBe('REQUEST_SIZE_EXCEEDS_LIMIT');
    expect(await rpc('listMarketBook', { marketIds: [market] })).toMatchObject([
      { status: 'CLOSED', totalAvailable: 0 },
    ]);
    expect(await rpc('listMarketBook', { marketIds: [market, odds] })).toMatchObject([{ marketId: odds }]);
    expect(codes(await rpc('placeOrders', { marketId: market, instructions: asked }))).toEqual(
      Array(2).fill('MARKET_NOT_OPEN_FOR_BETTING'),
    );
  });

  it('cancel what rests when a program that beats falls silent', async () => {
    const beat = (preferredTimeoutSeconds: number) => rpc('Heartbeat/heartbeat', { preferredTimeoutSeconds });
    expect(await beat(5)).toEqual({ actionPerformed: 'NONE', actualTimeoutSeconds: 10 });
    await place([order(2.5, 10)]);
    site.clock.advance(9000);
    expect(await beat(10)).toMatchObject({ actionPerformed: 'NONE' });
    site.clock.advance(11_000);
    await expect.poll(() => current({ orderProjection: 'EXECUTABLE' })).toEqual([]);
    await expect.poll(() => beat(0)).toEqual({ actionPerformed: 'ALL_BETS_CANCELLED', actualTimeoutSeconds: 0 });
    // While none beats nothing is read, however often it is looked at.
    const { db, core, auth } = site.app;
    let queries = 0;
    const counted: typeof db.query = (...given) => {
      queries++;
      return db.query(...given);
    };
    const lone = { isAlone: () => true, isOnly: true, tell: () => undefined };
    const beats = new Heartbeats({
      db: { ...db, query: counted },
      core,
      auth,
      clock: site.clock,
      log: silent,
      ...lone,
    });
    for (let look = 0; look < 5; look++) await beats.look();
    expect(queries).toBe(2);
    beats.expect(site.clock() + 10_000);
    await beats.look();
    expect(queries).toBe(2);
    site.clock.advance(10_000);
    await beats.look();
    expect(queries).toBe(4);
    expect(codeOf(await beat(-1))).toBe('INVALID_INPUT_DATA');
  });
});
