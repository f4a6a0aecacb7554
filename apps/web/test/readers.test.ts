import { CALLS, catalog } from '@fairgame/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressOf, api } from '../src/api/api.ts';
import { TABLE_NAMES, TABLE_ROUTES } from '../src/features/casino/tables.ts';
import { clearToasts, toastLog } from '../src/platform/toasts.ts';

const answers = (status: number, body: unknown) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status })));

beforeEach(clearToasts);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe('readers of answers', () => {
  it('[CAR-21] message and status are read before the envelope goes', async () => {
    answers(200, { statusCode: 200, message: 'Saved.', data: { id: 1, type: 'Match', value: '{}' } });
    const save = () => api(CALLS.account.saveButtons, { body: { type: 'Match', value: '{}' } });
    await expect(save()).resolves.toEqual({ id: 1, type: 'Match', value: '{}' });
    expect(toastLog().map((entry) => entry.text)).toEqual(['Saved.']);
    answers(400, { statusCode: 400, message: 'That label stands twice.', code: 'BUTTON_LABEL_TWICE', field: 'value' });
    await expect(save()).rejects.toMatchObject({
      status: 400,
      code: 'BUTTON_LABEL_TWICE',
      field: 'value',
      message: 'That label stands twice.',
    });
  });

  it('[CAR-21] the score of cricket stands one level deeper, under data.data', async () => {
    const score = { sport: 'politics', line: 'Counting' } as const;
    answers(200, { statusCode: 200, data: { data: score } });
    const answer = await api(CALLS.catalog.cricketScore, { query: { eventId: '7' } });
    expect(answer.data).toEqual(score);
    expect(catalog.cricketScore.reply.parse({ data: score })).toEqual({ data: score });
    expect(() => catalog.cricketScore.reply.parse(score)).toThrow();
  });
});

describe('where calls go', () => {
  it('[CFG-06] [OPN-45] [OPN-44] getIframeUrl and the other third-party calls go to the third-party host, from configuration', async () => {
    vi.stubEnv('VITE_DEV_THIRD_PARTY_HOST', 'https://third.example/');
    vi.stubEnv('VITE_DEV_API_HOST', 'https://api.example');
    vi.resetModules();
    const configured = (await import('../src/api/api.ts')).addressOf;
    const { account } = CALLS;
    expect(configured(catalog.iframeUrl, { id: '7' }, { isTv: 'true' })).toBe(
      'https://third.example/api/getIframeUrl/7?isTv=true',
    );
    expect(configured(catalog.cricketScore, {}, { eventId: '7' })).toMatch(/^https:\/\/third\.example\/api\//);
    expect(configured(catalog.marketList, {}, { type: 'cricket' })).toMatch(/^https:\/\/third\.example\/api\//);
    expect(configured(account.profile)).toBe('https://api.example/api/user/profile');
    // Without a setting all are the page's own server.
    expect(addressOf(catalog.iframeUrl, { id: '7' })).toBe('/api/getIframeUrl/7');
  });
});

describe('names of tables', () => {
  it('[OPN-52] worli has no route and no tile of its own; its name serves old rows of reports', () => {
    expect(TABLE_NAMES.worli).toBe('Worli Matka');
    expect(Object.keys(TABLE_ROUTES)).toHaveLength(31);
    expect(TABLE_ROUTES).not.toHaveProperty('worli');
    expect(Object.values(TABLE_ROUTES)).not.toContain('Worli Matka');
  });
});
