import { createStream } from '@fairgame/casino';
import { describe, expect, it } from 'vitest';
import { alder } from '../../../../apps/provider-a/src/games.ts';
import { beacon } from '../../../../apps/provider-b/src/games.ts';
import type { AnyShared, AnySolo } from '../../src/game.ts';
import { GAMES, gameOf, verifyProof } from '../../src/studio.ts';
import type { BetReply, HistoryRow, LiveView, RoundProof, RoundReply, SessionView } from '../../src/wire.ts';
import { SAMPLES } from '../samples.ts';
import { type Bench, bench, fakeWallet } from './fakes.ts';

const games = [...GAMES.values()];
const solo = games.filter((game) => game.kind === 'solo');
const shared = games.filter((game) => game.kind === 'shared');
const CATEGORIES = ['Live', 'Game Shows', 'Virtual', 'Poker', 'Others'];

/** The same choices in every run. */
function choices(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % n;
  };
}

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
};

const seedOf = (nonce: number) => ({ serverSeed: 'ab'.repeat(32), clientSeed: 'tests', nonce });

describe('the lists of both providers', () => {
  it('[PRD-03] name only games that exist, at least ten each, and every game once', () => {
    const codes = [...alder.games, ...beacon.games];
    expect(codes.filter((code) => !GAMES.has(code))).toEqual([]);
    expect([...GAMES.keys()].filter((code) => !codes.includes(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
    expect(Math.min(alder.games.length, beacon.games.length)).toBeGreaterThanOrEqual(10);
  });
});

describe.each(games.map((game) => [game.code, game] as const))('%s', (code, game) => {
  it('[LIV-05] names its category, its family and its figures', () => {
    expect(game.code).toMatch(/^[a-z0-9-]{2,32}$/);
    expect(CATEGORIES).toContain(game.category);
    expect(game.rules.length).toBeGreaterThan(0);
    expect([2500, 5000]).toContain(game.cycleMs);
    expect(game.minStakeMinor % 100).toBe(0);
    const rows = game.returns();
    expect(rows.length).toBeGreaterThan(0);
    for (const { bet, ppm } of rows) expect([bet, ppm >= 920_000, ppm <= 1_000_000]).toEqual([bet, true, true]);
  });

  it('takes its sample wagers and refuses what is none', () => {
    const sample = SAMPLES[code];
    expect(sample?.wagers.length ?? 0).toBeGreaterThan(0);
    for (const wager of sample!.wagers) {
      const stakeMinor = game.stakeOf(game.wager(wager));
      expect(stakeMinor).toBeGreaterThanOrEqual(game.minStakeMinor);
      expect(stakeMinor).toBeLessThanOrEqual(game.maxStakeMinor);
      expect(() => game.wager({ ...(wager as object), extra: 1 })).toThrow();
    }
    for (const wager of [null, 7, [], {}, { stakeMinor: -100 }]) expect(() => game.wager(wager)).toThrow();
  });
});

/** One legal move of the samples, chosen by `choose`; the game's own way out where none is allowed. */
function moveFor(game: AnySolo, state: unknown, choose: (n: number) => number): unknown {
  const open = [...(SAMPLES[game.code]?.moves ?? [])];
  while (open.length > 0) {
    const [tried] = open.splice(choose(open.length), 1);
    try {
      game.play!(state, game.move!(tried));
      return tried;
    } catch {
      // Not allowed now: the next one.
    }
  }
  return game.leave!(state);
}

describe.each(solo.map((game) => [game.code, game] as const))('%s, played by itself', (code, game) => {
  it('ends, pays whole multiples, and changes no state that it is given', () => {
    for (let nonce = 0; nonce < 150; nonce++) {
      const choose = choices(nonce + 1);
      const { wagers } = SAMPLES[code]!;
      const wager = freeze(game.wager(wagers[nonce % wagers.length]));
      let step = freeze(game.open(wager, createStream(seedOf(nonce))));
      let stakeMinor = game.stakeOf(wager);
      for (let moves = 0; !step.over; moves++) {
        expect(moves).toBeLessThan(200);
        expect(step.paidMinor).toBe(0);
        const move = game.move!(moveFor(game, step.state, choose));
        stakeMinor += game.extra?.(step.state, move) ?? 0;
        step = freeze(game.play!(step.state, move));
      }
      expect(Number.isSafeInteger(step.paidMinor) && step.paidMinor >= 0).toBe(true);
      expect(stakeMinor).toBeGreaterThan(0);
      expect(JSON.parse(JSON.stringify(step))).toEqual(step);
    }
  });

  if (!game.play) return;

  it('can be left at every moment', () => {
    for (let nonce = 0; nonce < 60; nonce++) {
      const choose = choices(nonce + 9);
      let step = game.open(game.wager(SAMPLES[code]!.wagers[0]), createStream(seedOf(nonce)));
      for (let moves = choose(4); moves > 0 && !step.over; moves--)
        step = game.play!(step.state, game.move!(moveFor(game, step.state, choose)));
      for (let moves = 0; !step.over; moves++) {
        expect(moves).toBeLessThan(100);
        const move = game.leave!(step.state);
        expect(game.extra?.(step.state, move) ?? 0).toBe(0);
        step = game.play!(step.state, move);
      }
    }
  });

  it('shows nothing of what is hidden while it is open', () => {
    const states = new Map<string, Set<string>>();
    let alike = 0;
    for (let nonce = 0; nonce < 1500; nonce++) {
      const step = game.open(game.wager(SAMPLES[code]!.wagers[0]), createStream(seedOf(nonce)));
      if (step.over) continue;
      const view = JSON.stringify(game.view(step.state));
      const state = JSON.stringify(step.state);
      // Something of the state is kept back ...
      expect(view).not.toBe(state);
      const before = states.get(view);
      if (before === undefined) states.set(view, new Set([state]));
      else {
        alike += 1;
        before.add(state);
      }
    }
    // ... and where two rounds look alike they are not: the look does not tell the round.
    const told = [...states.values()].filter((set) => set.size > 1).length;
    if (alike > 20) expect(told).toBeGreaterThan(0);
  });
});

const benches: Bench[] = [];
async function closeAll() {
  for (const one of benches.splice(0)) await one.host.close();
}

describe.each([false, true])('over HTTP, stake and pay-out in one call: %s', (inOneCall) => {
  it.each(solo.map((game) => game.code))('%s: what is proved is what was shown and paid', async (code) => {
    const game = gameOf(code) as AnySolo;
    const at = bench({ codes: [code], wallet: fakeWallet({ inOneCall }) });
    benches.push(at);
    const s = await at.session(code);
    const sample = SAMPLES[code]!;
    const choose = choices(code.length);
    for (let played = 0; played < 8; played++) {
      const { next } = await at.get<SessionView>(`/page/session?s=${s}`);
      const wager = sample.wagers[played % sample.wagers.length];
      let { round, balanceMinor } = await at.post<RoundReply>('/page/open', { s, key: at.key(), wager });
      const roundId = round.roundId;
      for (let moves = 0; !round.over; moves++) {
        expect(moves).toBeLessThan(200);
        const tries = [...(sample.moves ?? [])].sort(() => choose(3) - 1);
        // Of the moves that the game refuses now, none changes anything.
        let done: RoundReply | null = null;
        for (const move of tries) {
          const reply = await at.host.http.inject({
            method: 'POST',
            url: '/page/move',
            payload: { s, key: at.key(), roundId, move },
          });
          if (reply.statusCode === 200) {
            done = reply.json() as RoundReply;
            break;
          }
          expect(reply.statusCode).toBe(400);
        }
        if (done === null) {
          // No sample is allowed now: the host ends the round for a player who went away.
          await at.clock.advance(620_000);
          break;
        }
        ({ round, balanceMinor } = done);
      }
      const proof = await at.get<RoundProof>(`/page/round?s=${s}&id=${roundId}`);
      expect(proof).toMatchObject({ commit: next.commit, nonce: next.nonce });
      expect(verifyProof(proof)).toMatchObject({ ok: true });
      expect(verifyProof({ ...proof, serverSeed: '0'.repeat(64) }).commitOk).toBe(false);
      const money = at.wallet.round(roundId);
      expect(money).toEqual({ stakeMinor: proof.stakeMinor, paidMinor: proof.paidMinor, closed: true });
      if (round.over) expect(balanceMinor).toBe(at.wallet.balanceMinor);
      await at.clock.advance(game.cycleMs);
    }
    await closeAll();
  });
});

it.each(shared.map((game) => game.code))('%s over HTTP: what is proved is what was shown and paid', async (code) => {
  const game = gameOf(code) as AnyShared;
  const at = bench({ codes: [code] });
  benches.push(at);
  const s = await at.session(code);
  const table = SAMPLES[code]!.wagers;
  for (let played = 0; played < 6; played++) {
    const before = await at.get<SessionView>(`/page/session?s=${s}`);
    const roundId = `${code}-${before.next.nonce}`;
    const bets: BetReply[] = [];
    for (const wager of table) bets.push(await at.post<BetReply>('/page/bet', { s, key: at.key(), roundId, wager }));
    await at.clock.advance(game.betMs + 1);
    // Somebody cashes out at once, where the game has that and it is not over yet.
    if (game.timesAt)
      await at.host.http.inject({
        method: 'POST',
        url: '/page/cashout',
        payload: { s, key: at.key(), betId: bets[0]!.bet.betId },
      });
    // To the end of the round, however long it is, and to the next betting.
    for (let i = 0; i < 400; i++) {
      const session = await at.get<SessionView>(`/page/session?s=${s}`);
      if (session.next.nonce > before.next.nonce) break;
      await at.clock.advance(1000);
    }
    for (const { bet } of bets) {
      const proof = await at.get<RoundProof>(`/page/round?s=${s}&id=${bet.betId}`);
      expect(proof).toMatchObject({ commit: before.next.commit, seedOf: { words: [before.clientSeed] } });
      expect(verifyProof({ ...proof, seedOf: { base: '', words: [] } }).ok).toBe(false);
      expect(verifyProof(proof)).toMatchObject({ ok: true });
      expect(at.wallet.round(bet.betId)).toEqual({
        stakeMinor: proof.stakeMinor,
        paidMinor: proof.paidMinor,
        closed: true,
      });
    }
  }
  expect((await at.get<HistoryRow[]>(`/page/history?s=${s}`)).length).toBe(6 * table.length);
  await closeAll();
});

describe.each(shared.map((game) => [game.code, game] as const))('%s, drawn by itself', (code, game) => {
  it('pays whole sums, and nothing above what was reached', () => {
    for (let nonce = 0; nonce < 300; nonce++) {
      const result = freeze(game.draw(createStream(seedOf(nonce))));
      const runMs = game.runMs(result);
      expect(Number.isSafeInteger(runMs) && runMs >= 0 && runMs <= 180_000).toBe(true);
      for (const sample of SAMPLES[code]!.wagers) {
        const wager = game.wager(sample);
        const paid = game.settle(wager, result, null);
        expect(Number.isSafeInteger(paid) && paid >= 0).toBe(true);
        if (!game.timesAt) continue;
        const last = game.timesAt(Math.max(0, runMs - 1));
        if (runMs > 0) expect(game.settle(wager, result, last)).toBeGreaterThan(0);
        // A proof that claims more than was reached proves nothing.
        expect(game.settle(wager, result, game.timesAt(runMs) + 2)).toBe(0);
      }
    }
  });

  it('[PP-12] gives every round at least the pace of its game', () => {
    expect(game.betMs).toBeGreaterThanOrEqual(3000);
    expect(game.restMs).toBeGreaterThan(0);
  });

  if (game.timesAt)
    it('shows nothing of the end while the round runs', () => {
      const views = new Set<string>();
      for (let nonce = 0; nonce < 200; nonce++)
        views.add(JSON.stringify(game.view(game.draw(createStream(seedOf(nonce))), false)));
      expect(views.size).toBe(1);
    });
});

it('keeps every live view of a crash game free of its end', async () => {
  const codes = shared.filter((game) => game.timesAt !== undefined).map((game) => game.code);
  const at = bench({ codes });
  benches.push(at);
  for (const code of codes) {
    const s = await at.session(code);
    const { port } = await at.host.http
      .listen({ port: 0, host: '127.0.0.1' })
      .then(() => at.host.http.server.address() as { port: number })
      .catch(() => at.host.http.server.address() as { port: number });
    const stop = new AbortController();
    const reply = await fetch(`http://127.0.0.1:${port}/page/live?s=${s}`, { signal: stop.signal });
    const reader = reply.body!.getReader();
    await reader.read();
    await at.clock.advance((gameOf(code) as AnyShared).betMs + 1);
    const text = new TextDecoder().decode((await reader.read()).value);
    stop.abort();
    const view = JSON.parse(
      text
        .split('\n')
        .find((line) => line.startsWith('data: '))!
        .slice(6),
    ) as LiveView;
    if (view.phase === 'runs') expect(view).toMatchObject({ phaseEndsAt: null, view: { crash: null } });
    else expect(view.phase).toBe('rests');
  }
  await closeAll();
});
