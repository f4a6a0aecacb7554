import { type BodyOf, CALLS, conditionalEnd, conditionalOrder, type QueryOf } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import { ben, homeWin, key, open, type Player, place, site, standForBets } from './bets-ground.ts';
import { IDS, prices } from './site.ts';

const { bets, trader } = CALLS;
const { cricket, football, race } = IDS;

standForBets();

describe('orders that the server holds', () => {
  const { home } = football;
  const token = () => ({ token: eva.token });
  const make = (body: Partial<BodyOf<typeof trader.conditional>>) =>
    site.call(trader.conditional, { body: { key: key(), betId: football.odds, kind: 'STOP', ...body } }, token());
  const lay = { runnerId: home, bettingType: 'LAY' as const, stake: 500 };
  let eva: Player;

  it('are made, listed to their owner alone, fire once when their price is there, and are taken back', async () => {
    eva = await site.player('eva');
    await site.feed(prices(football.odds, [home, 296, 300]));
    const first = { key: key(), betId: football.odds, kind: 'STOP' as const, ...lay, trigger: 320, odd: 340 };
    const made = await site.call(trader.conditional, { body: first }, token());
    expect(made.data.order).toMatchObject({
      kind: 'STOP',
      trigger: 320,
      odd: 340,
      stake: 500,
      status: 'WAITING',
      teamName: 'Rovers',
    });
    expect(() => conditionalOrder.parse(made.data.order)).not.toThrow();
    const twin = await site.call(trader.conditional, { body: first }, token());
    expect(twin.data.order.id).toBe(made.data.order.id);
    const profit = await make({ ...lay, kind: 'PROFIT', trigger: 250, odd: 250, link: made.data.order.id });
    const trail = await make({ ...lay, kind: 'TRAIL', ticks: 50, slip: 5 });
    const list = () => site.call(trader.conditionals, { query: { betId: String(football.odds) } }, token());
    expect((await list()).data.map(({ id, link }) => [id, link])).toEqual([
      [made.data.order.id, made.data.order.id],
      [profit.data.order.id, made.data.order.id],
      [trail.data.order.id, null],
    ]);
    const other = await site.call(trader.conditionals, { query: {} }, { token: ben.token });
    expect(other.data).toEqual([]);
    const theirs = await site.call(
      trader.cancelConditional,
      { body: { key: key(), id: trail.data.order.id } },
      { token: ben.token },
    );
    expect([theirs.status, theirs.error?.code, theirs.error?.field]).toEqual([404, 'CONDITIONAL_UNKNOWN', 'id']);
    await site.feed(prices(football.odds, [home, 315, 320]));
    expect((await list()).data.map(({ id }) => id)).toEqual([trail.data.order.id]);
    expect((await open(eva)).rows).toMatchObject([{ betType: 'LAY', matched: 500, oddsMatched: 320 }]);
    await site.feed(prices(football.odds, [home, 296, 300]), prices(football.odds, [home, 315, 320]));
    expect((await open(eva)).rows).toHaveLength(1);
    const cancelled = await site.call(trader.cancelConditional, { body: { key: key() } }, token());
    expect(cancelled.data.cancelled).toBe(1);
  });

  it('name the field that keeps them from being made', async () => {
    await site.feed(prices(football.odds, [home, 296, 300]));
    const seen = async (body: Parameters<typeof make>[0]) => {
      const { status, error } = await make(body);
      return [status, error?.code, error?.field];
    };
    const stop = { ...lay, trigger: 320, odd: 340 };
    expect(await seen({ ...stop, betId: 999_999 })).toEqual([404, 'MARKET_UNKNOWN', 'betId']);
    expect(await seen({ ...stop, betId: cricket.bookmaker })).toEqual([400, 'WRONG_KIND', 'betId']);
    expect(await seen({ ...stop, trigger: 300 })).toEqual([409, 'CONDITION_MET', 'trigger']);
    expect(await seen({ ...stop, odd: 310 })).toEqual([400, 'PRICE_INVALID', 'odd']);
    expect(await seen({ ...stop, stake: 1 })).toEqual([400, 'STAKE_TOO_SMALL', 'stake']);
    expect(await seen({ ...stop, stake: 499_900, odd: 900 })).toEqual([400, 'INSUFFICIENT_FUNDS', 'stake']);
    expect(await seen({ ...lay, trigger: 320 })).toEqual([400, 'BAD_INPUT', 'odd']);
    expect(await seen({ ...stop, ticks: 3 })).toEqual([400, 'BAD_INPUT', 'ticks']);
    const theirs = (await place(ben, { ...homeWin, odd: 310 })).data.bet.id;
    expect(await seen({ kind: 'EXPIRE', id: theirs, seconds: 5 })).toEqual([404, 'BET_UNKNOWN', 'id']);
    await site.call(bets.cancel, { body: { key: key(), id: theirs } }, { token: ben.token });
    expect(await seen({ ...stop, link: 999_999 })).toEqual([404, 'CONDITIONAL_UNKNOWN', 'link']);
  });

  it('follow a bet: its offset stands once it is matched, and its end comes by itself', async () => {
    const { data } = await place(eva, { ...homeWin, odd: 310, stake: 1000 });
    const bet = data.bet.id;
    const offset = await make({ kind: 'OFFSET', id: bet, ticks: 2, level: false, persistence: 'PERSIST' });
    expect(offset.data.order).toMatchObject({ forBet: bet, bettingType: 'LAY', ticks: 2, status: 'WAITING' });
    const end = await make({ kind: 'EXPIRE', id: bet, seconds: 3600 });
    expect(end.data.order.dueAt).not.toBeNull();
    await site.feed(prices(football.odds, [home, 310, 315]));
    const rows = (await open(eva)).rows.filter((row) => row.odds === 300);
    expect(rows).toMatchObject([{ betType: 'LAY', remaining: 1000, persistence: 'PERSIST' }]);
    expect((await site.call(trader.conditionals, { query: {} }, token())).data).toEqual([]);
  });

  type Asked = QueryOf<typeof trader.conditionalHistory>;
  const past = async (query: Asked = {}, who = eva) =>
    (await site.call(trader.conditionalHistory, { query }, { token: who.token })).data;

  it('stand in the history once each when they are over: what they became, why not, or who ended them', async () => {
    await site.feed(prices(football.odds, [home, 296, 300]));
    // All that she has, less what another bet takes before the price is there.
    const large = { ...lay, stake: 300_000, trigger: 320, odd: 340 };
    expect((await make(large)).status).toBe(200);
    await place(eva, { ...homeWin, bettingType: 'LAY', odd: 250, stake: 300_000 });
    await site.feed(prices(football.odds, [home, 315, 320]));
    await make({ ...lay, kind: 'TRAIL', ticks: 50, slip: 5 });
    const restrict = (betBlocked: boolean) =>
      site.app.core.submit({
        world: 'real',
        actor: 'operator:olga',
        command: { type: 'account.restrict', accountId: eva.userId, betBlocked, exposureLimitMinor: 0 },
      });
    site.clock.advance(1000);
    await restrict(true);
    await restrict(false);
    const { rows, next } = await past({ limit: '100' });
    for (const row of rows) expect(() => conditionalEnd.parse(row)).not.toThrow();
    expect(rows.map(({ kind, status, code, by }) => [kind, status, code, by])).toEqual([
      ['TRAIL', 'ENDED', 'ACCOUNT_BLOCKED', 'SITE'],
      ['STOP', 'FAILED', 'INSUFFICIENT_FUNDS', null],
      ['EXPIRE', 'ENDED', 'BET_ENDED', null],
      ['OFFSET', 'FIRED', null, null],
      ['TRAIL', 'ENDED', 'CANCELLED', 'PLAYER'],
      ['PROFIT', 'ENDED', 'OTHER_FIRED', null],
      ['STOP', 'FIRED', null, null],
    ]);
    expect(next).toBeNull();
    const stop = rows.at(-1)!;
    expect(stop).toMatchObject({
      teamName: 'Rovers',
      eventName: 'Rovers v United',
      trigger: 320,
      odd: 340,
      stake: 500,
    });
    expect(stop.bet).toEqual({ odd: 340, stake: 500, matched: 500, oddsMatched: 320 });
    expect((await open(eva)).rows.map(({ id }) => id)).toContain(stop.placed);
    expect(rows[3]!.bet).toEqual({ odd: 300, stake: 1000, matched: 1000, oddsMatched: 300 });
    expect([rows[0]!.bet, rows[1]!.bet, rows[1]!.placed]).toEqual([null, null, null]);
    expect(Date.parse(stop.endedAt)).toBeGreaterThanOrEqual(Date.parse(stop.createdAt));
  });

  it('are read page by page behind a cursor, by time, market, kind and end, by their owner alone, and as a file', async () => {
    const ids = (await past({ limit: '100' })).rows.map(({ id }) => id);
    const paged: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof past>> = await past({ limit: '3', ...(cursor && { cursor }) });
      paged.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null && paged.length < 100);
    expect(paged).toEqual(ids);
    expect(new Set(ids).size).toBe(7);
    const some = async (query: Asked) => (await past(query)).rows.map(({ kind }) => kind);
    expect(await some({ kind: 'inArr[OFFSET,EXPIRE]' })).toEqual(['EXPIRE', 'OFFSET']);
    expect(await some({ status: 'eqFIRED' })).toEqual(['OFFSET', 'STOP']);
    expect(await some({ status: 'eqENDED', code: 'inArr[CANCELLED,OTHER_FIRED]' })).toEqual(['TRAIL', 'PROFIT']);
    expect(await some({ betId: `eq${football.odds}`, keyword: 'rovers', kind: 'eqPROFIT' })).toEqual(['PROFIT']);
    expect(await some({ betId: `eq${race.win}` })).toEqual([]);
    expect(await some({ keyword: 'nobody%' })).toEqual([]);
    expect(await some({ endedAt: 'between2020-01-01|2020-12-31' })).toEqual([]);
    const ends = (await past({ limit: '100' })).rows.map(({ endedAt }) => endedAt);
    expect(await some({ endedAt: `between${ends.at(-1)}|${ends[0]}` })).toHaveLength(7);
    expect(await some({ endedAt: `between${ends[0]}|${ends[0]}` })).toEqual(['TRAIL']);
    expect((await past({}, ben)).rows).toEqual([]);
    const refused = await site.call(trader.conditionalHistory, { query: { kind: 'eqOTHER' } }, token());
    expect([refused.status, refused.error?.code, refused.error?.field]).toEqual([400, 'BAD_FILTER', 'kind']);
    const told = await site.call(
      trader.conditionalFile,
      { query: { timeZone: 'Asia/Dhaka', language: 'es' } },
      token(),
    );
    const lines = told.data.trim().split('\r\n');
    expect(lines).toHaveLength(8);
    expect(lines[0]).toContain('Terminó (Asia/Dhaka),Creado el (Asia/Dhaka),Evento');
    expect(lines.at(-1)).toContain(',Rovers v United,Ganador del partido,Rovers,Stop,Lay,3.20,,3.40,5.00,,Activada,,');
    expect(lines.at(-1)).toMatch(/,3\.20,5\.00$/);
    expect(lines[2]).toContain(',No realizada,Tu saldo disponible no cubre esta apuesta.,,,');
  });
});

describe('a bet with its offset and its end', () => {
  const { home } = football;
  const offset = { ticks: 2, level: true };
  let finn: Player;
  const waiting = async () => (await site.call(trader.conditionals, { query: {} }, { token: finn.token })).data;

  it('is one call with one answer, which its key tells again', async () => {
    finn = await site.player('finn');
    await site.feed(prices(football.odds, [home, 296, 300]));
    const body = { ...homeWin, key: key(), bettingType: 'BACK' as const, odd: 310, stake: 1000, offset, seconds: 600 };
    const as = { token: finn.token };
    const { data } = await site.call(bets.place, { body }, as);
    expect(data.bet).toMatchObject({ odds: 310, remaining: 1000 });
    const forBet = data.bet.id;
    expect(data.orders).toMatchObject([
      { kind: 'OFFSET', forBet, ticks: 2, level: true, bettingType: 'LAY', persistence: 'LAPSE', status: 'WAITING' },
      { kind: 'EXPIRE', forBet, status: 'WAITING', teamName: 'Rovers', eventName: 'Rovers v United' },
    ]);
    for (const order of data.orders ?? []) expect(() => conditionalOrder.parse(order)).not.toThrow();
    expect(await waiting()).toEqual(data.orders);
    expect((await site.call(bets.place, { body }, as)).data).toEqual(data);
    expect((await site.call(bets.byKey, { params: { key: body.key } }, as)).data).toEqual(data);
    expect((await site.call(bets.settleKey, { body: { key: body.key } }, as)).data).toEqual(data);
    expect(await waiting()).toHaveLength(2);
    const other = await site.call(bets.place, { body: { ...body, offset: { ...offset, ticks: 3 } } }, as);
    expect(other.error?.code).toBe('KEY_REUSED');
    const gone = await site.call(bets.cancel, { body: { key: key(), id: forBet } }, as);
    expect(gone.data.orders?.map(({ status, code }) => [status, code])).toEqual([
      ['ENDED', 'BET_ENDED'],
      ['ENDED', 'BET_ENDED'],
    ]);
  });

  it('that is matched at once tells the bet that was placed, and its offset as the bet it became', async () => {
    const { data } = await place(finn, { ...homeWin, odd: 296, offset, seconds: 600 });
    expect(data.bet).toMatchObject({ betType: 'BACK', odds: 296, matched: 1000 });
    expect(data.orders).toMatchObject([{ kind: 'OFFSET', status: 'FIRED', placed: data.bet.id + 1 }]);
    const { rows } = await open(finn);
    expect(rows.find(({ id }) => id === data.orders![0]!.placed)).toMatchObject({
      betType: 'LAY',
      odds: 292,
      amount: 1014,
    });
  });

  it('that may not be made refuses the bet, with its field: nothing is placed', async () => {
    const before = (await open(finn)).rows.length;
    const session = {
      matchId: cricket.event,
      betId: cricket.session,
      runnerId: cricket.sessionRow,
      odd: 100,
      line: 48,
    };
    const rows: Array<[object, string, string]> = [
      [{ offset: { ...offset, ticks: 0 } }, 'BAD_INPUT', 'offset.ticks'],
      [{ offset: { ...offset, ticks: 101 } }, 'BAD_INPUT', 'offset.ticks'],
      [{ offset: { ticks: 2 } }, 'BAD_INPUT', 'offset.level'],
      [{ offset: { ...offset, side: 'LAY' } }, 'UNKNOWN_FIELD', 'offset.side'],
      [{ odd: 101, offset }, 'PRICE_INVALID', 'offset.ticks'],
      [{ seconds: 0 }, 'BAD_INPUT', 'seconds'],
      [{ ...session, bettingType: 'YES', offset }, 'WRONG_KIND', 'offset'],
      [{ ...session, bettingType: 'YES', seconds: 5 }, 'WRONG_KIND', 'seconds'],
    ];
    for (const [body, code, field] of rows) {
      const { error } = await place(finn, { ...homeWin, odd: 310, ...body });
      expect([error?.code, error?.field]).toEqual([code, field]);
    }
    expect((await open(finn)).rows).toHaveLength(before);
    expect(await waiting()).toEqual([]);
  });

  it('comes with each of many, and goes with the one that is refused', async () => {
    const one = { ...homeWin, bettingType: 'BACK' as const, odd: 320, stake: 1000, offset };
    const many = [
      { ...one, key: key() },
      { ...one, key: key(), odd: 101 },
      { ...one, key: key(), seconds: 60 },
    ];
    const { data } = await site.call(bets.placeMany, { body: { bets: many } }, { token: finn.token });
    const kinds = data.answers.map((answer) =>
      'data' in answer ? answer.data.orders?.map(({ kind }) => kind) : [answer.code, answer.field],
    );
    expect(kinds).toEqual([['OFFSET'], ['PRICE_INVALID', 'offset.ticks'], ['OFFSET', 'EXPIRE']]);
    expect(await waiting()).toHaveLength(3);
  });
});
