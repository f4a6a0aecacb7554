/**
 * Kills the core under load, again and again, and keeps its own record of every acknowledged answer to compare with
 * afterwards (FLT-01): nothing acknowledged may be lost or doubled, and every key must have a definite outcome.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command, GameMove } from '@fairgame/exchange';
import { bundle } from '../bundle.mjs';
import type { Request, World } from '../src/core/core.ts';
import { type Db, migrate, openDatabase, silent } from '../src/db/db.ts';
import { type Report, verify } from '../src/ledger/ledger.ts';
import { marketDef } from './fixture.ts';
import type { Ask, Told } from './kill-host.ts';

export interface KillOptions {
  cycles: number;
  seed: number;
  /** One of the two: an empty folder's database, or an empty PostgreSQL database. */
  dataDir?: string;
  url?: string;
  say?: (line: string) => void;
}

export interface KillReport {
  cycles: number;
  /** Ended by the host itself between two steps of a commit, and by the parent at any moment. */
  failpoints: number;
  /** Starts that were killed before they were ready. */
  earlyKills: number;
  /** Kills of a host that takes one snapshot after the other, in pieces by its thread. */
  whileSnapshots: number;
  /** Months that turned. */
  months: number;
  acknowledged: number;
  refused: number;
  /** Movements of a provider among the acknowledged. */
  movements: number;
  /** Without an answer when the process died: taken after all, or not. */
  unansweredTaken: number;
  unansweredNot: number;
  /** What happened to the market that leaves memory in parts and comes back so, and to the field that changes. */
  moves: Move[];
  /** Runners that left a field, and that came back; starts with such a change half done. */
  fields: { left: number; back: number; halfDone: number };
  slowestStartMs: number;
  /** In words; empty when all is as it must be. */
  faults: string[];
  verify: Report;
}

interface Op {
  key: string;
  request: Request;
  state: 'open' | 'acknowledged' | 'refused' | 'taken' | 'not taken';
  seq: number;
  betId: number | null;
  /** Highest acknowledged command when it was sent (INV-24). */
  after: number;
  /** It was told that nothing is or will ever be taken under the key. */
  burnt: boolean;
}

/**
 * Of the first cycles: killed while a market leaves in parts, killed while it comes back in parts, and it is there; then killed
 * while a runner leaves its field in slices, before all are reckoned, and while it comes back, between the turns of accounts.
 */
type Move = 'left' | 'back' | 'returned' | 'out' | 'in';
const MOVES: readonly Move[] = ['left', 'back', 'returned', 'out', 'in'];
const FAIL_AT: Record<Move, string> = { left: 'left:1', back: 'back:1', returned: '', out: 'field:2', in: 'field:7' };
/** So many bets in the market whose field changes first. */
const FIELD_BETS = 60;
const PLAYERS = 16;
const WAITING = 24;
const BUNDLE = new URL(`../../../node_modules/.cache/fairgame-kill-${process.pid}/`, import.meta.url);

export async function runKills(options: KillOptions): Promise<KillReport> {
  const random = seeded(options.seed);
  const say = options.say ?? (() => {});
  const host = await bundleHost();
  const ops = new Map<string, Op>();
  const faults: string[] = [];
  let acknowledgedSeq = 0;
  /** Requests that got an answer. */
  let settled = 0;
  let failpoints = 0;
  let earlyKills = 0;
  let whileSnapshots = 0;
  let days = 0;
  const begun = new Date();
  let slowestStartMs = 0;
  let snapshotsOften = true;
  let keyCount = 0;

  await prepare(options, async (db) => migrate(db));
  let child = await start('left:1');
  const cast = await makeCast(child);
  /** A round that leaves memory in parts and comes back so, killed between two of them both times. */
  let away: number | null = null;
  const moves: Move[] = [];
  const fields = { left: 0, back: 0, halfDone: 0 };

  for (let cycle = 1; cycle <= options.cycles; cycle++) {
    const step = MOVES[cycle - 1];
    const underway = load(child, step === undefined);
    if (step === 'out' || step === 'in') await moveField(child, step, underway);
    else if (step) await moveAway(child, step, underway);
    // By work done, not by time: a busy machine gets as far as an idle one. A failpoint may be faster.
    const enough = settled + 10 + random(120);
    const giveUp = Date.now() + 5000;
    while (settled < enough && child.alive() && Date.now() < giveUp) await wait(1 + random(8));
    child.kill();
    await child.gone;
    await underway;
    if (snapshotsOften) whileSnapshots++;
    // The last host has to last to the end.
    const self = cycle < options.cycles && random(10) < 4;
    if (self) failpoints++;
    const next = MOVES[cycle];
    // Months turn; a start that has to make their tables may be killed too.
    if (cycle % 3 === 0) days += 24;
    if (cycle % 4 === 0) {
      earlyKills++;
      await startHost(host, options, { days, killAfterMs: random(1500) }).then(
        (early) => early.gone,
        () => undefined,
      );
    }
    if (next) child = await start(FAIL_AT[next]);
    else child = await start(self ? `${['applied', 'written', 'answered'][random(3)]}:${1 + random(60)}` : '');
    if (child.ready.seq < acknowledgedSeq) {
      faults.push(`cycle ${cycle}: came back at command ${child.ready.seq}, ${acknowledgedSeq} was acknowledged`);
    }
    if (child.ready.changing.length > 0) fields.halfDone++;
    for (const id of child.ready.openInPlay) faults.push(`cycle ${cycle}: in-play market ${id} came back open`);
    await settleKeys(child, cycle);
    const reopen = feed({ type: 'market.state', marketId: cast.markets[0]!.marketId, status: 'OPEN' });
    await child.submit(reopen).catch(() => {});
    say(`cycle ${cycle}: ${ops.size} requests, command ${child.ready.seq}, epoch ${child.ready.epoch}`);
  }
  await load(child, true, 150);
  await child.stop();

  const report = await prepare(options, (db) => compare(db));
  rmSync(fileURLToPath(BUNDLE), { recursive: true, force: true });
  const count = (state: Op['state']) => [...ops.values()].filter((op) => op.state === state).length;
  return {
    cycles: options.cycles,
    failpoints,
    earlyKills,
    whileSnapshots,
    months: monthsBetween(begun, new Date(begun.getTime() + days * 86_400_000)),
    acknowledged: count('acknowledged'),
    refused: count('refused'),
    movements: [...ops.values()].filter((op) => op.state === 'acknowledged' && isMove(op.request.command)).length,
    unansweredTaken: count('taken'),
    unansweredNot: count('not taken'),
    moves,
    fields,
    slowestStartMs,
    faults,
    verify: report,
  };

  async function start(failAt = ''): Promise<Host> {
    const started = Date.now();
    snapshotsOften = !snapshotsOften;
    const next = await startHost(host, options, { failAt, days, snapshotsOften });
    slowestStartMs = Math.max(slowestStartMs, Date.now() - started);
    return next;
  }

  /** Keeps so many requests waiting until the host is gone, or until the time is over. */
  async function load(target: Host, hasRounds: boolean, forMs = 60_000): Promise<void> {
    const end = Date.now() + forMs;
    const worker = async () => {
      while (target.alive() && Date.now() < end) {
        const what = random(24);
        if (what < 2) await target.submit(quote()).catch(() => {});
        else if (what === 2) await target.submit(roundEnd()).catch(() => {});
        else if (what === 3 && hasRounds && random(4) === 0) await nextCards(target);
        else if (what === 4 && hasRounds && random(4) === 0) await changeField(target);
        else if (what < 11) await move(target);
        else await act(target, newOp());
      }
    };
    await Promise.all(Array.from({ length: WAITING }, worker));
  }

  async function act(target: Host, op: Op): Promise<void> {
    op.after = acknowledgedSeq;
    try {
      const answer = await target.submit({ ...op.request, key: op.key, payloadHash: 'one' });
      if (answer.seq <= op.after)
        faults.push(`${op.key}: command ${answer.seq} was sent after ${op.after} was acknowledged`);
      acknowledgedSeq = Math.max(acknowledgedSeq, answer.seq);
      op.state = 'acknowledged';
      settled++;
      op.seq = answer.seq;
      op.betId = answer.betId;
    } catch (error) {
      const code = (error as Error).message;
      // No answer: the host died first. UNAVAILABLE says that nothing was taken, like any refusal.
      if (code !== 'gone') op.state = 'refused';
    }
  }

  /**
   * A round with many bets gets its result and leaves, until the host dies between two parts; then its result is withdrawn,
   * until the next dies between two parts in which it comes back; then it is back, and gets its result anew.
   */
  async function moveAway(target: Host, step: 'left' | 'back' | 'returned', underway: Promise<void>): Promise<void> {
    let isOver = false;
    void underway.then(() => {
      isOver = true;
    });
    const says = (command: Command) =>
      target.submit(feed(command)).then(
        () => 'taken',
        (error: Error) => error.message,
      );
    const result = { kind: 'void' as const, reason: 'Interrupted' };
    if (step === 'left') {
      const { marketId } = cast.cards;
      while (!isOver && takesOf(marketId) < 12) await wait(1);
      away = marketId;
      await says({ type: 'market.declare', marketId, result });
      await says({ type: 'market.archive', marketId, units: 1 });
    } else {
      const marketId = away!;
      let said = 'MARKET_SETTLING';
      while (said === 'MARKET_SETTLING' && !isOver) said = await says({ type: 'market.undeclare', marketId });
      if (said !== (step === 'back' ? 'gone' : 'taken')) faults.push(`the round that left was ${step}: ${said}`);
      if (step === 'returned') await says({ type: 'market.declare', marketId, result });
    }
    if (step !== 'returned') await Promise.race([target.gone, underway]);
    if (target.alive() === (step === 'returned')) moves.push(step);
  }

  /** A runner leaves a field in slices, or comes back to it, until the host dies between two of them. */
  async function moveField(target: Host, step: 'out' | 'in', underway: Promise<void>): Promise<void> {
    let isOver = false;
    void underway.then(() => {
      isOver = true;
    });
    const { marketId } = cast.field;
    while (!isOver && placedIn(marketId) < FIELD_BETS) await wait(1);
    let said = 'MARKET_SETTLING';
    while (said === 'MARKET_SETTLING' && !isOver) said = await changeField(target, step, true);
    await Promise.race([target.gone, underway]);
    if (!target.alive()) moves.push(step);
    else faults.push(`the last runner went ${step}: ${said}, and the host lived on`);
  }

  /** The last runner leaves its field, or comes back if it is away: because a person wants it, or only if nobody is short then. */
  async function changeField(
    target: Host,
    step: 'out' | 'in' = cast.isAway ? 'in' : 'out',
    isForced = random(2) === 0,
  ): Promise<string> {
    const { marketId, runnerIds } = cast.field;
    const change = { marketId, runnerId: runnerIds.at(-1)!, factor: 2000, units: 1 };
    const command: Command =
      step === 'out'
        ? { type: 'runner.remove', ...change, force: 'withdrawn' }
        : { type: 'runner.reinstate', ...change, ...(isForced ? { force: 'found again' } : {}) };
    const said = await target.submit(feed(command)).then(
      () => 'taken',
      (error: Error) => error.message,
    );
    if (said === 'taken') fields[step === 'out' ? 'left' : 'back']++;
    // A return may yet be refused with the change of the field: the next removal says so.
    if (said === 'taken' || said === (step === 'out' ? 'RUNNER_REMOVED' : 'RUNNER_UNKNOWN'))
      cast.isAway = step === 'out';
    return said;
  }

  function placedIn(marketId: number): number {
    const isThere = ({ request: { world, command }, state }: Op) =>
      world === 'real' && state === 'acknowledged' && command.type === 'order.place' && command.marketId === marketId;
    return [...ops.values()].filter(isThere).length;
  }

  function takesOf(marketId: number): number {
    const isTake = ({ request: { world, command }, state }: Op) =>
      world === 'real' && state === 'acknowledged' && command.type === 'quote.take' && command.marketId === marketId;
    return [...ops.values()].filter(isTake).length;
  }

  /** A provider's movement; now and then sent twice at once, or taken back while it is under way. */
  async function move(target: Host): Promise<void> {
    const op = newOp(providerRequest);
    const { command } = op.request;
    const sent = act(target, op);
    const also: Array<Promise<unknown>> = [];
    if (random(10) === 0) {
      const again = target.submit({ ...op.request, key: op.key, payloadHash: 'one' }).catch(() => null);
      also.push(
        again.then(async (answer) => {
          await sent;
          if (answer && op.state === 'acknowledged' && answer.seq !== op.seq)
            faults.push(`${op.key} acted twice at once`);
        }),
      );
    }
    if (command.type === 'game.debit' && random(8) === 0) also.push(takeBack(target, op));
    await Promise.all([sent, ...also]);
  }

  /** As the wallet does it: the debit is settled for good first, then taken back if it was there. */
  async function takeBack(target: Host, op: Op): Promise<void> {
    const { actor, command } = op.request;
    if (command.type !== 'game.debit') return;
    const original = await target.burn(actor, op.key).catch(() => undefined);
    if (original === undefined) return;
    if (original === null) op.burnt = true;
    else
      await act(
        target,
        newOp((key) => rollbackOf(command, key)),
      );
  }

  /** Asks what became of the keys without an answer; sends some of them again under the same key. */
  async function settleKeys(target: Host, cycle: number): Promise<void> {
    for (const op of ops.values()) {
      if (op.state !== 'open' || !target.alive()) continue;
      try {
        const answer = await target.answerOf(op.request.actor, op.key);
        op.state = answer ? 'taken' : 'not taken';
        if (answer) Object.assign(op, { seq: answer.seq, betId: answer.betId });
        else if (random(2) === 0 && !op.burnt) {
          op.state = 'open';
          await act(target, op);
        }
        if (answer && random(3) === 0) {
          const again = await target.submit({ ...op.request, key: op.key, payloadHash: 'one' });
          if (!again.replayed || again.seq !== answer.seq) faults.push(`cycle ${cycle}: ${op.key} acted twice`);
        }
      } catch (error) {
        // A failpoint may end the host here too: the next cycle asks again.
        if ((error as Error).message !== 'gone') faults.push(`cycle ${cycle}: ${op.key}: ${(error as Error).message}`);
      }
    }
    for (const op of [...ops.values()].filter((one) => one.state === 'acknowledged' && random(40) === 0)) {
      const answer = await target.answerOf(op.request.actor, op.key).catch(() => undefined);
      if (answer === undefined) continue;
      if (answer?.seq !== op.seq || answer.betId !== op.betId)
        faults.push(`cycle ${cycle}: ${op.key} has another answer now`);
    }
  }

  function newOp(make?: (key: string) => Request): Op {
    const key = `kill-${options.seed}-${++keyCount}-aaaaaaaa`;
    const player = cast.players[random(cast.players.length)]!;
    const request = make ? make(key) : playerRequest(player);
    const op: Op = { key, request, state: 'open', seq: 0, betId: null, after: 0, burnt: false };
    ops.set(key, op);
    return op;
  }

  /** Stakes, wins and rollbacks over a few rounds at a time, some of them long over. */
  function providerRequest(txId: string): Request {
    const recent = [...ops.values()]
      .slice(-300)
      .flatMap(({ request: { command }, state }) =>
        command.type === 'game.debit' && state === 'acknowledged' ? [command] : [],
      );
    const debit = recent[random(Math.max(1, recent.length))];
    if (debit && random(2) === 0) {
      if (random(4) === 0) return rollbackOf(debit, txId);
      const { amountMinor: _, ...at } = debit;
      return provider({
        ...at,
        type: 'game.credit',
        txId,
        amountMinor: random(3) === 0 ? 0 : random(3000),
        roundClosed: random(2) === 0,
        ...(random(2) === 0 ? { refTx: debit.txId } : {}),
      });
    }
    const players = cast.players.filter(({ world }) => world === 'real');
    const at = { ...gameMove(players[random(players.length)]!.id), txId, amountMinor: 1 + random(2000) };
    const kind = random(8);
    if (kind === 0) return provider({ ...at, type: 'game.promo', reason: 'Bonus' });
    if (kind === 1)
      return provider({ ...at, type: 'game.debitCredit', creditMinor: random(3000), roundClosed: random(2) === 0 });
    return provider({ ...at, type: 'game.debit' });
  }

  function gameMove(accountId: number): GameMove {
    return {
      provider: 'alder',
      roundId: `round-${Math.floor(keyCount / 40)}-${random(3)}`,
      accountId,
      game: 'keno',
      currency: 'EUR',
      label: 'Alder Games / Keno',
    };
  }

  function roundEnd(): Request {
    const players = cast.players.filter(({ world }) => world === 'real');
    return provider({ type: 'game.end', ...gameMove(players[random(players.length)]!.id) });
  }

  function playerRequest(player: { id: number; world: World }): Request {
    const actor = `player:${player.id}`;
    const market = cast.markets[random(cast.markets.length)]!;
    const runnerId = market.runnerIds[random(market.runnerIds.length)]!;
    const own = [...ops.values()].slice(-200).filter((op) => op.request.actor === actor && op.betId !== null);
    if (own.length > 0 && random(5) === 0) {
      return {
        world: player.world,
        actor,
        command: { type: 'order.cancel', accountId: player.id, betId: own[random(own.length)]!.betId! },
      };
    }
    if (random(4) === 0) {
      const pick = random(CARD_PRICES.length);
      return {
        world: player.world,
        actor,
        command: {
          type: 'quote.take',
          betId: 0,
          accountId: player.id,
          marketId: cast.cards.marketId,
          runnerId: cast.cards.runnerIds[pick]!,
          side: 'BACK',
          price: CARD_PRICES[pick]!,
          stakeMinor: 100 + random(400),
        },
      };
    }
    return {
      world: player.world,
      actor,
      command: {
        type: 'order.place',
        betId: 0,
        accountId: player.id,
        marketId: market.marketId,
        runnerId,
        side: random(2) === 0 ? 'BACK' : 'LAY',
        price: 280 + random(20) * 2 > 300 ? 300 + random(8) * 5 : 280 + random(11) * 2,
        sizeMinor: 100 + random(900),
        persistence: 'PERSIST',
      },
    };
  }

  /** The round on the card table gets its result, and the next one opens; a kill may fall anywhere between. */
  async function nextCards(target: Host): Promise<void> {
    const { marketId, runnerIds } = cast.cards;
    const [one, other] = random(2) === 0 ? runnerIds : [runnerIds[1]!, runnerIds[0]!];
    const result: Extract<Command, { type: 'market.declare' }>['result'] =
      random(5) === 0
        ? { kind: 'void', reason: 'Interrupted' }
        : {
            kind: 'cards',
            text: 'Player A',
            pays: [
              { runnerId: one!, is: 'WIN' },
              { runnerId: other!, is: 'LOSE' },
              { runnerId: runnerIds[2]!, is: random(2) === 0 ? 'WIN' : 'LOSE' },
              { runnerId: runnerIds[3]!, is: 'PAY', per100: random(2) === 0 ? -100 : 700 },
            ],
          };
    try {
      // Mostly only begun: a kill may fall between it and what is left, which the next start has to do.
      const pieces = random(3) === 0 ? {} : { units: 1 };
      await target.submit(feed({ type: 'market.declare', marketId, result, ...pieces })).catch((error: Error) => {
        // Another worker, or the same step before a kill, was faster.
        if (error.message === 'gone') throw error;
      });
      if (random(3) === 0) await target.submit(feed({ type: 'market.archive', marketId })).catch(() => {});
      cast.cards = await openCards(target);
    } catch {
      // The host is gone; the next cycle goes on.
    }
  }

  function quote(): Request {
    const market = cast.markets[random(cast.markets.length)]!;
    const base = 290 + random(5) * 2;
    return feed({
      type: 'house.book',
      marketId: market.marketId,
      runners: market.runnerIds.map((runnerId) => ({
        runnerId,
        backable: [[base, 20_000]],
        layable: [[base + 10 > 300 ? 310 : base + 10, 20_000]],
      })),
    });
  }

  async function compare(db: Db): Promise<Report> {
    const rows = await db.query<{ key: string; seq: number; bet_id: number | null }>(
      // What is kept is an answer, a refusal or the word that it is burnt.
      "SELECT key, seq, bet_id FROM idempotency WHERE answer LIKE '[%'",
    );
    const stored = new Map(rows.map((row) => [row.key, row]));
    const betIds = new Set<number>();
    for (const op of ops.values()) {
      const row = stored.get(op.key);
      const took = op.state === 'acknowledged' || op.state === 'taken';
      if (op.state === 'open') faults.push(`${op.key} never got a definite outcome`);
      else if (took && !row) faults.push(`${op.key} was acknowledged as command ${op.seq} and is lost`);
      else if (!took && row) faults.push(`${op.key} is ${op.state}, and yet command ${row.seq}`);
      else if (row && op.burnt) faults.push(`${op.key} was burnt, and yet command ${row.seq}`);
      else if (row && row.seq !== op.seq) faults.push(`${op.key} was command ${op.seq} and is now ${row.seq}`);
      if (row?.bet_id != null) betIds.add(row.bet_id);
    }
    const txs = await db.query<{ tx_id: string; seq: number }>('SELECT tx_id, seq FROM provider_txs');
    for (const { tx_id, seq } of txs)
      if (ops.get(tx_id)?.seq !== seq) faults.push(`movement ${tx_id} of command ${seq} belongs to no request`);
    const moved = [...ops.values()].filter((op) => op.seq > 0 && isMove(op.request.command)).length;
    if (txs.length !== moved) faults.push(`${txs.length} movements for ${moved} requests`);
    const bets = await db.query<{ id: number }>('SELECT id FROM bets');
    for (const { id } of bets) if (!betIds.has(id)) faults.push(`bet ${id} belongs to no request`);
    if (bets.length !== betIds.size) faults.push(`${bets.length} bets for ${betIds.size} requests`);
    return verify(db);
  }
}

function provider(command: Command): Request {
  return { world: 'real', actor: 'provider:alder', command };
}

function rollbackOf(debit: Extract<Command, { type: 'game.debit' }>, txId: string): Request {
  const { amountMinor: _, ...at } = debit;
  return provider({ ...at, type: 'game.rollback', txId, refTx: debit.txId });
}

const isMove = (command: Command) => 'txId' in command;

function feed(command: Command): Request {
  return { world: 'all', actor: 'feed', command };
}

async function makeCast(host: Host): Promise<{
  players: Array<{ id: number; world: World }>;
  markets: Array<{ marketId: number; runnerIds: number[] }>;
  cards: { marketId: number; runnerIds: number[] };
  field: { marketId: number; runnerIds: number[] };
  isAway: boolean;
}> {
  const players: Array<{ id: number; world: World }> = [];
  for (let i = 0; i < PLAYERS; i++) {
    const id = await host.nextId();
    const world = i % 4 === 3 ? 'demo' : 'real';
    players.push({ id, world });
    const actor = 'operator:test';
    await host.submit({
      world,
      actor,
      command: { type: 'account.open', accountId: id, currency: 'EUR', kind: 'player' },
    });
    await host.submit({
      world,
      actor,
      command: { type: 'account.transfer', accountId: id, amountMinor: 500_000, reason: 'deposit', text: 'Deposit' },
    });
  }
  const markets = [];
  for (let i = 0; i < 4; i++) {
    const marketId = await host.nextId();
    const runnerIds = [await host.nextId(), await host.nextId(), await host.nextId()];
    const runners = runnerIds.map((runnerId, n) => ({ runnerId, name: `Runner ${n + 1}` }));
    await host.submit(feed({ type: 'market.create', market: marketDef(marketId, 1, { runners, inPlay: i === 0 }) }));
    markets.push({ marketId, runnerIds });
  }
  return { players, markets, cards: await openCards(host), field: markets[1]!, isAway: false };
}

/** Odds of a round: two that exclude each other, one by itself, one that pays by the hand. */
const CARD_PRICES = [198, 198, 350, 200];

async function openCards(host: Host): Promise<{ marketId: number; runnerIds: number[] }> {
  const marketId = await host.nextId();
  const runnerIds = [await host.nextId(), await host.nextId(), await host.nextId(), await host.nextId()];
  const runners = runnerIds.map((runnerId, i) => ({
    runnerId,
    name: `Selection ${i + 1}`,
    ...(i < 2 ? { group: 1 } : {}),
    ...(i === 3 ? { payMax: 700 } : {}),
  }));
  const market = marketDef(marketId, 2, { kind: 'card', name: 'Round', commissionBps: 0, runners });
  await host.submit(feed({ type: 'market.create', market }));
  const rows = runnerIds.map((runnerId, i) => ({
    runnerId,
    back: { price: CARD_PRICES[i]!, sizeMinor: 500_000 },
    lay: null,
    status: 'ACTIVE' as const,
  }));
  await host.submit(feed({ type: 'house.quotes', marketId, rows }));
  return { marketId, runnerIds };
}

export interface Host {
  ready: { epoch: number; seq: number; openInPlay: number[]; changing: number[] };
  submit(request: Request): Promise<{ seq: number; betId: number | null; replayed: boolean }>;
  answerOf(actor: string, key: string): Promise<{ seq: number; betId: number | null } | null>;
  /** Null: nothing is taken under the key, and never will be. */
  burn(actor: string, key: string): Promise<{ seq: number } | null>;
  nextId(): Promise<number>;
  alive(): boolean;
  kill(signal?: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  gone: Promise<void>;
  stop(): Promise<void>;
}

export interface Start {
  days: number;
  failAt?: string;
  snapshotsOften?: boolean;
  /** Ready when nobody else leads any more. */
  standsBy?: boolean;
  /** Ended by SIGKILL then, ready or not. */
  killAfterMs?: number;
}

export function startHost(file: string, options: Pick<KillOptions, 'dataDir' | 'url'>, how: Start): Promise<Host> {
  const child: ChildProcess = fork(file, {
    env: {
      ...process.env,
      FAIL_AT: how.failAt ?? '',
      KILL_DAYS: String(how.days),
      KILL_SNAPSHOTS: how.snapshotsOften ? 'often' : '',
      KILL_STAND_BY: how.standsBy ? 'yes' : '',
      KILL_DATA: options.dataDir ?? '',
      KILL_URL: options.url ?? '',
    },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (how.killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), how.killAfterMs);
  const waiting = new Map<number, { resolve: (told: never) => void; reject: (error: Error) => void }>();
  let alive = true;
  let last = 0;
  const gone = new Promise<void>((resolve) => {
    // `close`, not `exit`: answers still in the channel count as received.
    child.once('close', () => {
      alive = false;
      for (const { reject } of waiting.values()) reject(new Error('gone'));
      waiting.clear();
      resolve();
    });
  });
  const ask = <T>(message: Record<string, unknown>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (!alive || !child.connected) return reject(new Error('gone'));
      const id = ++last;
      waiting.set(id, { resolve, reject });
      child.send({ ...message, id } as Ask, () => {});
    });
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error('the host ended before it was ready')));
    child.on('message', (told: Told) => {
      if ('ready' in told) {
        resolve({
          ready: told.ready,
          submit: (request) => ask({ op: 'submit', request }),
          answerOf: (actor, key) => ask({ op: 'answerOf', actor, key }),
          burn: (actor, key) => ask({ op: 'burn', actor, key }),
          nextId: () => ask({ op: 'nextId' }),
          alive: () => alive && child.connected,
          kill: (signal = 'SIGKILL') => void child.kill(signal),
          gone,
          async stop() {
            const ended = new Promise((done) => child.once('exit', done));
            await ask({ op: 'stop' });
            child.disconnect();
            await ended;
          },
        });
        return;
      }
      const call = waiting.get(told.id);
      waiting.delete(told.id);
      if ('code' in told) call?.reject(new Error(told.code));
      else call?.resolve(('newId' in told ? told.newId : told.answer) as never);
    });
  });
}

/** One file that starts fast; beside it the database's thread. */
export async function bundleHost(): Promise<string> {
  const out = fileURLToPath(BUNDLE);
  mkdirSync(out, { recursive: true });
  await bundle({ host: fileURLToPath(new URL('./kill-host.ts', import.meta.url)) }, out);
  writeFileSync(`${out}/package.json`, '{"type":"module"}');
  return `${out}/host.js`;
}

async function prepare<T>(options: KillOptions, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDatabase({ url: options.url, dataDir: options.dataDir ?? '', log: silent });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function monthsBetween(from: Date, to: Date): number {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
