import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HistoryRow, RoundProof, RoundReply, SeedReply, SessionView } from '../../src/wire.ts';
import { type Bench, type BenchOptions, bench, fakeWallet, gamesOf, manualClock } from './fakes.ts';
import { steps } from './test-games.ts';

const open: Bench[] = [];
const folders: string[] = [];
const start = (options: Partial<BenchOptions> = {}) => {
  const made = bench({ codes: ['steps'], games: gamesOf(steps), ...options });
  open.push(made);
  return made;
};
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'provider-'));
  folders.push(made);
  return made;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.host.close();
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
});

const stake = { stakeMinor: 1000 };

describe('a round of one player', () => {
  it('shows its commitment before and its seed after, and moves the money once', async () => {
    const at = start();
    const s = await at.session('steps');
    const before = await at.get<SessionView>(`/page/session?s=${s}`);
    const opened = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    expect(opened.round).toMatchObject({ over: false, stakeMinor: 1000, view: { shown: [] } });
    expect(opened.balanceMinor).toBe(999_000);
    const { roundId } = opened.round;
    expect((await at.refusal(`/page/round?s=${s}&id=${roundId}`)).code).toBe('BAD_INPUT');
    await at.post('/page/move', { s, key: at.key(), roundId, move: { act: 'on' } });
    const ended = await at.post<RoundReply>('/page/move', { s, key: at.key(), roundId, move: { act: 'take' } });
    expect(ended.round).toMatchObject({ over: true, paidMinor: 2000 });
    expect(ended.balanceMinor).toBe(1_001_000);
    expect(ended.next.commit).not.toBe(before.next.commit);
    const proof = await at.get<RoundProof>(`/page/round?s=${s}&id=${roundId}`);
    expect(proof).toMatchObject({ commit: before.next.commit, nonce: 0, clientSeed: before.clientSeed });
    expect(at.wallet.round(roundId)).toEqual({ stakeMinor: 1000, paidMinor: 2000, closed: true });
  });

  it('[PP-12] begins no sooner than the pace of the game allows, over sessions too', async () => {
    const at = start();
    const s = await at.session('steps');
    const { round, readyAt } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    expect(readyAt).toBe(at.clock.now() + 5000);
    await at.post('/page/move', { s, key: at.key(), roundId: round.roundId, move: { act: 'take' } });
    await at.clock.advance(4999);
    const refused = await at.refusal('/page/open', { s, key: at.key(), wager: stake });
    expect(refused).toMatchObject({ code: 'TOO_FAST', status: 429, readyAt });
    const later = await at.session('steps');
    expect((await at.refusal('/page/open', { s: later, key: at.key(), wager: stake })).code).toBe('TOO_FAST');
    await at.clock.advance(1);
    await at.post('/page/open', { s: later, key: at.key(), wager: stake });
  });

  it('answers a repeated call alike and does it once', async () => {
    const at = start();
    const s = await at.session('steps');
    const key = at.key();
    const call = { s, key, wager: stake };
    const [one, other] = await Promise.all([
      at.post<RoundReply>('/page/open', call),
      at.post<RoundReply>('/page/open', call),
    ]);
    expect(other.round).toEqual(one.round);
    const move = { s, key: at.key(), roundId: one.round.roundId, move: { act: 'on' } };
    await at.post('/page/move', move);
    const again = await at.post<RoundReply>('/page/move', move);
    expect(again.round.moves).toEqual([{ act: 'on' }]);
    expect(at.wallet.calls.filter(({ kind }) => kind === 'debit')).toHaveLength(1);
  });

  it('takes a further stake with its move, and leaves the round as it was where it is refused', async () => {
    const at = start();
    const s = await at.session('steps');
    const { round } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    const { roundId } = round;
    at.wallet.fault = (kind) => (kind === 'debit' ? 'INSUFFICIENT_FUNDS' : undefined);
    const double = { s, roundId, move: { act: 'double' } };
    expect((await at.refusal('/page/move', { ...double, key: at.key() })).code).toBe('NO_FUNDS');
    at.wallet.fault = () => undefined;
    const ended = await at.post<RoundReply>('/page/move', { ...double, key: at.key() });
    expect(ended.round).toMatchObject({ over: true, stakeMinor: 2000, paidMinor: 2000 });
    expect(at.wallet.round(roundId)).toEqual({ stakeMinor: 2000, paidMinor: 2000, closed: true });
    expect((await at.refusal('/page/move', { ...double, key: at.key() })).code).toBe('ROUND_OVER');
  });

  it('takes the player’s own seed from the next round on, with nonce 0', async () => {
    const at = start();
    const s = await at.session('steps');
    const first = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    expect((await at.refusal('/page/seed', { s, clientSeed: 'mine' })).code).toBe('BAD_INPUT');
    await at.post('/page/move', { s, key: at.key(), roundId: first.round.roundId, move: { act: 'take' } });
    const seed = await at.post<SeedReply>('/page/seed', { s, clientSeed: 'mine' });
    expect(seed).toMatchObject({ clientSeed: 'mine', next: { nonce: 0 } });
    await at.clock.advance(5000);
    const { round } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    await at.post('/page/move', { s, key: at.key(), roundId: round.roundId, move: { act: 'take' } });
    const proof = await at.get<RoundProof>(`/page/round?s=${s}&id=${round.roundId}`);
    expect(proof).toMatchObject({ clientSeed: 'mine', nonce: 0, commit: seed.next.commit });
    expect((await at.refusal('/page/seed', { s, clientSeed: 'x'.repeat(65) })).field).toBe('clientSeed');
  });

  it('ends a round that its player left, at its sure value', async () => {
    const at = start({ leaveAfterMs: 60_000 });
    const s = await at.session('steps');
    const { round } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    await at.post('/page/move', { s, key: at.key(), roundId: round.roundId, move: { act: 'on' } });
    await at.clock.advance(59_000);
    expect((await at.get<SessionView>(`/page/session?s=${s}`)).open?.roundId).toBe(round.roundId);
    await at.clock.advance(31_000);
    expect((await at.get<SessionView>(`/page/session?s=${s}`)).open).toBeNull();
    expect(at.wallet.round(round.roundId)).toEqual({ stakeMinor: 1000, paidMinor: 2000, closed: true });
  });
});

describe('a wallet that fails', () => {
  it('rolls a stake back whose answer was lost, until that is taken, and plays nothing', async () => {
    const at = start();
    const s = await at.session('steps');
    let rollbacks = 0;
    at.wallet.fault = (kind) => {
      if (kind === 'debit') return 'lost';
      if (kind === 'rollback' && ++rollbacks < 3) return 'dead';
      return undefined;
    };
    expect((await at.refusal('/page/open', { s, key: at.key(), wager: stake })).code).toBe('WALLET_DOWN');
    expect(at.wallet.balanceMinor).toBe(999_000);
    await at.clock.advance(2000);
    expect(rollbacks).toBe(3);
    expect(at.wallet.balanceMinor).toBe(1_000_000);
    expect(await at.get<HistoryRow[]>(`/page/history?s=${s}`)).toEqual([]);
    at.wallet.fault = () => undefined;
    await at.post('/page/open', { s, key: at.key(), wager: stake });
  });

  it('rolls a stake back that never arrived: it cannot arrive later', async () => {
    const at = start();
    const s = await at.session('steps');
    at.wallet.fault = (kind) => (kind === 'debit' ? 'dead' : undefined);
    await at.refusal('/page/open', { s, key: at.key(), wager: stake });
    await at.clock.advance(0);
    const tx = at.wallet.calls.find(({ kind }) => kind === 'debit')!.tx;
    at.wallet.fault = () => undefined;
    const late = { session: 'ws-1', player: 'p-1', tx, round: tx.split('.')[0]!, game: 'steps', currency: 'EUR' };
    expect((await at.wallet.debit({ ...late, amountMinor: 1000 })).code).toBe('ALREADY_ROLLED_BACK');
    expect(at.wallet.balanceMinor).toBe(1_000_000);
  });

  it('pays until it is taken; the player does not wait for it', async () => {
    const at = start();
    const s = await at.session('steps');
    const { round } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    at.wallet.fault = (kind) => (kind === 'credit' ? 'dead' : undefined);
    const ended = await at.post<RoundReply>('/page/move', {
      s,
      key: at.key(),
      roundId: round.roundId,
      move: { act: 'take' },
    });
    expect(ended.round).toMatchObject({ over: true, paidMinor: 1000 });
    await at.clock.advance(3_600_000);
    expect(at.wallet.balanceMinor).toBe(999_000);
    at.wallet.fault = () => undefined;
    await at.clock.advance(300_000);
    expect(at.wallet.balanceMinor).toBe(1_000_000);
    expect(at.wallet.round(round.roundId).closed).toBe(true);
  });

  it('keeps a round open until the roll-back of a further stake is taken, then closes it', async () => {
    const at = start();
    const s = await at.session('steps');
    const { round } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    at.wallet.fault = (kind) => (kind === 'debit' ? 'lost' : kind === 'rollback' ? 'dead' : undefined);
    const { roundId } = round;
    const refused = await at.refusal('/page/move', { s, key: at.key(), roundId, move: { act: 'double' } });
    expect(refused.code).toBe('WALLET_DOWN');
    await at.post('/page/move', { s, key: at.key(), roundId, move: { act: 'take' } });
    expect(at.wallet.round(roundId)).toEqual({ stakeMinor: 2000, paidMinor: 0, closed: false });
    at.wallet.fault = () => undefined;
    await at.clock.advance(10_000);
    expect(at.wallet.round(roundId)).toEqual({ stakeMinor: 1000, paidMinor: 1000, closed: true });
  });

  it.each([
    ['LIMIT_REACHED', 'LIMIT_REACHED'],
    ['REALITY_CHECK_DUE', 'REALITY_CHECK'],
    ['USER_DISABLED', 'BLOCKED'],
    ['INSUFFICIENT_FUNDS', 'NO_FUNDS'],
    ['TOO_FAST', 'TOO_FAST'],
    ['INVALID_TOKEN', 'SESSION_OVER'],
  ] as const)('tells the page of %s as %s and keeps the seed', async (code, page) => {
    const at = start();
    const s = await at.session('steps');
    const { next } = await at.get<SessionView>(`/page/session?s=${s}`);
    at.wallet.fault = (kind) => (kind === 'debit' ? code : undefined);
    expect((await at.refusal('/page/open', { s, key: at.key(), wager: stake })).code).toBe(page);
    at.wallet.fault = () => undefined;
    if (page !== 'SESSION_OVER') expect((await at.get<SessionView>(`/page/session?s=${s}`)).next).toEqual(next);
    expect(at.wallet.calls.some(({ kind }) => kind === 'rollback')).toBe(false);
  });
});

describe('a restart', () => {
  it('goes on with an open round', async () => {
    const dataFolder = folder();
    const manual = manualClock();
    const wallet = fakeWallet({ inOneCall: false });
    const before = start({ dataFolder, manual, wallet });
    const s = await before.session('steps');
    const { round } = await before.post<RoundReply>('/page/open', { s, key: before.key(), wager: stake });
    await before.post('/page/move', { s, key: before.key(), roundId: round.roundId, move: { act: 'on' } });
    const shown = (await before.get<SessionView>(`/page/session?s=${s}`)).open;
    await before.host.close();

    const after = start({ dataFolder, manual, wallet });
    expect((await after.get<SessionView>(`/page/session?s=${s}`)).open).toEqual(shown);
    const ended = await after.post<RoundReply>('/page/move', {
      s,
      key: after.key(),
      roundId: round.roundId,
      move: { act: 'take' },
    });
    expect(ended.round.paidMinor).toBe(2000);
    expect(wallet.round(round.roundId)).toEqual({ stakeMinor: 1000, paidMinor: 2000, closed: true });
    expect(await after.get<HistoryRow[]>(`/page/history?s=${s}`)).toHaveLength(1);
  });

  it('rolls back what was on its way and pays what was not yet taken', async () => {
    const dataFolder = folder();
    const manual = manualClock();
    const wallet = fakeWallet({ inOneCall: false });
    const before = start({ dataFolder, manual, wallet });
    const s = await before.session('steps');
    const first = await before.post<RoundReply>('/page/open', { s, key: before.key(), wager: stake });
    wallet.fault = (kind) => (kind === 'credit' || kind === 'rollback' ? 'dead' : undefined);
    await before.post('/page/move', { s, key: before.key(), roundId: first.round.roundId, move: { act: 'take' } });
    await manual.advance(5000);
    wallet.fault = (kind) => (kind === 'debit' ? 'lost' : 'dead');
    await before.refusal('/page/open', { s, key: before.key(), wager: stake });
    expect(wallet.balanceMinor).toBe(998_000);
    await before.host.close();

    wallet.fault = () => undefined;
    start({ dataFolder, manual, wallet });
    await manual.advance(1000);
    // Each movement is on the disk before it is sent.
    await vi.waitFor(() => expect(wallet.balanceMinor).toBe(1_000_000), { timeout: 20_000 });
    expect(wallet.round(first.round.roundId)).toEqual({ stakeMinor: 1000, paidMinor: 1000, closed: true });
  });
});

describe('sessions', () => {
  it('exchanges a launch once, and replaces the older session of the same player and game', async () => {
    const at = start();
    const older = await at.session('steps');
    const newer = await at.session('steps');
    expect(at.wallet.calls.filter(({ kind }) => kind === 'authenticate')).toHaveLength(2);
    expect((await at.refusal(`/page/session?s=${older}`)).code).toBe('SESSION_REPLACED');
    expect((await at.refusal('/page/open', { s: older, key: at.key(), wager: stake })).code).toBe('SESSION_REPLACED');
    await at.post('/page/open', { s: newer, key: at.key(), wager: stake });
  });

  it('goes on with an open round in a newer session, with further stakes', async () => {
    const at = start();
    const older = await at.session('steps');
    const { round } = await at.post<RoundReply>('/page/open', { s: older, key: at.key(), wager: stake });
    const s = await at.session('steps');
    expect((await at.get<SessionView>(`/page/session?s=${s}`)).open?.roundId).toBe(round.roundId);
    expect(at.wallet.calls.filter(({ kind }) => kind === 'sessionEnd')).toHaveLength(1);
    const double = { s, key: at.key(), roundId: round.roundId, move: { act: 'double' } };
    const ended = await at.post<RoundReply>('/page/move', double);
    expect(ended.round).toMatchObject({ over: true, stakeMinor: 2000, paidMinor: 2000 });
    expect(ended.balanceMinor).toBe(1_000_000);
  });

  it('[PRV-08] plays a demo with play money and no call to the wallet', async () => {
    const at = start();
    const s = await at.session('steps', { mode: 'demo' });
    const { round, balanceMinor } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager: stake });
    expect(balanceMinor).toBe(999_000);
    const move = { s, key: at.key(), roundId: round.roundId, move: { act: 'take' } };
    expect((await at.post<RoundReply>('/page/move', move)).balanceMinor).toBe(1_000_000);
    expect(at.wallet.calls).toEqual([]);
    expect(at.host.operator.transactions(0, at.clock.now() + 1, null).rows).toEqual([]);
    expect(at.host.operator.round(round.roundId, null)).toBeNull();
  });

  it('belongs to the page that opened it: the address alone is no way in, before or after', async () => {
    const at = start();
    const launch = { mode: 'real', game: 'steps', currency: 'EUR', player: 'p-1' } as const;
    const { sessionId: id, url } = at.host.operator.launch({ ...launch, token: 'one' });
    expect(new URL(url).search).toBe(`?s=${id}`);
    const own = `${id}.key-of-the-page`;
    // Two at once: the first is the page, whoever else has the address is not.
    const [mine, theirs] = await Promise.allSettled([
      at.get<SessionView>(`/page/session?s=${own}`),
      at.get<SessionView>(`/page/session?s=${id}.another`),
    ]);
    expect([mine.status, theirs.status]).toEqual(['fulfilled', 'rejected']);
    for (const name of [id, `${id}.another`, `${id}.`]) {
      expect((await at.refusal(`/page/session?s=${name}`)).code).toBe('SESSION_OVER');
      expect((await at.refusal(`/page/history?s=${name}`)).code).toBe('SESSION_OVER');
      expect((await at.refusal('/page/open', { s: name, key: at.key(), wager: stake })).code).toBe('SESSION_OVER');
    }
    // A reload asks again with the same key.
    const { round } = await at.post<RoundReply>('/page/open', { s: own, key: at.key(), wager: stake });
    expect((await at.get<SessionView>(`/page/session?s=${own}`)).open?.roundId).toBe(round.roundId);
    expect(at.wallet.calls.filter(({ kind }) => kind === 'authenticate')).toHaveLength(1);
  });

  it('refuses a launch that came too late, a token of another player, and unknown sessions', async () => {
    const at = start();
    const launch = { mode: 'real', game: 'steps', currency: 'EUR', token: 'late' } as const;
    const late = at.host.operator.launch({ ...launch, player: 'p-1' });
    await at.clock.advance(60_001);
    expect((await at.refusal(`/page/session?s=${late.sessionId}`)).code).toBe('SESSION_OVER');
    const other = at.host.operator.launch({ ...launch, player: 'p-2', token: 'other' });
    expect((await at.refusal(`/page/session?s=${other.sessionId}`)).code).toBe('SESSION_OVER');
    expect(await at.refusal('/page/session?s=none')).toMatchObject({ code: 'SESSION_OVER', status: 401 });
  });

  it('[PP-15] takes no stake over the most that the launch named', async () => {
    const at = start();
    const s = await at.session('steps', { maxStakeMinor: 200 });
    expect((await at.get<SessionView>(`/page/session?s=${s}`)).maxStakeMinor).toBe(200);
    expect((await at.refusal('/page/open', { s, key: at.key(), wager: { stakeMinor: 300 } })).code).toBe(
      'LIMIT_REACHED',
    );
    await at.post('/page/open', { s, key: at.key(), wager: { stakeMinor: 200 } });
  });

  it('refuses what is no call', async () => {
    const at = start();
    const s = await at.session('steps');
    expect(await at.refusal('/page/open', { s, key: at.key(), wager: { stakeMinor: 150 } })).toMatchObject({
      status: 400,
      code: 'BAD_INPUT',
      field: 'stakeMinor',
    });
    expect((await at.refusal('/page/open', { s, key: '', wager: stake })).field).toBe('key');
    expect((await at.refusal('/page/open', { s, key: 'k', wager: stake, more: 1 })).field).toBe('more');
    expect((await at.refusal('/page/move', { s, key: 'k', roundId: 'none', move: {} })).field).toBe('roundId');
    expect((await at.refusal('/page/bet', { s, key: 'k', roundId: 'none', wager: {} })).code).toBe('BAD_INPUT');
  });
});
