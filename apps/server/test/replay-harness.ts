/** Plays recordings into a real betting core while seeded players bet on them, and keeps what a test wants to ask about. */

import { LADDER, tickIndex } from '@fairgame/contract';
import {
  apply,
  audit,
  type Bet,
  betOf,
  CASH,
  COMMISSION,
  type Command,
  createState,
  depth,
  type Event,
  FIRST_PLAYER,
  HOUSE,
  hashState,
  type MarketId,
  type MarketView,
  marketsOf,
  marketView,
  nextDueAt,
  pendingWork,
  ROUNDING,
  type State,
  wallet,
} from '@fairgame/exchange';
import type { FeedOutput } from '../src/feed/feed.ts';
import { nothingKnown } from '../src/feed/known.ts';
import { type RecordedRun, recordedFeed } from '../src/feed/replay/recorded.ts';
import { generator } from './replay-fixtures.ts';

export interface PlayedThrough {
  state: State;
  /** Commands of the feed that the core refused. */
  refused: Array<{ command: Command; code: string; field?: string | undefined }>;
  /** Fills while their market was not open: INV-15 says there are none. */
  lateFills: number;
  fills: number;
  /** Fills in which both sides were players. */
  playerFills: number;
  /** Fills of an order that had been resting, against the house. */
  restingFills: number;
  betIds: number[];
  refusedBets: Map<string, number>;
  run: RecordedRun;
  hash: string;
  /** Sum of all balances, minor units: 0 always. */
  sumMinor: number;
  faults: string[];
}

const PLAYERS = [100, 101, 102, 103].map((n) => FIRST_PLAYER - 100 + n);
const DEPOSIT_MINOR = 100_000_00;

/** `betEvery` batches a player bets: a taken best price, a better price that rests, or a cancel of all he has. */
export function playThrough(
  files: string[],
  options: { seed: number; betEvery: number; auditEvery?: number },
): Promise<PlayedThrough> {
  const random = generator(options.seed);
  const state = createState();
  const open = new Map<MarketId, boolean>();
  const result: Omit<PlayedThrough, 'run' | 'hash' | 'sumMinor'> = {
    state,
    refused: [],
    lateFills: 0,
    fills: 0,
    playerFills: 0,
    restingFills: 0,
    betIds: [],
    refusedBets: new Map(),
    faults: [],
  };
  let clock = 0;
  let batches = 0;
  let nextBet = 1;
  const run = (command: Command, now: number): Event[] => {
    clock = Math.max(clock, now);
    const before = new Map(open);
    const events = apply(state, command, clock);
    // As the writer does, with what a result of a large market leaves to do.
    while (pendingWork(state).length > 0) events.push(...apply(state, { type: 'work', units: 100 }, clock));
    for (const event of events) {
      if (event.type === 'market') open.set(event.market.marketId, event.market.status === 'OPEN');
      if (event.type !== 'fill') continue;
      result.fills++;
      if (!before.get(event.marketId)) result.lateFills++;
      const houseTook = event.taker === 'BACK' ? event.backBetId === 0 : event.layBetId === 0;
      if (event.backBetId > 0 && event.layBetId > 0) result.playerFills++;
      else if (houseTook) result.restingFills++;
    }
    return events;
  };
  for (const accountId of PLAYERS) {
    run({ type: 'account.open', accountId, currency: 'EUR', kind: 'player' }, 1);
    run({ type: 'account.transfer', accountId, amountMinor: DEPOSIT_MINOR, reason: 'deposit', text: 'start' }, 1);
  }

  const bet = (now: number): void => {
    const markets = marketsOf(state).filter((market) => market.status === 'OPEN');
    if (markets.length === 0) return;
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const market = pick(markets);
    const runner = pick(market.runners.filter((one) => one.status === 'ACTIVE'));
    const accountId = pick(PLAYERS);
    if (random() < 0.05) {
      run({ type: 'order.cancelAll', accountId, marketId: market.marketId }, now);
      return;
    }
    const order = wanted(state, market, runner.runnerId, random);
    if (!order) return;
    const events = run(
      {
        type: 'order.place',
        betId: nextBet,
        accountId,
        marketId: market.marketId,
        runnerId: runner.runnerId,
        ...order,
        sizeMinor: 100 + Math.floor(random() * 5000),
        persistence: random() < 0.5 ? 'PERSIST' : 'LAPSE',
      },
      now,
    );
    const refusal = events.find((event) => event.type === 'refused');
    if (refusal) result.refusedBets.set(refusal.code, (result.refusedBets.get(refusal.code) ?? 0) + 1);
    else result.betIds.push(nextBet);
    nextBet++;
  };

  const sink = (outputs: FeedOutput[], now: number): void => {
    const due = nextDueAt(state);
    if (due !== null && due <= now) run({ type: 'clock' }, now);
    for (const output of outputs) {
      if (output.type !== 'command') continue;
      const refusal = run(output.command, now).find((event) => event.type === 'refused');
      if (refusal) result.refused.push({ command: output.command, code: refusal.code, field: refusal.field });
    }
    if (++batches % options.betEvery === 0) bet(now);
    if (options.auditEvery && batches % options.auditEvery === 0) result.faults.push(...audit(state));
  };

  return new Promise((resolve, reject) => {
    let ids = 0;
    const feed = recordedFeed(files, {
      speed: 'max',
      now: () => 1_800_000_000_000,
      known: () => nothingKnown({ next: () => ++ids }),
      log: (text) => {
        if (text.startsWith('recorded feed stopped')) reject(new Error(text));
      },
      onRun: (recorded) => {
        result.faults.push(...audit(state));
        let sumMinor = 0;
        for (const id of [HOUSE, CASH, COMMISSION, ROUNDING, ...PLAYERS]) sumMinor += wallet(state, id)!.balanceMinor;
        void feed.stop().then(() => resolve({ ...result, run: recorded, hash: hashState(state), sumMinor }));
      },
    });
    feed.start(sink);
  });
}

/** What each bet must have won by the rules, from the winners alone: gross, minor units, without commission. */
export function expectedProfitMinor(bet: Bet, market: MarketView): number {
  if (market.result?.kind !== 'winners' || bet.matchedMinor === 0) return 0;
  const { runnerIds } = market.result;
  const places = Math.min(1, market.winners / runnerIds.length);
  const won = runnerIds.includes(bet.runnerId) ? places : 0;
  // matchedSum is price x size: the winning part pays price - 1, the rest loses the stake.
  const backed = (won * (bet.matchedSum - bet.matchedMinor * 100)) / 100 - (1 - won) * bet.matchedMinor;
  return bet.side === 'BACK' ? backed : -backed;
}

/** How far what each account was booked in each market is under what its bets won exactly: 0 to 1, for gains are rounded down and losses up. */
export function roundedAway(played: PlayedThrough): number[] {
  const under = new Map<string, number>();
  for (const bet of betsOf(played)) {
    const key = `${bet.accountId} ${bet.marketId}`;
    const exact = expectedProfitMinor(bet, marketView(played.state, bet.marketId)!);
    under.set(key, (under.get(key) ?? 0) + exact - bet.profitMinor);
  }
  return [...under.values()];
}

export function betsOf(played: PlayedThrough): Bet[] {
  return played.betIds.map((betId) => betOf(played.state, betId)!);
}

function wanted(
  state: State,
  market: MarketView,
  runnerId: number,
  random: () => number,
): { side: 'BACK' | 'LAY'; price: number } | null {
  const book = depth(state, market.marketId, runnerId, 1);
  const back = book?.back[0]?.[0];
  const lay = book?.lay[0]?.[0];
  const side = random() < 0.5 ? 'BACK' : 'LAY';
  const best = side === 'BACK' ? back : lay;
  if (!best) return null;
  // Half take what is there, half ask for up to three ticks better and wait.
  const ticks = random() < 0.5 ? 0 : 1 + Math.floor(random() * 3);
  const tick = tickIndex(best) + (side === 'BACK' ? ticks : -ticks);
  const price = LADDER[Math.min(LADDER.length - 1, Math.max(0, tick))]!;
  return price > 5000 && side === 'LAY' ? null : { side, price };
}
