import { randomBytes } from 'node:crypto';
import {
  commitOf,
  createStream,
  finish,
  newRound,
  recordOf,
  settle,
  sharedSeed,
  TABLES,
  verifyRound,
} from '@fairgame/casino';
import { type BodyOf, CALLS, type CardData, type CardTable, CodedError, cardDataEvent } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placingRoutes } from '../src/bets/placing.ts';
import { createNames } from '../src/bets/rows.ts';
import { createSeedChain, type Drawn } from '../src/casino/seeds.ts';
import type { Committed } from '../src/core/core.ts';
import { silent } from '../src/db/db.ts';
import { createKeyring } from '../src/keyring.ts';
import { holdToDocuments } from './documented.ts';
import { makeServer, type TestServer } from './server.ts';

const { casino, bets, account } = CALLS;
const SPEED = 40;
/** Least time between two rounds of a player, at these tables. */
const CARD_ROUND_MS = 5000 / SPEED;
let site: TestServer;
let token: string;
let userId: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  site = await makeServer({ FAIRGAME_CARD_SPEED: String(SPEED) });
  ({ token, userId } = await site.player());
});
afterAll(() => site.close());
beforeEach(() => site.clock.advance(CARD_ROUND_MS));
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

const read = async (type: string): Promise<CardTable> =>
  (await site.call(casino.table, { query: { type } }, { token })).data as CardTable;
const until = async <T>(look: () => Promise<T | null>, ms = 20_000): Promise<T> => {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come');
};
const opened = (type: string): Promise<CardTable> =>
  until(async () => {
    const table = await read(type);
    return table.round.phase === 'OPEN' ? table : null;
  });
let keys = 0;
const bodyOf = (table: CardTable, at = 0, over: Partial<BodyOf<typeof bets.card>> = {}): BodyOf<typeof bets.card> => {
  const odds = table.round.odds.filter((one) => one.open && one.back !== null)[at]!;
  return {
    key: `card-bet-${String(++keys).padStart(12, '0')}`,
    betId: table.round.betId,
    matchId: table.matchId,
    runnerId: odds.runnerId,
    bettingType: 'BACK',
    odd: odds.back!,
    stake: 1000,
    window: table.round.window,
    ...over,
  };
};
const place = (body: BodyOf<typeof bets.card>) => site.call(bets.card, { body }, { token });

function follow(code: string): { socket: Socket; seen: CardData[] } {
  const socket = io(`${site.url}/card`, { auth: { token }, transports: ['websocket'], forceNew: true });
  sockets.push(socket);
  const seen: CardData[] = [];
  socket.on(cardDataEvent(code), (data: CardData) => seen.push(data));
  socket.on('connect', () => socket.emit('joinTable', { code }));
  return { socket, seen };
}

describe('card tables', () => {
  it('[CAS-02] [CAS-09] [CAS-07] the lobby has a tile for each of the 31 routed tables, and one for worli by its code', async () => {
    const tiles = (await site.call(casino.tiles, {}, { token })).data!;
    expect(tiles).toHaveLength(32);
    expect(tiles.filter(({ url }) => url.startsWith('/casino/')).map(({ url }) => url)).toEqual(['/casino/worli']);
    for (const tile of tiles)
      expect(tile).toMatchObject({
        game_id: expect.any(String),
        url: expect.stringMatching(/^\//),
        imgSrc: `/casino/${tile.code}.svg`,
        name: expect.stringMatching(/./),
      });
    expect(Object.keys(TABLES)).toHaveLength(32);
  });

  it('[CAS-11] [CAS-12] [OPN-64] [API-37] a table answers its round, odds, results and the own standing', async () => {
    const table = await opened('teen20');
    expect(table.videoInfo.mid).toBe(table.round.mid);
    expect(table.round).toMatchObject({
      phase: 'OPEN',
      serverSeed: null,
      cards: [],
      commit: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(table.round.odds.length).toBeGreaterThan(1);
    for (const odds of table.round.odds)
      expect(odds).toMatchObject({ minMinor: expect.any(Number), maxMinor: expect.any(Number) });
    const initial = (await site.call(casino.initial, { query: { type: 'teen20' } }, { token })).data!;
    expect(initial.code).toBe('teen20');
    expect((await site.call(casino.table, { query: { type: 'nothing' } }, { token })).error?.code).toBe(
      'MATCH_UNKNOWN',
    );
  });

  it('[OPN-43] [SOC-06] [SOC-07] [CAS-14] [API-38] [REP-19] a bet is taken, dealt, settled and verified in the open', async () => {
    const { seen } = follow('lucky7');
    const main = io(`${site.url}/`, { auth: { token }, transports: ['websocket'], forceNew: true });
    sockets.push(main);
    const misfits: string[] = [];
    holdToDocuments(main, misfits);
    const told: string[] = [];
    let cardResult: { betType?: string; text?: string } = {};
    main.onAny((event: string, message: object) => {
      told.push(event);
      if (event === 'cardResult') cardResult = message;
    });
    const before = (await site.call(account.profile, {}, { token })).data!.userBal.currentBalance;
    const table = await opened('lucky7');
    const answer = await place(bodyOf(table));
    expect(answer.data?.bet).toMatchObject({
      marketBetType: 'CARD',
      eventType: 'casino',
      eventName: 'Lucky 7 A',
      matched: 1000,
      status: 'COMPLETE',
    });
    expect(answer.data?.wallet.exposure).toBe(1000);
    const after = await until(async () => {
      const now = await read('lucky7');
      return now.topTenResult[0]?.mid === table.round.mid ? now : null;
    });
    const detail = (await site.call(casino.resultDetail, { query: { mid: table.round.mid } }, { token })).data!;
    expect(detail.round.commit).toBe(table.round.commit);
    expect(detail.round.serverSeed).toMatch(/^[0-9a-f]{64}$/);
    expect(detail.result).toEqual(after.topTenResult[0]);
    const mine = (await site.call(bets.list, { query: { betId: `inArr[${table.round.betId}]` } }, { token })).data!
      .rows;
    expect(mine).toHaveLength(1);
    expect(['WIN', 'LOSS']).toContain(mine[0]!.result);
    // The statement says it as the table did, and the table's name once.
    const { rows: entries } = (
      await site.call(account.transactions, { params: { userId: String(userId) }, query: {} }, { token })
    ).data!;
    expect(entries.map(({ description }) => description)).toContain(
      `Lucky 7 A / Round ${table.round.roundNo}: ${detail.result.text}`,
    );
    const profile = (await site.call(account.profile, {}, { token })).data!;
    expect(profile.userBal).toMatchObject({ currentBalance: before + mine[0]!.profitLoss, exposure: 0 });
    await until(async () => (told.includes('cardResult') ? true : null));
    expect(told).toContain('userCardBetPlaced');
    expect(misfits).toEqual([]);
    expect(cardResult).toMatchObject({
      matchId: table.matchId,
      betId: table.round.betId,
      betType: 'card',
      text: `Lucky 7 A, Round ${table.round.roundNo}: ${detail.result.text}`,
    });
    const numbers = seen.map((data) => data.n);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(seen.some((data) => data.round.phase === 'LOCKED')).toBe(true);
    // Nothing that was told before the result names the seed of its round.
    for (const data of seen)
      if (data.round.phase !== 'RESULT' && data.round.phase !== 'VOID') expect(data.round.serverSeed).toBeNull();
  });

  it('a bet for another window, round, price or beyond the limits is refused with its code, and nothing is taken', async () => {
    const table = await opened('dt20');
    const cases: Array<[Partial<BodyOf<typeof bets.card>>, string]> = [
      [{ window: 7 }, 'MARKET_VERSION'],
      [{ odd: 999 }, 'PRICE_CHANGED'],
      [{ runnerId: 900 }, 'RUNNER_UNKNOWN'],
      [{ stake: 1 }, 'STAKE_TOO_SMALL'],
      [{ stake: 900_000_000 }, 'STAKE_TOO_LARGE'],
      [{ matchId: 1 }, 'MARKET_UNKNOWN'],
    ];
    for (const [over, code] of cases)
      expect([code, (await place(bodyOf(table, 0, over))).error?.code]).toEqual([code, code]);
    const locked = await until(async () => {
      const now = await read('dt20');
      return now.round.mid === table.round.mid && now.round.phase !== 'OPEN' ? now : null;
    });
    expect((await place({ ...bodyOf(table), betId: locked.round.betId })).error?.code).toBe('MARKET_CLOSED');
    expect((await site.call(account.profile, {}, { token })).data!.userBal.exposure).toBe(0);
  });

  it("the largest bet on a selection binds at every door, also where its market's is larger", async () => {
    const table = await opened('dt20');
    const largest = Math.max(...table.round.odds.map((one) => one.maxMinor));
    const at = table.round.odds
      .filter((one) => one.open && one.back !== null)
      .findIndex((one) => one.maxMinor < largest);
    const { window: _window, ...body } = bodyOf(table, at);
    const stake = table.round.odds.find((one) => one.runnerId === body.runnerId)!.maxMinor + 1;
    const key = () => bodyOf(table).key;
    expect(stake).toBeLessThan(largest);
    const alone = await Promise.all(
      [bets.card, bets.place].map((door) => site.call(door, { body: { ...body, stake, key: key() } }, { token })),
    );
    expect(alone.map(({ error }) => error?.code)).toEqual(['STAKE_TOO_LARGE', 'STAKE_TOO_LARGE']);
    const many = await site.call(bets.placeMany, { body: { bets: [{ ...body, stake, key: key() }] } }, { token });
    expect(many.data!.answers).toMatchObject([{ code: 'STAKE_TOO_LARGE', field: 'stake' }]);
  });

  it("a player's word goes into the next round's public seed, is closed before its betting opens, and can be checked", async () => {
    const table = await opened('dt20');
    const say = (mid: string, seed: string) =>
      site.call(casino.clientSeed, { body: { type: 'dt20', mid, seed } }, { token });
    expect((await say(table.round.mid, 'mine alone')).data).toEqual({
      seed: 'mine alone',
      roundNo: table.round.roundNo + 1,
    });
    expect((await say(table.round.mid, 'two\nlines')).error).toMatchObject({ code: 'BAD_INPUT', field: 'seed' });
    expect((await read('dt20')).round.clientSeed).toBe(table.round.clientSeed);
    const next = await until(async () => {
      const { round } = await read('dt20');
      return round.roundNo > table.round.roundNo && round.mid !== '' ? round : null;
    });
    // Whoever speaks while bets are taken speaks for the round after.
    expect((await say(table.round.mid, 'late')).error).toMatchObject({ code: 'MARKET_CLOSED', field: 'mid' });
    await say(next.mid, 'seen the bets');
    expect(next).toMatchObject({ words: ['mine alone'], baseSeed: table.round.clientSeed });
    expect(next.clientSeed).toBe(sharedSeed(table.round.clientSeed, ['mine alone']));
    await until(async () => ((await read('dt20')).topTenResult[0]?.mid === next.mid ? true : null));
    const { round, result } = (await site.call(casino.resultDetail, { query: { mid: next.mid } }, { token })).data!;
    expect(round).toMatchObject({ commit: next.commit, clientSeed: next.clientSeed, words: next.words });
    const record = {
      code: 'dt20',
      commit: round.commit,
      serverSeed: round.serverSeed!,
      clientSeed: round.clientSeed,
      nonce: round.nonce,
      words: round.words,
      baseSeed: round.baseSeed,
      cards: round.cards.map((card) => card.code!),
      win: result!.win,
    };
    expect(verifyRound(record)).toMatchObject({ ok: true });
    expect(verifyRound({ ...record, words: ['not mine'] })).toMatchObject({ ok: false, wordsHold: false });
  });

  it('the seed of a round is the commitment of the next one, and the public seed goes on', async () => {
    const { seen } = follow('war');
    const rounds = await until(async () => {
      const over = new Map(
        seen.flatMap(({ round }) => (round.phase === 'RESULT' ? [[round.mid, round] as const] : [])),
      );
      return over.size >= 2 ? [...over.values()] : null;
    });
    const [one, two] = rounds;
    expect(two!.commit).toBe(one!.serverSeed);
    expect(one!.nextCommit).toBe(two!.commit);
    expect(two!.baseSeed).toBe(one!.clientSeed);
    expect([two!.nonce, one!.nonce]).toEqual([two!.roundNo, two!.roundNo - 1]);
  });

  it('while bets are open no row of the database tells what the round will be dealt from', async () => {
    const tables = await site.app.db.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    );
    // A slow machine may read on beyond the lock: then the next round is read.
    const { table, rows, dump } = await until(async () => {
      const before = await opened('baccarat');
      const everything = await Promise.all(tables.map(({ name }) => site.app.db.query(`SELECT * FROM "${name}"`)));
      const { round } = await read('baccarat');
      if (round.mid !== before.round.mid || round.phase !== 'OPEN') return null;
      const all = everything.flat();
      return { table: before, rows: all.length, dump: all.map((row) => JSON.stringify(row)).join('') };
    });
    const seed = await until(async () => {
      const { round } = await read('baccarat');
      return round.mid === table.round.mid && round.serverSeed !== null ? round.serverSeed : null;
    });
    expect(rows).toBeGreaterThan(50);
    expect(dump).toContain(table.round.commit);
    expect(dump).not.toContain(seed);
    // Nor anything that one step of hashing makes the seed of.
    for (const text of new Set(dump.match(/[0-9a-f]{64}/g))) expect(commitOf(text)).not.toBe(seed);
  });

  it('what is public before the lock deals none of the cards to come', async () => {
    // Six cards: none of the guesses meets them by chance.
    const code = 'teen20' as const;
    const revealed: string[] = [];
    let guesses = 0;
    let right = 0;
    for (let n = 0; n < 12; n++) {
      const { seen, socket } = follow(code);
      const table = await opened(code);
      const { mid, commit, clientSeed, nonce } = table.round;
      await until(async () => ((await read(code)).topTenResult[0]?.mid === mid ? true : null));
      socket.disconnect();
      const { round, result } = (await site.call(casino.resultDetail, { query: { mid } }, { token })).data!;
      const cards = round.cards.map((card) => card.code).join();
      // Everything that was told of this round before its first card, and before: no seed, no card, in no field.
      const early = JSON.stringify([
        table,
        ...seen.filter((data) => data.round.mid === mid && data.round.cards.length === 0),
      ]);
      expect(early).not.toContain(round.serverSeed);
      expect(round.cards.every((card) => !early.includes(`"code":"${card.code}"`))).toBe(true);
      // An attacker's keys: the hash itself, what it is made from in other rounds, and their hashes and neighbours.
      const last = revealed.at(-1);
      const keys = [commit, commitOf(commit), commitOf(clientSeed), commitOf(mid), commitOf(`${commit}${mid}`)];
      if (last) {
        const stream = createStream({ serverSeed: last, clientSeed, nonce: nonce + 1 });
        const next = Array.from({ length: 8 }, () => stream.uint32().toString(16).padStart(8, '0')).join('');
        keys.push(last, commitOf(last), commitOf(`${last}${commit}`), next);
      }
      for (const serverSeed of keys) {
        const guess = recordOf(finish(newRound(code, { serverSeed, clientSeed, nonce })));
        expect(guess.cards.join()).not.toBe(cards);
        guesses += 1;
        if (guess.win === result!.win) right += 1;
      }
      revealed.push(round.serverSeed!);
    }
    expect(new Set(revealed).size).toBe(revealed.length);
    // A or B by chance is right half the time; a key that worked would be right always.
    expect(guesses).toBeGreaterThan(100);
    expect(right / guesses).toBeLessThan(0.75);
  }, 120_000);

  it('[CAR-03] the same key at a table is one bet', async () => {
    const table = await opened('teen');
    const body = bodyOf(table);
    const [one, other] = await Promise.all([place(body), place(body)]);
    expect(one.data?.bet.id).toBe(other.data?.bet.id);
  });

  it('[API-38] [REP-06] [REP-07] [API-56] [ENT-04] [OPN-35] the card report pages 15 rows, newest first, with a closed filter', async () => {
    await until(async () =>
      (await site.call(casino.results, { params: { id: 'lucky7' } }, { token })).data!.length >= 2 ? true : null,
    );
    const report = (await site.call(casino.report, { params: { type: 'lucky7' }, query: {} }, { token })).data!;
    expect([report.page, report.limit]).toEqual([1, 15]);
    const times = report.rows.map((row) => row.createdAt);
    expect(times).toEqual([...times].sort().reverse());
    const asc = (
      await site.call(
        casino.report,
        { params: { type: 'lucky7' }, query: { sort: 'cardResult.createdAt:ASC', limit: '1' } },
        { token },
      )
    ).data!;
    const lastPage = Math.ceil(report.total / report.limit);
    const oldest = (
      await site.call(casino.report, { params: { type: 'lucky7' }, query: { page: String(lastPage) } }, { token })
    ).data!;
    expect(asc.rows[0]!.createdAt).toBe(oldest.rows.at(-1)!.createdAt);
    expect(
      (await site.call(casino.report, { params: { type: 'lucky7' }, query: { sort: 'seed:ASC' } }, { token })).error
        ?.code,
    ).toBe('BAD_FILTER');
    const found = (
      await site.call(
        casino.report,
        { params: { type: 'lucky7' }, query: { searchBy: 'mid', keyword: report.rows[0]!.mid } },
        { token },
      )
    ).data!;
    expect(found.rows.map((row) => row.mid)).toEqual([report.rows[0]!.mid]);
  });

  it('the report has the cards of each round, and a player his own rounds with what each brought, page by page', async () => {
    const other = await site.player();
    const asOther = { token: other.token };
    const mine = async (query: { before?: string } = {}) =>
      (await site.call(casino.myRounds, { params: { type: 'dt20' }, query }, asOther)).data!;
    expect(await mine()).toEqual({ rows: [], next: null });
    // Both in one round, or one where the round was locked between them.
    const { table, taken } = await until(async () => {
      const open = await opened('dt20');
      const answers = await Promise.all([0, 1].map((at) => site.call(bets.card, { body: bodyOf(open, at) }, asOther)));
      const placed = answers.filter(({ status }) => status === 200).length;
      return placed > 0 ? { table: open, taken: placed } : null;
    });
    await until(async () => ((await read('dt20')).topTenResult[0]?.mid === table.round.mid ? true : null));
    const report = (await site.call(casino.report, { params: { type: 'dt20' }, query: {} }, asOther)).data!;
    const reported = report.rows.find((one) => one.mid === table.round.mid)!;
    expect(reported.cards).toHaveLength(2);
    const settled = (await site.call(bets.list, { query: { betId: `eq${table.round.betId}` } }, asOther)).data!;
    const { cards: _, ...result } = reported;
    expect(await mine()).toEqual({
      rows: [{ ...result, bets: taken, stake: 1000 * taken, net: settled.totals.profitLoss }],
      next: null,
    });
    // Nobody else's, of no other table, and none older than asked for.
    expect((await site.call(casino.myRounds, { params: { type: 'teen' }, query: {} }, asOther)).data!.rows).toEqual([]);
    expect((await mine({ before: String(Math.min(...settled.rows.map(({ id }) => id))) })).rows).toEqual([]);
  });

  it('a bet on chosen ranks is named by the letters of the cards', async () => {
    const other = await site.player();
    const table = await opened('3cardj');
    const answer = await site.call(bets.card, { body: bodyOf(table, 0, { pick: [1, 5, 13] }) }, { token: other.token });
    expect([answer.error?.code, answer.data?.bet.teamName]).toEqual([undefined, 'Yes A, 5, K']);
  });

  it('Yes and No have their own lines in /match/card, and a bet at each is taken', async () => {
    const other = await site.player();
    const table = await opened('race20');
    const row = table.round.odds.find(({ sel }) => sel === '5')!;
    expect(row).toMatchObject({ line: 83, noLine: 79 });
    const take = (bettingType: 'BACK' | 'LAY', odd: number, line: number) =>
      site.call(
        bets.card,
        { body: bodyOf(table, 0, { runnerId: row.runnerId, bettingType, odd, line }) },
        { token: other.token },
      );
    expect((await take('LAY', row.lay!, row.line!)).error?.code).toBe('LINE_CHANGED');
    expect((await take('LAY', row.lay!, row.noLine!)).status).toBe(200);
    expect((await take('BACK', row.back!, row.line!)).status).toBe(200);
  });

  it('[CAR-25] a demo player plays at the same table with play money of his own', async () => {
    const demo = (await site.call(CALLS.auth.demo)).data!;
    const table = await opened('teen20');
    const answer = await site.call(bets.card, { body: bodyOf(table) }, { token: demo.token });
    expect(answer.data?.bet.matched).toBe(1000);
    expect(
      (await site.call(bets.list, { query: { betId: `inArr[${table.round.betId}]` } }, { token })).data!.rows,
    ).toEqual([]);
  });
});

describe('seeds of a table', () => {
  const KEY = randomBytes(32);
  const chainOf = (code: string, key = KEY) =>
    createSeedChain({
      db: site.app.db,
      code,
      keyring: createKeyring([key]),
      clock: site.clock,
      log: silent,
      length: 3,
    });

  it('are a chain whose head is public first; the next chain is promised before the last seed is used', async () => {
    const chain = chainOf('test-chain');
    const drawn: Drawn[] = [];
    for (let n = 0; n < 4; n++) {
      const one = await chain.draw();
      expect(await chain.draw()).toEqual(one);
      await site.app.db.tx((q) => chain.use(q, one));
      drawn.push(one);
    }
    expect(drawn.map(({ chain: no, link }) => [no, link])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ]);
    for (const at of [0, 1]) expect(commitOf(drawn[at + 1]!.serverSeed)).toBe(drawn[at]!.serverSeed);
    expect(drawn.map(({ nextCommit }) => nextCommit)).toEqual([null, null, commitOf(drawn[3]!.serverSeed), null]);
    const [head] = await site.app.db.query("SELECT commit FROM card_chains WHERE code = 'test-chain' AND chain = 1");
    expect(head).toEqual({ commit: commitOf(drawn[0]!.serverSeed) });
    for (const one of drawn) expect(await chain.seedAt(one)).toBe(one.serverSeed);
    await expect(site.app.db.tx((q) => chain.use(q, drawn[3]!))).rejects.toThrow('was used before');
  });

  it('of a chain that the site can no longer open are lost, and a new one begins', async () => {
    const first = await chainOf('lost-chain').draw();
    await site.app.db.tx((q) => chainOf('lost-chain').use(q, first));
    const other = chainOf('lost-chain', randomBytes(32));
    expect(await other.seedAt(first)).toBeNull();
    expect(await other.draw()).toMatchObject({ chain: 2, link: 1 });
  });
});

describe('rounds that an interruption left open', () => {
  /** Resolves when the table was told that the outcome of its declaration is not known. */
  function loseDeclaration(marketId: number): Promise<void> {
    const { core } = site.app;
    const submitAll = core.submitAll.bind(core);
    return new Promise((resolve) => {
      core.submitAll = (requests) => {
        const { command } = requests[0]!;
        if (command.type !== 'market.declare' || command.marketId !== marketId) return submitAll(requests);
        core.submitAll = submitAll;
        resolve();
        return Promise.resolve([new CodedError('INTERNAL')]);
      };
    });
  }

  it('are finished though nobody looks', async () => {
    const { core } = site.app;
    const tile = (await site.call(casino.tiles, {}, { token })).data!.find(({ code }) => code === 'aaa')!;
    const { socket, seen } = follow('aaa');
    const { round } = await until(async () => seen.find((data) => data.round.phase === 'OPEN') ?? null);
    const table = { round, matchId: Number(tile.game_id) } as CardTable;
    expect((await place(bodyOf(table))).status).toBe(200);
    // A connection that breaks: whether the result was taken is not known, and the table gives the round up.
    const lost = loseDeclaration(round.betId);
    socket.disconnect();
    await lost;
    // Everybody has left long ago.
    site.clock.advance(3_600_000);
    expect(await until(async () => (core.read.market(round.betId)?.status === 'CLOSED' ? true : null))).toBe(true);
    const mine = (await site.call(bets.list, { query: { betId: `inArr[${round.betId}]` } }, { token })).data!.rows;
    expect(['WIN', 'LOSS']).toContain(mine[0]!.result);
  });

  it("nobody is there any more after half a minute, though the machine's clock was set back by an hour", async () => {
    const { db } = site.app;
    const rounds = async () =>
      (await db.query<{ count: number }>("SELECT count(*) FROM card_rounds WHERE code = 'teen'"))[0]!.count;
    const { socket, seen } = follow('teen');
    await until(async () => (seen.length > 0 ? true : null));
    socket.disconnect();
    const left = await rounds();
    // It lingers, so whoever left is known to have left.
    await until(async () => ((await rounds()) > left + 1 ? true : null));
    site.clock.now -= 3_600_000;
    const back = await rounds();
    await until(async () => ((await rounds()) > back ? true : null));
    site.clock.advance(31_000);
    const last = await rounds();
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(await rounds()).toBeLessThanOrEqual(last + 1);
  });

  it('a long queue does not stop a table: its commands are taken past load shedding', async () => {
    const { core } = site.app;
    const asked: Array<[string, boolean | undefined]> = [];
    const submitAll = core.submitAll.bind(core);
    core.submitAll = (requests) => {
      for (const { command, urgent } of requests) asked.push([command.type, urgent]);
      return submitAll(requests);
    };
    try {
      const table = await opened('dt6');
      await until(async () => ((await read('dt6')).topTenResult[0]?.mid === table.round.mid ? true : null));
    } finally {
      core.submitAll = submitAll;
    }
    expect(new Set(asked.map(([type]) => type))).toContain('market.declare');
    expect(asked.filter(([, urgent]) => urgent !== true)).toEqual([]);
  });

  it('are paid back where the seed is lost', async () => {
    const { core, db } = site.app;
    const table = await opened('teen9');
    const before = (await site.call(account.profile, {}, { token })).data!.userBal.currentBalance;
    expect((await place(bodyOf(table))).status).toBe(200);
    const [row] = await db.query<{ link: number }>('SELECT link FROM card_rounds WHERE mid = $1', [table.round.mid]);
    await db.query('UPDATE card_rounds SET chain = 999 WHERE mid = $1', [table.round.mid]);
    await loseDeclaration(table.round.betId);
    await until(async () => (core.read.market(table.round.betId)?.status === 'CLOSED' ? true : null));
    expect(row!.link).toBeGreaterThan(0);
    const profile = (await site.call(account.profile, {}, { token })).data!;
    expect(profile.userBal).toMatchObject({ currentBalance: before, exposure: 0 });
    expect((await site.call(casino.resultDetail, { query: { mid: table.round.mid } }, { token })).error?.code).toBe(
      'NOT_FOUND',
    );
  });
});

describe('windows long enough for a busy machine', () => {
  const fast: { site?: TestServer; token?: string } = {};
  beforeAll(async () => {
    Object.assign(fast, { site, token });
    site = await makeServer({ FAIRGAME_CARD_SPEED: '4' });
    ({ token } = await site.player());
  });
  afterAll(async () => {
    await site.close();
    site = fast.site!;
    token = fast.token!;
  });

  it('every kind of bet of Worli Matka is taken, held at all its stakes, and settled by the cards', async () => {
    const other = await site.player();
    const table = await opened('worli');
    const { selections } = TABLES.worli.game;
    const picks: Record<string, number[]> = { Pana: [1, 2, 8], Cycle: [5, 6], 'Motor SP': [1, 2, 3, 4] };
    const places = selections
      .filter(({ id }) => id >= 20)
      .map((selection) => {
        const pick = selection.pick ? (picks[selection.name] ?? [3]) : undefined;
        return { selection, pick, stake: 200, odd: selection.price!.back! };
      });
    const answers = await Promise.all(
      places.map(({ selection, pick, stake, odd }) =>
        site.call(
          bets.card,
          { body: bodyOf(table, 0, { runnerId: selection.id, odd, stake, ...(pick ? { pick } : {}) }) },
          { token: other.token },
        ),
      ),
    );
    expect(answers.map(({ error }) => error?.code)).toEqual(places.map(() => undefined));
    const risks = places.map(({ selection, pick, stake }) => stake * selection.units(pick ?? []));
    expect(answers.map(({ data }) => data.bet.lossAmount)).toEqual(risks);
    await until(async () => ((await read('worli')).topTenResult[0]?.mid === table.round.mid ? true : null));
    const [row] = await site.app.db.query<{ voided: boolean }>('SELECT voided FROM card_rounds WHERE mid = $1', [
      table.round.mid,
    ]);
    expect(row!.voided).toBe(false);
    const query = { betId: `inArr[${table.round.betId}]`, limit: '100' };
    const mine = (await site.call(bets.list, { query }, { token: other.token })).data!.rows;
    expect(mine).toHaveLength(22);
    const detail = (await site.call(casino.resultDetail, { query: { mid: table.round.mid } }, { token })).data!;
    const { serverSeed, clientSeed, nonce } = detail.round;
    const dealt = finish(newRound('worli', { serverSeed: serverSeed!, clientSeed, nonce }));
    for (const [at, { selection, pick, stake, odd }] of places.entries()) {
      const bet = {
        selectionId: selection.id,
        side: 'BACK' as const,
        price: odd,
        stakeMinor: stake,
        ...(pick ? { pick } : {}),
      };
      const { profitLoss } = mine.find(({ id }) => id === answers[at]!.data.bet.id)!;
      expect([selection.name, profitLoss]).toEqual([selection.name, settle(dealt, bet).profitMinor]);
    }
  });

  it('[PP-12] a second round is begun five seconds after the first at the earliest, at whatever table; a refused bet begins none', async () => {
    const begin = async (type: string, over: Partial<BodyOf<typeof bets.card>> = {}) =>
      place(bodyOf(await opened(type), 0, over));
    expect((await begin('teen20', { odd: 999 })).error?.code).toBe('PRICE_CHANGED');
    const table = await opened('dt20');
    expect((await place(bodyOf(table))).status).toBe(200);
    expect((await begin('lucky7')).error?.code).toBe('TOO_FAST');
    expect((await place(bodyOf(table, 1))).status).toBe(200);
    site.clock.advance(5000 / 4);
    expect((await begin('lucky7')).status).toBe(200);
    // The machine's clock is set back by an hour: nobody waits for that.
    site.clock.now -= 3_600_000;
    expect((await begin('teen20')).error?.code).toBe('TOO_FAST');
    site.clock.advance(5000 / 4);
    expect((await begin('teen20')).status).toBe(200);
  });

  it('[PP-12] a round that the player began at another gateway counts', async () => {
    const { core } = site.app;
    const taken: Array<Committed['items'][number]> = [];
    const stop = core.onCommitted(({ items }) =>
      taken.push(...items.filter(({ command }) => command.type === 'quote.take')),
    );
    site.clock.advance(5000 / 4);
    const first = bodyOf(await opened('ab20'));
    expect((await place(first)).status).toBe(200);
    const { command, world, actor } = taken[0] as (typeof taken)[0] & { command: { price: number } };
    site.clock.advance(5000 / 4);
    const { betId: marketId, runnerId, odd } = bodyOf(await opened('dtl20'));
    const price = Math.round((command.price / first.odd) * odd);
    await core.submit({ world, actor, command: { ...command, marketId, runnerId, price } as Command });
    stop();
    expect((await place(bodyOf(await opened('baccarat')))).error?.code).toBe('TOO_FAST');
    site.clock.advance(5000 / 4);
    expect((await place(bodyOf(await opened('baccarat')))).status).toBe(200);
  });
});

describe('rounds begun at two gateways at once', () => {
  it('[PP-12] one of two is taken at the card tables', async () => {
    const { core, db, catalog, casino: cards } = site.app;
    const names = createNames({ db, catalog, tableOf: (eventId) => cards.tableOf(eventId) });
    /** A gateway's room of bets, which has seen nothing of another's. */
    const gateway = () => {
      const routes = new Map<string, (asked: object) => Promise<unknown>>();
      const http = { route: (call: { name: string }, handler: never) => routes.set(call.name, handler) };
      const parts = { db, core, catalog, names, cards, steady: site.clock, cardRoundMs: CARD_ROUND_MS };
      placingRoutes(http as never, parts);
      return routes.get('bet.card')!;
    };
    // A window may close before both bets are there: then it is tried with the next ones, by somebody else.
    const codes = await until(async () => {
      const { userId: accountId } = await site.player();
      const tables = await Promise.all([read('teen20'), read('dt20')]);
      const told = tables.map(async (table, at) =>
        table.round.phase === 'OPEN'
          ? gateway()({ session: { accountId, world: 'real' }, body: bodyOf(table), requestId: `at-${at}` }).then(
              () => 'taken',
              (error: CodedError) => error.code,
            )
          : null,
      );
      const codes = await Promise.all(told);
      return codes.every((code) => code === 'taken' || code === 'TOO_FAST') ? codes : null;
    });
    expect(codes.sort()).toEqual(['TOO_FAST', 'taken']);
  });
});

describe('the socket of the tables', () => {
  it('follows tables side by side, four at most, and leaves each by its name', async () => {
    const { socket, seen: first } = follow('teen20');
    const rest = ['dt20', 'lucky7', 'baccarat', 'ab20'] as const;
    const seen = new Map<string, CardData[]>([['teen20', first]]);
    for (const code of rest) {
      seen.set(code, []);
      socket.on(cardDataEvent(code), (data: CardData) => seen.get(code)!.push(data));
    }
    const heard = (code: string, count: number) => until(async () => (seen.get(code)!.length >= count ? true : null));
    await heard('teen20', 1);
    for (const code of rest.slice(0, 3)) socket.emit('joinTable', { code });
    for (const code of seen.keys()) if (code !== 'ab20') await heard(code, 2);
    // The fifth takes the place of the one that was joined first.
    socket.emit('joinTable', { code: 'ab20' });
    await heard('ab20', 1);
    const before = first.length;
    socket.emit('leaveTable', { code: 'dt20' });
    await socket.timeout(5000).emitWithAck('leaveTable', { code: 'nobody' });
    const left = seen.get('dt20')!.length;
    for (const code of ['lucky7', 'baccarat', 'ab20']) await heard(code, seen.get(code)!.length + 3);
    expect([first.length, seen.get('dt20')!.length]).toEqual([before, left]);
    expect(await socket.timeout(5000).emitWithAck('leaveTable', { code: 7 })).toMatchObject({ error: 'BAD_INPUT' });
    await socket.timeout(5000).emitWithAck('leaveTable');
    const all = () => [...seen.values()].map(({ length }) => length);
    const still = all();
    socket.emit('joinTable', { code: 'teen20' });
    await heard('teen20', first.length + 3);
    expect(all().slice(1)).toEqual(still.slice(1));
  });
});

// The last of the file: a table that was looked at plays on, and 32 of them would slow the rounds of the others.
describe('all tables', () => {
  it('[CAS-12] [OPN-64] [API-37] the round, odds, cards and players of each code are those of the contract', async () => {
    for (const code of Object.keys(TABLES)) {
      const { error } = casino.table.reply.safeParse(await read(code));
      expect([code, error?.issues]).toEqual([code, undefined]);
    }
  });
});
