import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveSite, STUDIO_NAMES, type Studio, startLiveSite } from './studios.ts';
import { late, paced, until } from './wait.ts';

/**
 * Money of both providers with everything that goes wrong on the way: calls that come twice, out of order, with broken
 * signatures or old nonces, answers that get lost, a provider and the site killed in the middle. No browser: the pages' own calls.
 */
const CHAOS =
  'duplicate=0.3:3,lostReply=0.15,reorder=0.2:300,badSignature=0.1,replay=0.1,wrongAmount=0.1,rollbackFirst=0.05';
const CREDIT = 1_000_000;
const ROUNDS = 6;
const CYCLE_MS = 5300;
const GAMES: Record<Studio, { code: string; wager: object }> = {
  a: { code: 'roulette', wager: { chips: [{ spot: 'red', stakeMinor: 300 }] } },
  b: { code: 'dice', wager: { stakeMinor: 500, side: 'under', mark: 5000 } },
};

interface Reconciled {
  clean: boolean;
  providers: Array<{ provider: string; ours: number; pending: number; differences: object[] }>;
}
interface BetRow {
  status: string;
  result: number;
}

let site: LiveSite;
beforeAll(async () => {
  site = await startLiveSite({}, { CHAOS });
});
afterAll(() => site?.stop());

interface Player {
  studio: Studio;
  userName: string;
  password: string;
  /** Rounds that the page was told of. */
  played: number;
}

/** Opens the game; false where the way to the wallet failed too often. */
async function open(player: Player): Promise<{ origin: string; s: string } | null> {
  const { code } = GAMES[player.studio];
  const seat = async () => {
    const told = await site
      .signIn(player.userName, player.password)
      .then((token) =>
        site.call<{ url: string }>('POST', '/mac88/casino/login', token, {
          game_id: `${player.studio}-${code}`,
          provider_name: STUDIO_NAMES[player.studio],
          game_code: code,
          platform: 'desktop',
        }),
      )
      .catch(() => null);
    if (told?.status === 200) {
      const { origin, searchParams } = new URL(told.data.url);
      const s = searchParams.get('s') ?? '';
      const session = await fetch(`${origin}/page/session?s=${s}`).catch(() => null);
      if (session?.ok) return { origin, s };
    }
    return null;
  };
  return until('', seat, { every: 1500, timeout: 20_000 }).catch(() => null);
}

async function play(player: Player): Promise<void> {
  let seat = await open(player);
  await paced({ times: ROUNDS, every: CYCLE_MS }, async () => {
    if (!seat) return;
    const answer = await fetch(`${seat.origin}/page/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ s: seat.s, key: randomUUID(), wager: GAMES[player.studio].wager }),
    }).catch(() => null);
    if (answer?.ok) player.played += 1;
    // Gone, or the session was: as the player would, from the lobby again.
    if (!answer || answer.status === 401 || answer.status === 403 || answer.status === 404) seat = await open(player);
  });
}

describe('money of the providers', () => {
  it('[PRV-11] [PRV-13] [INV-19] with faults of every kind and kills on both sides, each side ends with the same books', async () => {
    const players: Player[] = [];
    // The second try meets the players of the first.
    const own = randomUUID().slice(0, 6);
    for (let n = 0; n < 8; n++) {
      const userName = `money-${own}-${n}`;
      const { password } = await site.operator<{ password: string }>('/player/create', {
        userName,
        creditMinor: CREDIT,
        forceChangePassword: false,
      });
      players.push({ studio: n % 2 === 0 ? 'a' : 'b', userName, password, played: 0 });
    }
    const played = () => players.reduce((sum, player) => sum + player.played, 0);
    const all = Promise.all(players.map((player, n) => late(n * 150, () => play(player))));
    // Each end is killed while money is on its way.
    await until('nobody plays', () => played() >= 6, { timeout: 60_000 });
    await site.killStudio('a');
    await site.startStudio('a');
    const then = played();
    await until('nobody plays on', () => played() >= then + 2, { timeout: 60_000 });
    await site.kill();
    await site.start();
    await all;
    expect(played()).toBeGreaterThan(15);

    // A program that comes up delivers what it still has at once, instead of at the end of a long wait.
    for (const studio of ['a', 'b'] as const) {
      await site.killStudio(studio);
      await site.startStudio(studio);
    }
    const day = new Date().toISOString().slice(0, 10);
    const run = () => site.operator<Reconciled>('/providers/reconcile', { day });
    await expect
      .poll(async () => (await run()).providers.map(({ pending }) => pending), { timeout: 60_000, interval: 2000 })
      .toEqual([0, 0]);
    const { clean, providers } = await run();
    expect(providers.flatMap(({ differences }) => differences)).toEqual([]);
    expect(clean).toBe(true);
    for (const { ours } of providers) expect(ours).toBeGreaterThan(10);

    for (const player of players) {
      const token = await site.signIn(player.userName, player.password);
      const { data } = await site.call<{ id: number; userBal: { currentBalance: number } }>(
        'GET',
        '/user/profile',
        token,
      );
      const bets = await site.call<{ rows: BetRow[] }>('GET', `/mac88/bets/${data.id}?limit=100`, token);
      const { rows } = bets.data;
      expect(rows.filter(({ status }) => status === 'OPEN')).toEqual([]);
      expect(rows.filter(({ status }) => status === 'CLOSED').length).toBeGreaterThanOrEqual(player.played);
      const won = rows.reduce((sum, { result }) => sum + result, 0);
      expect([player.userName, data.userBal.currentBalance]).toEqual([player.userName, CREDIT + won]);
    }
  }, 240_000);
});
