import { CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeServer, type TestServer } from './server.ts';

const { provider } = CALLS;
let site: TestServer;
let token: string;
let userId: number;
beforeAll(async () => {
  site = await makeServer();
  ({ token, userId } = await site.player());
});
afterAll(() => site.close());

describe('products that are not open yet', () => {
  it('[API-57] [API-58] [API-59] live casino has no games and opens none', async () => {
    expect((await site.call(provider.games, {}, { token })).data).toEqual({});
    expect((await site.call(provider.providers, {}, { token })).data).toEqual([]);
    const body = { game_id: '1', provider_name: 'x', game_code: 'y', platform: 'desktop' as const };
    const launch = await site.call(provider.launch, { body }, { token });
    expect([launch.status, launch.error?.code]).toEqual([409, 'NOT_OPEN_YET']);
    const demo = await site.call(CALLS.auth.demo);
    const refused = await site.call(provider.launch, { body }, { token: demo.data.token });
    expect([refused.status, refused.error?.code]).toEqual([409, 'NOT_OPEN_YET']);
  });

  it('[API-60] [CAR-23] live casino bets: 15 a page, only the own, filters closed', async () => {
    const ask = (id: number, query: Record<string, string> = {}) =>
      site.call(provider.bets, { params: { id: String(id) }, query }, { token });
    expect((await ask(userId)).data).toEqual({ rows: [], total: 0, page: 1, limit: 15 });
    expect((await ask(userId, { sort: 'virtualCasinoBetPlaced.createdAt:ASC', providerName: 'eq{One}' })).status).toBe(
      200,
    );
    expect((await ask(userId, { createdAt: 'between2026-07-01|2026-07-02' })).status).toBe(200);
    expect((await ask(userId + 1)).error?.code).toBe('NOT_ALLOWED');
    expect((await ask(userId, { sort: 'id:ASC' })).error?.code).toBe('BAD_FILTER');
    const round = await site.call(provider.round, { params: { id: '1' } }, { token });
    expect([round.status, round.error?.code]).toEqual([404, 'BET_UNKNOWN']);
  });

  it('nothing listens for providers, and the pages may frame nobody', async () => {
    const call = await site.fetch('/provider/a/balance', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(call.status).toBe(405);
    expect((await site.fetch('/')).headers.get('content-security-policy')).toContain("frame-src 'self';");
  });

  it('reconciliation with nobody is clean and says so', async () => {
    const { data } = await site.call(provider.reconcile, { body: {} }, { token: await site.operator() });
    expect(data).toEqual({ day: '2026-06-30', clean: true, providers: [] });
  });
});
