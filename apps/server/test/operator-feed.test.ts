/** What the feed left to a person, over the operator's calls; and what the site tells those who watch over it. */
import { CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedOutput } from '../src/feed/feed.ts';
import { newKey } from './server.ts';
import { IDS, makeSite, prices, type Site, state } from './site.ts';

const calls = OPERATOR_CALLS;
const { football, race, tennis } = IDS;
let site: Site;
let token: string;
beforeAll(async () => {
  site = await makeSite({ FAIRGAME_METRICS_TOKEN: 'metrics-token-of-thirty-two-chars' });
  token = await site.operator();
});
afterAll(() => site.close());

const status = (marketId: number) => site.app.core.read.market(marketId)?.status;
const feed = async () => (await site.call(calls.feed, {}, { token })).data;
const waiting = async () => (await feed()).attention.map(({ betId, why }) => `${betId} ${why}`);

describe("the operator's list of the feed", () => {
  it('names a price that jumped; he vouches for it and the market opens', async () => {
    await site.feed(prices(football.odds, [football.home, 900, 920]));
    expect(status(football.odds)).toBe('SUSPENDED');
    expect(await feed()).toMatchObject({
      attention: [
        {
          betId: football.odds,
          matchId: football.event,
          match: 'Rovers v United',
          market: 'Match Odds',
          why: 'jump',
          status: 'SUSPENDED',
        },
      ],
    });
    const confirm = { body: { betId: football.odds, reason: 'Two red cards' } };
    expect((await site.call(calls.confirmPrice, confirm, { token })).status).toBe(200);
    expect(status(football.odds)).toBe('OPEN');
    expect(await waiting()).toEqual([]);
    expect((await site.call(calls.confirmPrice, confirm, { token })).error).toMatchObject({
      code: 'MARKET_UNKNOWN',
      field: 'betId',
    });
  });

  it('names a finish that cannot be paid on, until a result is declared', async () => {
    await site.feed(state(tennis.odds, { status: 'SUSPENDED', reason: 'Dead heat: waits for the full finish' }));
    expect(await waiting()).toEqual([`${tennis.odds} result`]);
    const body = { key: newKey(), betId: tennis.odds, result: { kind: 'void' as const, reason: 'Not finished' } };
    await site.agree((await site.call(calls.declare, { body }, { token })).data.request);
    expect(await waiting()).toEqual([]);
  });

  it('names what the feed no longer does; voided once, by a key, and nothing that has its feed', async () => {
    const player = await site.player();
    const bet = {
      key: newKey(),
      betId: football.odds,
      matchId: football.event,
      runnerId: football.home,
      bettingType: 'BACK' as const,
      odd: 900,
      stake: 1000,
    };
    expect((await site.call(CALLS.bets.place, { body: bet }, { token: player.token })).status).toBe(200);
    const all = site.app.core.read.markets().map((market) => market.marketId);
    const named: FeedOutput = { type: 'named', marketIds: all.filter((id) => id !== football.odds) };
    await site.feed(named);
    site.clock.advance(61_000);
    expect(await waiting()).toEqual([`${football.odds} forsaken`]);
    const both = { key: newKey(), betIds: [race.win], reason: 'No source any more' };
    expect((await site.call(calls.voidForsaken, { body: both }, { token })).error?.code).toBe('MARKET_UNKNOWN');
    const body = { key: newKey(), betIds: [football.odds], reason: 'No source any more' };
    const { request } = (await site.call(calls.voidForsaken, { body }, { token })).data;
    expect(await waiting()).toEqual([`${football.odds} forsaken`]);
    expect(await site.agree(request)).toEqual({ request: null, voided: 1, repeated: false });
    const again = (await site.call(calls.voidForsaken, { body }, { token })).data;
    expect(again).toEqual({ request: null, voided: 1, repeated: true });
    const { data } = await site.call(CALLS.bets.list, { query: {} }, { token: player.token });
    expect(data.rows).toMatchObject([{ result: 'VOID', profitLoss: 0 }]);
    expect(await waiting()).toEqual([]);
  });

  it('reads the commands that were put aside', async () => {
    await site.app.db.query('INSERT INTO core_quarantine (at, actor, command, error) VALUES ($1, $2, $3, $4)', [
      site.clock(),
      'player:7',
      '{"type":"order.place"}',
      'INV-05: it broke',
    ]);
    const { data } = await site.call(calls.quarantine, { query: { limit: '1' } }, { token });
    expect(data).toMatchObject([{ actor: 'player:7', error: 'INV-05: it broke' }]);
    const player = await site.player();
    expect((await site.call(calls.quarantine, { query: {} }, { token: player.token })).error?.code).toBe('NOT_ALLOWED');
  });
});

describe('/metrics', () => {
  const read = async (headers: Record<string, string> = {}) => {
    const answer = await site.fetch('/metrics', { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const value = (text: string, sample: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
    if (line === undefined) throw new Error(`no sample ${sample}`);
    return Number(line.slice(sample.length + 1));
  };

  it('tells what trust 6.2 asks for, of the work that was done', async () => {
    const player = await site.player();
    await site.feed(prices(race.win, [race.horses[0], 250, 260]));
    const bet = {
      betId: race.win,
      matchId: race.event,
      runnerId: race.horses[0],
      bettingType: 'BACK' as const,
      odd: 250,
      stake: 1000,
    };
    const before = (await read()).text;
    const key = newKey();
    await site.call(CALLS.bets.place, { body: { ...bet, key } }, { token: player.token });
    await site.call(CALLS.bets.place, { body: { ...bet, key } }, { token: player.token });
    await site.call(CALLS.bets.place, { body: { ...bet, key: newKey(), stake: 1 } }, { token: player.token });
    const { text } = await read();
    const grown = (sample: string): number => {
      const had = before.includes(`${sample} `) ? value(before, sample) : 0;
      return value(text, sample) - had;
    };
    expect(grown('xch_core_commands_total{type="order.place",result="taken"}')).toBe(1);
    expect(grown('xch_core_commands_total{type="order.place",result="STAKE_TOO_SMALL"}')).toBe(1);
    expect(grown('xch_ack_seconds_count{type="order.place"}')).toBe(1);
    expect(grown('xch_idempotent_replays_total')).toBe(1);
    expect(grown('xch_commit_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(grown('xch_commit_batch_size_sum')).toBeGreaterThanOrEqual(2);
    expect(grown('xch_refusals_total{code="STAKE_TOO_SMALL"}')).toBe(1);
    expect(value(text, 'xch_ledger_imbalance_minor')).toBe(0);
    expect(value(text, 'xch_negative_available_accounts')).toBe(0);
    expect(value(text, 'xch_core_broken_invariants')).toBe(0);
    expect(value(text, 'xch_core_failing')).toBe(0);
    expect(value(text, 'xch_leader')).toBe(1);
    const open = [...site.app.core.read.markets()].filter(({ status }) => status === 'OPEN').length;
    expect(open).toBeGreaterThan(0);
    expect(value(text, 'xch_markets{state="OPEN"}')).toBe(open);
    expect(value(text, 'xch_market_attention{why="jump"}')).toBe(0);
    expect(value(text, 'xch_market_suspensions_total{reason="Price check"}')).toBeGreaterThan(0);
    expect(value(text, 'xch_feed_age_seconds{source="none"}')).toBeGreaterThanOrEqual(0);
    expect(value(text, 'pg_pool_waiting{lane="site"}')).toBe(0);
    expect(value(text, 'xch_socket_connections{namespace="/match"}')).toBe(0);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    // No player and no market is ever a label.
    for (const id of [player.userId, race.win, race.event]) expect(text).not.toMatch(new RegExp(`="${id}"`));
  });

  it('is read from another host by who carries the token, and by nobody else', async () => {
    const away = { 'x-forwarded-for': '203.0.113.9' };
    expect((await read(away)).status).toBe(404);
    expect((await read({ ...away, authorization: 'Bearer metrics-token-of-thirty-two-charz' })).status).toBe(404);
    expect((await read({ ...away, authorization: 'Bearer metrics-token-of-thirty-two-chars' })).status).toBe(200);
  });
});
