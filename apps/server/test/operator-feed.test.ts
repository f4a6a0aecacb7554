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
/** At a gateway up to half a second old. */
const waiting = async () => (await feed()).attention.map(({ betId, why }) => `${betId} ${why}`);

describe("the operator's list of the feed", () => {
  it('names a price that jumped; he vouches for it and the market opens', async () => {
    await site.feed(prices(football.odds, [football.home, 900, 920]));
    expect(status(football.odds)).toBe('SUSPENDED');
    await expect.poll(feed).toMatchObject({
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
    await expect.poll(() => status(football.odds)).toBe('OPEN');
    await expect.poll(waiting).toEqual([]);
    expect((await site.call(calls.confirmPrice, confirm, { token })).error).toMatchObject({
      code: 'MARKET_UNKNOWN',
      field: 'betId',
    });
  });

  it('names a finish that cannot be paid on, until a result is declared', async () => {
    await site.feed(state(tennis.odds, { status: 'SUSPENDED', reason: 'Dead heat: waits for the full finish' }));
    await expect.poll(waiting).toEqual([`${tennis.odds} result`]);
    const body = { key: newKey(), betId: tennis.odds, result: { kind: 'void' as const, reason: 'Not finished' } };
    await site.agree((await site.call(calls.declare, { body }, { token })).data.request);
    await expect.poll(waiting).toEqual([]);
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
    await expect.poll(waiting).toEqual([`${football.odds} forsaken`]);
    const both = { key: newKey(), betIds: [race.win], reason: 'No source any more' };
    expect((await site.call(calls.voidForsaken, { body: both }, { token })).error?.code).toBe('MARKET_UNKNOWN');
    const body = { key: newKey(), betIds: [football.odds], reason: 'No source any more' };
    const { request } = (await site.call(calls.voidForsaken, { body }, { token })).data;
    await expect.poll(waiting).toEqual([`${football.odds} forsaken`]);
    expect(await site.agree(request)).toEqual({ request: null, voided: 1, repeated: false });
    const again = (await site.call(calls.voidForsaken, { body }, { token })).data;
    expect(again).toEqual({ request: null, voided: 1, repeated: true });
    const { data } = await site.call(CALLS.bets.list, { query: {} }, { token: player.token });
    expect(data.rows).toMatchObject([{ result: 'VOID', profitLoss: 0 }]);
    await expect.poll(waiting).toEqual([]);
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
    expect(value(text, 'xch_socket_open{namespace="/match"}')).toBe(0);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    // No player and no market is ever a label.
    for (const id of [player.userId, race.win, race.event]) expect(text).not.toMatch(new RegExp(`="${id}"`));
  });

  it('has every name that trust 6.2 gives, but the one that asks the clients', async () => {
    const { text } = await read();
    const names = [
      'xch_http_requests_total xch_http_request_duration_seconds xch_http_in_flight xch_socket_connections',
      'xch_socket_messages_total xch_socket_buffer_bytes xch_socket_resync_total xch_socket_disconnects_total',
      'xch_core_commands_total xch_core_queue_depth xch_core_queue_age_seconds xch_core_apply_seconds xch_commit_seconds',
      'xch_commit_batch_size xch_ack_seconds xch_core_seq xch_core_epoch xch_leader xch_feed_age_seconds xch_markets',
      'xch_market_suspensions_total xch_ledger_imbalance_minor xch_exposure_mismatch_total xch_negative_available_accounts',
      'xch_settlement_backlog xch_idempotent_replays_total xch_provider_calls_total xch_provider_call_seconds',
      'xch_provider_breaker_state xch_provider_unreconciled_total xch_logins_total xch_mfa_total xch_rate_limited_total',
      'xch_csp_reports_total xch_limits_hit_total xch_reality_checks_total xch_exclusions_active nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes pg_pool_waiting wal_archive_lag_seconds backup_last_success_timestamp_seconds',
    ].flatMap((line) => line.split(' '));
    const told = new Set(Array.from(text.matchAll(/^# TYPE (?:xch_(?=backup_))?(\S+) /gm), ([, name]) => name));
    expect(names.filter((name) => !told.has(name))).toEqual([]);
  });

  it('counts sign-ins, limits, exclusions, what the policy blocked, and work in memory', async () => {
    const before = (await read()).text;
    const player = await site.player('counted');
    await site.call(CALLS.auth.login, { body: { userName: 'counted', password: 'not the right one at all' } });
    const headers = { 'content-type': 'application/csp-report' };
    await site.fetch('/csp-report', { method: 'POST', headers, body: '{"csp-report":{}}' });
    await site.call(CALLS.protection.coolOff, { body: { length: '24h' } }, { token: player.token });
    const { text } = await read();
    const grown = (sample: string): number =>
      value(text, sample) - (before.includes(`${sample} `) ? value(before, sample) : 0);
    expect(grown('xch_logins_total{result="ok"}')).toBe(1);
    expect(grown('xch_logins_total{result="LOGIN_FAILED"}')).toBe(1);
    expect(grown('xch_csp_reports_total')).toBe(1);
    expect(grown('xch_exclusions_active{state="cooling off"}')).toBe(1);
    expect(grown('xch_core_apply_seconds_count')).toBeGreaterThan(1);
    expect(value(text, 'xch_socket_messages_total{dir="in",event="other"}')).toBe(0);
  });

  it('is read from another host by who carries the token, and by nobody else', async () => {
    const away = { 'x-forwarded-for': '203.0.113.9' };
    expect((await read(away)).status).toBe(404);
    expect((await read({ ...away, authorization: 'Bearer metrics-token-of-thirty-two-charz' })).status).toBe(404);
    expect((await read({ ...away, authorization: 'Bearer metrics-token-of-thirty-two-chars' })).status).toBe(200);
  });
});
