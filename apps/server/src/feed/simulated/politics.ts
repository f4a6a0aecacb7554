/** An election: support drifts day by day like a slow random walk until the polls close; one winner market. */
import type { PoliticsScore } from '../feed.ts';
import { type Ctx, closeEvent, declare, openMarket, type SimBase, suspend } from './desk.ts';
import type { Election } from './names.ts';
import { apportion, orderChances } from './orderModel.ts';
import { gaussian, type Rng } from './rng.ts';

interface PoliticsState {
  options: string[];
  support: number[];
  atStart: number[];
  /** The campaign runs from here to startAt. */
  from: number;
  finished: number;
  note: string;
}

export interface PoliticsSim extends SimBase {
  sport: 'politics';
  state: PoliticsState;
}

const CAMPAIGN_MS = 15 * 86_400_000;
const STEP_MS = 5 * 60_000;
/** How far support can move over the whole campaign, in the same unit as the differences between the options. */
const SPREAD = 1;

export function startPolitics(ctx: Ctx, base: SimBase, r: Rng, election: Election): PoliticsSim {
  const support = election.options.map((_, i) => gaussian(r) * 0.8 - i * 0.35);
  const sim: PoliticsSim = {
    ...base,
    sport: 'politics',
    state: {
      options: election.options,
      support,
      atStart: support.slice(),
      from: base.event.startAt - CAMPAIGN_MS,
      finished: 0,
      note: 'Campaign under way',
    },
  };
  sim.nextAt = Math.ceil(base.nextAt / STEP_MS) * STEP_MS;
  openMarket(ctx, sim, {
    key: 'winner',
    kind: 'book',
    name: election.market,
    runners: election.options.map((name) => ({ runnerId: ctx.ids.next(), name })),
    info: { sno: 1, marketType: 'tournament' },
    main: true,
    depthMinor: 900_000,
  });
  return sim;
}

export function stepPolitics(ctx: Ctx, sim: PoliticsSim): void {
  const s = sim.state;
  const at = sim.nextAt;
  sim.dirty = true;
  if (s.finished === 0) {
    const step = SPREAD * Math.sqrt(STEP_MS / CAMPAIGN_MS);
    for (let i = 0; i < s.support.length; i++) s.support[i]! += gaussian(sim.play) * step;
    // Polls are published every six hours.
    if (at % (6 * 3_600_000) === 0) sim.scoreDirty = true;
    sim.nextAt = at + STEP_MS;
    if (at < sim.event.startAt) return;
    s.finished = 1;
    s.note = 'Polls closed, counting';
    sim.scoreDirty = true;
    for (const market of sim.markets) suspend(ctx, market, 'Polls closed');
    return;
  }
  if (s.finished === 1) {
    s.finished = 2;
    sim.scoreDirty = true;
    const winner = s.support.indexOf(Math.max(...s.support));
    s.note = `Result: ${s.options[winner]}`;
    for (const market of sim.markets.slice()) {
      declare(ctx, sim, market, { kind: 'winners', runnerIds: [market.def.runners[winner]!.runnerId] });
    }
    sim.nextAt = at + 60_000;
    return;
  }
  closeEvent(sim);
}

export function pricePolitics(_ctx: Ctx, sim: PoliticsSim): void {
  const s = sim.state;
  if (s.finished > 0) return;
  // The walk moves in steps; what is left is counted from the last one taken.
  const left = Math.max(0, sim.event.startAt - sim.nextAt + STEP_MS) / CAMPAIGN_MS;
  for (const market of sim.markets) market.fair = orderChances(s.support, SPREAD * Math.sqrt(left), 1);
}

export function politicsScore(sim: PoliticsSim): PoliticsScore {
  const s = sim.state;
  const now = shares(s.support);
  const before = shares(s.atStart);
  return {
    sport: 'politics',
    note: s.note,
    polls: s.options.map((name, i) => ({ name, shareTenths: now[i]!, changeTenths: now[i]! - before[i]! })),
  };
}

function shares(support: number[]): number[] {
  return apportion(
    support.map((value) => Math.exp(value * 0.45)),
    1000,
    1,
  );
}
