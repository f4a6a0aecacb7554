import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PageStreams } from '../../src/host/page-streams.ts';
import type { BetReply, LiveView, RoundProof } from '../../src/wire.ts';
import { type Bench, type BenchOptions, bench, fakeWallet, gamesOf, manualClock, settle } from './fakes.ts';
import { rocket, wheel } from './test-games.ts';

const open: Bench[] = [];
const folders: string[] = [];
const start = (options: Partial<BenchOptions> = {}) => {
  const made = bench({ codes: ['rocket', 'wheel'], games: gamesOf(rocket, wheel), ...options });
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.host.close();
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
});

/** Listens to the live stream over a real connection. */
async function listen(at: Bench, s: string) {
  if (!at.host.http.server.listening) await at.host.http.listen({ port: 0, host: '127.0.0.1' });
  const address = at.host.http.server.address() as { port: number };
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${address.port}/page/live?s=${s}`, { signal: stop.signal });
  const views: LiveView[] = [];
  const events: string[] = [];
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = part.split('\n').find((line) => line.startsWith('data: '));
        if (part.startsWith('event: ')) events.push(part);
        else if (data) views.push(JSON.parse(data.slice(6)) as LiveView);
      }
    }
  })().catch(() => {});
  return {
    events,
    views,
    close: () => stop.abort(),
    async now(want: (view: LiveView) => boolean = () => true): Promise<LiveView> {
      for (let i = 0; i < 200; i++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        const last = views.at(-1);
        if (last && want(last)) return last;
      }
      throw new Error(`The stream did not show it: ${JSON.stringify(views.at(-1))}`);
    },
  };
}

const phase = (name: LiveView['phase']) => (view: LiveView) => view.phase === name;

async function proofOf(at: Bench, s: string, betId: string) {
  return at.get<RoundProof>(`/page/round?s=${s}&id=${betId}`);
}

describe('a round that all share', () => {
  it('takes bets, pays by hand at the server’s time and by preset to the hundredth', async () => {
    const at = start();
    const s = await at.session('rocket');
    const live = await listen(at, s);
    const bets = await live.now(phase('bets'));
    const { roundId } = bets;
    const wager = { stakeMinor: 1000 };
    const key = at.key();
    const byHand = await at.post<BetReply>('/page/bet', { s, key, roundId, wager });
    const same = await at.post<BetReply>('/page/bet', { s, key, roundId, wager });
    expect(same.bet).toEqual(byHand.bet);
    const preset = await at.post<BetReply>('/page/bet', { s, key: at.key(), roundId, wager: { ...wager, auto: 123 } });
    const late = await at.post<BetReply>('/page/bet', { s, key: at.key(), roundId, wager: { ...wager, auto: 450 } });
    expect(late.balanceMinor).toBe(997_000);
    expect((await live.now((view) => view.bets.length === 3)).players).toBe(1);
    expect((await at.refusal('/page/cashout', { s, key: at.key(), betId: byHand.bet.betId })).code).toBe('ROUND_OVER');

    await at.clock.advance(5000);
    const runs = await live.now(phase('runs'));
    expect(runs).toMatchObject({ view: { runs: true }, phaseEndsAt: null, commit: bets.commit });
    expect((await at.refusal('/page/bet', { s, key: at.key(), roundId, wager })).code).toBe('BETS_CLOSED');
    expect((await at.refusal(`/page/round?s=${s}&id=${byHand.bet.betId}`)).code).toBe('BAD_INPUT');

    await at.clock.advance(400);
    const cash = { s, key: at.key(), betId: byHand.bet.betId };
    const cashed = await at.post<BetReply>('/page/cashout', cash);
    expect(cashed.bet).toMatchObject({ cashedTimes: 140, paidMinor: 1400 });
    expect((await at.post<BetReply>('/page/cashout', cash)).bet).toEqual(cashed.bet);
    const shown = await live.now((view) =>
      view.bets.some((bet) => bet.betId === preset.bet.betId && bet.paidMinor !== null),
    );
    expect(shown.bets.find((bet) => bet.betId === preset.bet.betId)).toMatchObject({
      cashedTimes: 123,
      paidMinor: 1230,
    });
    // Paid while the round still runs: its seed stays a secret.
    expect((await at.refusal(`/page/round?s=${s}&id=${byHand.bet.betId}`)).code).toBe('BAD_INPUT');

    // The longest round is over by now, and the rest of the shortest is not.
    await at.clock.advance(3095);
    const rests = await live.now(phase('rests'));
    expect(rests.last).toHaveLength(1);
    expect(rests.bets.every((bet) => bet.paidMinor !== null)).toBe(true);
    expect((await at.refusal('/page/cashout', { s, key: at.key(), betId: late.bet.betId })).code).toBe('ROUND_OVER');
    for (const { betId } of rests.bets) {
      const proof = await proofOf(at, s, betId);
      const { end } = rests.view as { end: number };
      const drawn = rocket.kind === 'shared' ? rocket.settle(proof.wager, { end }, proof.cashedTimes) : -1;
      expect(drawn).toBe(proof.paidMinor);
      expect(proof.commit).toBe(bets.commit);
      expect(at.wallet.round(betId)).toEqual({ stakeMinor: 1000, paidMinor: proof.paidMinor, closed: true });
    }
    live.close();
  });

  it('cashes out until the very end of the round and not after it', async () => {
    const at = start();
    const s = await at.session('rocket');
    const live = await listen(at, s);
    const { roundId } = await live.now(phase('bets'));
    const wager = { stakeMinor: 1000 };
    const one = await at.post<BetReply>('/page/bet', { s, key: at.key(), roundId, wager });
    const other = await at.post<BetReply>('/page/bet', { s, key: at.key(), roundId, wager });
    await at.clock.advance(5000);
    const { commit } = await live.now(phase('runs'));
    let last: BetReply | null = null;
    let elapsedMs = 0;
    for (; elapsedMs < 3600; elapsedMs += 10) {
      await at.clock.advance(10);
      const view = (await at.get<unknown>(`/page/history?s=${s}`)) as { over: boolean }[];
      if (view.every((row) => row.over)) break;
      if (elapsedMs === 480)
        last = await at.post<BetReply>('/page/cashout', { s, key: at.key(), betId: one.bet.betId });
    }
    expect(last?.bet.cashedTimes).toBe(149);
    expect((await at.refusal('/page/cashout', { s, key: at.key(), betId: other.bet.betId })).code).toBe('ROUND_OVER');
    const rests = await live.now(phase('rests'));
    expect(rests.commit).toBe(commit);
    // The round ended exactly when its result says.
    expect(elapsedMs + 10).toBe(((rests.view as { end: number }).end - 100) * 10);
    live.close();
  });

  it('fixes the seed of the next round a round ahead', async () => {
    const at = start();
    const s = await at.session('wheel');
    const live = await listen(at, s);
    const first = await live.now(phase('bets'));
    await at.clock.advance(12_000);
    const second = await live.now((view) => view.phase === 'bets' && view.roundId !== first.roundId);
    expect(second.commit).toBe(first.nextCommit);
    expect(second.nonce).toBe(first.nonce + 1);
    live.close();
  });

  it('runs only while somebody is there or a bet is open', async () => {
    const at = start();
    const s = await at.session('wheel');
    const live = await listen(at, s);
    const { roundId } = await live.now(phase('bets'));
    const { bet } = await at.post<BetReply>('/page/bet', {
      s,
      key: at.key(),
      roundId,
      wager: { stakeMinor: 100, red: true },
    });
    live.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await at.clock.advance(120_000);
    expect(at.wallet.round(bet.betId).closed).toBe(true);
    const back = await listen(at, s);
    const view = await back.now(phase('bets'));
    // A few rounds for the bet and the last sign of the player, not ten.
    expect(Number(view.roundId.split('-')[1]) - Number(roundId.split('-')[1])).toBeLessThan(6);
    back.close();
  });

  it('gives a stake back whose answer came after the end of betting', async () => {
    const at = start();
    const s = await at.session('wheel');
    const live = await listen(at, s);
    const { roundId } = await live.now(phase('bets'));
    let go = () => {};
    at.wallet.before = (kind) => (kind === 'debit' ? new Promise((resolve) => (go = resolve)) : Promise.resolve());
    const refused = at.refusal('/page/bet', { s, key: at.key(), roundId, wager: { stakeMinor: 100, red: true } });
    await settle();
    await at.clock.advance(5100);
    expect((await live.now(phase('runs'))).bets).toEqual([]);
    go();
    expect((await refused).code).toBe('BETS_CLOSED');
    await settle();
    expect(at.wallet.balanceMinor).toBe(1_000_000);
    live.close();
  });

  it('tells the older page that it was replaced, and ends its stream', async () => {
    const at = start();
    const live = await listen(at, await at.session('wheel'));
    await live.now();
    await at.session('wheel');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(live.events[0]).toContain('SESSION_REPLACED');
  });
});

/** Each movement is on the disk before it is sent. */
const SOON = { timeout: 20_000 };

it('writes nothing behind the end of a stream that has not closed yet, and tells the next one', async () => {
  const streams = new PageStreams();
  const faults: unknown[] = [];
  const watchers = new Set<() => void>();
  const watch = (changed: () => void) => {
    watchers.add(changed);
    return () => void watchers.delete(changed);
  };
  const server = createServer((_, out) => {
    out.on('error', (error) => faults.push(error));
    streams.begin('s', out, () => ({ players: 1 }) as LiveView, watch);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const read = async () => (await once(get({ port, host: '127.0.0.1' }), 'response'))[0] as IncomingMessage;
  const slow = await read();
  const tell = () => {
    for (const changed of watchers) changed();
  };
  streams.end('s', 'SESSION_REPLACED');
  // Nothing of it has left the server yet, so it is ended and not closed.
  tell();
  const next = await read();
  tell();
  let told = '';
  for await (const part of slow) told += String(part);
  expect(told.split('\n\n').filter(Boolean)).toEqual([
    'data: {"players":1}',
    expect.stringMatching(/^event: gone\ndata: .*SESSION_REPLACED/),
  ]);
  streams.endAll();
  let after = '';
  for await (const part of next) after += String(part);
  expect(after).toBe('data: {"players":1}\n\n'.repeat(2));
  expect([faults, watchers.size]).toEqual([[], 0]);
  await once(server.close(), 'close');
});

describe('a restart in a shared round', () => {
  const setting = () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'provider-'));
    folders.push(dataFolder);
    return { dataFolder, manual: manualClock(), wallet: fakeWallet({ inOneCall: true }) };
  };

  it('gives back what could not be cashed out, keeps what was', async () => {
    const same = setting();
    const before = start(same);
    const s = await before.session('rocket');
    const live = await listen(before, s);
    const { roundId } = await live.now(phase('bets'));
    const wager = { stakeMinor: 1000 };
    const one = await before.post<BetReply>('/page/bet', { s, key: before.key(), roundId, wager });
    const other = await before.post<BetReply>('/page/bet', { s, key: before.key(), roundId, wager });
    await same.manual.advance(5200);
    await before.post('/page/cashout', { s, key: before.key(), betId: one.bet.betId });
    live.close();
    await before.host.close();

    const after = start(same);
    const round = () => same.wallet.round(one.bet.betId);
    await vi.waitFor(() => expect(round()).toEqual({ stakeMinor: 1000, paidMinor: 1200, closed: true }), SOON);
    expect(same.wallet.round(other.bet.betId)).toMatchObject({ stakeMinor: 0, paidMinor: 0 });
    await vi.waitFor(() => expect(same.wallet.calls.at(-1)).toMatchObject({ kind: 'roundEnd', tx: roundId }), SOON);
    const closed = { status: 'CLOSED', stakeMinor: 1000, paidMinor: 1200 };
    await vi.waitFor(() => expect(after.host.operator.round(roundId, 'p-1')).toMatchObject(closed), SOON);
    expect(await proofOf(after, s, one.bet.betId)).toMatchObject({ cashedTimes: 120 });
  });

  it('lets a result stand that was being shown', async () => {
    const same = setting();
    const before = start(same);
    const s = await before.session('wheel');
    const live = await listen(before, s);
    const { roundId } = await live.now(phase('bets'));
    const bets: BetReply[] = [];
    for (const red of [true, false])
      bets.push(
        await before.post<BetReply>('/page/bet', { s, key: before.key(), roundId, wager: { stakeMinor: 1000, red } }),
      );
    await same.manual.advance(4500);
    await live.now(phase('runs'));
    live.close();
    await before.host.close();

    start(same);
    await vi.waitFor(() => expect(bets.every(({ bet }) => same.wallet.round(bet.betId).closed)).toBe(true), SOON);
    const paid = bets.map(({ bet }) => same.wallet.round(bet.betId).paidMinor);
    expect([...paid].sort((a, b) => a - b)).toEqual([0, 1950]);
  });
});
