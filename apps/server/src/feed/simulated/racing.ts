/**
 * A horse or greyhound race: non-runners, the off, the race in running, photo, result; WIN and PLACE markets. Horses can
 * be bet on in running with a delay of one second; greyhound books shut at the off.
 */
import type { Result } from '@fairgame/exchange';
import type { FeedRaceRunner, FeedSilks, RaceScore, RaceStatus } from '../feed.ts';
import {
  type Ctx,
  closeEvent,
  declare,
  openMarket,
  removeRunner,
  resume,
  type SimBase,
  type SimMarket,
  suspend,
  turnInPlay,
} from './desk.ts';
import { animalNames, personNames, raceTitle, silkColour, TRAP_COLOURS } from './names.ts';
import { apportion, orderChances } from './orderModel.ts';
import { between, chance, gaussian, pick, type Rng, uniform } from './rng.ts';

interface RaceState {
  status: RaceStatus;
  /** Expected final performance, and performance so far without it, in lengths; the highest wins. */
  strength: number[];
  form: number[];
  spread: number;
  step: number;
  steps: number;
  removed: boolean[];
  /** Times and runners of withdrawals to come, soonest first. */
  withdrawals: Array<{ at: number; index: number }>;
  resumeAt: number;
  offAt: number;
  finish: RaceScore['finish'];
  finished: number;
  note: string;
}

export interface RaceSim extends SimBase {
  sport: 'race';
  state: RaceState;
}

const HORSE_STEPS = 30;
const HORSE_STEP_MS = 2500;
const DOG_STEPS = 30;
const DOG_STEP_MS = 1000;
const WITHDRAWN_MS = 15_000;

export function startRace(ctx: Ctx, base: SimBase, r: Rng): RaceSim {
  const dogs = base.event.matchType === 'greyHound';
  const count = dogs ? 6 : between(r, 6, 13);
  const strength = Array.from({ length: count }, () => gaussian(r) * (dogs ? 1.9 : 4));
  const runners = dogs ? traps(ctx, r, strength) : field(ctx, r, strength);
  const places = dogs ? 2 : count >= 8 ? 3 : 2;
  base.event.race = {
    raceNumber: 1 + (((base.slot % 8) + 8) % 8),
    ...course(r, dogs),
    places,
    inPlayBetting: !dogs,
    runners,
  };
  base.event.title = `${base.event.venue} ${dogs ? '' : raceTitle(r)}`.trim();
  const sim: RaceSim = {
    ...base,
    sport: 'race',
    state: {
      status: 'DORMANT',
      strength,
      form: strength.map(() => 0),
      spread: dogs ? 2.6 : 4.6,
      step: 0,
      steps: dogs ? DOG_STEPS : HORSE_STEPS,
      removed: strength.map(() => false),
      withdrawals: [],
      resumeAt: 0,
      offAt: base.event.startAt + between(base.play, 0, dogs ? 12 : 30) * 1000,
      finish: [],
      finished: 0,
      note: '',
    },
  };
  if (chance(base.play, dogs ? 0.05 : 0.25)) {
    const times = chance(base.play, 0.2) ? 2 : 1;
    for (let i = 0; i < times && count - i > 5; i++) {
      const at = base.event.startAt - between(base.play, 90, 2000) * 1000;
      sim.state.withdrawals.push({ at, index: between(base.play, 0, count - 1) });
    }
    sim.state.withdrawals.sort((a, b) => a.at - b.at);
  }
  openMarkets(ctx, sim, places);
  plan(sim, base.nextAt);
  return sim;
}

export function stepRace(ctx: Ctx, sim: RaceSim): void {
  const s = sim.state;
  const at = sim.nextAt;
  sim.scoreDirty = true;
  if (s.status === 'OFF') {
    run(ctx, sim);
    return;
  }
  if (s.finish.length > 0) {
    afterFinish(ctx, sim);
    return;
  }
  if (s.resumeAt > 0 && at >= s.resumeAt) {
    s.resumeAt = 0;
    for (const market of sim.markets) resume(sim, market);
  }
  while (s.withdrawals.length > 0 && s.withdrawals[0]!.at <= at) withdraw(ctx, sim, s.withdrawals.shift()!.index, at);
  const left = sim.event.startAt - at;
  s.status = left > 900_000 ? 'DORMANT' : left > 360_000 ? 'PARADING' : left > 90_000 ? 'GOINGDOWN' : 'ATTHEPOST';
  if (at >= s.offAt) {
    off(ctx, sim);
    return;
  }
  plan(sim, at);
}

export function priceRace(_ctx: Ctx, sim: RaceSim): void {
  const s = sim.state;
  if (s.finish.length > 0) return;
  const rest = 1 - s.step / s.steps;
  const means = s.strength.map((strength, i) => (s.removed[i] ? Number.NaN : strength + s.form[i]!));
  for (const market of sim.markets) {
    market.fair = orderChances(means, s.spread * Math.sqrt(rest), market.def.winners);
  }
}

export function raceScore(sim: RaceSim): RaceScore {
  const s = sim.state;
  const race = sim.event.race!;
  const running = s.status === 'OFF';
  return {
    sport: 'race',
    status: s.status,
    progress: Math.round((s.step / s.steps) * 1000),
    metresLeft: Math.round(race.distanceMetres * (1 - s.step / s.steps)),
    positions: running ? order(sim) : [],
    finish: s.finish.slice(),
    nonRunners: race.runners.filter((_, i) => s.removed[i]).map((runner) => runner.runnerId),
    note: s.note,
  };
}

/** The next withdrawal, status change, reopening or the off. */
function plan(sim: RaceSim, now: number): void {
  const s = sim.state;
  const start = sim.event.startAt;
  const moments = [s.offAt, start - 900_000, start - 360_000, start - 90_000, s.resumeAt, s.withdrawals[0]?.at ?? 0];
  let next = s.offAt;
  for (const moment of moments) if (moment > now && moment < next) next = moment;
  if ((s.withdrawals[0]?.at ?? next) <= now) next = now;
  sim.nextAt = Math.max(next, now);
}

function openMarkets(ctx: Ctx, sim: RaceSim, places: number): void {
  const dogs = sim.event.matchType === 'greyHound';
  const runners = sim.event.race!.runners;
  const win = orderChances(sim.state.strength, sim.state.spread, 1);
  const place = orderChances(sim.state.strength, sim.state.spread, places);
  const winFactors = dogs ? runners.map(() => 0) : apportion(win, 10_000, 5);
  // The factors of a place market add up to more than 100 % (exchange reference 7: 130 to 137 with three winners).
  const placeFactors = dogs ? runners.map(() => 0) : apportion(place, placeTotal(places), 5);
  runners.forEach((runner, i) => {
    runner.adjustmentFactor = winFactors[i]!;
  });
  const common = { kind: 'book' as const, betDelayMs: dogs ? 0 : 1000, main: true, removable: true };
  openMarket(ctx, sim, {
    ...common,
    key: 'win',
    name: 'Win',
    runners: runners.map(({ runnerId, name }, i) => ({ runnerId, name, adjustmentFactor: winFactors[i]! })),
    info: { sno: 1, marketType: 'win' },
    depthMinor: dogs ? 150_000 : 500_000,
  });
  openMarket(ctx, sim, {
    ...common,
    key: 'place',
    name: 'To Be Placed',
    runners: runners.map(({ runnerId, name }, i) => ({ runnerId, name, adjustmentFactor: placeFactors[i]! })),
    info: { sno: 2, marketType: 'place' },
    winners: places,
    placeMarket: true,
    depthMinor: dogs ? 80_000 : 250_000,
  });
}

const placeTotal = (places: number): number => 10_000 + (places - 1) * 1_700;

function withdraw(ctx: Ctx, sim: RaceSim, index: number, at: number): void {
  const s = sim.state;
  const race = sim.event.race!;
  if (s.removed[index] || s.removed.filter((gone) => !gone).length <= 5) return;
  s.removed[index] = true;
  s.resumeAt = at + WITHDRAWN_MS;
  s.note = `Non-runner: ${race.runners[index]!.name}`;
  for (const market of sim.markets) {
    suspend(ctx, market, 'Non-runner');
    market.removed[index] = true;
    if (market.def.runners[index]!.adjustmentFactor! > 0) rescale(market);
    removeRunner(ctx, market, index);
  }
  race.runners[index]!.nonRunner = true;
  sim.markets[0]!.def.runners.forEach((runner, i) => {
    if (!s.removed[i]) race.runners[i]!.adjustmentFactor = runner.adjustmentFactor!;
  });
  sim.dirty = true;
  ctx.out.push({ type: 'event', event: structuredClone(sim.event) });
}

/** The factors of those left add up to the same total again. */
function rescale(market: SimMarket): void {
  const total = market.def.winners === 1 ? 10_000 : placeTotal(market.def.winners);
  const shares = market.def.runners.map((runner, i) => (market.removed[i] ? 0 : runner.adjustmentFactor!));
  const factors = apportion(shares, total, 5);
  market.def.runners.forEach((runner, i) => {
    if (!market.removed[i]) runner.adjustmentFactor = factors[i]!;
  });
}

function off(ctx: Ctx, sim: RaceSim): void {
  const s = sim.state;
  s.status = 'OFF';
  s.note = 'They are off';
  for (const market of sim.markets) suspend(ctx, market, 'Off');
  if (sim.event.race!.inPlayBetting) {
    turnInPlay(ctx, sim, () => 1000);
    for (const market of sim.markets) resume(sim, market);
  }
  sim.nextAt += stepMs(sim);
}

function run(ctx: Ctx, sim: RaceSim): void {
  const s = sim.state;
  const share = s.spread / Math.sqrt(s.steps);
  for (let i = 0; i < s.form.length; i++) if (!s.removed[i]) s.form[i]! += gaussian(sim.play) * share;
  s.step++;
  sim.dirty = true;
  sim.nextAt += stepMs(sim);
  if (s.step < s.steps) return;
  for (const market of sim.markets) suspend(ctx, market, 'Finish');
  s.finish = finishOrder(sim);
  const close = s.finish[1]!.behind <= 10 || s.finish[1]!.place === 1;
  s.status = close ? 'PHOTOGRAPH' : 'FINISHED';
  s.note = close ? 'Photograph' : '';
  const dogs = sim.event.matchType === 'greyHound';
  sim.nextAt += (close ? 30_000 : 8_000) + (dogs ? 4_000 : 12_000);
}

function afterFinish(ctx: Ctx, sim: RaceSim): void {
  const s = sim.state;
  s.finished++;
  if (s.finished === 1) {
    s.status = 'RESULT';
    const first = s.finish.filter((line) => line.place === 1);
    const names = first.map((line) => sim.event.race!.runners.find((r) => r.runnerId === line.runnerId)!.name);
    s.note = first.length > 1 ? `Dead heat: ${names.join(', ')}` : `Result: ${names[0]}`;
    sim.nextAt += 10_000;
  } else if (s.finished === 2) {
    s.status = 'WEIGHEDIN';
    for (const market of sim.markets.slice()) declare(ctx, sim, market, resultOf(sim, market));
    sim.nextAt += 45_000;
  } else closeEvent(sim);
}

function resultOf(sim: RaceSim, market: SimMarket): Result {
  const placed = sim.state.finish.filter((line) => line.place <= market.def.winners);
  return { kind: 'ranks', ranks: placed.map(({ runnerId, place }) => ({ runnerId, rank: place })) };
}

/** In running: what they have done so far, with as much of their strength as they have had room to show. */
function order(sim: RaceSim): RaceScore['positions'] {
  const s = sim.state;
  const shown = s.step / s.steps;
  return ranked(sim, (i) => s.strength[i]! * shown + s.form[i]!).map(({ runnerId, lengths }, at, all) => ({
    runnerId,
    place: at + 1,
    behind: Math.round((all[0]!.lengths - lengths) * 100),
  }));
}

/** Judged to a hundredth of a length; level is a dead heat. */
function finishOrder(sim: RaceSim): RaceScore['finish'] {
  const s = sim.state;
  const judged = ranked(sim, (i) => Math.round((s.strength[i]! + s.form[i]!) * 100) / 100);
  let place = 0;
  return judged.map(({ runnerId, lengths }, at) => {
    if (at === 0 || lengths !== judged[at - 1]!.lengths) place = at + 1;
    return { runnerId, place, behind: Math.round((judged[0]!.lengths - lengths) * 100) };
  });
}

function ranked(sim: RaceSim, lengths: (i: number) => number): Array<{ runnerId: number; lengths: number }> {
  const s = sim.state;
  return sim.event
    .race!.runners.map(({ runnerId }, i) => ({ runnerId, i }))
    .filter(({ i }) => !s.removed[i])
    .map(({ runnerId, i }) => ({ runnerId, lengths: lengths(i) }))
    .sort((a, b) => b.lengths - a.lengths);
}

const stepMs = (sim: RaceSim): number => (sim.event.matchType === 'greyHound' ? DOG_STEP_MS : HORSE_STEP_MS);

function course(r: Rng, dogs: boolean) {
  if (dogs) {
    const metres = pick(r, [265, 380, 450, 480, 520]);
    return {
      distance: `${metres}m`,
      distanceMetres: metres,
      going: 'Sand',
      class: pick(r, ['A1', 'A3', 'A5', 'A7', 'D2', 'OR']),
      type: 'Greyhound' as const,
      prizeMinor: between(r, 2, 12) * 5_000,
    };
  }
  const furlongs = between(r, 5, 16);
  const [miles, rest] = [Math.floor(furlongs / 8), furlongs % 8];
  return {
    distance: `${miles > 0 ? `${miles}m` : ''}${miles > 0 && rest > 0 ? ' ' : ''}${rest > 0 ? `${rest}f` : ''}`,
    distanceMetres: Math.round(furlongs * 201.168),
    going: pick(r, ['Good', 'Good to soft', 'Good to firm', 'Soft', 'Standard', 'Heavy']),
    class: `Class ${between(r, 1, 6)}`,
    type: furlongs < 14 ? ('Flat' as const) : pick(r, ['Hurdle', 'Chase'] as const),
    prizeMinor: between(r, 4, 60) * 100_000,
  };
}

function field(ctx: Ctx, r: Rng, strength: number[]): FeedRaceRunner[] {
  const count = strength.length;
  const [names, jockeys, trainers] = [animalNames(r, count), personNames(r, count), personNames(r, count)];
  const ratings = strength.map((s) => Math.round(95 + s * 1.6 + gaussian(r) * 3));
  const draws = strength.map((_, i) => ({ i, u: uniform(r) })).sort((a, b) => a.u - b.u);
  // Cloth numbers run from the top weight down.
  const byRating = strength.map((_, i) => i).sort((a, b) => ratings[b]! - ratings[a]! || a - b);
  return strength.map((s, i) => ({
    runnerId: ctx.ids.next(),
    clothNumber: byRating.indexOf(i) + 1,
    draw: draws.findIndex((d) => d.i === i) + 1,
    name: names[i]!,
    jockey: jockeys[i]!,
    trainer: trainers[i]!,
    age: between(r, 3, 9),
    weight: Math.max(112, Math.min(140, 126 + Math.round((ratings[i]! - 95) * 0.8))),
    form: formFigures(r, s / 4, 9),
    officialRating: ratings[i]!,
    silks: silks(r),
    nonRunner: false,
    adjustmentFactor: 0,
  }));
}

function traps(ctx: Ctx, r: Rng, strength: number[]): FeedRaceRunner[] {
  const names = animalNames(r, strength.length);
  const trainers = personNames(r, strength.length);
  return strength.map((s, i) => ({
    runnerId: ctx.ids.next(),
    clothNumber: i + 1,
    draw: i + 1,
    name: names[i]!,
    jockey: '',
    trainer: trainers[i]!,
    age: between(r, 2, 4),
    weight: between(r, 258, 352),
    form: formFigures(r, s / 2, 6),
    officialRating: 0,
    silks: {
      body: TRAP_COLOURS[i]!,
      sleeves: TRAP_COLOURS[i]!,
      cap: TRAP_COLOURS[i]!,
      pattern: i === 5 ? 'stripes' : 'plain',
      patternColour: i === 5 ? '#ffffff' : TRAP_COLOURS[i]!,
    },
    nonRunner: false,
    adjustmentFactor: 0,
  }));
}

/** Four recent positions, better for the stronger; 0 is tenth or worse. */
function formFigures(r: Rng, strength: number, most: number): string {
  return Array.from({ length: 4 }, () => {
    const place = Math.round((most + 1) / 2 - strength * 1.8 + gaussian(r) * 2);
    return String(Math.max(1, Math.min(most + 1, place)) % 10);
  }).join('');
}

function silks(r: Rng): FeedSilks {
  const body = silkColour(r);
  let patternColour = silkColour(r);
  while (patternColour === body) patternColour = silkColour(r);
  return {
    body,
    sleeves: chance(r, 0.5) ? body : patternColour,
    cap: chance(r, 0.5) ? body : silkColour(r),
    pattern: pick(r, ['plain', 'stripes', 'hoops', 'spots', 'sash', 'quarters', 'star', 'chevron']),
    patternColour,
  };
}
