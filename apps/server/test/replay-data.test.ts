/**
 * The recordings that lie beside the project (../shared/data, or where FAIRGAME_DATA_SAMPLES points), which may not be
 * copied into it. Without them these tests are skipped, and say so. FAIRGAME_FULL=1 plays every file through the core.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { marketView } from '@fairgame/exchange';
import { describe, expect, it } from 'vitest';
import { bestPrices, createFold, type Fold, type MarketImage } from '../src/feed/replay/fold.ts';
import { type MarketMessage, parseMessage } from '../src/feed/replay/message.ts';
import { emptyReport, readMessages } from '../src/feed/replay/read.ts';
import { type ReplaySummary, replaySummary } from '../src/feed/replay/summary.ts';
import { betsOf, expectedProfitMinor, type PlayedThrough, playThrough, roundedAway } from './replay-harness.ts';

interface MarketFacts {
  id: string;
  messages: number;
  images: number;
  transitions: Array<[string, boolean, string]>;
  winners: Array<string | number>;
  final: string;
  numberOfWinners: number;
  crossed_while_open: number;
}

const DATA = process.env.FAIRGAME_DATA_SAMPLES ?? resolve(import.meta.dirname, '../../../../shared/data');
const here = existsSync(join(DATA, 'manifest.json'));
const FULL = process.env.FAIRGAME_FULL === '1';
const streams: Array<{ file: string; facts: { lines: number; market_facts: MarketFacts[] } }> = here
  ? JSON.parse(readFileSync(join(DATA, 'manifest.json'), 'utf8')).filter(({ file }: { file: string }) =>
      file.startsWith('betfair-stream/'),
    )
  : [];
const path = (name: string): string => join(DATA, 'betfair-stream', name);
const title = (text: string): string =>
  here
    ? text
    : `${text} (skipped: no recordings at ../shared/data, and FAIRGAME_DATA_SAMPLES does not name another place)`;

describe.skipIf(!here)(title('every recorded stream'), () => {
  it('is read, folded and settled as its manifest says, and its hash is the same a second time', async () => {
    for (const { file, facts } of streams) {
      const name = file.split('/')[1]!;
      const summary = await replaySummary([path(name)], { speed: 'max' });
      expect([name, summary.lines, summary.malformed, summary.unreadable, summary.refused]).toEqual([
        name,
        facts.lines,
        [],
        [],
        0,
      ]);
      expect([name, summary.offLadder]).toEqual([name, 0]);
      // None, but for one file of 200 markets with lines missing: its manifest counts the same ones.
      const crossed = facts.market_facts.reduce((sum, market) => sum + market.crossed_while_open, 0);
      expect([name, summary.crossed]).toEqual([name, crossed]);
      expect(Object.keys(summary.markets)).toHaveLength(facts.market_facts.length);
      let images = 0;
      for (const known of facts.market_facts) {
        const market = summary.markets[known.id]!;
        expect([known.id, market.stateChanges, market.status]).toEqual([
          known.id,
          known.transitions.length,
          known.final,
        ]);
        expect([known.id, market.numberOfWinners]).toEqual([known.id, known.numberOfWinners]);
        expect([known.id, market.winners.length]).toEqual([known.id, known.winners.length]);
        if (known.winners.every((winner) => typeof winner === 'number'))
          expect(idText(market.winners)).toBe(idText(known.winners));
        images += known.images;
      }
      expect([name, summary.images]).toEqual([name, images]);
      const again = await replaySummary([path(name)], { speed: 'max' });
      expect([name, again.hash]).toEqual([name, summary.hash]);
    }
    expect(streams).toHaveLength(18);
  });

  it('golf: five winners, play on and off for days, a player out and back (item 17)', async () => {
    const { markets } = await replaySummary([path('golf-BASIC-TOP5-1.230478683.bz2')], { speed: 'max' });
    expect(markets['1.230478683']).toMatchObject({ status: 'CLOSED', numberOfWinners: 5, stateChanges: 20 });
    expect(markets['1.230478683']!.winners).toHaveLength(5);
    const statuses = new Map<number, Set<string>>();
    const report = emptyReport();
    for await (const { message } of readMessages([path('golf-BASIC-TOP5-1.230478683.bz2')], report)) {
      for (const runner of message.markets[0]?.definition?.runners ?? []) {
        const text = statuses.get(runner.runnerId) ?? new Set();
        statuses.set(
          runner.runnerId,
          text.add(`${runner.status}${text.has('REMOVED') && runner.status === 'ACTIVE' ? ' again' : ''}`),
        );
      }
    }
    expect([...statuses.values()].some((set) => set.has('REMOVED') && set.has('ACTIVE again'))).toBe(true);
  });

  it('football: 77 markets of one connection, goals suspend them all, decided ones close while the match goes on', async () => {
    const closings: number[] = [];
    let suspensions = 0;
    const { markets, stateChanges } = await replaySummary([path('football-BASIC-event-28202626-77markets.bz2')], {
      speed: 'max',
      onState: (market, publishTime) => {
        if (market.definition!.status === 'SUSPENDED') suspensions++;
        if (market.definition!.status === 'CLOSED') closings.push(publishTime);
      },
    });
    expect(Object.keys(markets)).toHaveLength(77);
    expect(stateChanges).toBe(619);
    expect(suspensions).toBe(236);
    expect(Object.values(markets).every((market) => market.status === 'CLOSED')).toBe(true);
    expect(Math.max(...closings) - Math.min(...closings)).toBeGreaterThan(60 * 60_000);
  });
});

describe.skipIf(!here)(title('a recorded horse race with 97 images'), () => {
  it('each image equals the book folded so far: the same prices, and sizes but for the currency rate it was told at (item 13)', async () => {
    const fold = createFold();
    let images = 0;
    let exact = 0;
    for await (const { message } of readMessages([path('horse-PRO-WIN-1.127236622.bz2')], emptyReport())) {
      const before = message.markets.some((market) => market.image) ? sizes(fold) : null;
      fold.apply(message);
      if (!before) continue;
      images++;
      const after = sizes(fold);
      expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
      let same = true;
      for (const [key, size] of after) {
        const was = before.get(key)!;
        if (size !== was) same = false;
        expect(Math.abs(size - was), `${key}: ${was} to ${size}`).toBeLessThanOrEqual(1 + was * 0.006);
      }
      if (same) exact++;
    }
    expect(images).toBe(97);
    // In the others up to half a percent of a size moved: money offered in other currencies, converted at a newer rate.
    expect(exact).toBe(69);
  });
});

describe.skipIf(!here)(title('recorded markets in the betting core'), () => {
  const some = [
    'horse-recorded-WIN-1.185781277.bz2',
    'football-BASIC-event-28202626-77markets.bz2',
    'cricket-recorded-MATCH_ODDS-1.200806927.jsonl',
    'tennis-PRO-event-29788457-4markets.jsonl',
    'golf-BASIC-TOP5-1.230478683.bz2',
    'horse-BASIC-1.132153978.jsonl',
    'greyhound-recorded-PLACE-1.219107753.zip',
  ];
  const all = streams.map(({ file }) => file.split('/')[1]!).filter((name) => !name.startsWith('cricket-ccm'));

  it.each(FULL ? all : some)(
    '[INV-01] [INV-13] [INV-15] [INV-17] %s plays out under players: nothing refused, zero sum, settled by its own result',
    async (name) => {
      const played = await playThrough([path(name)], { seed: 5, betEvery: small(name) ? 2 : 20, auditEvery: 500 });
      // A side that is taken out of a match: the core asks a person, and the recording ends such a market as void.
      const sides = played.refused.filter(
        ({ command, code }) => command.type === 'runner.remove' && code === 'WRONG_KIND',
      );
      for (const { command } of sides)
        expect(marketView(played.state, (command as { marketId: number }).marketId)?.result?.kind).toBe('void');
      expect(played.refused.filter((one) => !sides.includes(one)).slice(0, 3)).toEqual([]);
      expect(played.faults).toEqual([]);
      expect(played.lateFills).toBe(0);
      expect(played.sumMinor).toBe(0);
      expect(played.run.report.malformed).toEqual([]);
      const summary = await replaySummary([path(name)], { speed: 'max' });
      sameWinners(played, summary);
      const bets = betsOf(played);
      for (const bet of bets) {
        const market = marketView(played.state, bet.marketId)!;
        expect(market.status).toBe('CLOSED');
        expect(bet.sizeMinor).toBe(bet.matchedMinor + bet.cancelledMinor + bet.lapsedMinor + bet.voidedMinor);
        expect(Math.abs(bet.profitMinor - expectedProfitMinor(bet, market))).toBeLessThan(1);
      }
      for (const under of roundedAway(played)) expect(Math.abs(under - 0.5)).toBeLessThan(0.500001);
      expect(bets.length).toBeGreaterThan(0);
    },
  );

  it('a whole afternoon: several files merged by publish time', async () => {
    const names = ['greyhound-recorded-WIN-1.197931750.jsonl', 'greyhound-recorded-PLACE-1.197931751.jsonl'];
    const played = await playThrough(names.map(path), { seed: 8, betEvery: 3, auditEvery: 20 });
    expect(played.refused).toEqual([]);
    expect(played.faults).toEqual([]);
    expect(played.run.counts).toMatchObject({ events: 1, markets: 2, skipped: {} });
    expect(played.restingFills).toBeGreaterThan(0);
  });
});

describe.skipIf(!here)(title('single recorded messages'), () => {
  it('all parse; images, updates, resubscriptions and heartbeats fold', () => {
    const folder = join(DATA, 'betfair-samples');
    const names = [
      'mcm_bsp',
      'mcm_bsp_data',
      'mcm_con_true',
      'mcm_heartbeat',
      'mcm_live_image',
      'mcm_live_update',
      'mcm_market_updates',
      'mcm_resub_delta',
      'mcm_sub_image',
      'mcm_update',
      'mcm_update_md',
      'mcm_market_definition_runner_removed',
      'mcm_market_definition_each_way',
      'mcm_market_definition_bet_delay_models',
    ];
    for (const name of names) {
      const json: unknown = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
      const fold = createFold();
      for (const one of Array.isArray(json) ? json : [json])
        fold.apply(parseMessage(JSON.stringify(one)) as MarketMessage);
      expect([name, fold.markets.size > 0 || fold.counts.heartbeats > 0]).toEqual([name, true]);
      for (const market of fold.markets.values()) expect(sane(market)).toBe(true);
    }
  });
});

function idText(ids: ReadonlyArray<string | number>): string {
  return ids.map(String).sort().join();
}

function small(name: string): boolean {
  return (streams.find(({ file }) => file.endsWith(name))?.facts.lines ?? 0) < 1200;
}

function sameWinners(played: PlayedThrough, summary: ReplaySummary): void {
  const recorded = Object.values(summary.markets)
    .filter((market) => market.winners.length > 0)
    .map((market) => idText(market.winners));
  const declared: string[] = [];
  for (let marketId = 1; marketId < 1000; marketId++) {
    const view = marketView(played.state, marketId);
    if (view?.result?.kind === 'winners') declared.push(idText(view.result.runnerIds));
  }
  const skipped = Object.values(played.run.counts.skipped).reduce((sum, count) => sum + count, 0);
  expect(declared.length).toBeGreaterThanOrEqual(recorded.length - skipped);
  for (const winners of declared) expect(recorded).toContain(winners);
}

function sizes(fold: Fold): Map<string, number> {
  const all = new Map<string, number>();
  for (const market of fold.markets.values()) {
    for (const [key, { prices }] of market.runners) {
      for (const [name, levels] of Object.entries(prices))
        for (const [price, size] of levels) all.set(`${key} ${name} ${price}`, size);
    }
  }
  return all;
}

function sane(market: MarketImage): boolean {
  return [...market.runners.values()].every((runner) => {
    const back = bestPrices(market, runner, 'back', 3);
    return back.every(([price, size]) => price > 100 && size > 0);
  });
}
