import { type BetAnswer, type BodyOf, CALLS, placedBet, type QueryOf } from '@fairgame/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { anna, ben, homeWin, key, open, type Placing, type Player, place, site, standForBets } from './bets-ground.ts';
import type { Told } from './server.ts';
import { IDS, prices, quotes, state } from './site.ts';

const { bets, trader } = CALLS;
const { cricket, football, race, politics, tennis } = IDS;

standForBets();

describe('placing', () => {
  it('[API-43] [BET-01] [BET-02] [BET-06] places a bet and answers it with the wallet of the moment', async () => {
    const { data, message } = await place(anna, { ...homeWin, odd: 200, stake: 2500 });
    expect(message).toBe('Bet placed.');
    expect(() => placedBet.parse(data.bet)).not.toThrow();
    expect(data.bet).toMatchObject({
      betId: football.odds,
      matchId: football.event,
      eventName: 'Rovers v United',
      bettingName: 'Match Odds',
      teamName: 'Rovers',
      betType: 'BACK',
      marketBetType: 'MATCHBETTING',
      odds: 200,
      matched: 2500,
      oddsMatched: 200,
      winAmount: 2500,
      lossAmount: 2500,
      result: 'PENDING',
      deleteReason: null,
    });
    expect(data.wallet).toMatchObject({ currentBalance: 1_000_000, exposure: 2500 });
  });

  it('[OPN-38] every named path takes its own markets and refuses the others', async () => {
    const session = {
      matchId: cricket.event,
      betId: cricket.session,
      runnerId: cricket.sessionRow,
      bettingType: 'YES' as const,
      odd: 100,
      line: 48,
    };
    const horse = { matchId: race.event, betId: race.win, runnerId: race.horses[0], odd: 250 };
    const party = { matchId: politics.event, betId: politics.odds, runnerId: politics.left, odd: 200 };
    const rows: Array<[Placing, Parameters<typeof place>[1], number]> = [
      ['session', session, 200],
      ['match', session, 400],
      ['session', homeWin, 400],
      ['match', homeWin, 200],
      ['otherMatch', homeWin, 400],
      ['otherMatch', party, 200],
      ['race', horse, 200],
      ['race', homeWin, 400],
      ['match', horse, 400],
      ['tournament', { ...homeWin, betId: football.overUnder, runnerId: football.over, odd: 300 }, 200],
      ['tournament', session, 400],
      ['card', homeWin, 400],
      ['place', session, 200],
    ];
    for (const [path, body, status] of rows) {
      const told = await place(anna, body, path);
      expect([path, body.betId, told.status]).toEqual([path, body.betId, status]);
      if (status === 400) expect(told.error?.code).toBe('WRONG_KIND');
    }
  });

  it('names the sides of the kinds: YES and NO for sessions only', async () => {
    const wrong = await place(anna, { ...homeWin, bettingType: 'YES' });
    expect([wrong.status, wrong.error?.code, wrong.error?.field]).toEqual([400, 'WRONG_KIND', 'bettingType']);
    const no = await place(anna, {
      matchId: cricket.event,
      betId: cricket.session,
      runnerId: cricket.sessionRow,
      bettingType: 'NO',
      odd: 100,
      line: 47,
    });
    expect(no.data.bet).toMatchObject({ betType: 'NO', marketBetType: 'SESSION', line: 47, lossAmount: 1000 });
    const khado = await place(anna, {
      matchId: cricket.event,
      betId: cricket.khado,
      runnerId: cricket.khadoRow,
      odd: 300,
      line: 75,
    });
    expect(khado.data.bet).toMatchObject({ betType: 'BACK', winAmount: 3000, lossAmount: 1000 });
  });

  it('[OPN-39] refuses a price off the ladder, a changed rate, a changed line, an unknown market, a runner of another market', async () => {
    const session = { matchId: cricket.event, betId: cricket.session, runnerId: cricket.sessionRow, odd: 100 };
    const line = await place(anna, { ...session, bettingType: 'YES', line: 49 });
    expect([line.status, line.error?.code, line.error?.current?.line]).toEqual([409, 'LINE_CHANGED', 48]);
    const rate = await place(anna, { ...session, bettingType: 'YES', line: 48, odd: 90 });
    expect([rate.status, rate.error?.code]).toEqual([409, 'PRICE_CHANGED']);
    expect((await place(anna, { ...homeWin, betId: 1 })).error?.code).toBe('MARKET_UNKNOWN');
    expect((await place(anna, { ...homeWin, matchId: tennis.event })).error?.field).toBe('matchId');
    expect((await place(anna, { ...homeWin, runnerId: tennis.one })).error?.code).toBe('RUNNER_UNKNOWN');
    expect((await place(anna, { ...homeWin, odd: 205 })).error?.code).toBe('PRICE_INVALID');
  });

  it('[FAN-06] keeps session stakes within the limits', async () => {
    const session = {
      matchId: cricket.event,
      betId: cricket.session,
      runnerId: cricket.sessionRow,
      bettingType: 'YES' as const,
      odd: 100,
      line: 48,
    };
    expect((await place(anna, { ...session, stake: 99 })).error?.code).toBe('STAKE_TOO_SMALL');
    expect((await place(anna, { ...session, stake: 25_001 })).error?.code).toBe('STAKE_TOO_LARGE');
  });

  it('takes a bookmaker box by its index and its share of the limit', async () => {
    const box = { matchId: cricket.event, betId: cricket.bookmaker, runnerId: cricket.teamA };
    const second = await place(anna, { ...box, odd: 84, placeIndex: 1, stake: 15_000 });
    expect(second.data.bet).toMatchObject({ box: 1, odds: 84, winAmount: 12_600 });
    const tooMuch = await place(anna, { ...box, odd: 85, placeIndex: 0, stake: 10_001 });
    expect(tooMuch.error).toMatchObject({ code: 'STAKE_TOO_LARGE', field: 'stake', current: { sizeMinor: 10_000 } });
    const wrongBox = await place(anna, { ...box, odd: 85, placeIndex: 2 });
    expect(wrongBox.error?.code).toBe('PRICE_CHANGED');
  });

  it('[SEC-Z7] takes no payout, balance or unknown field from the client', async () => {
    for (const extra of [{ winAmount: 5 }, { balance: 1 }, { userId: ben.userId }, { stake: 1.5 }, { odd: '2.0' }]) {
      const told = await place(anna, { ...homeWin, ...(extra as object) });
      expect(told.status).toBe(400);
    }
    const noKey = await site.call(
      bets.place,
      { body: { ...homeWin, bettingType: 'BACK', odd: 200, stake: 100 } as BodyOf<typeof bets.place> },
      { token: anna.token },
    );
    expect([noKey.status, noKey.error?.code]).toEqual([400, 'KEY_REQUIRED']);
  });

  it('[CAR-03] [INV-08] the same key acts once, also when both come at once; another payload is refused', async () => {
    const one = { key: key(), ...homeWin };
    const before = (await open(anna)).total;
    const [first, second] = await Promise.all([place(anna, one), place(anna, one)]);
    expect(second.data.bet.id).toBe(first.data.bet.id);
    expect((await place(anna, one)).data.bet.id).toBe(first.data.bet.id);
    expect((await open(anna)).total).toBe(before + 1);
    const other = await place(anna, { ...one, stake: 2000 });
    expect([other.status, other.error?.code]).toEqual([422, 'KEY_REUSED']);
    // The key is the player's own: another player's is another.
    expect((await place(ben, one)).data.bet.id).not.toBe(first.data.bet.id);
  });

  it('[CAR-01] two different bets at once both get their answer', async () => {
    const [a, b] = await Promise.all([
      place(ben, homeWin),
      place(ben, { ...homeWin, runnerId: football.away, odd: 380 }),
    ]);
    expect([a.status, b.status]).toEqual([200, 200]);
    expect(a.data.bet.id).not.toBe(b.data.bet.id);
  });

  it('[CAR-04] tells what became of a key whose answer was lost, and settles one for good', async () => {
    const lost = key();
    const ask = (who: Player, k: string) => site.call(bets.byKey, { params: { key: k } }, { token: who.token });
    expect((await ask(anna, lost)).error?.code).toBe('KEY_UNKNOWN');
    const placed = await place(anna, { key: lost, ...homeWin });
    expect((await ask(anna, lost)).data.bet.id).toBe(placed.data.bet.id);
    expect((await ask(ben, lost)).error?.code).toBe('KEY_UNKNOWN');
    const settle = (k: string) => site.call(bets.settleKey, { body: { key: k } }, { token: anna.token });
    expect((await settle(lost)).data.bet.id).toBe(placed.data.bet.id);
    const burnt = key();
    expect((await settle(burnt)).error?.code).toBe('KEY_UNKNOWN');
    expect((await place(anna, { key: burnt, ...homeWin })).error?.code).toBe('KEY_BURNT');
  });

  it('[OPN-16] a blocked account places nothing and cancels still', async () => {
    const carl = await site.player('carl');
    const resting = await place(carl, { ...homeWin, odd: 300 });
    await site.app.core.submit({
      world: 'real',
      actor: 'test',
      command: { type: 'account.restrict', accountId: carl.userId, betBlocked: true, exposureLimitMinor: 0 },
    });
    expect((await place(carl, homeWin)).error?.code).toBe('ACCOUNT_BLOCKED');
    const cancel = await site.call(
      bets.cancel,
      { body: { key: key(), id: resting.data.bet.id } },
      { token: carl.token },
    );
    expect(cancel.data.bet).toMatchObject({ cancelled: 1000, remaining: 0, status: 'COMPLETE' });
  });

  it('[SEC-S5] asks for the password again after an idle hour, for placing only', async () => {
    const dan = await site.player('dan');
    const session = site.app.auth.sessionOf(dan.token)!;
    session.stepUpDue = true;
    const refused = await place(dan, homeWin);
    expect([refused.status, refused.error?.code]).toEqual([403, 'STEP_UP_REQUIRED']);
    expect((await site.call(bets.list, { query: {} }, { token: dan.token })).status).toBe(200);
    session.stepUpDue = false;
    expect((await place(dan, homeWin)).status).toBe(200);
  });

  it('a market that is suspended or closed takes nothing', async () => {
    await site.feed(state(tennis.odds, { status: 'SUSPENDED', reason: 'Medical time-out' }));
    const bet = { matchId: tennis.event, betId: tennis.odds, runnerId: tennis.one, odd: 150 };
    expect((await place(anna, bet)).error?.code).toBe('MARKET_SUSPENDED');
    await site.feed(state(tennis.odds, { status: 'OPEN' }));
    expect((await place(anna, bet)).status).toBe(200);
  });
});

describe('editing', () => {
  const resting = async (who: Player) => (await place(who, { ...homeWin, odd: 300, stake: 5000 })).data.bet;
  const answer = (told: Told<typeof bets.cancel>): BetAnswer => told.data;

  it('cancels part, then all; one of another player is unknown to him', async () => {
    const bet = await resting(anna);
    const part = await site.call(bets.cancel, { body: { key: key(), id: bet.id, by: 2000 } }, { token: anna.token });
    expect(answer(part).bet).toMatchObject({ remaining: 3000, cancelled: 2000, status: 'EXECUTABLE' });
    const foreign = await site.call(bets.cancel, { body: { key: key(), id: bet.id } }, { token: ben.token });
    expect([foreign.status, foreign.error?.code]).toEqual([404, 'BET_UNKNOWN']);
    const rest = await site.call(bets.cancel, { body: { key: key(), id: bet.id } }, { token: anna.token });
    expect(answer(rest).bet).toMatchObject({ remaining: 0, cancelled: 5000 });
    const again = await site.call(bets.cancel, { body: { key: key(), id: bet.id } }, { token: anna.token });
    expect(again.error?.code).toBe('BET_NOT_OPEN');
  });

  it('replaces price and size, and keeps what becomes of it in play', async () => {
    const bet = await resting(anna);
    const body = { key: key(), id: bet.id, odd: 310, stake: 4000, persistence: 'PERSIST' as const };
    const first = await site.call(bets.replace, { body }, { token: anna.token });
    expect(first.data.bet).toMatchObject({ odds: 310, remaining: 4000, persistence: 'PERSIST' });
    const again = await site.call(bets.replace, { body }, { token: anna.token });
    expect(again.data.bet.id).toBe(first.data.bet.id);
    const lapse = await site.call(
      bets.persistence,
      { body: { key: key(), id: first.data.bet.id, persistence: 'LAPSE' } },
      { token: anna.token },
    );
    expect(lapse.data.bet.persistence).toBe('LAPSE');
    const foreign = await site.call(
      bets.replace,
      { body: { ...body, key: key(), id: first.data.bet.id } },
      { token: ben.token },
    );
    expect(foreign.error?.code).toBe('BET_UNKNOWN');
  });

  it('changes only the bet that the player saw, and tells what is left of it', async () => {
    const bet = await resting(anna);
    await site.call(bets.cancel, { body: { key: key(), id: bet.id, by: 2000 } }, { token: anna.token });
    const body = { key: key(), id: bet.id, odd: 310, stake: 5000, persistence: 'PERSIST' as const, remaining: 5000 };
    const refused = await site.call(bets.replace, { body }, { token: anna.token });
    expect([refused.status, refused.error]).toEqual([
      409,
      expect.objectContaining({
        code: 'BET_CHANGED',
        field: 'remaining',
        current: expect.objectContaining({ price: 300, remainingMinor: 3000 }),
      }),
    ]);
    const [untouched] = (await open(anna)).rows.filter((one) => one.id === bet.id);
    expect(untouched).toMatchObject({ odds: 300, remaining: 3000, persistence: 'LAPSE' });
    const smaller = { ...body, key: key(), odd: 300, stake: 1000, remaining: 3000 };
    const told = await site.call(bets.replace, { body: smaller }, { token: anna.token });
    // At the same price it is the same bet, and its key says so.
    expect(told.data.bet).toMatchObject({ id: bet.id, remaining: 1000, persistence: 'PERSIST' });
    const same = await site.call(
      bets.replace,
      { body: { ...smaller, key: key(), remaining: 1000 } },
      { token: anna.token },
    );
    expect(same.data.bet).toMatchObject({ id: bet.id, remaining: 1000 });
    const kept = await site.app.db.query('SELECT bet_id FROM idempotency WHERE key = $1', [smaller.key]);
    expect(kept).toEqual([{ bet_id: bet.id }]);
  });

  it('leaves a position as one: quoted, taken whole or not at all, once for each key', async () => {
    const cara = await site.player('cara');
    await place(cara, { ...homeWin, odd: 200, stake: 2000 });
    const waiting = (await place(cara, { ...homeWin, odd: 300, stake: 500 })).data.bet;
    const quote = await site.call(
      bets.cashOutQuote,
      { query: { betId: String(football.odds) } },
      { token: cara.token },
    );
    expect(quote.data).toMatchObject({ reason: null, cancels: [waiting.id] });
    expect(quote.data.value).toBeLessThan(0);
    const { legs, marketVersion } = quote.data;
    const body = { key: key(), betId: football.odds, legs, cancel: true, marketVersion };
    const greedy = { ...body, key: key(), legs: legs.map((leg) => ({ ...leg, stake: 90_000_000 })) };
    const refused = await site.call(bets.cashOut, { body: greedy }, { token: cara.token });
    expect([refused.status, refused.error?.field]).toEqual([400, 'legs.0.stake']);
    expect((await open(cara)).rows).toHaveLength(2);
    const told = await site.call(bets.cashOut, { body }, { token: cara.token });
    expect(told.data.bets.map((bet) => [bet.runnerId, bet.matched, bet.remaining])).toEqual(
      legs.map((leg) => [leg.runnerId, leg.stake, 0]),
    );
    expect(told.data.cancelled).toMatchObject([{ id: waiting.id, remaining: 0, cancelled: 500 }]);
    expect(told.data.wallet.exposure).toBe(-quote.data.value!);
    const again = await site.call(bets.cashOut, { body }, { token: cara.token });
    expect(again.data.bets.map((bet) => bet.id)).toEqual(told.data.bets.map((bet) => bet.id));
    const over = await site.call(bets.cashOutQuote, { query: { betId: String(football.odds) } }, { token: cara.token });
    expect(over.data).toMatchObject({ value: null, reason: 'NO_POSITION', legs: [] });
  });

  it('a part of a position is hedged by one call, at what the player was shown or better, once under its key', async () => {
    const hana = await site.player('hana');
    const { home } = football;
    await site.feed(prices(football.odds, [home, 296, 300]));
    await place(hana, { ...homeWin, odd: 296, stake: 10_000 });
    await site.feed(prices(football.odds, [home, 248, 250]));
    const at = { betId: football.odds, runnerId: home };
    const ask = { query: { betId: String(at.betId), runnerId: String(home), percent: '50' } };
    const quote = (await site.call(bets.cashOutQuote, ask, { token: hana.token })).data;
    // Half of 100.00 at 2.96 is 59.20 of stake at 2.50; the other half stands: 196.00 - 88.80, -100.00 + 59.20.
    expect(quote.legs).toEqual([{ runnerId: home, bettingType: 'LAY', odd: 250, stake: 5920 }]);
    expect(quote.results.map(({ net }) => net)).toEqual([10_720, -4080]);
    const body = { key: key(), ...at, percent: 50, cancel: false };
    const dear = { ...body, key: key(), least: quote.value! + 1 };
    const refused = await site.call(trader.hedge, { body: dear }, { token: hana.token });
    expect([refused.status, refused.error?.code, refused.error?.field]).toEqual([409, 'PRICE_CHANGED', 'least']);
    const told = await site.call(trader.hedge, { body: { ...body, least: quote.value! } }, { token: hana.token });
    expect(told.data.bets).toMatchObject([{ betType: 'LAY', matched: 5920, remaining: 0 }]);
    expect(told.data.wallet.exposure).toBe(4080);
    const again = await site.call(trader.hedge, { body: { ...body, least: quote.value! } }, { token: hana.token });
    expect(again.data.bets.map((bet) => bet.id)).toEqual(told.data.bets.map((bet) => bet.id));
    // A quarter: 10.20 of an exposure of 40.80; at most all of it.
    const off = { key: key(), ...at, amount: 1020, cancel: false };
    const quarter = { query: { betId: String(at.betId), runnerId: String(home), amount: '1020' } };
    const shown = (await site.call(bets.cashOutQuote, quarter, { token: hana.token })).data;
    expect(shown.legs).toEqual([{ runnerId: home, bettingType: 'LAY', odd: 250, stake: 1480 }]);
    const less = await site.call(trader.hedge, { body: off }, { token: hana.token });
    expect(less.data.bets).toMatchObject([{ betType: 'LAY', matched: 1480, remaining: 0 }]);
    const both = await site.call(trader.hedge, { body: { ...off, key: key(), percent: 50 } }, { token: hana.token });
    expect([both.status, both.error?.code, both.error?.field]).toEqual([400, 'BAD_INPUT', 'amount']);
    const most = { body: { key: key(), ...at, amount: 1_000_000, cancel: true } };
    const rest = await site.call(trader.hedge, most, { token: hana.token });
    expect(rest.data.bets).toMatchObject([{ matched: 4440 }]);
    const safe = await site.call(trader.hedge, { body: { ...off, key: key() } }, { token: hana.token });
    expect([safe.status, safe.error?.code, safe.error?.field]).toEqual([409, 'NO_POSITION', 'amount']);
    const over = await site.call(trader.hedge, { body: { key: key(), ...at, cancel: true } }, { token: hana.token });
    expect([over.status, over.error?.code, over.error?.field]).toEqual([409, 'NO_POSITION', undefined]);
    await site.feed(prices(football.odds, [home, 200, 204]));
  });

  it('cancels all of a market and counts them', async () => {
    await resting(ben);
    await resting(ben);
    const told = await site.call(bets.cancelAll, { body: { key: key(), betId: football.odds } }, { token: ben.token });
    expect(told.data.cancelled).toBe(2);
    const none = await site.call(bets.cancelAll, { body: { key: key() } }, { token: ben.token });
    expect(none.data.cancelled).toBe(0);
    // Of one runner, or of one side.
    await resting(ben);
    const at = { betId: football.odds, runnerId: football.home };
    const cancelled = async (more: object) =>
      (await site.call(bets.cancelAll, { body: { key: key(), ...at, ...more } }, { token: ben.token })).data.cancelled;
    expect(await cancelled({ runnerId: football.away })).toBe(0);
    expect(await cancelled({ side: 'LAY' })).toBe(0);
    expect(await cancelled({ side: 'BACK' })).toBe(1);
    const unknown = { body: { key: key(), ...at, runnerId: 999_999_999 } };
    const told404 = await site.call(bets.cancelAll, unknown, { token: ben.token });
    expect([told404.error?.code, told404.error?.field]).toEqual(['RUNNER_UNKNOWN', 'runnerId']);
  });

  it('[CAR-22] [API-36] lets no player delete bets of a race', async () => {
    const told = await site.call(
      bets.deleteRaceBets,
      { body: { data: { matchId: race.event, betIds: [1], deleteReason: 'I lost it' } } },
      { token: anna.token },
    );
    expect([told.status, told.error?.code]).toEqual([403, 'NOT_ALLOWED']);
  });
});

describe('lists', () => {
  let eve: Player;
  beforeAll(async () => {
    eve = await site.player('eve');
    await place(eve, { ...homeWin, stake: 100 });
    site.clock.advance(1000);
    await place(eve, { matchId: race.event, betId: race.win, runnerId: race.horses[1], odd: 300, stake: 200 });
    site.clock.advance(1000);
    await place(eve, {
      matchId: cricket.event,
      betId: cricket.session,
      runnerId: cricket.sessionRow,
      bettingType: 'NO',
      odd: 100,
      line: 47,
      stake: 300,
    });
  });

  it('[BET-07] [API-44] [BET-03] [BET-04] [BET-05] [OPN-32] lists open bets of a match, newest first', async () => {
    const all = await open(eve, { sort: 'betPlaced.createdAt:DESC' });
    expect(all.rows.map((bet) => bet.amount)).toEqual([300, 200, 100]);
    expect(all.totals).toEqual({
      stake: 600,
      matched: all.rows.reduce((sum, bet) => sum + bet.matched, 0),
      profitLoss: 0,
    });
    const one = await open(eve, { 'betPlaced.matchId': `eq${race.event}` });
    expect(one.rows).toMatchObject([{ marketBetType: 'RACING', teamName: 'Horse 2' }]);
  });

  it('begins with those that wait where no sort is given or it is asked to, however many were placed since', async () => {
    const fay = await site.player('fay');
    await place(fay, { ...homeWin, odd: 300, stake: 100 });
    for (const stake of [200, 300]) {
      site.clock.advance(1000);
      await place(fay, { ...homeWin, odd: 200, stake });
    }
    const asked = async (query: QueryOf<typeof bets.list>) =>
      (await site.call(bets.list, { query }, { token: fay.token })).data.rows.map(({ status, amount }) => [
        status,
        amount,
      ]);
    const waitingFirst = [
      ['EXECUTABLE', 100],
      ['COMPLETE', 300],
      ['COMPLETE', 200],
    ];
    for (const query of [
      { result: 'inArr[PENDING,UNDECLARE]' },
      { result: 'isNull' },
      { isCurrentBets: 'true' },
      { sort: 'status:DESC,betPlaced.createdAt:DESC' },
    ] as const)
      expect(await asked(query)).toEqual(waitingFirst);
    for (const query of [{}, { result: 'inArr[PENDING,WIN]' }, { isCurrentBets: 'true', sort: 'id:DESC' }] as const)
      expect((await asked(query)).map(([, amount]) => amount)).toEqual([300, 200, 100]);
  });

  it.each([
    ['betId', { betId: `inArr[${football.odds},${race.win}]` }, [200, 100]],
    ['runnerId', { runnerId: `eq${race.horses[1]}` }, [200]],
    ['betPlaced.runnerId', { 'betPlaced.runnerId': `eq{${football.home}}` }, [100]],
    ['betPlaced.eventType', { 'betPlaced.eventType': 'eq{cricket}' }, [300]],
    ['status', { status: 'eqCOMPLETE' }, [300, 200, 100]],
    ['result', { result: 'eq{WIN}' }, []],
    ['betPlaced.createdAt', { 'betPlaced.createdAt': 'between2026-07-01T12:00:00Z|2026-07-01T12:00:00.500Z' }, [100]],
    ['isCurrentBets', { isCurrentBets: 'true' }, [300, 200, 100]],
  ] as const)('[API-45] [BET-07] filters by %s', async (_name, query, stakes) => {
    const told = await site.call(bets.list, { query }, { token: eve.token });
    expect(told.data.rows.map((bet) => bet.amount)).toEqual(stakes);
  });

  it('[BET-07] [API-45] [CAR-23] [SEC-Z1] answers for the session only: another user in createBy is 403', async () => {
    const own = await site.call(bets.list, { query: { createBy: `eq${eve.userId}` } }, { token: eve.token });
    expect(own.data.total).toBe(3);
    const foreign = await site.call(bets.list, { query: { createBy: `eq${anna.userId}` } }, { token: eve.token });
    expect([foreign.status, foreign.error?.code]).toEqual([403, 'NOT_ALLOWED']);
  });

  it('[BET-03] leaves out of the open bets what was cancelled unmatched', async () => {
    const fred = await site.player('fred');
    const waiting = await place(fred, { ...homeWin, odd: 500, stake: 700 });
    expect((await open(fred)).total).toBe(1);
    await site.call(bets.cancel, { body: { key: key(), id: waiting.data.bet.id } }, { token: fred.token });
    expect((await open(fred)).total).toBe(0);
    const all = await site.call(bets.list, { query: { status: 'eqCOMPLETE' } }, { token: fred.token });
    expect(all.data.rows[0]).toMatchObject({ cancelled: 700, endCode: 'CANCELLED' });
  });

  it('[API-46] [OPN-34] pages: page 1 and 10 rows unless asked otherwise', async () => {
    const told = await site.call(bets.list, { query: {} }, { token: eve.token });
    expect(told.data).toMatchObject({ page: 1, limit: 10, total: 3 });
    const second = await site.call(bets.list, { query: { page: '2', limit: '2' } }, { token: eve.token });
    expect(second.data.rows).toHaveLength(1);
  });

  it('[SEC-Z6] [OPN-30] refuses what is no filter: column, operator, 51 values, more than a year', async () => {
    const tries = [
      { betId: 'gt5' },
      { betId: 'eq{x}' },
      { betId: `inArr[${Array.from({ length: 51 }, (_, i) => i + 1).join(',')}]` },
      { 'betPlaced.createdAt': 'between2024-01-01|2026-01-01' },
      { sort: 'secret:ASC' },
      { result: "eq{'; DROP TABLE bets}" },
    ];
    for (const query of tries) {
      const told = await site.call(bets.list, { query }, { token: eve.token });
      if (JSON.stringify(query).includes('DROP')) expect([200, 400]).toContain(told.status);
      else expect([JSON.stringify(query), told.error?.code]).toEqual([JSON.stringify(query), 'BAD_FILTER']);
    }
    expect((await site.call(bets.list, { query: {} }, { token: eve.token })).data.total).toBe(3);
  });

  it('the same filters make a file: the bets of the table, prices and money as it shows them, at the hours of the zone', async () => {
    const file = async (query: Record<string, string>) => {
      const told = await site.fetch(`/api/bet/file?${new URLSearchParams(query).toString()}`, {
        headers: { authorization: `Bearer ${eve.token}` },
      });
      const text = await told.text();
      return {
        status: told.status,
        lines: text
          .replace(/^\uFEFF/, '')
          .trim()
          .split('\r\n'),
        text,
      };
    };
    const { lines } = await file({ timeZone: 'America/New_York' });
    const { rows } = (await site.call(bets.list, { query: {} }, { token: eve.token })).data;
    expect(lines[0]).toContain('Placed at (America/New_York),Event,Market,Selection,Side,Line,Price,Stake,Matched,');
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).toEqual(rows.map(({ id }) => String(id)));
    expect(lines.slice(1).map((line) => line.slice(0, 11))).toEqual(Array(3).fill('2026-07-01 '));
    const found = (wanted: string) => {
      const row = rows.find(({ kind }) => kind === wanted)!;
      return [row, lines.find((line) => line.endsWith(`,${row.id}`))!.split(',')] as const;
    };
    const [one, cells] = found('book');
    expect(cells.slice(6, 9)).toEqual(
      [one.oddsMatched || one.odds, one.amount, one.matched].map((hundredths) => (hundredths / 100).toFixed(2)),
    );
    // How far each has come, in the word that the table has for it.
    expect(lines.slice(1).map((line) => line.split(',').slice(-3, -1))).toEqual(Array(3).fill(['Matched', '']));
    // A rate per 100 is no odds, and its line goes with it.
    expect(found('session')[1].slice(4, 9)).toEqual(['No', '47', '100', '3.00', '3.00']);
    const spoken = (await file({ timeZone: 'UTC', language: 'pt-BR' })).lines;
    expect(spoken[0]).toContain('Feita em (UTC),Evento,Mercado,Seleção,Lado,Linha,Odds,');
    expect(spoken.find((line) => line.endsWith(`,${one.id}`))).toContain(`,${one.eventName},Vencedor,`);
    expect((await file({ 'betPlaced.eventType': 'eq{cricket}' })).lines).toHaveLength(2);
    expect((await file({ createBy: `eq${anna.userId}` })).status).toBe(403);
    expect((await file({ status: 'eqNONE' })).text).toContain('BAD_FILTER');
    expect((await file({ timeZone: 'Nowhere/Land' })).status).toBe(400);
  });

  it('profit and loss names a zone that is none', async () => {
    const ask = (timeZone: string) =>
      site.call(
        CALLS.bets.profitLoss,
        { body: { level: 'sport', from: '2026-03-29', timeZone } },
        { token: eve.token },
      );
    for (const zone of ['Europe/Berlin', 'europe/berlin']) expect((await ask(zone)).status).toBe(200);
    for (const zone of ['Europe/Nowhere', '+05:30', "UTC'--"]) {
      expect((await ask(zone)).error).toMatchObject({ code: 'BAD_INPUT', field: 'timeZone' });
    }
  });

  it('[API-47] [FAN-01] [FAN-02] [FAN-03] [OPN-33] gives the run ladder, under both paths', async () => {
    const path = (base: string) =>
      site.fetch(`/api${base}/${cricket.session}?matchId=${cricket.event}`, {
        headers: { authorization: `Bearer ${eve.token}` },
      });
    const bodies = await Promise.all(
      ['/bet/session/profitLoss', '/run-amount'].map(async (base) => (await path(base)).json()),
    );
    expect(bodies[0]).toEqual(bodies[1]);
    const { profitLoss } = (
      bodies[0] as {
        data: {
          profitLoss: { betPlaced: Array<{ odds: number; profitLoss: number }>; maxLoss: number; totalBet: number };
        };
      }
    ).data;
    expect(profitLoss).toMatchObject({ maxLoss: 300, totalBet: 1 });
    expect(profitLoss.betPlaced.find((row) => row.odds === 46)?.profitLoss).toBe(300);
    expect(profitLoss.betPlaced.find((row) => row.odds === 47)?.profitLoss).toBe(-300);
    const book = await site.call(
      bets.runAmount,
      { params: { id: String(football.odds) }, query: { matchId: String(football.event) } },
      { token: eve.token },
    );
    expect(book.error?.code).toBe('WRONG_KIND');
    const match = await site.call(
      bets.runAmount,
      { params: { id: String(cricket.session) }, query: { matchId: '1' } },
      { token: eve.token },
    );
    expect(match.error?.code).toBe('MARKET_UNKNOWN');
  });

  it('[CAR-35] [MYM-06] [MYM-07] [API-50] [OPN-50] lists the markets with open bets', async () => {
    const { data } = await site.call(bets.myMarket, {}, { token: eve.token });
    expect(data.find((row) => row.betId === race.win)).toEqual({
      eventType: 'horseRacing',
      eventName: '2m Handicap',
      matchId: race.event,
      beventId: 'b9004',
      groupedmarkettype: 'Win',
      marketType: 'win',
      trade: 1,
      betId: race.win,
      exposure: 200,
    });
    expect(data).toHaveLength(3);
  });

  it('[MAT-06] [FAN-01] puts the standing into the event page, keyed betId_profitLoss_matchId', async () => {
    const home = await site.call(CALLS.catalog.match, { params: { id: String(football.event) } }, { token: eve.token });
    const text = home.data.profitLossDataMatch[`${football.odds}_profitLoss_${football.event}`];
    expect(JSON.parse(text!)).toEqual({ [football.home]: '100', [football.away]: '-100', [football.draw]: '-100' });
    expect(home.data.teamRates).toEqual({ teamA: 100, teamB: -100, teamC: -100 });
    const fancy = await site.call(CALLS.catalog.match, { params: { id: String(cricket.event) } }, { token: eve.token });
    expect(fancy.data.profitLossDataSession).toMatchObject([{ betId: cricket.session, maxLoss: 300, totalBet: 1 }]);
    expect(fancy.data.profitLossDataSession[0]).toHaveProperty('profitLoss');
    const { data } = await site.call(
      bets.positions,
      { query: { matchId: String(football.event) } },
      { token: eve.token },
    );
    expect(data).toMatchObject([{ betId: football.odds, exposure: 100, betCount: 1 }]);
    expect(data[0]?.runners.map((runner) => runner.net)).toEqual([100, -100, -100]);
  });

  it('tells the event of a market by the number of the market', async () => {
    const event = (id: number) =>
      site.call(CALLS.catalog.eventOf, { params: { id: String(id) } }, { token: eve.token });
    const { data } = await event(football.odds);
    expect(data).toMatchObject({ id: football.event, matchType: 'football', marketName: 'Match Odds' });
    expect((await event(999_999_999)).error?.code).toBe('MARKET_UNKNOWN');
  });

  it('[API-48] [OPN-15] drills profit and loss down from sport to market after a result', async () => {
    // Closed by a bet on each of several runners.
    const gina = await site.player();
    await place(gina, { matchId: race.event, betId: race.win, runnerId: race.horses[1], odd: 300, stake: 6000 });
    const closed = await site.call(
      trader.hedge,
      { body: { key: key(), betId: race.win, cancel: false } },
      { token: gina.token },
    );
    expect(closed.data.bets.map(({ matched }) => matched > 0)).toEqual([true, true]);
    await site.feed({
      type: 'command',
      command: { type: 'market.declare', marketId: race.win, result: { kind: 'winners', runnerIds: [race.horses[1]] } },
    });
    const ask = async (body: BodyOf<typeof bets.profitLoss>) =>
      (await site.call(bets.profitLoss, { body }, { token: eve.token })).data;
    const sports = await ask({ level: 'sport' });
    expect(sports).toMatchObject({ rows: [{ id: 'horseRacing', profitLoss: 400 }], total: 400 });
    // However many bets closed it, a position is one line of the statement: what came of it.
    const account = { params: { userId: String(gina.userId) }, query: {} };
    const lines = (await site.call(CALLS.account.transactions, account, { token: gina.token })).data.rows;
    expect(lines.filter(({ betId }) => betId.includes(race.win))).toMatchObject([
      { amount: 300, description: '2m Handicap / Win: Horse 2' },
    ]);
    // The event's own page still says what the market paid; a player with nothing in it hears nothing.
    const paid = async (token: string) =>
      (await site.call(bets.positions, { query: { matchId: String(race.event) } }, { token })).data;
    expect(await paid(eve.token)).toEqual([
      { betId: race.win, exposure: 0, betCount: 0, runners: [], runs: [], paid: { gross: 400, commission: 0 } },
    ]);
    expect(await paid((await site.player()).token)).toEqual([]);
    expect(await ask({ level: 'match', eventType: 'horseRacing' })).toMatchObject({
      rows: [{ matchId: race.event, name: '2m Handicap' }],
    });
    expect(await ask({ level: 'market', matchId: race.event })).toMatchObject({
      rows: [{ betId: race.win, totalBet: 1 }],
    });
    expect((await ask({ level: 'sport', from: '2027-01-01' })).rows).toEqual([]);
    const bad = await site.call(bets.profitLoss, { body: { level: 'sport', from: 'yesterday' } }, { token: eve.token });
    expect([bad.status, bad.error?.field]).toEqual([400, 'from']);
    const behind = await site.call(
      bets.list,
      { query: { betId: `inArr[${race.win}]`, isCurrentBets: 'true', createBy: `eq${eve.userId}` } },
      { token: eve.token },
    );
    expect(behind.data.rows).toMatchObject([{ result: 'WIN', profitLoss: 400 }]);
    expect(behind.data.rows[0]?.settledAt).not.toBeNull();
  });

  it('late in the evening of the zone that a player chose is that day, in the results and in the file', async () => {
    const { token } = eve;
    const now = new Date(site.clock.now);
    const utcDay = (shift: number) => new Date(site.clock.now + shift * 3_600_000).toISOString().slice(0, 10);
    // Whole hours east of UTC, by which it is 23 o'clock there: one more, and it is the day after.
    const late = (23 - now.getUTCHours() + 24) % 24;
    for (const [east, time] of [
      [late > 12 ? late - 24 : late, '23'],
      [late > 12 ? late - 23 : late + 1, '00'],
    ] as const) {
      const zone = `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
      expect((await site.call(CALLS.account.saveTimeZone, { body: { timeZone: zone } }, { token })).data).toEqual({
        timeZone: zone,
      });
      const { days } = (await site.call(bets.profitLoss, { body: { level: 'sport' } }, { token })).data;
      expect(days).toEqual([{ day: utcDay(east), profitLoss: 400 }]);
      const told = await site.fetch('/api/bet/file', { headers: { authorization: `Bearer ${token}` } });
      const [head, line] = (await told.text()).split('\r\n');
      expect([head?.includes(`Placed at (${zone})`), line?.slice(0, 13)]).toEqual([true, `${utcDay(east)} ${time}`]);
    }
    const at = `/api/transaction/file/${eve.userId}`;
    const statement = await site.fetch(at, { headers: { authorization: `Bearer ${token}` } });
    expect(await statement.text()).toContain('Date (Etc/GMT');
  });

  it('[API-49] every bet path exists', async () => {
    const paths = ['session', 'matchBetting', 'other/matchBetting', 'raceBetting', 'tournament', 'cardBetting'];
    for (const path of paths) {
      const response = await site.fetch(`/api/bet/${path}`, { method: 'POST' });
      expect([path, response.status]).toEqual([path, 401]);
    }
    expect((await site.fetch('/api/bet')).status).toBe(401);
    expect((await site.fetch(`/api/bet/session/profitLoss/1?matchId=1`)).status).toBe(401);
  });
});

describe('demo', () => {
  it('[CAR-25] [INV-23] a demo bet moves play money in its own book only', async () => {
    const { data } = await site.call(CALLS.auth.demo);
    const demo = { userId: data.userId, token: data.token };
    await site.feed(
      prices(football.odds, [football.home, 200, 204]),
      quotes(cricket.bookmaker, [cricket.teamA, 85, 87]),
    );
    const depth = () => site.app.core.read.depth('real', football.odds, football.home, 3).back;
    const before = depth();
    const told = await place(demo, { ...homeWin, stake: 40_000 });
    expect(told.data.bet.matched).toBe(40_000);
    expect(depth()).toEqual(before);
    expect(site.app.core.read.depth('demo', football.odds, football.home, 3).back).toEqual([[200, 10_000]]);
  });
});

describe('the file of settled bets', () => {
  it('says what became of each in the words of its table: what was cancelled or lapsed unmatched is not void', async () => {
    const fay = await site.player();
    await site.feed(prices(football.odds, [football.home, 200, 204]));
    const bet = async (more: object) => (await place(fay, { ...homeWin, ...more })).data.bet.id;
    const part = await bet({ odd: 200, stake: 50_500 });
    const lapsed = await bet({ odd: 300, stake: 1000 });
    const cancelled = await bet({ odd: 300, stake: 1000 });
    await site.call(bets.cancel, { body: { key: key(), id: cancelled } }, { token: fay.token });
    const declare = { type: 'market.declare', marketId: football.odds } as const;
    const result = { kind: 'winners' as const, runnerIds: [football.home] };
    await site.app.core.submit({ world: 'real', actor: 'test', command: { ...declare, result } });
    const told = await site.fetch('/api/bet/file?result=inArr[WIN,LOSS,VOID]&language=en', {
      headers: { authorization: `Bearer ${fay.token}` },
    });
    const lines = (await told.text()).trim().split('\r\n');
    const said = (id: number) =>
      lines
        .find((line) => line.endsWith(`,${id}`))
        ?.split(',')
        .slice(-3, -1);
    expect([said(cancelled), said(lapsed), said(part)]).toEqual([
      ['Cancelled', 'by you'],
      ['Lapsed', 'the market closed'],
      ['Won', 'Lapsed: the market closed'],
    ]);
  });
});

// The last: a lower bound takes the house's ladders out of the books.
describe('a bound', () => {
  it('the house loses no more than its setting says', async () => {
    expect(site.app.core.read.houseLimits('real')).toEqual({ marketMinor: 900_000_000, eventMinor: 0 });
    const limits = { type: 'house.limits' as const, marketMinor: 900, eventMinor: 0 };
    await site.app.core.submit({ world: 'real', actor: 'test', command: limits });
    const line = { matchId: cricket.event, betId: cricket.session, runnerId: cricket.sessionRow, odd: 100, line: 48 };
    const beyond = await place(ben, { ...line, bettingType: 'YES', stake: 1000 });
    expect([beyond.status, beyond.error?.code]).toEqual([409, 'HOUSE_LIMIT']);
    await site.app.core.submit({ world: 'real', actor: 'test', command: { ...limits, marketMinor: 900_000_000 } });
  });
});
