/**
 * Several pools, each a core of its own, and players who move money between them while they bet in all. Anything may go wrong
 * between any two steps of a transfer: a driver ends, an answer is lost, a command comes late or twice, a pool ends and is made
 * again from its log or its snapshot. No money may come or go, nobody's free money may be below nothing, every transfer ends.
 */
import type { Command, Event, State } from '../../src/exchange.ts';
import {
  apply,
  audit,
  createState,
  hashState,
  purseOf,
  restore,
  snapshot,
  stepsOf,
  transfersOf,
  wallet,
} from '../../src/exchange.ts';
import { createRandom, type Random } from './random.ts';

export interface PoolsOutcome {
  failure: string | null;
  commands: number;
  transfers: number;
  repeats: number;
  crashes: number;
  bets: number;
  results: number;
}

interface Pool {
  name: string;
  state: State;
  log: Array<[Command, number]>;
  marketId: number;
  betId: number;
}

/** A driver at work on one transfer, as it stood when it looked; it may be long behind. */
interface Driver {
  from: Pool;
  to: Pool;
  steps: ReturnType<typeof stepsOf>;
  /** Whether the first step was taken, as far as it knows. */
  came: boolean;
}

const PLAYERS = [100, 101, 102];
const CURRENCY = 'EUR';
const DEPOSIT = 100_000;

export function runPools(seed: number, pools: number, commands: number): PoolsOutcome {
  return new Pools(seed, pools).run(commands);
}

class Pools {
  private readonly random: Random;
  private readonly pools: Pool[];
  private readonly drivers: Driver[] = [];
  /** Commands that went out once and may come (again) at any time. */
  private readonly late: Array<[Pool, Command]> = [];
  private now = 1_800_000_000_000;
  private readonly counts = { commands: 0, transfers: 0, repeats: 0, crashes: 0, bets: 0, results: 0 };

  constructor(seed: number, pools: number) {
    this.random = createRandom(seed);
    this.pools = Array.from({ length: pools }, (_, i) => ({
      name: `pool-${i}`,
      state: createState({ currency: CURRENCY }),
      log: [],
      marketId: 0,
      betId: 0,
    }));
  }

  run(commands: number): PoolsOutcome {
    try {
      for (const accountId of PLAYERS) {
        const home = this.homeOf(accountId);
        this.submit(home, { type: 'account.open', accountId, currency: CURRENCY, kind: 'player' });
        this.submit(home, {
          type: 'account.transfer',
          accountId,
          amountMinor: DEPOSIT,
          reason: 'deposit',
          text: 'simulated',
        });
      }
      while (this.counts.commands < commands) {
        this.step();
        this.check();
      }
      this.finish();
      return { failure: null, ...this.counts };
    } catch (error) {
      return { failure: (error as Error).message, ...this.counts };
    }
  }

  private homeOf(accountId: number): Pool {
    return this.pools[accountId % this.pools.length]!;
  }

  private step(): void {
    const { random } = this;
    this.now += random.int(0, 50);
    const pool = random.pick(this.pools);
    random.weighted<() => void>([
      [6, () => this.begin(pool)],
      [4, () => this.look(pool)],
      [14, () => this.drive()],
      [3, () => this.comeLate()],
      [2, () => this.crash(pool)],
      [8, () => this.bet(pool)],
      [2, () => this.market(pool)],
    ])();
  }

  /** Asks for a transfer, sometimes one that cannot be: too much, of an old number, of one to come. */
  private begin(from: Pool): void {
    const { random } = this;
    const to = random.pick(this.pools.filter((pool) => pool !== from));
    const accountId = random.pick(PLAYERS);
    if (!from.state.accounts.has(accountId)) return;
    const purse = purseOf(from.state, accountId, to.name);
    const free = Math.max(1, freeOf(from, accountId));
    this.send(from, {
      type: 'purse.reserve',
      accountId,
      pool: to.name,
      transfer: (purse?.sent ?? 0) + (random.chance(0.1) ? random.int(-1, 2) : 1),
      amountMinor: random.chance(0.1) ? free + 1 : random.int(1, free),
    });
  }

  /** A driver, perhaps beside others that are at the same, takes what waits. */
  private look(from: Pool): void {
    for (const waiting of transfersOf(from.state)) {
      const to = this.pools.find(({ name }) => name === waiting.pool)!;
      this.drivers.push({ from, to, steps: stepsOf(from.name, waiting, CURRENCY), came: false });
    }
  }

  private drive(): void {
    const { random, drivers } = this;
    const at = random.int(0, drivers.length - 1);
    const driver = drivers[at];
    if (!driver) return;
    const [pool, command] = driver.came ? [driver.from, driver.steps.here] : [driver.to, driver.steps.there];
    const taken = this.send(pool, command);
    // What it was not told it has to ask again; it may end before it does.
    if (!taken || random.chance(0.1)) {
      if (random.chance(0.3)) drivers.splice(at, 1);
      return;
    }
    if (driver.came || random.chance(0.15)) drivers.splice(at, 1);
    else driver.came = true;
  }

  /** Lost on the way, taken with the answer lost, or both as they should be. Answers whether the sender was told. */
  private send(pool: Pool, command: Command): boolean {
    if (this.random.chance(0.3)) this.late.push([pool, command]);
    if (this.random.chance(0.1)) return false;
    const events = this.submit(pool, command);
    if (events.length === 0) this.counts.repeats++;
    return !this.random.chance(0.1) && events[0]?.type !== 'refused';
  }

  private comeLate(): void {
    if (this.late.length === 0) return;
    const at = this.random.int(0, this.late.length - 1);
    const [pool, command] = this.late[at]!;
    if (this.random.chance(0.5)) this.late.splice(at, 1);
    this.submit(pool, command);
  }

  /** Made again from its log alone, or from a snapshot; what it is then must be what it was. */
  private crash(pool: Pool): void {
    this.counts.crashes++;
    const before = hashState(pool.state);
    if (this.random.chance(0.5)) pool.state = restore(JSON.parse(JSON.stringify(snapshot(pool.state))) as never);
    else {
      pool.state = createState({ currency: CURRENCY });
      for (const [command, time] of pool.log) apply(pool.state, command, time);
    }
    if (hashState(pool.state) !== before) throw new Error(`${pool.name} came back as another`);
  }

  private bet(pool: Pool): void {
    const { random } = this;
    if (pool.marketId === 0) {
      this.market(pool);
      return;
    }
    const accountId = random.pick(PLAYERS);
    if (!pool.state.accounts.has(accountId)) return;
    const events = this.submit(pool, {
      type: 'order.place',
      betId: ++pool.betId,
      accountId,
      marketId: pool.marketId,
      runnerId: random.pick([1, 2]),
      side: random.pick(['BACK', 'LAY']),
      price: random.pick([180, 200, 220]),
      sizeMinor: random.int(100, 20_000),
      persistence: 'PERSIST',
    });
    if (events[0]?.type !== 'refused') this.counts.bets++;
  }

  /** The next market, where there is one its result first: who won has it in his purse. */
  private market(pool: Pool): void {
    const { random } = this;
    if (pool.marketId !== 0) {
      const runnerIds = [random.pick([1, 2])];
      this.submit(pool, { type: 'market.declare', marketId: pool.marketId, result: { kind: 'winners', runnerIds } });
      this.counts.results++;
    }
    pool.marketId++;
    this.submit(pool, { type: 'market.create', market: marketOf(pool.marketId) });
    const ladder = (price: number): Array<[number, number]> => [[price, 50_000]];
    this.submit(pool, {
      type: 'house.book',
      marketId: pool.marketId,
      runners: [1, 2].map((runnerId) => ({ runnerId, backable: ladder(200), layable: ladder(204) })),
    });
  }

  private submit(pool: Pool, command: Command): Event[] {
    this.counts.commands++;
    const events = apply(pool.state, command, this.now);
    if (events[0]?.type === 'refused') return events;
    pool.log.push([command, this.now]);
    if (command.type === 'purse.reserve' && events.length > 0) this.counts.transfers++;
    return events;
  }

  private check(): void {
    let total = 0;
    let deposited = 0;
    for (const { name, state } of this.pools) {
      for (const { id, kind, balance } of state.accounts.values()) {
        total += balance;
        if (id === 2) deposited -= balance;
        if (kind === 'player' && wallet(state, id)!.availableMinor < 0)
          throw new Error(`${name}: account ${id} has less than nothing free`);
      }
    }
    if (deposited !== PLAYERS.length * DEPOSIT) throw new Error(`${deposited} were paid in`);
    const away = this.pools.flatMap((from) => transfersOf(from.state).map((waiting) => this.onItsWay(from, waiting)));
    total += away.reduce((sum, amount) => sum + amount, 0);
    if (total !== 0) throw new Error(`all money sums to ${total}`);
  }

  /** What left and did not come: nothing where only nobody said yet that it came. */
  private onItsWay(
    from: Pool,
    { accountId, pool, sent, waitingMinor }: ReturnType<typeof transfersOf>[number],
  ): number {
    const to = this.pools.find(({ name }) => name === pool)!;
    return (purseOf(to.state, accountId, from.name)?.received ?? 0) < sent ? waitingMinor : 0;
  }

  /** Nothing more goes wrong: a driver ends all that waits, and then both ends of every way say the same. */
  private finish(): void {
    for (const from of this.pools)
      for (const waiting of transfersOf(from.state)) {
        const { there, here } = stepsOf(from.name, waiting, CURRENCY);
        const to = this.pools.find(({ name }) => name === waiting.pool)!;
        for (const [pool, command] of [
          [to, there],
          [from, here],
        ] as const) {
          const [refused] = this.submit(pool, command);
          if (refused?.type === 'refused') throw new Error(`${command.type} is refused: ${refused.code}`);
        }
      }
    this.check();
    for (const from of this.pools) {
      if (transfersOf(from.state).length > 0) throw new Error(`a transfer from ${from.name} did not end`);
      const faults = audit(from.state);
      if (faults.length > 0) throw new Error(`${from.name}: ${faults.join('; ')}`);
      for (const to of this.pools)
        for (const accountId of PLAYERS) {
          const [out, back] = [purseOf(from.state, accountId, to.name), purseOf(to.state, accountId, from.name)];
          if ((out?.netMinor ?? 0) !== -(back?.netMinor ?? 0) || (out?.sent ?? 0) !== (back?.received ?? 0))
            throw new Error(`${from.name} and ${to.name} differ about account ${accountId}`);
        }
      this.crash(from);
    }
  }
}

function freeOf({ state }: Pool, accountId: number): number {
  return wallet(state, accountId)?.availableMinor ?? 0;
}

function marketOf(marketId: number): Extract<Command, { type: 'market.create' }>['market'] {
  return {
    marketId,
    eventId: 1,
    kind: 'book',
    name: 'Match Odds',
    runners: [
      { runnerId: 1, name: 'One' },
      { runnerId: 2, name: 'Two' },
    ],
    winners: 1,
    commissionBps: 200,
    minStakeMinor: 100,
    maxStakeMinor: 1_000_000,
    maxExposureMinor: 0,
    maxBets: 1000,
    inPlay: false,
    status: 'OPEN',
    betDelayMs: 0,
    lapseOnSuspend: false,
  };
}
