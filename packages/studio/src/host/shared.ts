/**
 * Rounds that all players share. Over 300 lines: one closure holds a table's clock and bets, which nothing else may touch.
 * A game's clock runs while somebody watches or a bet is open: bets, the round, a rest. The
 * seed of a round is fixed a round ahead, and the bettors' own seeds are mixed in when betting ends. A bet is a round of its own to the operator; what a bet is cashed out at is decided
 * by this clock alone.
 */
import { commitOf, createStream, sharedSeed } from '@fairgame/casino';
import type { AnyShared } from '../game.ts';
import type { BetReply, LiveBet, LiveView } from '../wire.ts';
import { type Core, createLocks, mostStake } from './core.ts';
import { Refusal, refusalOfWallet } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import { newSeed, type Round, randomId, type Session, type TableMemory } from './store.ts';

export interface Table {
  view(session: Session): LiveView;
  /** Called at every change; the answer ends it. While one watches the clock runs. */
  watch(changed: () => void): () => void;
  /** Somebody is there without watching: the clock runs for another while. */
  touch(): void;
  bet(session: Session, key: string, roundId: string, wager: unknown): Promise<BetReply>;
  cashout(session: Session, betId: string): Promise<BetReply>;
  /** True while the seed of this round is a secret. */
  runs(roundId: string): boolean;
  stop(): void;
}

const LAST = 20;
const MOST_WORDS = 20;
const MOST_BETS = 40;
/** How long the start of a round waits for stakes that are still on their way. */
const STRAGGLERS_MS = 1000;
const TICK_MS = 50;
const TOUCH_MS = 30_000;

export function createTable(core: Core, sessions: Sessions, game: AnyShared): Table {
  const { store, clock, money } = core;
  const base = `${core.provider.name} ${game.name}`;
  const locked = createLocks();
  const watchers = new Set<() => void>();
  let memory = recover();
  let bets: Round[] = [];
  /** The own seeds of the first bettors, by seat: they go into the seed of the round after its hash was shown. */
  const words = new Map<string, string>();
  let onTheWay = 0;
  let phaseStartedAt = clock.now();
  let phaseEndsAt: number | null = phaseStartedAt;
  let result: unknown = null;
  let running = false;
  let touchedAt = Number.NEGATIVE_INFINITY;
  let off = () => {};
  let announcing = false;

  const publicSeed = () => sharedSeed(base, [...words.values()]);
  const roundId = () => `${game.code}-${memory.seq}`;
  const after = (delayMs: number, work: () => void) => {
    off = clock.after(Math.max(0, delayMs), work);
  };

  function announce(): void {
    if (announcing) return;
    announcing = true;
    // Several changes of one moment are told once.
    setImmediate(() => {
      announcing = false;
      for (const changed of watchers) changed();
    });
  }

  function remember(more: Partial<TableMemory>): void {
    memory = { ...memory, ...more };
    store.tables.put(memory);
  }

  function enter(phase: TableMemory['phase'], forMs: number | null, more: Partial<TableMemory> = {}): void {
    phaseStartedAt = clock.now();
    phaseEndsAt = forMs === null ? null : phaseStartedAt + forMs;
    remember({ phase, ...more });
    announce();
  }

  // ------------------------------------------------------------------------------------------------------- the clock

  function wake(): void {
    if (running) return;
    running = true;
    takeBets();
  }

  function takeBets(): void {
    bets = [];
    words.clear();
    result = null;
    enter('bets', game.betMs, { seq: memory.seq + 1, serverSeed: memory.nextSeed, nextSeed: newSeed() });
    after(game.betMs, closeBets);
  }

  function closeBets(waitedMs = 0): void {
    if (onTheWay > 0 && waitedMs < STRAGGLERS_MS) {
      after(TICK_MS, () => closeBets(waitedMs + TICK_MS));
      return;
    }
    const clientSeed = publicSeed();
    for (const bet of bets) {
      bet.clientSeed = clientSeed;
      bet.seedOf = { base, words: [...words.values()] };
      store.rounds.put(bet);
    }
    result = game.draw(createStream({ serverSeed: memory.serverSeed, clientSeed, nonce: memory.seq }));
    const runMs = game.runMs(result);
    // A crash game's end is not told before it comes.
    enter('runs', game.timesAt ? null : runMs);
    run(runMs);
  }

  function run(runMs: number): void {
    const elapsedMs = clock.now() - phaseStartedAt;
    if (elapsedMs >= runMs) {
      rest();
      return;
    }
    if (game.timesAt) for (const bet of bets) cashPreset(bet, game.timesAt(elapsedMs));
    after(Math.min(game.timesAt ? TICK_MS : runMs, runMs - elapsedMs), () => run(runMs));
  }

  function rest(): void {
    for (const bet of bets) {
      if (bet.status !== 'open') continue;
      cashPreset(bet, Number.POSITIVE_INFINITY);
      if (bet.status === 'open') void finish(bet, game.settle(bet.wager, result, null));
    }
    const last = [game.view(result, true), ...memory.last].slice(0, LAST);
    // The pace of play holds here too: from betting to betting.
    const restMs = Math.max(game.restMs, game.cycleMs - game.betMs - (clock.now() - phaseStartedAt));
    enter('rests', restMs, { last });
    after(restMs, next);
  }

  function next(): void {
    const wanted = watchers.size > 0 || clock.now() - touchedAt < TOUCH_MS;
    if (wanted) takeBets();
    else running = false;
  }

  // -------------------------------------------------------------------------------------------------------- the bets

  /** A preset that the multiple has reached is cashed out at exactly the preset, if the round got that far. */
  function cashPreset(bet: Round, times: number): void {
    if (bet.status !== 'open') return;
    const preset = game.autoTimes?.(bet.wager) ?? null;
    if (preset === null || times < preset) return;
    const paidMinor = game.settle(bet.wager, result, preset);
    if (paidMinor === 0) return;
    bet.cashedTimes = preset;
    void finish(bet, paidMinor);
  }

  function finish(bet: Round, paidMinor: number): Promise<void> {
    bet.status = 'over';
    bet.paidMinor = paidMinor;
    bet.lastAt = clock.now();
    bet.endedAt = bet.lastAt;
    store.rounds.put(bet);
    announce();
    return money.pay(bet, paidMinor, closes(bet));
  }

  /** Nothing else of the player is open in this round; a stake still on its way is waited for by the credit itself. */
  function closes(bet: Round): boolean {
    return !store.inWalletRound(bet.walletRound, bet.player).some((other) => other.status === 'open');
  }

  function giveBack(bet: Round): void {
    bet.status = 'void';
    store.rounds.put(bet);
    void money.giveBack(bet);
    announce();
  }

  const liveBet = (bet: Round): LiveBet => ({
    betId: bet.id,
    wager: bet.wager,
    stakeMinor: bet.stakeMinor,
    cashedTimes: bet.cashedTimes,
    paidMinor: bet.status === 'over' ? bet.paidMinor : null,
  });

  const replyOf = (session: Session, bet: Round): BetReply => ({
    bet: liveBet(bet),
    balanceMinor: session.balanceMinor,
  });

  const betting = (id: string) => memory.phase === 'bets' && running && id === roundId();

  async function takeBet(session: Session, key: string, forRound: string, input: unknown): Promise<BetReply> {
    const seat = sessions.seatOf(session);
    touchedAt = clock.now();
    const own = store.roundsOf(seat.id).slice(0, 2 * MOST_BETS);
    const again = own.find((bet) => bet.key === key && bet.status !== 'void');
    if (again !== undefined) return replyOf(session, again);
    const wager = game.wager(input);
    const stakeMinor = game.stakeOf(wager);
    if (stakeMinor > mostStake(session, game))
      throw new Refusal('LIMIT_REACHED', 'This stake is higher than you may stake in this game.', {
        field: 'stakeMinor',
      });
    const now = clock.now();
    if (!betting(forRound) || now >= (phaseEndsAt ?? 0)) throw new Refusal('BETS_CLOSED');
    if (own.filter((bet) => bet.table === forRound && bet.status !== 'void').length >= MOST_BETS)
      throw new Refusal('LIMIT_REACHED', `There are at most ${MOST_BETS} bets in a round.`);
    const bet: Round = {
      id: randomId(`${forRound}-`).slice(0, 60),
      walletRound: forRound,
      seat: seat.id,
      sessionId: session.id,
      mode: session.mode,
      game: game.code,
      player: session.player,
      walletSession: session.walletSession,
      currency: session.currency,
      key,
      wager,
      serverSeed: memory.serverSeed,
      clientSeed: '',
      seedOf: null,
      nonce: memory.seq,
      table: forRound,
      startedAt: now,
      status: 'opening',
      moves: [],
      pending: null,
      stakeMinor,
      paidMinor: 0,
      cashedTimes: null,
      lastAt: now,
      endedAt: null,
    };
    store.rounds.put(bet);
    onTheWay += 1;
    const taken = await money.stake(bet, 0, stakeMinor).finally(() => {
      onTheWay -= 1;
    });
    if (taken.kind === 'done' && betting(forRound)) {
      bet.status = 'open';
      store.rounds.put(bet);
      bets.push(bet);
      if (words.size < MOST_WORDS && !words.has(seat.id)) words.set(seat.id, seat.clientSeed);
      announce();
      return replyOf(session, bet);
    }
    if (taken.kind === 'done') {
      giveBack(bet);
      throw new Refusal('BETS_CLOSED', 'Bets were closed before your account answered. The stake is given back.');
    }
    bet.status = 'void';
    store.rounds.put(bet);
    if (taken.kind === 'unknown') throw new Refusal('WALLET_DOWN');
    const refusal = refusalOfWallet(taken.code, now + game.cycleMs);
    if (refusal.page.code === 'SESSION_OVER') sessions.end(session, 'SESSION_OVER');
    throw refusal;
  }

  /** The round that the last end of the program cut off, and the seeds to go on with. */
  function recover(): TableMemory {
    const kept = store.tables.get(game.code);
    if (kept === undefined)
      return {
        game: game.code,
        // Never a number twice, even where the journal was lost: a round takes longer than a second.
        seq: Math.floor(clock.now() / 1000),
        serverSeed: newSeed(),
        nextSeed: newSeed(),
        phase: 'rests',
        last: [],
      };
    const id = `${game.code}-${kept.seq}`;
    const cutOff: Round[] = [];
    const undone: Round[] = [];
    for (const bet of store.rounds.values()) {
      if (bet.game !== game.code || bet.table === null || (bet.status !== 'open' && bet.status !== 'opening')) continue;
      // Where the result was on its way to the players it stands; a crash round could not be cashed out and is void.
      const stands = bet.status === 'open' && bet.table === id && kept.phase !== 'bets' && !game.timesAt;
      (stands ? cutOff : undone).push(bet);
    }
    for (const bet of undone) {
      bet.status = 'void';
      store.rounds.put(bet);
      void money.giveBack(bet);
    }
    for (const bet of cutOff) {
      const drawn = game.draw(createStream(bet));
      bet.status = 'over';
      bet.paidMinor = game.settle(bet.wager, drawn, null);
      bet.endedAt = clock.now();
      store.rounds.put(bet);
    }
    for (const bet of store.rounds.values()) {
      if (bet.game !== game.code || bet.table === null || bet.status !== 'over') continue;
      if (store.txs.get(`${bet.id}.c`) === undefined) void money.pay(bet, bet.paidMinor, bet === lastOf(cutOff, bet));
    }
    // A bet cashed out before left the operator's round open for the others, which are void now.
    for (const bet of undone) {
      const paid = store.inWalletRound(bet.walletRound, bet.player).find((other) => other.status === 'over');
      if (paid !== undefined && cutOff.length === 0) void money.endRound(paid);
    }
    return { ...kept, phase: 'rests' };
  }

  /** The last of the cut-off bets of the same player closes the operator's round. */
  function lastOf(cutOff: readonly Round[], bet: Round): Round {
    return cutOff.findLast((other) => other.player === bet.player) ?? bet;
  }

  return {
    view(session) {
      const seat = sessions.seatOf(session).id;
      const over = memory.phase === 'rests';
      return {
        roundId: roundId(),
        phase: memory.phase,
        now: clock.now(),
        phaseStartedAt,
        phaseEndsAt,
        commit: commitOf(memory.serverSeed),
        nextCommit: commitOf(memory.nextSeed),
        nonce: memory.seq,
        clientSeed: publicSeed(),
        view: memory.phase === 'bets' || result === null ? null : game.view(result, over),
        last: memory.last,
        bets: bets.filter((bet) => bet.seat === seat && bet.status !== 'void').map(liveBet),
        players: new Set(bets.filter((bet) => bet.status !== 'void').map((bet) => bet.seat)).size,
      };
    },
    watch(changed) {
      watchers.add(changed);
      wake();
      return () => void watchers.delete(changed);
    },
    touch() {
      touchedAt = clock.now();
      wake();
    },

    bet: (session, key, forRound, input) =>
      locked(`${session.id} ${key}`, () => takeBet(session, key, forRound, input)),

    async cashout(session, betId) {
      const bet = store.rounds.get(betId);
      if (bet === undefined || bet.seat !== sessions.seatOf(session).id || bet.table === null || !game.timesAt)
        throw new Refusal('BAD_INPUT', 'There is no such bet.', { field: 'betId' });
      if (bet.cashedTimes !== null) return replyOf(session, bet);
      if (bet.status !== 'open' || memory.phase !== 'runs' || bet.table !== roundId()) throw new Refusal('ROUND_OVER');
      bet.walletSession = session.walletSession;
      const elapsedMs = clock.now() - phaseStartedAt;
      if (elapsedMs >= game.runMs(result)) throw new Refusal('ROUND_OVER');
      const times = game.timesAt(elapsedMs);
      cashPreset(bet, times);
      if (bet.status === 'open') {
        const paidMinor = game.settle(bet.wager, result, times);
        if (paidMinor === 0) throw new Refusal('ROUND_OVER');
        bet.cashedTimes = times;
        await finish(bet, paidMinor);
      }
      return replyOf(session, bet);
    },

    runs: (id) => id === roundId() && memory.phase !== 'rests',
    stop() {
      off();
      running = false;
    },
  };
}
