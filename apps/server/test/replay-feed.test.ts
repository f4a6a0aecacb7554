import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import type { FeedEvent, FeedOutput } from '../src/feed/feed.ts';
import { nothingKnown } from '../src/feed/known.ts';
import { type RecordedOptions, type RecordedRun, recordedFeed } from '../src/feed/replay/recorded.ts';
import { FIXTURES, madeDefinition, scratch, writeLines } from './replay-fixtures.ts';

const RACE = join(FIXTURES, 'race.jsonl');
const GOLF = join(FIXTURES, 'golf.jsonl');
const FOOTBALL = join(FIXTURES, 'football.jsonl');
const folder = scratch();

describe('a recorded race on the site', () => {
  it('becomes an event with a card, a market, and its life as commands in the right order', async () => {
    const { outputs } = await played([RACE]);
    const [event] = eventsOf(outputs);
    expect(event).toMatchObject({
      eventId: 1,
      matchType: 'horseRacing',
      title: 'Testfield R3 1200m Hcap',
      competitionName: 'Testfield',
      countryCode: 'AU',
      venue: 'Testfield',
      ownTime: true,
    });
    expect(event!.race).toMatchObject({
      raceNumber: 3,
      distance: '1200m',
      distanceMetres: 1200,
      class: 'Hcap',
      inPlayBetting: true,
    });
    expect(event!.race!.runners[1]).toMatchObject({
      runnerId: 12,
      clothNumber: 2,
      name: 'Horse B',
      nonRunner: false,
      adjustmentFactor: 3000,
    });
    const create = commandsOf(outputs).find((command) => command.type === 'market.create')!;
    expect(create.market).toMatchObject({
      marketId: 2,
      eventId: 1,
      kind: 'book',
      name: 'Win',
      winners: 1,
      commissionBps: 500,
      lapseOnSuspend: false,
      status: 'OPEN',
      inPlay: false,
    });
    expect(create.market.runners.map((runner) => [runner.runnerId, runner.name, runner.adjustmentFactor])).toEqual([
      [11, 'Horse A', 4000],
      [12, 'Horse B', 3000],
      [13, 'Horse C', 2000],
      [14, 'Horse D', 1000],
    ]);
    const life = commandsOf(outputs).filter(
      (command) => command.type !== 'house.book' && command.type !== 'market.create',
    );
    expect(life).toEqual([
      { type: 'market.state', marketId: 2, status: 'SUSPENDED', reason: 'Suspended' },
      {
        type: 'runner.remove',
        marketId: 2,
        runnerId: 13,
        factor: 2000,
        factors: [
          { runnerId: 11, factor: 4000 },
          { runnerId: 12, factor: 3000 },
          { runnerId: 14, factor: 1000 },
        ],
      },
      { type: 'market.state', marketId: 2, status: 'OPEN', reason: '' },
      { type: 'market.state', marketId: 2, status: 'SUSPENDED', reason: 'Suspended' },
      { type: 'market.state', marketId: 2, status: 'OPEN', inPlay: true, betDelayMs: 1000, reason: '' },
      { type: 'market.state', marketId: 2, status: 'SUSPENDED', reason: 'Suspended' },
      { type: 'market.declare', marketId: 2, result: { kind: 'winners', runnerIds: [12] } },
    ]);
    expect(eventsOf(outputs).at(-1)!.race!.runners[2]).toMatchObject({ name: 'Horse C', nonRunner: true });
    expect(outputs.at(-1)).toEqual({ type: 'eventClosed', eventId: 1 });
    const scores = outputs.flatMap((output) =>
      output.type === 'score' && output.score.sport === 'race' ? [output.score] : [],
    );
    expect(scores.map((score) => score.status)).toEqual([
      'DORMANT',
      'ATTHEPOST',
      'DORMANT',
      'ATTHEPOST',
      'OFF',
      'FINISHED',
      'RESULT',
    ]);
    expect(scores.at(-1)!.finish).toEqual([{ runnerId: 12, place: 1, behind: 0 }]);
  });

  it('empties its books before it leaves OPEN and fills them after it opens, so no old price can be taken', async () => {
    const { outputs } = await played([RACE]);
    const shown = new Map<number, number>();
    let open = true;
    for (const command of commandsOf(outputs)) {
      if (command.type === 'house.book') {
        for (const { runnerId, backable, layable } of command.runners)
          shown.set(runnerId, backable.length + layable.length);
        if (!open) expect([...shown.values()].every((levels) => levels === 0)).toBe(true);
      } else if (command.type === 'market.state' && command.status) {
        if (command.status !== 'OPEN') expect([...shown.values()].every((levels) => levels === 0)).toBe(true);
        open = command.status === 'OPEN';
      }
    }
    expect(shown.size).toBe(4);
  });

  it('gives what a backer can take as backable, best ten a side, in minor units', async () => {
    const { outputs } = await played([RACE], { conflateMs: 0 });
    for (const command of commandsOf(outputs)) {
      if (command.type !== 'house.book') continue;
      for (const { backable, layable } of command.runners) {
        expect(backable.length <= 10 && layable.length <= 10).toBe(true);
        expect(backable.map(([price]) => price)).toEqual(backable.map(([price]) => price).sort((a, b) => b - a));
        expect(layable.map(([price]) => price)).toEqual(layable.map(([price]) => price).sort((a, b) => a - b));
        if (backable[0] && layable[0]) expect(backable[0][0]).toBeLessThan(layable[0][0]);
      }
    }
    const first = commandsOf(outputs).find((command) => command.type === 'house.book')!;
    const told = JSON.parse(readFileSync(RACE, 'utf8').split('\n')[0]!);
    const runner = told.mc[0].rc.find((one: { atb: number[][] }) => one.atb.length > 0);
    const best = Math.max(...runner.atb.map(([price]: number[]) => price));
    const size = runner.atb.find(([price]: number[]) => price === best)[1];
    expect(first.runners.find((one) => one.runnerId === runner.id)!.backable[0]).toEqual([
      Math.round(best * 100),
      Math.round(size * 100),
    ]);
  });
});

describe('other sports', () => {
  it('a goal: unmatched bets lapse, one market settles while the other plays on, an old definition is ignored', async () => {
    const { outputs } = await played([FOOTBALL], { conflateMs: 0 });
    const [event] = eventsOf(outputs).slice(-1);
    expect(event).toMatchObject({
      matchType: 'football',
      title: 'Northtown v Southtown',
      teamA: 'Northtown',
      teamB: 'Southtown',
      teamC: 'The Draw',
    });
    const creates = commandsOf(outputs).filter((command) => command.type === 'market.create');
    expect(creates.map(({ market }) => [market.name, market.lapseOnSuspend])).toEqual([
      ['Match Odds', true],
      ['Over/Under 0.5 Goals', true],
    ]);
    expect(creates[0]!.market.runners.map((runner) => runner.name)).toEqual(['Runner 1', 'Runner 2', 'The Draw']);
    expect(
      outputs.flatMap((output) => (output.type === 'command' && output.info ? [output.info.marketType] : [])),
    ).toEqual(['matchOdd', 'overUnder']);
    const life = commandsOf(outputs).flatMap((command) =>
      command.type === 'market.state'
        ? [`${command.marketId} ${command.status}${command.inPlay ? ' in play' : ''}`]
        : command.type === 'market.declare'
          ? [`${command.marketId} ${JSON.stringify(command.result)}`]
          : [],
    );
    expect(life).toEqual([
      '2 SUSPENDED in play',
      '3 SUSPENDED in play',
      '2 OPEN',
      '3 OPEN',
      '2 SUSPENDED',
      '3 SUSPENDED',
      '3 {"kind":"winners","runnerIds":[47973]}',
      '2 OPEN',
      '2 SUSPENDED',
      '2 {"kind":"winners","runnerIds":[31]}',
    ]);
  });

  it('a file without ladders is quoted around its last price; play stops and goes on, a player leaves and returns, two win', async () => {
    const { outputs } = await played([GOLF], { conflateMs: 0 });
    expect(eventsOf(outputs)[0]).toMatchObject({
      matchType: 'politics',
      competitionName: 'Golf',
      title: 'Test Masters',
    });
    const books = commandsOf(outputs).filter((command) => command.type === 'house.book');
    expect(books[0]!.runners[0]).toEqual({
      runnerId: 21,
      backable: [
        [200, 10_000],
        [199, 10_000],
        [198, 10_000],
      ],
      layable: [
        [202, 10_000],
        [204, 10_000],
        [206, 10_000],
      ],
    });
    const life = commandsOf(outputs).filter(
      (command) => command.type !== 'house.book' && command.type !== 'market.create',
    );
    expect(life).toEqual([
      { type: 'market.state', marketId: 2, inPlay: true, betDelayMs: 1000, reason: '' },
      { type: 'market.state', marketId: 2, inPlay: false, betDelayMs: 0, reason: '' },
      { type: 'runner.remove', marketId: 2, runnerId: 24, factor: 0, factors: [] },
      { type: 'runner.reinstate', marketId: 2, runnerId: 24, factor: 0, factors: [] },
      { type: 'market.state', marketId: 2, inPlay: true, betDelayMs: 1000, reason: '' },
      { type: 'market.state', marketId: 2, status: 'SUSPENDED', reason: 'Suspended' },
      { type: 'market.declare', marketId: 2, result: { kind: 'winners', runnerIds: [21, 24] } },
    ]);
  });
});

describe('ends of markets', () => {
  const runners = (...statuses: string[]): Array<{ id: number; status: string }> =>
    statuses.map((status, at) => ({ id: at + 1, status }));
  const lines = (...definitions: Array<Record<string, unknown>>): string[] =>
    definitions.map((marketDefinition, at) =>
      JSON.stringify({ op: 'mcm', pt: 1_700_000_000_000 + at * 1000, mc: [{ id: '1.9', marketDefinition }] }),
    );
  const results = async (...definitions: Array<Record<string, unknown>>): Promise<unknown[]> => {
    const path = writeLines(folder, 'end.jsonl', lines(...definitions));
    const { outputs } = await played([path]);
    return commandsOf(outputs).flatMap((command): unknown[] =>
      command.type === 'market.declare'
        ? [command.result]
        : command.type === 'market.undeclare' || command.type === 'runner.remove'
          ? [command.type]
          : [],
    );
  };

  it('an abandoned race (every runner removed) is void', async () => {
    expect(
      await results(
        madeDefinition(runners('ACTIVE', 'ACTIVE')),
        madeDefinition(runners('REMOVED', 'REMOVED'), { status: 'CLOSED', version: 1001 }),
      ),
    ).toEqual(['runner.remove', 'runner.remove', { kind: 'void', reason: 'No winner in the recording' }]);
  });

  it('a dead heat declares both', async () => {
    expect(
      await results(
        madeDefinition(runners('ACTIVE', 'ACTIVE', 'ACTIVE')),
        madeDefinition(runners('WINNER', 'WINNER', 'LOSER'), { status: 'CLOSED', version: 1001 }),
      ),
    ).toEqual([{ kind: 'winners', runnerIds: [1, 2] }]);
  });

  it('a changed result is withdrawn and declared anew, an unchanged one is not', async () => {
    expect(
      await results(
        madeDefinition(runners('ACTIVE', 'ACTIVE')),
        madeDefinition(runners('WINNER', 'LOSER'), { status: 'CLOSED', version: 1001 }),
        madeDefinition(runners('WINNER', 'LOSER'), { status: 'CLOSED', version: 1002 }),
        madeDefinition(runners('LOSER', 'WINNER'), { status: 'CLOSED', version: 1003 }),
      ),
    ).toEqual([{ kind: 'winners', runnerIds: [1] }, 'market.undeclare', { kind: 'winners', runnerIds: [2] }]);
  });

  it('a recording that breaks off voids what it left open', async () => {
    expect(await results(madeDefinition(runners('ACTIVE', 'ACTIVE')))).toEqual([
      { kind: 'void', reason: 'The recording ended before a result' },
    ]);
  });

  it('markets the site cannot settle are left out and counted by reason', async () => {
    const path = writeLines(folder, 'odd.jsonl', [
      ...lines(madeDefinition(runners('ACTIVE', 'ACTIVE'), { bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE' })),
      ...lines(madeDefinition(runners('ACTIVE', 'ACTIVE'), { marketType: 'EACH_WAY' })).map((line) =>
        line.replace('1.9', '1.10'),
      ),
    ]);
    const { outputs, runs } = await played([path]);
    expect(outputs).toEqual([{ type: 'named', marketIds: [] }]);
    expect(runs[0]!.counts.skipped).toEqual({ 'betting type ASIAN_HANDICAP_DOUBLE_LINE': 1, 'each-way market': 1 });
  });

  it('a ladder that crossed itself (lines missing) is not offered', async () => {
    const path = writeLines(folder, 'crossed.jsonl', [
      ...lines(madeDefinition(runners('ACTIVE', 'ACTIVE'))),
      JSON.stringify({
        op: 'mcm',
        pt: 1_700_000_001_000,
        mc: [
          {
            id: '1.9',
            rc: [
              { id: 1, atb: [[3, 9]], atl: [[2.5, 4]] },
              { id: 2, atb: [[1.5, 4]] },
            ],
          },
        ],
      }),
    ]);
    const { outputs, runs } = await played([path], { conflateMs: 0 });
    const [book] = commandsOf(outputs).filter((command) => command.type === 'house.book');
    expect(book!.runners.map((one) => one.runnerId)).toEqual([2]);
    expect(runs[0]!.counts.crossed).toBe(1);
  });
});

describe('playing', () => {
  it('the same file twice gives the same outputs, under new ids when it loops', async () => {
    const first = await played([RACE, FOOTBALL], { now: () => 5_000_000 });
    const second = await played([RACE, FOOTBALL], { now: () => 5_000_000 });
    expect(second.outputs).toEqual(first.outputs);
    const looped = await played([FOOTBALL], { loop: true }, 2);
    const ids = commandsOf(looped.outputs).flatMap((command) =>
      command.type === 'market.create' ? [command.market.marketId] : [],
    );
    expect(ids).toEqual([2, 3, 5, 6]);
    expect(
      eventsOf(looped.outputs)
        .map((event) => event.eventId)
        .filter((id, at, all) => all.indexOf(id) === at),
    ).toEqual([1, 4]);
  });

  it('shifts times to now, at the speed it is played', async () => {
    const now = 1_800_000_000_000;
    const plain = await played([RACE], { now: () => now });
    // The race starts 60 s after the recording's zero; its first line is a little later than that zero.
    expect(eventsOf(plain.outputs)[0]!.startAt - now).toBeGreaterThan(59_000);
    expect(eventsOf(plain.outputs)[0]!.startAt - now).toBeLessThanOrEqual(60_000);
    expect(plain.batches.every((batch, at) => at === 0 || batch.now >= plain.batches[at - 1]!.now)).toBe(true);
  });

  it('waits by publish time: a match of 200 s at 400 times takes half a second', async () => {
    const startedAt = Date.now();
    const { batches } = await played([FOOTBALL], { speed: 400 });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(480);
    expect(Date.now() - startedAt).toBeLessThan(5000);
    expect(batches.length).toBeGreaterThan(8);
  });

  it('gives a sign of life in a quiet stretch, so that nobody takes it for lost', async () => {
    const batches: FeedOutput[][] = [];
    const feed = recordedFeed([GOLF], { speed: 1 });
    feed.start((batch) => batches.push(batch));
    await new Promise((resolve) => setTimeout(resolve, 2300));
    await feed.stop();
    expect(batches.at(-1)).toEqual([]);
    expect(batches[0]!.length).toBeGreaterThan(0);
  });

  it('stops at once and is silent afterwards', async () => {
    const outputs: FeedOutput[] = [];
    const feed = recordedFeed([FOOTBALL], { speed: 1 });
    feed.start((batch) => outputs.push(...batch));
    while (outputs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const startedAt = Date.now();
    await feed.stop();
    expect(Date.now() - startedAt).toBeLessThan(500);
    const before = outputs.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(outputs.length).toBe(before);
    expect(commandsOf(outputs).some((command) => command.type === 'market.declare')).toBe(false);
  });

  it('can begin shortly before the off, with the books as they stood', async () => {
    const all = await played([RACE]);
    const late = await played([RACE], { leadInMs: 5000 });
    expect(eventsOf(late.outputs)[0]!.startAt - late.batches[0]!.now).toBeLessThanOrEqual(5000);
    const books = (outputs: FeedOutput[]): number =>
      commandsOf(outputs).filter((command) => command.type === 'house.book').length;
    expect(books(late.outputs)).toBeLessThan(books(all.outputs));
    expect(commandsOf(late.outputs).filter((command) => command.type === 'market.declare')).toHaveLength(1);
  });

  it('cuts long silences short and moves the start times with them', async () => {
    const whole = await played([GOLF]);
    const cut = await played([GOLF], { maxGapMs: 1000 });
    const length = (run: typeof whole): number => run.batches.at(-1)!.now - run.batches[0]!.now;
    expect(length(whole)).toBe(11 * 30_000);
    expect(length(cut)).toBe(11 * 1000);
  });

  it('tells of files it cannot read and lines it skipped, and plays the rest', async () => {
    const told: string[] = [];
    const { outputs } = await played(['/nowhere/file.bz2', join(FIXTURES, 'troubled.jsonl'), FOOTBALL], {
      log: (text) => told.push(text),
    });
    expect(told[0]).toBe('cannot read /nowhere/file.bz2: no such file');
    expect(told.some((text) => text.endsWith('troubled.jsonl:8: not JSON'))).toBe(true);
    expect(commandsOf(outputs).filter((command) => command.type === 'market.create')).toHaveLength(3);
  });
});

interface Played {
  outputs: FeedOutput[];
  batches: Array<{ now: number; outputs: FeedOutput[] }>;
  runs: RecordedRun[];
}

/** Runs a feed to its end (or through so many loops) with ids counted from 1. */
function played(files: string[], options: Partial<RecordedOptions> = {}, loops = 1): Promise<Played> {
  const result: Played = { outputs: [], batches: [], runs: [] };
  let last = 0;
  return new Promise((resolve) => {
    const feed = recordedFeed(files, {
      speed: 'max',
      known: () => nothingKnown({ next: () => ++last }),
      ...options,
      onRun: (run) => {
        result.runs.push(run);
        if (result.runs.length === loops) setImmediate(() => void feed.stop().then(() => resolve(result)));
      },
    });
    feed.start((outputs, now) => {
      if (result.runs.length >= loops) return;
      result.outputs.push(...outputs);
      result.batches.push({ now, outputs });
    });
  });
}

function commandsOf(outputs: FeedOutput[]): Command[] {
  return outputs.flatMap((output) => (output.type === 'command' ? [output.command] : []));
}

function eventsOf(outputs: FeedOutput[]): FeedEvent[] {
  return outputs.flatMap((output) => (output.type === 'event' ? [output.event] : []));
}
