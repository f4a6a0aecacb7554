import { CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD } from '../server.ts';
import { type Bench, makeBench, NAMES, type Player } from './bench.ts';
import { newRound, newTx } from './drivers.ts';

const { provider } = CALLS;
const DAY_MS = 86_400_000;
const FIELDS = [
  'game_id',
  'game_name',
  'category',
  'provider_name',
  'sub_provider_name',
  'status',
  'url_thumb',
  'game_code',
];
let bench: Bench;
let player: Player;
beforeAll(async () => {
  bench = await makeBench();
  player = await bench.player();
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.stubs.a.state = 'well';
  bench.stubs.b.state = 'well';
  delete bench.stubs.a.launchUrl;
  // Long enough for a breaker to try again, and for the next round.
  bench.site.clock.advance(15_000);
});

/** Gives the password again, as after an idle hour. */
const provesAgain = ({ token }: Player) =>
  bench.site.call(CALLS.auth.stepUp, { body: { password: PASSWORD } }, { token });
const list = async () => (await bench.site.call(provider.games, {}, { token: player.token })).data;

describe('the lobby', () => {
  it('[PRD-03] [OPN-41] [API-59] [LIV-08] exactly two providers, a list of strings', async () => {
    const { data } = await bench.site.call(provider.providers, {}, { token: player.token });
    expect(data).toEqual(['Alder Games', 'Beacon Live']);
  });

  it('[API-57] [LIV-04] [LIV-05] games by provider, then category, each the record of the specification', async () => {
    const games = await list();
    expect(Object.keys(games)).toEqual(['Alder Games', 'Beacon Live']);
    // A shelf that only the provider knows is "Others" here.
    expect(Object.keys(games['Alder Games']!)).toEqual(['Live', 'Virtual', 'Others']);
    expect(games['Alder Games']!.Others!.map(({ game_code }) => game_code)).toEqual(['mines', 'plinko', 'odd']);
    for (const record of Object.values(games).flatMap((groups) => Object.values(groups).flat())) {
      for (const field of FIELDS) expect(typeof record[field as 'game_id']).toBe('string');
      expect(['Live', 'Game Shows', 'Virtual', 'Poker', 'Others']).toContain(record.category);
    }
    expect(games['Beacon Live']!.Virtual![0]).toEqual({
      game_id: 'b-lotus',
      game_name: 'Lotus Ways',
      category: 'Virtual',
      provider_name: 'Beacon Live',
      sub_provider_name: 'Beacon Originals',
      status: 'ACTIVE',
      url_thumb: `${bench.stubs.b.url}/thumbs/lotus.svg`,
      game_code: 'lotus',
      family: 'slots',
    });
  });

  it('[LIV-06] a game that is not ACTIVE is listed so, and does not open', async () => {
    expect((await list())['Alder Games']!.Live![0]).toMatchObject({ game_code: 'roulette', status: 'MAINTENANCE' });
    const told = await bench.launch(bench.a, player.token, { game_id: 'a-roulette', game_code: 'roulette' });
    expect([told.status, told.error?.code]).toEqual([409, 'GAME_CLOSED']);
  });

  it('pages may show frames and pictures of the two origins, and of no other', async () => {
    const policy = (await bench.site.fetch('/')).headers.get('content-security-policy')!;
    const origins = `${bench.stubs.a.url} ${bench.stubs.b.url}`;
    expect(policy).toContain(`frame-src 'self' ${origins};`);
    expect(policy).toContain(`img-src 'self' data: ${origins};`);
  });
});

describe('opening a game', () => {
  it('[LIV-07] [OPN-40] [API-58] the four fields open it: an address on the origin of the provider', async () => {
    for (const driver of [bench.a, bench.b]) {
      const stub = bench.stubs[driver.id];
      const { status, data } = await bench.launch(driver, player.token, { platform: 'mobile', theme: 'light' });
      expect(status).toBe(200);
      const { url } = data as { url: string };
      expect(new URL(url).origin).toBe(stub.url);
      const asked = stub.launches.at(-1)!;
      expect(asked).toMatchObject({ mode: 'real', platform: 'mobile', currency: 'EUR', theme: 'light', lang: 'en' });
      // What the provider knows the player by says nothing of the account, and the token is not in the address.
      // As a word: three digits may stand anywhere in what is random.
      expect(JSON.stringify(asked).split(/[^A-Za-z0-9]+/)).not.toContain(String(player.userId));
      expect(url).not.toContain(String(asked.token));
      expect(asked.lobbyUrl ?? asked.lobby_url).toBe(`${bench.site.url}/live-casino`);
    }
  });

  it.each([
    ['another game under this id', { game_code: 'plinko' }, 404, 'GAME_UNKNOWN'],
    ['a game nobody has', { game_id: 'a-none', game_code: 'none' }, 404, 'GAME_UNKNOWN'],
    ['a provider nobody has', { provider_name: 'Other Studio' }, 404, 'GAME_UNKNOWN'],
    ['the other provider', { provider_name: NAMES.b }, 404, 'GAME_UNKNOWN'],
    ['a field of no call', { provider_url: 'https://elsewhere.test' }, 400, 'UNKNOWN_FIELD'],
    ['a platform of no kind', { platform: 'fridge' }, 400, 'BAD_INPUT'],
  ])('[API-58] refused: %s', async (_what, more, status, code) => {
    const told = await bench.launch(bench.a, player.token, more);
    expect([told.status, told.error?.code]).toEqual([status, code]);
  });

  it('an address elsewhere than at the provider never reaches the frame', async () => {
    bench.stubs.a.launchUrl = 'https://elsewhere.test/play';
    expect((await bench.launch(bench.a, player.token)).error?.code).toBe('PROVIDER_DOWN');
    bench.stubs.a.launchUrl = 'javascript:alert(1)';
    expect((await bench.launch(bench.a, player.token)).error?.code).toBe('PROVIDER_DOWN');
  });

  it('[PRV-08] a demo player plays in demo mode: no token, no player, no call to the wallet', async () => {
    const { data } = await bench.site.call(CALLS.auth.demo);
    for (const driver of [bench.a, bench.b]) {
      expect((await bench.launch(driver, data.token)).status).toBe(200);
      const asked = bench.stubs[driver.id].launches.at(-1)!;
      expect(asked.mode).toBe('demo');
      expect([asked.token, asked.player, asked.player_id]).toEqual([undefined, undefined, undefined]);
    }
    const rows = await bench.site.app.db.query('SELECT 1 FROM provider_sessions WHERE user_id = $1', [data.userId]);
    expect(rows).toEqual([]);
  });

  it('a limit of the player and the pace of his reality checks are told at the launch', async () => {
    const careful = await bench.player();
    const body = { kind: 'stake', span: 'bet', amountMinor: 2550 } as const;
    await bench.site.call(CALLS.protection.setLimit, { body }, { token: careful.token });
    await bench.launch(bench.a, careful.token);
    expect(bench.stubs.a.launches.at(-1)).toMatchObject({ limits: { maxStake: 2550, realityCheckSec: 3600 } });
    await bench.launch(bench.b, careful.token);
    expect(bench.stubs.b.launches.at(-1)).toMatchObject({ limits: { max_stake: '25.50', reality_check_sec: 3600 } });
  });

  it('[PRV-06] a player whose betting is off opens nothing, stakes nothing, and is still paid', async () => {
    const other = await bench.player();
    const seat = await bench.seat(bench.a, other);
    const { round, tx } = await bench.debit(bench.a, seat, 1000);
    const cooled = await bench.site.call(CALLS.protection.coolOff, { body: { length: '24h' } }, { token: other.token });
    expect(cooled.status).toBe(200);
    const refused = await bench.launch(bench.a, other.token);
    expect([refused.status, refused.error?.code]).toEqual([403, 'ACCOUNT_BLOCKED']);
    expect((await bench.debit(bench.a, seat, 1000)).code).toBe('USER_DISABLED');
    const won = { op: 'credit', ...seat, round, tx: newTx(), amount: 4000, closed: true, ref: tx } as const;
    expect((await bench.send(bench.a, won)).code).toBe('OK');
    expect(bench.balance(other.userId)).toBe(103_000);
  });

  it('a reality check that is due comes before the game and before the next stake', async () => {
    const other = await bench.player();
    const seat = await bench.seat(bench.b, other);
    // Played without a break: every few minutes something is asked.
    for (let minutes = 0; minutes < 61; minutes += 5) {
      bench.site.clock.advance(5 * 60_000);
      await bench.site.call(CALLS.protection.status, {}, { token: other.token });
    }
    const refused = await bench.launch(bench.b, other.token);
    expect([refused.status, refused.error?.code]).toEqual([409, 'REALITY_CHECK_DUE']);
    expect((await bench.debit(bench.b, seat, 100)).code).toBe('REALITY_CHECK_DUE');
    await provesAgain(player);
  });

  it('[SEC-S5] after an idle hour the password comes before the next game', async () => {
    const other = await bench.player();
    bench.site.clock.advance(61 * 60_000);
    const stale = await bench.launch(bench.a, other.token);
    expect([stale.status, stale.error?.code]).toEqual([403, 'STEP_UP_REQUIRED']);
    await provesAgain(other);
    expect((await bench.launch(bench.a, other.token)).status).toBe(200);
    await provesAgain(player);
  });

  it('signing out ends the games', async () => {
    const other = await bench.player();
    const seat = await bench.seat(bench.a, other);
    await bench.site.call(CALLS.auth.logout, {}, { token: other.token });
    await expect.poll(async () => (await bench.debit(bench.a, seat, 100)).code).toMatch(/TOKEN/);
  });
});

describe('a provider that is not well', () => {
  it.each(['error', 'gone', 'badSignature'] as const)(
    '[PRV-10] [CAR-09] %s: the launch says so, the lobby still lists',
    async (state) => {
      bench.stubs.a.state = state;
      const told = await bench.launch(bench.a, player.token);
      expect([told.status, told.error?.code]).toEqual([502, 'PROVIDER_DOWN']);
      expect(Object.keys((await list())['Alder Games']!)).toContain('Others');
      expect((await bench.launch(bench.b, player.token)).status).toBe(200);
    },
  );

  it('[PRV-10] one that never answers is waited for 3 s; nobody else waits meanwhile', async () => {
    bench.stubs.a.state = 'silent';
    const started = performance.now();
    const stuck = bench.launch(bench.a, player.token);
    expect((await bench.launch(bench.b, player.token)).status).toBe(200);
    expect((await bench.site.call(CALLS.account.profile, {}, { token: player.token })).status).toBe(200);
    const others = performance.now() - started;
    expect((await stuck).error?.code).toBe('PROVIDER_DOWN');
    expect(performance.now() - started).toBeLessThan(6000);
    expect(others).toBeLessThan(2500);
  });

  it('[PRV-10] after some failures it is left alone for 5 s, then tried once', async () => {
    const { stubs, site } = bench;
    stubs.a.state = 'error';
    for (let tries = 0; tries < 12; tries++) await bench.launch(bench.a, player.token);
    const before = stubs.a.calls;
    expect((await bench.launch(bench.a, player.token)).error?.code).toBe('PROVIDER_DOWN');
    expect(stubs.a.calls).toBe(before);
    expect((await bench.launch(bench.b, player.token)).status).toBe(200);
    const state = async () =>
      /xch_provider_breaker_state\{provider="a"\} (\d)/.exec(await (await site.fetch('/metrics')).text())?.[1];
    expect(await state()).toBe('2');
    // The machine's clock is set back by an hour: that makes the five seconds no longer.
    site.clock.now -= 3_600_000;
    expect(await state()).toBe('2');
    site.clock.advance(5000);
    expect(await state()).toBe('1');
    stubs.a.state = 'well';
    expect((await bench.launch(bench.a, player.token)).status).toBe(200);
    expect(await state()).toBe('0');
  });

  it('a game the provider itself no longer has is closed, and the provider is not taken for ill', async () => {
    bench.stubs.a.state = 'refuse';
    for (let tries = 0; tries < 6; tries++)
      expect((await bench.launch(bench.a, player.token)).error?.code).toBe('GAME_CLOSED');
    bench.stubs.a.state = 'well';
    expect((await bench.launch(bench.a, player.token)).status).toBe(200);
  });

  it('calls, their codes and their time are counted for each provider', async () => {
    const text = await (await bench.site.fetch('/metrics')).text();
    expect(text).toMatch(/xch_provider_calls_total\{provider="a",op="launch",code="FAULT"\} \d/);
    expect(text).toMatch(/xch_provider_calls_total\{provider="b",op="authenticate",code="OK"\} \d/);
    expect(text).toMatch(/xch_provider_call_seconds_count\{provider="a",op="debit"\} \d/);
  });
});

describe('Live Casino Bets', () => {
  let owner: Player;
  const ask = async (query: Record<string, string> = {}, of = owner) =>
    bench.site.call(provider.bets, { params: { id: String(of.userId) }, query }, { token: of.token });

  beforeAll(async () => {
    owner = await bench.player();
    const a = await bench.seat(bench.a, owner);
    const b = await bench.seat(bench.b, owner);
    // Twenty rounds at A: odd ones lost, even ones won; then one at B that is open, one taken back.
    for (let n = 1; n <= 20; n++) {
      const { round, tx } = await bench.debit(bench.a, a, 100 * n);
      const amount = n % 2 === 0 ? 150 * n : 0;
      await bench.send(bench.a, { op: 'credit', ...a, round, tx: newTx(), amount, closed: true, ref: tx });
    }
    await bench.debit(bench.b, b, 700);
    const { round, tx } = await bench.debit(bench.b, b, 300);
    await bench.send(bench.b, { op: 'rollback', ...b, round, tx: newTx(), ref: tx });
  });

  it('[ENT-04] [API-60] [CAR-32] page 1 of 15, oldest first; the next has the rest', async () => {
    const first = (await ask()).data;
    expect([first.total, first.page, first.limit, first.rows.length]).toEqual([22, 1, 15, 15]);
    const times = first.rows.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
    const second = (await ask({ page: '2' })).data;
    expect(second.rows).toHaveLength(7);
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(22);
  });

  it('[API-60] [OPN-13] a row has provider, game, round, stake, result and date', async () => {
    const { rows } = (await ask()).data;
    expect(rows[0]).toMatchObject({
      providerName: 'Alder Games',
      gameName: 'Mines',
      stake: 100,
      result: -100,
      status: 'CLOSED',
    });
    expect(rows[1]).toMatchObject({ stake: 200, result: 100 });
    const late = (await ask({ providerName: 'eq{Beacon Live}' })).data.rows;
    expect(late.map(({ stake, result, status }) => [stake, result, status])).toEqual([
      [700, 0, 'OPEN'],
      [300, 0, 'VOID'],
    ]);
  });

  it('[API-60] [REP-13] sort, provider, days, word and state narrow it', async () => {
    const sorted = (await ask({ sort: 'virtualCasinoBetPlaced.createdAt:DESC' })).data.rows;
    expect(sorted[0]!.stake).toBe(300);
    expect((await ask({ providerName: 'eq{Alder Games}' })).data.total).toBe(20);
    expect((await ask({ providerName: 'eqSomebody' })).data.total).toBe(0);
    expect((await ask({ searchBy: 'gameName', keyword: 'plin' })).data.total).toBe(2);
    expect((await ask({ searchBy: 'round', keyword: sorted[0]!.round })).data.total).toBe(1);
    expect((await ask({ searchBy: 'providerName', keyword: 'alder' })).data.total).toBe(20);
    expect((await ask({ keyword: '%' })).data.total).toBe(0);
    expect((await ask({ filter: 'eq{VOID}' })).data.total).toBe(1);
  });

  it('[CAR-33] a bet at the second midnight belongs to the day after', async () => {
    const { rows } = (await ask({ limit: '100' })).data;
    const [one, two] = [rows[3]!.createdAt, rows[6]!.createdAt];
    const { data } = await ask({ createdAt: `between${one}|${two}` });
    expect(data.rows.map(({ id }) => id)).toEqual(rows.slice(3, 6).map(({ id }) => id));
  });

  it.each<Record<string, string>>([
    { sort: 'id:ASC' },
    { providerName: 'inArr[Alder Games]' },
    { createdAt: 'eq5' },
    { filter: 'eq{WON}' },
    { searchBy: 'account' },
  ])('[API-60] refused: %o', async (query) => {
    expect((await ask(query)).error?.code).toBe('BAD_FILTER');
  });

  it('[CAR-23] nobody sees what another has played, not by list and not by round', async () => {
    const [row] = (await ask()).data.rows;
    const other = await bench.site.call(
      provider.bets,
      { params: { id: String(owner.userId) } },
      { token: player.token },
    );
    expect(other.error?.code).toBe('NOT_ALLOWED');
    const round = await bench.site.call(provider.round, { params: { id: String(row!.id) } }, { token: player.token });
    expect([round.status, round.error?.code]).toEqual([404, 'BET_UNKNOWN']);
  });

  it('one round: our movements, and the proof of the provider; without him our books alone', async () => {
    const { rows } = (await ask()).data;
    const detail = () =>
      bench.site.call(provider.round, { params: { id: String(rows[1]!.id) } }, { token: owner.token });
    const { data } = await detail();
    expect(data.bet).toEqual(rows[1]);
    expect(data.movements.map(({ kind, stakeMinor, paidMinor }) => [kind, stakeMinor, paidMinor])).toEqual([
      ['debit', 200, 0],
      ['credit', 0, 300],
    ]);
    expect([data.reachable, data.proof]).toEqual([true, { game: 'mines', serverSeed: 'known', moves: [] }]);
    bench.stubs.a.state = 'error';
    const alone = (await detail()).data;
    expect([alone.reachable, alone.proof, alone.movements.length]).toEqual([false, null, 2]);
  });
});

describe('reconciliation', () => {
  it('[PRV-11] [INV-19] a clean day is clean, and every planted difference is found', async () => {
    const { site, stubs, a, b } = bench;
    site.clock.advance(3 * DAY_MS);
    const chief = await site.operator();
    const other = await bench.player();
    const seat = await bench.seat(a, other);
    const day = new Date(site.clock.now).toISOString().slice(0, 10);
    const run = async () => {
      const { data } = await site.call(provider.reconcile, { body: { day } }, { token: chief });
      return data;
    };
    const theirs: Array<Record<string, unknown>> = [];
    const told = (kind: string, tx: string, round: string, amount: number, more: object = {}) =>
      theirs.push({
        tx,
        kind,
        player: seat.player,
        round,
        game: seat.game,
        currency: 'EUR',
        amount,
        at: site.clock.now,
        state: 'DONE',
        ...more,
      });
    const stakes: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { round, tx } = await bench.debit(a, seat, 100);
      stakes.push(tx);
      told('debit', tx, round, 100);
      const win = newTx();
      await bench.send(a, { op: 'credit', ...seat, round, tx: win, amount: 40 * n, closed: true, ref: tx });
      told('credit', win, round, 40 * n);
    }
    // One stake was taken back; of another only the provider knows that it was, before it ever came here.
    const back = await bench.debit(a, seat, 500);
    const undo = newTx();
    await bench.send(a, { op: 'rollback', ...seat, round: back.round, tx: undo, ref: back.tx });
    told('rollback', undo, back.round, 500, { refTx: back.tx });
    const never = newRound();
    const gone = newTx();
    await bench.send(a, { op: 'rollback', ...seat, round: never.round, tx: gone, ref: never.tx });
    told('rollback', gone, never.round, 500, { refTx: never.tx });
    told('credit', newTx(), never.round, 70, { state: 'PENDING' });
    stubs.a.transactions = theirs;
    const clean = await run();
    expect(clean.providers.map(({ differences }) => differences)).toEqual([[], []]);
    expect(clean.providers[0]).toMatchObject({
      provider: 'Alder Games',
      reachable: true,
      pending: 1,
      ours: 14,
      theirs: 14,
    });
    expect(clean.clean).toBe(true);

    const changed = theirs.filter(({ tx }) => tx !== stakes[0]);
    changed.find(({ tx }) => tx === stakes[1])!.amount = 101;
    changed.find(({ tx }) => tx === stakes[2])!.round = 'another';
    changed.push({ ...theirs[0]!, tx: 'never-came', amount: 900 });
    stubs.a.transactions = changed;
    stubs.b.transactions = [
      {
        transaction_id: 'b-planted',
        kind: 'debit_credit',
        player_id: seat.player,
        round_id: 'b-round',
        game_code: b.game,
        currency: 'EUR',
        bet: '5.00',
        win: '7.50',
        at: site.clock.now,
        state: 'DONE',
      },
    ];
    const found = await run();
    const brief = found.providers.map(({ differences }) =>
      differences
        .map(({ kind, txId, theirsMinor, oursMinor }) => [kind, txId, theirsMinor, oursMinor] as const)
        .sort(([one], [two]) => one.localeCompare(two)),
    );
    expect(brief).toEqual([
      [
        ['amount', stakes[1], 101, 100],
        ['content', stakes[2], 100, 100],
        ['extra', stakes[0], null, 100],
        ['missing', 'never-came', 900, null],
      ],
      [['missing', 'b-planted', 1250, null]],
    ]);
    expect(found.clean).toBe(false);
    stubs.b.state = 'gone';
    const halved = await run();
    expect(halved.providers.map(({ reachable }) => reachable)).toEqual([true, false]);
    expect(halved.clean).toBe(false);
    const [newest] = (await site.call(OPERATOR_CALLS.audit, { query: { limit: '1' } }, { token: chief })).data;
    expect(newest).toMatchObject({ action: 'provider.reconcile', object: `day:${day}` });
  });

  it('[PRV-11] each day is reconciled by itself, once, when every provider answered', async () => {
    const { site, stubs } = bench;
    const nextDay = Math.ceil(site.clock.now / DAY_MS) * DAY_MS;
    const day = new Date(nextDay - DAY_MS).toISOString().slice(0, 10);
    const done = async () => {
      const records = await site.app.audit.newest(20);
      return records.filter(({ action, object }) => action === 'provider.reconcile.daily' && object === `day:${day}`)
        .length;
    };
    const tick = () => site.app.providers.tick();
    stubs.b.state = 'gone';
    site.clock.advance(nextDay + 29 * 60_000 - site.clock.now);
    await tick();
    site.clock.advance(2 * 60_000);
    await tick();
    expect(await done()).toBe(0);
    stubs.b.state = 'well';
    site.clock.advance(20 * 60_000);
    await tick();
    await tick();
    expect(await done()).toBe(1);
  });
});
