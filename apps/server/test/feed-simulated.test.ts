import { createHash } from 'node:crypto';
import { tickIndex } from '@fairgame/contract';
import type { Command, MarketDef, QuoteRow, Result } from '@fairgame/exchange';
import { apply, createState, MAX_BETS } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import type { FeedEvent, FeedOutput, Score } from '../src/feed/feed.ts';
import { cricketScore } from '../src/feed/simulated/cricketScore.ts';
import {
  advance,
  countSlate,
  createSlate,
  type Ids,
  loadSlate,
  saveSlate,
  simulatedFeed,
} from '../src/feed/simulated/simulated.ts';
import { priceAnew } from '../src/feed/simulated/slate.ts';

const START = Date.UTC(2026, 10, 20, 14, 3, 7);
const HOUR = 3_600_000;

function counter(from = 1000): Ids {
  let last = from;
  return { next: () => ++last };
}

/** One batch a step, given on at once: nobody looks at one twice. */
function* run(seed: string, steps: number, stepMs: number, watched?: (eventId: number) => boolean) {
  const ids = counter();
  const slate = createSlate(seed, START, ids);
  for (let i = 0; i <= steps; i++) yield advance(slate, START + i * stepMs, ids, watched);
}

function digest(batches: Iterable<FeedOutput[]>): string {
  const hash = createHash('sha256');
  for (const batch of batches) hash.update(JSON.stringify(batch));
  return hash.digest('hex');
}

const PLAY = new Set<Command['type']>(['market.create', 'market.declare', 'runner.remove']);

/** What does not depend on how often the slate is asked. */
function playOf(batches: Iterable<FeedOutput[]>): string[] {
  const play: string[] = [];
  for (const batch of batches)
    for (const o of batch) if (o.type === 'command' && PLAY.has(o.command.type)) play.push(JSON.stringify(o.command));
  return play;
}

describe('simulated slate', () => {
  it('gives the same outputs for the same seed, others for another', () => {
    const first = digest(run('5', 120, 1000));
    expect(digest(run('5', 120, 1000))).toBe(first);
    expect(digest(run('6', 120, 1000))).not.toBe(first);
  });

  it('opens no market in which an account may have any number of bets', () => {
    const created = playOf(run('5', 1, 1000)).map((text) => JSON.parse(text) as Command);
    const bounds = created.flatMap((command) => (command.type === 'market.create' ? [command.market.maxBets] : []));
    expect(bounds.length).toBeGreaterThan(50);
    expect(new Set(bounds)).toEqual(new Set([MAX_BETS]));
  });

  it('plays the same match however finely it is asked and whoever watches', () => {
    const fine = playOf(run('9', 600, 1000, () => true));
    const coarse = playOf(run('9', 30, 20_000));
    expect(fine.length).toBeGreaterThan(500);
    expect(coarse).toEqual(fine);
  });

  it('goes on from a stored slate with every open market shown anew', () => {
    const ids = counter();
    const slate = createSlate('3', START, ids);
    advance(slate, START + 60_000, ids);
    const copy = loadSlate(saveSlate(slate));
    const copyIds = counter(copy.lastId);
    const onward = advance(slate, START + 600_000, ids);
    const again = advance(copy, START + 600_000, copyIds);
    expect(playOf([again])).toEqual(playOf([onward]));
    const opened = new Set<number>();
    const shown = new Set<number>();
    for (const o of again) {
      if (o.type !== 'command') continue;
      if (o.command.type === 'market.create') opened.add(o.command.market.marketId);
      if (o.command.type === 'market.state' && o.command.status === 'OPEN') opened.add(o.command.marketId);
      if (o.command.type === 'house.book' || o.command.type === 'house.quotes') shown.add(o.command.marketId);
    }
    for (const sim of copy.events) {
      for (const { def, status } of sim.markets) {
        if (status !== 'OPEN') continue;
        expect(opened.has(def.marketId), def.name).toBe(true);
        if (sim.inPlay) continue;
        expect(shown.has(def.marketId), def.name).toBe(true);
      }
    }
    expect(() => loadSlate('{"version":1}')).toThrow();
  });

  it('starts with matches in the middle of their play', () => {
    const ids = counter();
    const scores = advance(createSlate('11', START, ids), START, ids).flatMap((o) =>
      o.type === 'score' ? [o.score] : [],
    );
    const cricket = scores.filter((s) => s.sport === 'cricket' && s.innings.length > 0);
    expect(cricket.length).toBeGreaterThan(2);
    for (const score of cricket) {
      if (score.sport !== 'cricket') continue;
      // Lists show the note, and have no room for who won the toss.
      expect(score.toss).toContain('won the toss');
      expect(score.note).not.toContain('toss');
      const innings = score.innings[score.innings.length - 1]!;
      expect(score.batters.length).toBe(2);
      const over = score.lastOvers[0]!;
      const runs = over.balls.reduce((sum, ball) => sum + (ball === 'W' ? 0 : Number.parseInt(ball, 10)), 0);
      expect(runs).toBe(over.runs);
      expect(innings.runs).toBeGreaterThanOrEqual(over.runs);
    }
    const football = scores.filter((s) => s.sport === 'football' && s.period !== 'notStarted');
    expect(football.length).toBeGreaterThan(1);
    for (const score of football) {
      if (score.sport !== 'football') continue;
      expect(score.goals.filter((g) => g.team === 'A').length).toBe(score.goalsA);
      expect(score.goals.filter((g) => g.team === 'B').length).toBe(score.goalsB);
    }
  });

  it('says one run, and more of them, of a lead', () => {
    const slate = createSlate('11', START, counter());
    const test = slate.events.find((sim) => sim.sport === 'cricket' && sim.state.format === 'Test' && sim.inPlay);
    if (test?.sport !== 'cricket') throw new Error('no Test in play');
    const [last] = test.state.innings.slice(-1);
    const told = (lead: number) => {
      const first = { ...last!, runs: 200, team: last!.team === 'A' ? 'B' : 'A' } as const;
      test.state.innings = [first, { ...last!, runs: 200 + lead, target: 0 }];
      test.state.phase = 'betweenBalls';
      return cricketScore(test).note;
    };
    expect(told(1)).toMatch(/ lead by 1 run$/);
    expect(told(-1)).toMatch(/ trail by 1 run$/);
    expect(told(2)).toMatch(/ lead by 2 runs$/);
  });

  it('tells quotes again when asked, unless a ball came first: then every row is shut', () => {
    const ids = counter();
    const slate = createSlate('21', START, ids);
    advance(slate, START, ids);
    const seen = { ACTIVE: 0, BALL_RUNNING: 0 };
    for (let i = 1; i <= 60; i++) {
      const asked = slate.events.flatMap((sim) => {
        if (sim.sport !== 'cricket' || sim.state.phase !== 'betweenBalls') return [];
        const bookmaker = sim.markets.find(({ def, rows }) => def.kind === 'bookmaker' && rows[0]?.back);
        return bookmaker ? [{ sim, market: bookmaker }] : [];
      });
      priceAnew(slate, new Set(asked.map(({ market }) => market.def.marketId)));
      const told = advance(slate, START + i * 1000, ids).flatMap((o) =>
        o.type === 'command' && o.command.type === 'house.quotes' ? [o.command] : [],
      );
      for (const { sim, market } of asked) {
        const { phase } = sim.state;
        if (phase !== 'betweenBalls' && phase !== 'ballRunning') continue;
        const row = told.findLast(({ marketId }) => marketId === market.def.marketId)?.rows[0];
        const status = phase === 'ballRunning' ? 'BALL_RUNNING' : 'ACTIVE';
        expect(row?.status).toBe(status);
        seen[status]++;
      }
    }
    expect(seen.ACTIVE).toBeGreaterThan(20);
    expect(seen.BALL_RUNNING).toBeGreaterThan(5);
  });

  it('prices what is watched up to five times a second and leaves the rest alone', () => {
    const ids = counter();
    const slate = createSlate('21', START, ids);
    const first = advance(slate, START, ids);
    const seen = slate.events.find(
      (sim) => sim.sport === 'cricket' && sim.inPlay && sim.state.phase === 'betweenBalls',
    );
    const eventId = seen!.event.eventId;
    expect(first.length).toBeGreaterThan(500);
    const marketId = seen!.markets[0]!.def.marketId;
    let watchedBooks = 0;
    let others = 0;
    for (let i = 1; i <= 100; i++) {
      for (const o of advance(slate, START + i * 200, ids, (id) => id === eventId)) {
        if (o.type !== 'command' || o.command.type !== 'house.book') continue;
        if (o.command.marketId === marketId) watchedBooks++;
        else others++;
      }
    }
    expect(watchedBooks).toBeGreaterThan(20);
    expect(watchedBooks).toBeLessThanOrEqual(105);
    expect(others / (countSlate(slate).markets * 20)).toBeLessThan(0.25);
  });

  it('costs less than a tenth of a core with nobody watching', () => {
    const ids = counter();
    const slate = createSlate('4', START, ids);
    advance(slate, START, ids);
    const before = process.cpuUsage();
    for (let i = 1; i <= 5 * 120; i++) advance(slate, START + i * 200, ids);
    const used = process.cpuUsage(before);
    expect((used.user + used.system) / 1000 / 120_000).toBeLessThan(0.1);
  });

  it('runs on a clock at the given speed and stops', async () => {
    let real = START;
    let tick: (() => void) | null = null;
    const batches: number[] = [];
    const feed = simulatedFeed({
      seed: '2',
      ids: counter(),
      speed: 10,
      clock: {
        now: () => real,
        every: (_ms, run) => {
          tick = run;
          return () => {
            tick = null;
          };
        },
      },
    });
    const priced = new Set<number>();
    feed.start((batch, now) => {
      batches.push(now);
      for (const o of batch) {
        if (o.type !== 'command') continue;
        if (o.command.type === 'house.book' || o.command.type === 'house.quotes') priced.add(o.command.marketId);
      }
    });
    // What there is, and that there is no more.
    expect(batches).toEqual([START, START]);
    real += 1000;
    tick!();
    expect(batches.at(-1)).toBe(START + 10_000);
    expect(feed.now()).toBe(START + 10_000);
    // An hour away comes in slices, in order.
    real += 360_000;
    tick!();
    expect(batches.length).toBeGreaterThan(10);
    expect(batches).toEqual(batches.toSorted((a, b) => a - b));
    expect(feed.lastId()).toBeGreaterThan(1000);
    expect(JSON.parse(feed.save())).toMatchObject({ version: 2, seed: '2' });
    // Prices in doubt are told again, changed or not.
    const slate = JSON.parse(feed.save()) as { events: Array<{ markets: Array<{ def: { marketId: number } }> }> };
    const ids = slate.events.flatMap((sim) => sim.markets.map((market) => market.def.marketId));
    priced.clear();
    feed.again!(ids);
    tick!();
    expect(priced.size).toBeGreaterThan(ids.length / 2);
    await feed.stop();
    expect(tick).toBeNull();
    // A slate that ran ahead of the clock goes on at once after a restart.
    const ahead = feed.now();
    const again = simulatedFeed({
      seed: '2',
      ids: counter(feed.lastId()),
      speed: 10,
      clock: {
        now: () => real,
        every: (_ms, run) => {
          tick = run;
          return () => undefined;
        },
      },
      saved: feed.save(),
    });
    again.start((_batch, now) => batches.push(now));
    expect(batches.at(-1)).toBe(ahead);
    real += 1000;
    tick!();
    expect(batches.at(-1)).toBe(ahead + 10_000);
  });
});

describe('a day and a night of the simulated slate, and the day after', () => {
  it('always has something on, never a wrong price, and settles all it opens as the score says', {
    timeout: 600_000,
  }, () => {
    const ids = counter();
    const slate = createSlate('17', START, ids);
    const core = createState();
    const watch = new Watch();
    const stepMs = 300_000;
    for (let now = START; now <= START + 30 * HOUR; now += stepMs) {
      for (const o of advance(slate, now, ids)) {
        watch.see(o);
        if (o.type !== 'command') continue;
        const refused = apply(core, o.command, now).find((event) => event.type === 'refused');
        if (refused) throw new Error(`${JSON.stringify(o.command)} refused: ${JSON.stringify(refused)}`);
        if (o.command.type === 'market.declare') {
          apply(core, { type: 'market.archive', marketId: o.command.marketId }, now);
        }
      }
      const { events, markets } = countSlate(slate);
      expect(events).toBeGreaterThanOrEqual(40);
      expect(markets).toBeGreaterThanOrEqual(300);
      for (const sport of ['cricket', 'football', 'tennis'] as const) {
        const own = slate.events.filter((sim) => sim.event.matchType === sport);
        expect(
          own.some((sim) => sim.inPlay),
          `${sport} in play`,
        ).toBe(true);
        expect(
          own.some((sim) => !sim.inPlay && sim.event.startAt - now < HOUR),
          `${sport} soon`,
        ).toBe(true);
        expect(
          own.some((sim) => sim.event.startAt - now > 20 * HOUR),
          `${sport} tomorrow`,
        ).toBe(true);
      }
      for (const sport of ['horseRacing', 'greyHound'] as const) {
        const own = slate.events.filter((sim) => sim.event.matchType === sport && sim.event.startAt >= now);
        expect(Math.min(...own.map((sim) => sim.event.startAt)) - now, `next ${sport}`).toBeLessThanOrEqual(300_000);
        expect(
          own.some((sim) => sim.event.startAt - now > 15 * HOUR),
          `${sport} later`,
        ).toBe(true);
      }
      expect(slate.events.some((sim) => sim.event.matchType === 'politics')).toBe(true);
      for (const format of ['T20', 'ODI', 'Test']) {
        expect(
          slate.events.some((sim) => sim.event.format === format),
          format,
        ).toBe(true);
      }
    }
    watch.finish(new Set(slate.events.flatMap((sim) => sim.markets.map((market) => market.def.marketId))));
    expect(watch.settled).toBeGreaterThan(8000);
    expect(watch.checkedEvents).toBeGreaterThan(550);
    expect(watch.books).toBeGreaterThan(25_000);
  });
});

/** Like expect, without its cost: these run a million times. */
function must(right: boolean, what: string): void {
  if (!right) throw new Error(what);
}

/** Sees every output and holds it against the rules. */
class Watch {
  settled = 0;
  checkedEvents = 0;
  books = 0;
  private readonly markets = new Map<number, MarketDef>();
  private readonly gone = new Map<number, Set<number>>();
  private readonly removed = new Set<string>();
  private readonly results = new Map<number, Array<{ def: MarketDef; result: Result }>>();
  private readonly scores = new Map<number, Score>();
  private readonly events = new Map<number, FeedEvent>();
  private readonly shown = new Map<string, number>();

  see(o: FeedOutput): void {
    if (o.type === 'event') {
      this.events.set(o.event.eventId, o.event);
      if (o.event.race && o.event.matchType === 'horseRacing') {
        const active = o.event.race.runners.filter((runner) => !runner.nonRunner);
        const sum = active.reduce((all, runner) => all + runner.adjustmentFactor, 0);
        must(sum === 10_000, `factors of ${o.event.title}: ${sum}`);
      }
    } else if (o.type === 'score') this.scores.set(o.eventId, o.score);
    else if (o.type === 'command') this.command(o.command);
    else if (o.type === 'eventClosed') this.close(o.eventId);
  }

  finish(open: Set<number>): void {
    expect(new Set(this.markets.keys())).toEqual(open);
  }

  private command(c: Command): void {
    switch (c.type) {
      case 'market.create':
        must(!this.markets.has(c.market.marketId), `${c.market.name} made twice`);
        must(this.events.has(c.market.eventId), `${c.market.name} of no event`);
        this.markets.set(c.market.marketId, c.market);
        if (c.market.name === 'Win' && c.market.runners[0]!.adjustmentFactor! > 0) {
          const sum = c.market.runners.reduce((all, r) => all + r.adjustmentFactor!, 0);
          must(sum === 10_000, `factors of market ${c.market.marketId}: ${sum}`);
        }
        return;
      case 'runner.remove': {
        const gone = this.gone.get(c.marketId) ?? new Set();
        this.gone.set(c.marketId, gone.add(c.runnerId));
        this.removed.add(`${c.marketId}/${c.runnerId}`);
        this.shown.delete(`${c.marketId}/${c.runnerId}`);
        return;
      }
      case 'house.book':
        this.book(c);
        return;
      case 'house.quotes':
        for (const row of c.rows) this.row(this.markets.get(c.marketId)!, row);
        return;
      case 'market.declare': {
        const def = this.markets.get(c.marketId)!;
        must(def !== undefined, `market ${c.marketId} declared and not there`);
        this.markets.delete(c.marketId);
        this.settled++;
        const results = this.results.get(def.eventId) ?? [];
        results.push({ def, result: c.result });
        this.results.set(def.eventId, results);
        return;
      }
      default:
        return;
    }
  }

  private book(c: Extract<Command, { type: 'house.book' }>): void {
    const def = this.markets.get(c.marketId)!;
    must(def.kind === 'book', 'kind');
    for (const runner of c.runners) {
      this.books++;
      must(!this.removed.has(`${c.marketId}/${runner.runnerId}`), 'a removed runner has no prices');
      for (const [price, size] of [...runner.backable, ...runner.layable]) {
        if (tickIndex(price) < 0) throw new Error(`${price} is not on the ladder`);
        if (!Number.isInteger(size) || size < 20_000 || size > 5_000_000) throw new Error(`size ${size}`);
      }
      const back = runner.backable.map(([price]) => price);
      const lay = runner.layable.map(([price]) => price);
      if (back.some((p, i) => i > 0 && p >= back[i - 1]!)) throw new Error('backs fall');
      if (lay.some((p, i) => i > 0 && p <= lay[i - 1]!)) throw new Error('lays rise');
      if (back.length > 0 && lay.length > 0 && back[0]! >= lay[0]!) throw new Error('crossed');
      if (back.length > 0 && back[0]! >= 104 && back.length < 3) throw new Error('three deep');
      this.shown.set(`${c.marketId}/${runner.runnerId}`, back[0] ?? 0);
    }
    // All backs of a whole field shown: the house keeps a little.
    const gone = this.gone.get(c.marketId);
    const best = def.runners
      .filter((r) => !gone?.has(r.runnerId))
      .map((r) => this.shown.get(`${c.marketId}/${r.runnerId}`) ?? 0);
    if (best.every((price) => price > 0)) {
      const percent = best.reduce((sum, price) => sum + 100 / price, 0);
      must(percent >= def.winners - 1e-9, `${def.name} at ${percent}`);
    }
  }

  private row(def: MarketDef, row: QuoteRow): void {
    const decimal = ['fancy1', 'tied', 'completed', 'oddEven', 'cricketCasino'].includes(def.kind);
    for (const quote of [row.back, row.lay]) {
      if (!quote) continue;
      must(Number.isSafeInteger(quote.price) && quote.price > 0, `price ${quote.price}`);
      must(!decimal || tickIndex(quote.price) >= 0, `${quote.price} is not on the ladder`);
      if (['session', 'overByover', 'ballByBall', 'khado', 'meter'].includes(def.kind)) {
        must(Number.isSafeInteger(quote.line), `line of ${def.name}`);
      }
    }
    if (!row.back || !row.lay) return;
    if (decimal || def.kind === 'bookmaker') must(row.back.price < row.lay.price, `${def.name} crossed`);
    if (def.kind === 'session') {
      must(row.lay.line! <= row.back.line!, `lines of ${def.name}`);
      must(row.lay.line! < row.back.line! || row.back.price < row.lay.price, `rates of ${def.name}`);
    }
  }

  private close(eventId: number): void {
    for (const def of this.markets.values()) must(def.eventId !== eventId, `${def.name} open after its event`);
    const score = this.scores.get(eventId)!;
    const event = this.events.get(eventId)!;
    const results = this.results.get(eventId) ?? [];
    this.checkedEvents++;
    for (const { def, result } of results) agree(event, def, result, score);
    this.results.delete(eventId);
    this.scores.delete(eventId);
    this.events.delete(eventId);
  }
}

/** The result of a market against the final score. */
function agree(event: FeedEvent, def: MarketDef, result: Result, score: Score): void {
  const name = result.kind === 'winners' ? def.runners.find((r) => r.runnerId === result.runnerIds[0])!.name : '';
  const what = `${event.title}, ${def.name}: ${JSON.stringify(result)}`;
  switch (score.sport) {
    case 'football': {
      const { goalsA: a, goalsB: b } = score;
      const total = a + b;
      expect(score.period).toBe('fullTime');
      if (def.name === 'Match Odds' || def.name === 'Bookmaker') {
        expect(name, what).toBe(a > b ? event.teamA : a < b ? event.teamB : 'The Draw');
      } else if (def.name.startsWith('Over/Under')) {
        const line = Number.parseFloat(def.name.slice(11));
        expect(name.startsWith('Over'), what).toBe(total > line);
      } else if (def.name === 'Both Teams To Score') expect(name, what).toBe(a > 0 && b > 0 ? 'Yes' : 'No');
      else if (a <= 3 && b <= 3) expect(name, what).toBe(`${a} - ${b}`);
      else expect(name, what).toBe(`Any Other ${a > b ? 'Home Win' : a < b ? 'Away Win' : 'Draw'}`);
      return;
    }
    case 'tennis': {
      const games = score.sets.reduce((sum, set) => sum + set.a + set.b, 0);
      if (def.name === 'Match Odds') expect(name, what).toBe(score.setsA > score.setsB ? event.teamA : event.teamB);
      else if (def.name.startsWith('Total')) {
        expect(name.startsWith('Over'), what).toBe(games > Number.parseFloat(def.name.split(' ').at(-1)!));
      } else {
        const set = score.sets[Number(def.name.split(' ')[1]) - 1]!;
        expect(name, what).toBe(set.a > set.b ? event.teamA : event.teamB);
      }
      return;
    }
    case 'race': {
      const placed = score.finish.filter((line) => line.place <= def.winners);
      const ranks = placed.map(({ runnerId, place: rank }) => ({ runnerId, rank }));
      expect(result, what).toEqual({ kind: 'ranks', ranks });
      return;
    }
    case 'politics':
      expect(score.note).toBe(`Result: ${name}`);
      return;
    case 'cricket':
      cricketAgrees(event, def, result, score, what);
  }
}

function cricketAgrees(
  event: FeedEvent,
  def: MarketDef,
  result: Result,
  score: Extract<Score, { sport: 'cricket' }>,
  what: string,
): void {
  if (score.note.includes('no result')) {
    if (def.name === 'Match Odds') expect(result.kind, what).toBe('void');
    if (def.name === 'Completed Match') expect(result, what).toEqual({ kind: 'yes', yes: false });
    return;
  }
  const main = score.innings.filter((innings) => !innings.superOver);
  const [one, two] = main;
  if (def.name === 'Match Odds') {
    const totals = { A: 0, B: 0 };
    for (const innings of main) totals[innings.team] += innings.runs;
    if (score.note === 'Match drawn') {
      expect(result.kind === 'winners' && def.runners.find((r) => r.runnerId === result.runnerIds[0])!.name, what).toBe(
        'The Draw',
      );
    } else if (totals.A !== totals.B) {
      const team = totals.A > totals.B ? event.teamA : event.teamB;
      expect(result, what).toEqual({
        kind: 'winners',
        runnerIds: [def.runners.find((r) => r.name === team)!.runnerId],
      });
      expect(score.note.startsWith(team), what).toBe(true);
    } else if (event.format === 'T20') {
      const last = score.innings.at(-1)!;
      const before = score.innings.at(-2)!;
      expect(last.superOver && last.runs !== before.runs, what).toBe(true);
      const side = last.runs > before.runs ? last.team : before.team;
      const team = side === 'A' ? event.teamA : event.teamB;
      expect(result, what).toEqual({
        kind: 'winners',
        runnerIds: [def.runners.find((r) => r.name === team)!.runnerId],
      });
    } else expect(result, what).toEqual({ kind: 'tie' });
  } else if (def.name === 'Tied Match') {
    expect(result, what).toEqual({ kind: 'yes', yes: one!.runs === two!.runs });
  } else if (def.name.endsWith('innings runs') && result.kind === 'score') {
    expect(
      main.some((innings) => innings.runs === result.score),
      what,
    ).toBe(true);
  }
}
