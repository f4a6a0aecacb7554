import { describe, expect, it } from 'vitest';
import { deliver, httpApi, NoAnswer, newKey, Refused, sessionName } from '../../src/page/api.ts';
import { siteOf } from '../../src/page/site.ts';
import { presetsOf, stepped, typed, within } from '../../src/page/stake.ts';
import type { SiteMessage } from '../../src/wire.ts';

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

/** A network that gives these answers one after the other, and keeps what was asked. */
function network(...answers: (Response | Error)[]) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const get = (async (path: string, init?: { body?: string }) => {
    asked.push({ path, body: init?.body ? (JSON.parse(init.body) as Record<string, unknown>) : {} });
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new Error('nothing more');
    return answer;
  }) as unknown as typeof fetch;
  return { asked, api: httpApi('session-1', get) };
}

describe('calls of the game page', () => {
  it('name the session by its address and a key that the address does not have, the same after a reload', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    };
    const name = sessionName('g-1', storage);
    expect(name).toMatch(/^g-1\.[0-9a-f]{32}$/);
    expect(sessionName('g-1', storage)).toBe(name);
    expect(sessionName('g-2', storage).slice(4)).not.toBe(name.slice(4));
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('quota');
      },
    };
    expect(sessionName('g-1', full)).not.toBe(name);
    expect(sessionName('g-1', null)).toMatch(/^g-1\.[0-9a-f]{32}$/);
  });

  it('sends the same key again while there is no answer', async () => {
    const reply = { round: { roundId: 'r1' } };
    const { asked, api } = network(
      new Error('cut'),
      json(500, { error: { code: 'PAUSED', text: 'x' } }),
      json(200, reply),
    );
    const misses: number[] = [];
    const key = newKey();
    const got = await deliver(
      () => api.open(key, { stakeMinor: 100 }),
      (count) => misses.push(count),
      async () => undefined,
    );
    expect(got).toEqual(reply);
    expect(misses).toEqual([1, 2]);
    expect(asked.map(({ path }) => path)).toEqual(['/page/open', '/page/open', '/page/open']);
    expect(new Set(asked.map(({ body }) => body.key))).toEqual(new Set([key]));
    expect(asked[0]?.body).toEqual({ s: 'session-1', key, wager: { stakeMinor: 100 } });
  });

  it('does not ask again after a refusal in words', async () => {
    const { asked, api } = network(json(429, { error: { code: 'TOO_FAST', text: 'Wait.', readyAt: 5 } }));
    const error = await deliver(
      () => api.open('k', {}),
      () => undefined,
    ).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect((error as Refused).error).toEqual({ code: 'TOO_FAST', text: 'Wait.', readyAt: 5 });
    expect(asked).toHaveLength(1);
  });

  it('takes an answer that is no JSON for none', async () => {
    const { api } = network(new Response('<html>', { status: 502 }));
    await expect(api.session()).rejects.toBeInstanceOf(NoAnswer);
  });

  it('makes a new key for every act', () => {
    const keys = Array.from({ length: 50 }, newKey);
    expect(new Set(keys).size).toBe(50);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('messages through the edge of the frame', () => {
  function framed() {
    const sent: [unknown, string][] = [];
    const parent = { postMessage: (message: unknown, origin: string) => sent.push([message, origin]) };
    const own = Object.assign(new EventTarget(), { parent });
    const heard: SiteMessage[] = [];
    const site = siteOf(own as unknown as Window, 'https://site.example');
    const stop = site.listen((message) => heard.push(message));
    const post = (data: unknown, origin = 'https://site.example', source: unknown = parent) =>
      own.dispatchEvent(Object.assign(new Event('message'), { data, origin, source }));
    return { sent, heard, site, stop, post };
  }

  it('sends to the origin of the site only', () => {
    const { sent, site } = framed();
    site.send({ type: 'roundStart', roundId: 'r1' });
    expect(sent).toEqual([[{ v: 1, type: 'roundStart', roundId: 'r1' }, 'https://site.example']]);
  });

  it('takes messages of the right shape from the site around it, and no others', () => {
    const { heard, post, stop } = framed();
    post({ v: 1, type: 'pause' });
    post({ v: 1, type: 'mute', on: true });
    post({ v: 1, type: 'pause' }, 'https://other.example');
    post({ v: 1, type: 'pause' }, 'https://site.example', {});
    post({ v: 2, type: 'pause' });
    post({ v: 1, type: 'theme', theme: 'pink' });
    post({ v: 1, type: 'mute', on: 'yes' });
    post('pause');
    post(null);
    expect(heard).toEqual([
      { v: 1, type: 'pause' },
      { v: 1, type: 'mute', on: true },
    ]);
    stop();
    post({ v: 1, type: 'resume' });
    expect(heard).toHaveLength(2);
  });

  it('has nobody to talk to outside of a frame', () => {
    const own = new EventTarget() as EventTarget & { parent?: unknown };
    own.parent = own;
    const heard: SiteMessage[] = [];
    const site = siteOf(own as unknown as Window, 'https://site.example');
    site.listen((message) => heard.push(message));
    site.send({ type: 'exit' });
    own.dispatchEvent(
      Object.assign(new Event('message'), {
        data: { v: 1, type: 'pause' },
        origin: 'https://site.example',
        source: own,
      }),
    );
    expect(heard).toEqual([]);
  });
});

describe('stakes', () => {
  const limits = { minMinor: 100, maxMinor: 50_000 };

  it('stay within the limits and whole', () => {
    expect(within(0, limits)).toBe(100);
    expect(within(12_345, limits)).toBe(12_300);
    expect(within(99_999, { minMinor: 100, maxMinor: 50_050 })).toBe(50_000);
  });

  it('step up and down the same ladder', () => {
    for (const from of [100, 900, 1000, 4500, 5000, 19_000, 20_000, 49_000]) {
      const up = stepped(from, 1, limits);
      expect(up).toBeGreaterThan(from);
      expect(up % 100).toBe(0);
      expect(stepped(up, -1, limits)).toBeLessThanOrEqual(from);
    }
    expect(stepped(100, -1, limits)).toBe(100);
    expect(stepped(50_000, 1, limits)).toBe(50_000);
  });

  it('have presets from the lowest to the highest', () => {
    const presets = presetsOf(limits);
    expect(presets[0]).toBe(100);
    expect(presets.at(-1)).toBe(50_000);
    expect(presets).toEqual([...new Set(presets)].sort((a, b) => a - b));
    expect(presetsOf({ minMinor: 100, maxMinor: 100 })).toEqual([100]);
  });

  it('are read from what is typed', () => {
    expect(typed('25')).toBe(2500);
    expect(typed(' 1,000.5 ')).toBe(100_050);
    for (const text of ['', '-5', '1e3', '1.234', 'ten']) expect(typed(text)).toBeNull();
  });
});
