/**
 * One seeded run: players, feed and operator against the core, with lost and doubled deliveries and crashes, every
 * command checked against the naive world; then the liveness phase. A run is a list of steps, so that a failure can be
 * played again and cut down without the random numbers.
 */

import type { Command, Event, State } from '../../src/exchange.ts';
import {
  apply,
  audit,
  conditionalNumbers,
  createState,
  depth,
  hashState,
  openBets,
  position,
  restore,
  snapshot,
  wallet,
} from '../../src/exchange.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import { isCurrent, moveOfWaived, nextPart, someMove } from './archives.ts';
import { check, checkEnd } from './check.ts';
import { wagerLeft } from './conditionals.ts';
import { exposureOf, freeOf, marketExposure } from './exposure.ts';
import { isUnsure } from './house.ts';
import { netAt, netIf } from './money.ts';
import { feed, giveUp, nonsense, pieces, someResult } from './operator.ts';
import { nextCommand } from './players.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import { scenes } from './scenes.ts';
import type { Seen } from './seen.ts';
import { cloneSeen, createSeen } from './seen.ts';
import { opening } from './setup.ts';
import type { Market, World } from './world.ts';
import { cloneWorld, createWorld, heldOf, isTold, must } from './world.ts';

export type Step =
  | { do: 'command'; now: number; command: Command }
  /** A malformed command: refused, whatever the code. */
  | { do: 'nonsense'; now: number; command: Command }
  /** A snapshot is written. */
  | { do: 'snapshot' }
  /** The log so far is durable. */
  | { do: 'commit' }
  /** Memory is lost, with every command since the last commit; the last snapshot and the log are read again. */
  | { do: 'crash' };

export interface Failure {
  seed: number;
  step: number;
  message: string;
  steps: Step[];
}

export interface Outcome {
  seed: number;
  commands: number;
  refused: number;
  fills: number;
  settled: number;
  /** Results of card rounds with a bet among them, and movements of a provider that were taken. */
  cards: number;
  movements: number;
  /** Conditional orders that became a bet or ended one. */
  fired: number;
  /** Those that did not, because the player's own limits on stakes had no room for them. */
  limited: number;
  /** Those that were made with the order they follow. */
  attached: number;
  /** Winnings held back because somebody short owes them. */
  holds: number;
  /** Slices after which a result was still not booked. */
  slices: number;
  /** Parts that markets left memory in, and markets that were whole again. */
  parts: number;
  returned: number;
  /** Bets on quotes, and ladders, that a bound of the house kept out or took down. */
  bounded: number;
  /** Accounts that left. */
  closed: number;
  /** Unmatched bets that ended because the operator let all of a market lapse. */
  lapsed: number;
  /** Bets that were shut out when their delay was over, since their player was restricted meanwhile. */
  barred: number;
  /** Holds that the operator gave up. */
  released: number;
  crashes: number;
  failure: Failure | null;
}

/** What happened in a run, counted. */
type Counts = Omit<Outcome, 'seed' | 'commands' | 'failure'>;

export const noCounts = (): Counts => ({
  refused: 0,
  fills: 0,
  settled: 0,
  cards: 0,
  movements: 0,
  fired: 0,
  limited: 0,
  attached: 0,
  holds: 0,
  slices: 0,
  parts: 0,
  returned: 0,
  bounded: 0,
  closed: 0,
  lapsed: 0,
  barred: 0,
  released: 0,
  crashes: 0,
});

/** The core with its model beside it, and a disk that survives crashes. */
interface Site {
  state: State;
  world: World;
  seen: Seen;
  log: Array<{ now: number; command: Command }>;
  disk: { snapshot: string; at: number };
  committed: { length: number; hash: string; world: World; seen: Seen };
  counts: Counts;
}

function openSite(): Site {
  const state = createState();
  const world = createWorld();
  const seen = createSeen();
  return {
    state,
    world,
    seen,
    log: [],
    disk: { snapshot: JSON.stringify(snapshot(state)), at: 0 },
    committed: { length: 0, hash: hashState(state), world: cloneWorld(world), seen: cloneSeen(seen) },
    counts: noCounts(),
  };
}

function take(site: Site, step: Step): void {
  switch (step.do) {
    case 'command':
      command(site, step.command, step.now);
      break;
    case 'nonsense': {
      const events = apply(site.state, step.command, step.now);
      const refused = events.length === 1 && events[0]?.type === 'refused';
      must(refused, 'refusal', () => `nonsense was accepted: ${JSON.stringify(step.command)}`);
      site.counts.refused++;
      break;
    }
    case 'snapshot':
      save(site);
      break;
    case 'commit':
      commit(site);
      break;
    case 'crash':
      crash(site);
      break;
  }
}

function command(site: Site, sent: Command, now: number): void {
  // The core gets its own copy, as over a wire: it must neither keep nor change what it was given.
  const before = JSON.stringify(sent);
  const events = apply(site.state, JSON.parse(before, garbageBack(sent)) as Command, now);
  site.log.push({ now, command: sent });
  count(site, sent, events);
  if (sent.type === 'work' && site.world.settling.size > 0) site.counts.slices++;
  const coming = site.world.coming.size;
  check(site.world, site.seen, sent, now, events);
  if (site.world.coming.size < coming) site.counts.returned++;
}

/** JSON has no NaN and no Infinity; a command with garbage in it is handed over as it is. */
function garbageBack(sent: Command): ((this: unknown, key: string, value: unknown) => unknown) | undefined {
  const odd = new Map(Object.entries(sent).filter(([, value]) => typeof value === 'number' && !Number.isFinite(value)));
  if (odd.size === 0) return undefined;
  return (key, value) => (value === null && odd.has(key) ? odd.get(key) : value);
}

function count(site: Site, sent: Command, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type === 'refused') {
      site.counts.refused++;
      site.counts.bounded += Number(event.code === 'HOUSE_LIMIT');
    } else if (event.type === 'bet') {
      const { status, endCode, reason } = event.bet;
      const isOver = status === 'COMPLETE' && endCode === 'CANCELLED';
      site.counts.barred += Number(
        isOver && sent.type === 'clock' && reason === 'The account was restricted meanwhile',
      );
      const isLapse = sent.type === 'market.state' && sent.lapse === true;
      site.counts.lapsed += Number(isLapse && endCode === 'LAPSED_SUSPENDED');
    } else if (event.type === 'accountClosed') site.counts.closed++;
    else if (event.type === 'book' && sent.type === 'house.limits') site.counts.bounded++;
    else if (event.type === 'fill') site.counts.fills++;
    else if (event.type === 'conditional') {
      const { status, code } = event.conditional;
      site.counts.fired += Number(status === 'FIRED');
      site.counts.attached += Number(status === 'WAITING' && sent.type.endsWith('.place'));
      site.counts.limited += Number(code === 'STAKE_LIMIT' || code === 'WAGER_LIMIT');
    } else if (event.type === 'archivePart') site.counts.parts++;
    else if (event.type === 'movement') site.counts.movements++;
    else if (event.type === 'hold' && event.hold.amountMinor > 0) site.counts.holds++;
    else if (event.type === 'hold' && sent.type === 'hold.release') site.counts.released++;
    else if (event.type === 'settled') {
      site.counts.settled++;
      if (event.result.kind === 'cards' && events.some((one) => one.type === 'bet')) site.counts.cards++;
    }
  }
}

function commit(site: Site): void {
  checkReadings(site);
  const { world, seen } = site;
  site.committed = {
    length: site.log.length,
    hash: hashState(site.state),
    world: cloneWorld(world),
    seen: cloneSeen(seen),
  };
}

function save(site: Site): void {
  checkReadings(site);
  site.disk = { snapshot: JSON.stringify(snapshot(site.state)), at: site.log.length };
  const read = restore(JSON.parse(site.disk.snapshot));
  must(hashState(read) === hashState(site.state), 'INV-10', () => 'the state read from its snapshot differs');
}

function crash(site: Site): void {
  const { committed, disk } = site;
  // Steps cut out of a log may leave a snapshot without the commit that always comes after it.
  if (disk.at > committed.length) return;
  site.counts.crashes++;
  const state = restore(JSON.parse(disk.snapshot));
  site.log.length = committed.length;
  for (const { now, command: logged } of site.log.slice(disk.at)) apply(state, logged, now);
  must(hashState(state) === committed.hash, 'INV-10', () => 'the state read from snapshot and log differs');
  site.state = state;
  site.world = cloneWorld(committed.world);
  site.seen = cloneSeen(committed.seen);
  checkReadings(site);
}

/** The core's own watchdog finds nothing, and what it answers is what it told. */
function checkReadings({ state, world, seen }: Site): void {
  const faults = audit(state);
  must(faults.length === 0, faults[0]?.slice(0, 6) ?? '', () => `audit: ${faults.join('; ')}`);
  for (const account of world.accounts.values()) {
    const answer = wallet(state, account.id);
    const exposure = exposureOf(world, account.id);
    const same =
      answer?.balanceMinor === account.ledger &&
      answer.exposureMinor === exposure &&
      answer.heldMinor === heldOf(world, account.id) &&
      answer.availableMinor === freeOf(world, account.id);
    must(same, 'INV-02', () => `wallet of ${account.id} reads ${JSON.stringify(answer)}`);
    const { stakeLimit, wager } = state.accounts.get(account.id)!;
    const left = wagerLeft(world, account);
    must(
      stakeLimit === account.stakeLimit && (wager?.left ?? null) === left,
      'INV-29',
      () => `${account.id} may stake ${stakeLimit} at once and ${wager?.left} more, should be ${left}`,
    );
    if (!isTold(world, account.id)) continue;
    const open = openBets(state, account.id).map((bet) => bet.betId);
    const told = [...seen.bets.values()].filter((bet) => bet.accountId === account.id && bet.result === 'PENDING');
    const missing = told.filter((bet) => world.markets.has(bet.marketId) && !open.includes(bet.betId));
    must(
      missing.length === 0,
      'INV-09',
      () => `open bets of ${account.id} lack ${missing.map((bet) => bet.betId).join()}`,
    );
  }
  checkConditionals(state, seen);
  for (const market of world.markets.values()) {
    // Of one that comes back it is known with the last part.
    if (!world.coming.has(market.id)) checkWaived(state, market);
    for (const accountId of new Set(market.bets.map((bet) => bet.accountId))) checkPosition(state, market, accountId);
    if (market.def.kind !== 'book') continue;
    for (const runner of market.runners) {
      const shown = depth(state, market.id, runner.id, 350);
      const levels = seen.levels.get(`${market.id}/${runner.id}`) ?? new Map<string, number>();
      const same =
        shown !== null &&
        shown.back.length + shown.lay.length === levels.size &&
        shown.back.every(([price, size]) => levels.get(`LAY@${price}`) === size) &&
        shown.lay.every(([price, size]) => levels.get(`BACK@${price}`) === size);
      must(same, 'INV-12', () => `depth of runner ${runner.id} is not the folded image`);
    }
  }
}

/** Every conditional order that ever was is held, or was told to be over; `fold` complains of a second end. */
function checkConditionals(state: State, seen: Seen): void {
  const { last, held } = conditionalNumbers(state);
  const waiting = new Set(held.map(({ conditionalId }) => conditionalId));
  for (let id = 1; id <= last; id++) {
    const told = seen.conditionals.get(id)?.status;
    must(
      waiting.has(id) === (told === 'WAITING') && told !== undefined,
      'INV-27',
      () => `conditional order ${id} ${waiting.has(id) ? 'is held' : 'is not held'}, and was told as ${told}`,
    );
  }
  must(seen.conditionals.size === last, 'INV-27', () => `${seen.conditionals.size} were told of, ${last} were made`);
}

/** What was waived counts as long as the market's result may be taken back, also when it was out of memory meanwhile. */
function checkWaived(state: State, market: Market): void {
  for (const { account, waived } of state.markets.get(market.id)?.holdings.values() ?? []) {
    const should = market.waived.get(account.id) ?? 0;
    must(waived === should, 'INV-05', () => `${waived} is waived of ${account.id} in ${market.id}, not ${should}`);
  }
}

/** What an account reads as its standing is the sum of its matched bets, outcome by outcome. */
function checkPosition(state: State, market: Market, accountId: number): void {
  const told = position(state, accountId, market.id);
  const held = marketExposure(market, accountId);
  must(
    told?.exposureMinor === held,
    'INV-05',
    () => `position of ${accountId} holds ${told?.exposureMinor}, not ${held}`,
  );
  for (const row of told.runners ?? []) {
    const should = netIf(market, accountId, row.runnerId);
    must(
      row.netMinor === should,
      'INV-05',
      () => `${accountId} reads ${row.netMinor} on ${row.runnerId}, not ${should}`,
    );
  }
  for (const row of told.runs ?? []) {
    const should = netAt(market, accountId, row.run);
    must(
      row.profitMinor === should,
      'INV-05',
      () => `${accountId} reads ${row.profitMinor} at ${row.run}, not ${should}`,
    );
  }
}

/** Plays a seed. `commands` is the length of the busy part; the liveness phase comes on top. */
export function runSeed(seed: number, commands: number): Outcome {
  const random = createRandom(seed);
  const site = openSite();
  const steps: Step[] = [];
  let failure: Failure | null = null;
  let { counts } = site;
  try {
    const played = (all: Generator<Step>) => {
      for (const step of all) {
        steps.push(step);
        take(site, step);
      }
    };
    played(scenario(site, random, commands));
    // What is counted came by itself.
    counts = site.counts;
    site.counts = { ...counts };
    played(encore(site, createRandom(seed + OTHER_SEEDS), steps));
  } catch (error) {
    failure = { seed, step: steps.length, message: text(error), steps };
  }
  return { seed, commands: steps.length, ...counts, failure };
}

/** Plays given steps. @returns what broke, or null. */
export function replay(steps: readonly Step[]): string | null {
  const site = openSite();
  try {
    for (const step of steps) take(site, step);
    return null;
  } catch (error) {
    return text(error);
  }
}

function text(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : (error.stack ?? error.message);
}

const START = 1_800_000_000_000;

/** The steps of a seed; each is chosen with the world as the steps before left it. */
function* scenario(site: Site, random: Random, commands: number): Generator<Step> {
  let now = START;
  const past: Command[] = [];
  /** Commands on their way that arrive late, out of order. */
  const late: Command[] = [];
  /** What a coalition still means to do. */
  const plan: Command[] = [];
  const send = (meant: Command): Step => {
    // Of a ladder while results of its event are booked the model does not know whether the house may offer it.
    const command: Command = meant.type === 'house.book' && isUnsure(site.world, meant) ? { type: 'clock' } : meant;
    past.push(command);
    return { do: 'command', now, command };
  };
  for (const first of opening(random)) yield send(first);
  for (const market of site.world.markets.values()) yield send(feed(random, market));
  /** Commands until memory is lost; those sent meanwhile vanish with it. */
  let crashIn = -1;
  for (let i = 0; i < commands; i++) {
    now += random.chance(0.5) ? 0 : random.int(1, 900);
    if (crashIn === 0) yield { do: 'crash' };
    crashIn--;
    if (crashIn < 0 && random.chance(0.01)) yield { do: 'snapshot' };
    if (crashIn < 0 && random.chance(0.006)) {
      yield { do: 'commit' };
      crashIn = random.int(0, 16);
    }
    if (random.chance(0.03)) yield { do: 'nonsense', now, command: nonsense(site.world, random) };
    const fresh = nextCommand(site.world, random, past, plan);
    if (random.chance(0.03)) {
      late.push(fresh);
      continue;
    }
    yield send(fresh);
    if (random.chance(0.02)) yield send(fresh);
    if (site.world.settling.size > 0 && random.chance(0.3)) yield send({ type: 'work', units: random.int(1, 12) });
    const move = random.chance(0.03) ? someMove(site.world, random) : moveOfWaived(site.world, random);
    if (move !== null) yield send(move);
    if (site.world.coming.size > 0 && random.chance(0.4)) yield send(nextPart(site.world, random));
    if (late.length > 0 && random.chance(0.2)) {
      const [came] = late.splice(random.int(0, late.length - 1), 1);
      // An account that leaves late might have bets in a market that is to come back.
      if (came!.type !== 'account.close' && isCurrent(site.world, came!)) yield send(came!);
    }
  }
  yield* liveness(site, random, now, send);
}

/** Its random numbers are no seed's. */
const OTHER_SEEDS = 0x5ce4e5;

/** The scenes that seldom come by themselves, behind all that came; then memory is lost once more. */
function* encore(site: Site, random: Random, past: readonly Step[]): Generator<Step> {
  let now = past.reduce((last, step) => ('now' in step ? Math.max(last, step.now) : last), START);
  for (const [afterMs, command] of scenes(site.world, random)) {
    now += afterMs;
    yield { do: 'command', now, command };
  }
  yield { do: 'commit' };
  yield { do: 'crash' };
}

/** Faults and players off: every bet ends, every market gets its result, nothing stays held. */
function* liveness(site: Site, random: Random, from: number, send: (sent: Command) => Step): Generator<Step> {
  const at = (step: Step, now: number): Step => (step.do === 'command' ? { ...step, now } : step);
  yield { do: 'commit' };
  yield { do: 'crash' };
  function* done(): Generator<Step> {
    for (let i = 0; site.world.settling.size > 0; i++) {
      must(i < 1000, 'liveness', () => 'a result is not booked to its end');
      yield at(send({ type: 'work', units: 100 }), from + 60_000);
    }
    for (let i = 0; site.world.coming.size > 0; i++) {
      must(i < 1000, 'liveness', () => 'a market does not come back');
      yield at(send(nextPart(site.world, random)), from + 60_000);
    }
  }
  yield* done();
  // What a delayed bet meets may be a delayed bet again.
  for (let i = 0; i < 11 && isWaiting(site.world); i++) yield at(send({ type: 'clock' }), from + 60_000 + i * 5000);
  yield at(send({ type: 'clock' }), from + 120_000);
  // So may be what only that time meets: an order of a conditional one.
  for (let i = 1; i < 12 && isWaiting(site.world); i++) yield at(send({ type: 'clock' }), from + 120_000 + i * 5000);
  const end = from + 60_000;
  for (const { accountId, roundId, game } of site.world.rounds.values()) {
    const move = { provider: 'alder', roundId, accountId, game, currency: 'EUR', label: 'Alder Games / Keno' };
    yield at(send({ type: 'game.end', ...move }), end + 120_500);
  }
  for (const market of site.world.markets.values()) {
    for (const bet of market.bets) {
      must(bet.status !== 'PENDING', 'liveness', () => `bet ${bet.betId} still waits after its delay`);
    }
  }
  for (const market of site.world.markets.values()) {
    if (market.status === 'CLOSED') continue;
    yield at(
      send({ type: 'market.declare', marketId: market.id, result: { kind: 'void', reason: 'Practice' } }),
      end + 121_000,
    );
    yield* done();
    yield at(send({ type: 'market.undeclare', marketId: market.id }), end + 122_000);
    yield* done();
    let result = someResult(random, market);
    if (market.status !== 'SUSPENDED') continue;
    yield at(send({ type: 'market.declare', marketId: market.id, result }), end + 123_000);
    yield* done();
    if (isClosed(site.world, market.id)) continue;
    result = { kind: 'void', reason: 'No result' };
    yield at(send({ type: 'market.declare', marketId: market.id, result }), end + 124_000);
    yield* done();
  }
  yield at(send({ type: 'clock' }), end + 124_500);
  while (site.world.turns.length > 0) yield at(send({ type: 'clock' }), end + 124_500);
  // Most of what is owed comes of the last results.
  while (site.world.holds.size > 0 && random.chance(0.7)) yield at(send(giveUp(site.world, random)), end + 124_800);
  yield { do: 'snapshot' };
  checkEnd(site.world, site.seen);
  function* goodbye(): Generator<Step> {
    for (const accountId of Array.from(site.world.accounts.keys()))
      if (accountId >= FIRST_PLAYER) yield at(send({ type: 'account.close', accountId }), end + 127_000);
  }
  for (const account of site.world.accounts.values()) {
    const free = freeOf(site.world, account.id);
    if (account.id < FIRST_PLAYER || free <= 0) continue;
    const out = {
      accountId: account.id,
      amountMinor: -free,
      reason: 'withdrawal' as const,
      text: 'All of it',
    };
    yield at(send({ type: 'account.transfer', ...out }), end + 125_000);
  }
  // Who has bets in memory stays; then nobody has.
  yield* goodbye();
  for (const marketId of Array.from(site.world.markets.keys())) {
    yield at(send({ type: 'market.archive', marketId, ...pieces(random) }), end + 126_000);
  }
  yield* done();
  must(site.world.markets.size === 0, 'liveness', () => 'a market does not leave');
  yield at(send({ type: 'game.forget', before: end + 126_500 }), end + 127_000);
  yield* goodbye();
  yield { do: 'snapshot' };
  yield { do: 'commit' };
  yield { do: 'crash' };
  checkEnd(site.world, site.seen);
}

function isWaiting({ markets, turns }: World): boolean {
  return turns.length > 0 || [...markets.values()].some(({ bets }) => bets.some((bet) => bet.status === 'PENDING'));
}

function isClosed(world: World, marketId: number): boolean {
  return world.markets.get(marketId)?.status === 'CLOSED';
}
