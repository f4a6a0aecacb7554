/**
 * One card table: it plays rounds while somebody is there, and rests in between. A round is one market of the core, made
 * before its first window opens and declared with its last card; everything about money is the core's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  describe,
  finish,
  gameOf,
  newRound,
  openSelections,
  type Round,
  rankName,
  resultOf,
  step,
  type TableCode,
  type TableInfo,
} from '@fairgame/casino';
import { type CardTable, CodedError } from '@fairgame/contract';
import { type CardPay, type Command, MAX_BETS } from '@fairgame/exchange';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Keyring } from '../keyring.ts';
import { createRoundStore, type OpenRound, resultRows } from './rounds.ts';
import { createSeedChain } from './seeds.ts';
import { boundsOf, paysOf, rowsOf, runnerIdOf, runnersOf } from './selections.ts';
import { idleRound, type Live, liveRound } from './view.ts';

export interface TableParts {
  db: Db;
  core: Core;
  log: Log;
  clock: () => number;
  /** Phases last their time divided by this. */
  speed: number;
  /** Seals the seeds of coming rounds in the database. */
  seedKeys: Keyring;
  /** The operator's picture; `down` where it did not come when the server looked. */
  videoOf(code: TableCode): { url: string | null; down?: boolean };
}

export interface Table {
  readonly code: TableCode;
  readonly eventId: number;
  readonly info: TableInfo;
  view(): CardTable;
  /** The market of the round that takes bets now, with its window; null between rounds. */
  betting(): { marketId: number; window: number } | null;
  /** Makes a choice of digits or ranks bettable in this round; answers its runner. */
  choose(selectionId: number, pick: readonly number[]): Promise<number | null>;
  /**
   * Puts a player's word into the public seed of the round after the one named, and answers that round's number; null where
   * the named round is not the present one. Words are closed before betting opens: the last one sees no bet.
   */
  addWord(mid: string, who: string, word: string): number | null;
  /** Somebody came or went. */
  watched(by: 1 | -1): void;
  onChange(listener: () => void): () => void;
  stop(): Promise<void>;
}

/** A table goes on for this long after the last player left, so that a reload finds the round it left. */
const LINGER_MS = 30_000;
/** At least this between the starts of two rounds (PP-13). */
const LEAST_ROUND_MS = 5000;
const RESULTS = 10;
const MOST_WORDS = 200;
/** A window takes so many of the largest bets on each selection, of all players together. */
const TABLE_BETS = 100;
/** Between two tries of what did not go through. */
const RETRY_MS = 5000;
const AGAIN_MS = 250;
const INTERRUPTED = 'The round was interrupted. Stakes are returned.';

export async function openTable(code: TableCode, eventId: number, startNo: number, parts: TableParts): Promise<Table> {
  const { db, core, log, clock } = parts;
  const info = describe(code);
  const game = gameOf(code);
  const listeners = new Set<() => void>();
  const limits = new Map(info.selections.map((selection) => [selection.id, selection.limits]));
  const selections = info.selections.map(({ id, name, group, hint, pays, pick }) => ({
    sel: String(id),
    name,
    group,
    hint,
    pays: pays && pays.map(({ when, odds }) => ({ when, odds })),
    pick: pick && { ...pick },
  }));
  const grouped = new Set(runnersOf(code).flatMap((runner) => (runner.group ? [runner.runnerId] : [])));
  const chain = createSeedChain({ db, code, keyring: parts.seedKeys, clock, log });
  const store = createRoundStore(db, code, chain);
  let live: Live | null = null;
  let roundNo = startNo;
  let watchers = 0;
  let leftAt = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let busy: Promise<void> = Promise.resolve();
  let stopped = false;
  /** What players want in the public seed of the next round: one word each, in the order they came. */
  let words = new Map<string, string>();
  const results = await resultRows(db, `code = $1 ORDER BY over_at_ms DESC LIMIT ${RESULTS}`, [code]);

  const changed = () => {
    for (const listener of listeners) listener();
  };
  const wait = (ms: number, next: () => Promise<void>): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      busy = next().catch((error: unknown) => {
        log.error({ err: error, table: code }, 'a card table stopped its round');
        // The round stands in the database: it is finished or paid back before the next one starts.
        live = null;
        changed();
        wait(RETRY_MS, start);
      });
    }, ms);
    timer.unref?.();
  };

  /** Stakes hang on these commands, so they pass load shedding, and are tried until they are taken or refused. */
  async function submit(...commands: Command[]): Promise<void> {
    for (let left = commands; left.length > 0; ) {
      const answers = await core.submitAll(
        left.map((command) => ({ world: 'all', actor: `table:${code}`, command, urgent: true })),
      );
      const failed = answers.findIndex((answer) => answer instanceof Error);
      if (failed < 0) return;
      if (stopped || !notTaken(answers[failed])) throw answers[failed] as Error;
      left = left.slice(failed);
      await sleep(AGAIN_MS);
    }
  }

  /**
   * Rounds that an interruption left open, whether somebody looks or not: their cards are decided by their seeds, so they
   * are dealt to the end.
   */
  async function finishLeftovers(): Promise<void> {
    for (const left of await store.open()) await finishLeftover(left);
  }

  async function finishLeftover({ mid, roundNo: no, marketId, round }: OpenRound): Promise<void> {
    const market = core.read.market(marketId);
    // One that is settling has its result.
    const unsettled = market !== undefined && market.status !== 'CLOSED' && market.status !== 'SETTLING';
    const giveBack = () => submit({ type: 'market.declare', marketId, result: { kind: 'void', reason: INTERRUPTED } });
    if (!round) {
      if (unsettled) await giveBack();
      await store.giveUp(mid, clock());
      return;
    }
    const dealt = finish(round);
    let voided: string | undefined;
    if (unsettled) {
      const runnerIds = market.runners.map((runner) => runner.runnerId);
      await declare(dealt, marketId, runnerIds).catch(async (error: unknown) => {
        if (!(error instanceof CodedError) || error.code === 'INTERNAL') throw error;
        // Better every stake back than a round that stays open.
        log.error({ err: error, table: code, mid }, 'a round could not be settled: stakes are returned');
        voided = INTERRUPTED;
        await giveBack();
      });
    }
    await keepResult(mid, no, dealt, voided);
  }

  async function declare(round: Round, marketId: number, runnerIds: readonly number[]): Promise<CardPay[]> {
    const result = resultOf(round)!;
    const pays = paysOf(code, round, runnerIds, grouped);
    await submit({ type: 'market.declare', marketId, result: { kind: 'cards', pays, text: result.words } });
    return pays;
  }

  async function keepResult(mid: string, no: number, round: Round, voided?: string): Promise<void> {
    const result = resultOf(round)!;
    const at = clock();
    await store.finish(mid, round, at, voided);
    results.unshift({
      mid,
      type: code,
      roundNo: no,
      win: result.win,
      badge: result.badge,
      text: voided ?? result.words,
      createdAt: new Date(at).toISOString(),
    });
    results.length = Math.min(results.length, RESULTS);
  }

  async function start(): Promise<void> {
    await finishLeftovers();
    if (stopped || (watchers === 0 && clock() - leftAt > LINGER_MS)) {
      live = null;
      timer = null;
      changed();
      return;
    }
    roundNo += 1;
    const said = [...words.values()];
    words = new Map();
    const drawn = await chain.draw();
    const round = newRound(
      code,
      { serverSeed: drawn.serverSeed, clientSeed: await store.publicSeed(), nonce: roundNo },
      said,
    );
    const marketId = core.nextId();
    const mid = String(marketId);
    const openedAt = clock();
    await store.insert({ mid, roundNo, marketId, openedAt, drawn, round });
    const runners = runnersOf(code).filter(
      (runner) => !game.selections.find((one) => one.id === runner.runnerId)?.pick,
    );
    await submit(marketOf(runners, marketId), quotes(round, marketId));
    live = {
      round,
      mid,
      roundNo,
      marketId,
      openedAt,
      endsAt: 0,
      runnerIds: runners.map((runner) => runner.runnerId),
      ends: new Map(),
      voided: false,
      nextCommit: drawn.nextCommit,
    };
    phase(round);
  }

  function marketOf(runners: ReturnType<typeof runnersOf>, marketId: number): Command {
    const every = [...limits.values()];
    return {
      type: 'market.create',
      market: {
        marketId,
        eventId,
        kind: 'card',
        // Beside the name of the event, which is the table's.
        name: `Round ${roundNo}`,
        runners,
        winners: 1,
        commissionBps: 0,
        minStakeMinor: Math.min(...every.map((one) => one.min)),
        maxStakeMinor: Math.max(...every.map((one) => one.max)),
        maxExposureMinor: 0,
        maxBets: MAX_BETS,
        inPlay: false,
        status: 'OPEN',
        betDelayMs: 0,
        lapseOnSuspend: false,
      },
    };
  }

  /** What all players together may stake on a selection in a window; the largest bet of one is held at the door of the bets. */
  function sizeOf(selectionId: number): number {
    return (limits.get(selectionId)?.max ?? 0) * TABLE_BETS;
  }

  function quotes(round: Round, marketId: number): Command {
    const rows = rowsOf(openSelections(round), sizeOf).filter(
      (row) => !game.selections.find((one) => one.id === row.runnerId)?.pick,
    );
    return { type: 'house.quotes', marketId, rows };
  }

  function phase(round: Round): void {
    if (!live) return;
    live.round = round;
    const lasts = Math.max(50, round.lastsMs / parts.speed);
    live.endsAt = clock() + lasts;
    changed();
    wait(lasts, advance);
  }

  async function advance(): Promise<void> {
    if (!live) return;
    const { marketId } = live;
    const next = step(live.round);
    switch (next.phase) {
      case 'LOCKED':
        await submit({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Bets are closed' });
        break;
      case 'OPEN':
        // The prices of the new window stand before it opens.
        await submit(quotes(next, marketId), { type: 'market.state', marketId, status: 'OPEN', reason: '' });
        break;
      case 'RESULT': {
        const pays = await declare(next, marketId, live.runnerIds);
        for (const pay of pays)
          live.ends.set(pay.runnerId, pay.is === 'PAY' ? (pay.per100 > 0 ? 'WIN' : 'LOSE') : pay.is);
        live.voided = resultOf(next)!.void;
        await keepResult(live.mid, live.roundNo, next);
        break;
      }
      case 'SETTLED': {
        await submit({ type: 'market.archive', marketId }).catch((error: unknown) => {
          // So many bets that they are still being booked: it leaves memory with all other closed markets.
          if (!(error instanceof CodedError) || error.code !== 'MARKET_SETTLING') throw error;
        });
        const rest = Math.max(0, LEAST_ROUND_MS / parts.speed - (clock() - live.openedAt));
        live.round = next;
        changed();
        wait(rest, start);
        return;
      }
      default:
    }
    phase(next);
  }

  await finishLeftovers().catch((error: unknown) => {
    log.error({ err: error, table: code }, 'rounds left open could not be finished yet');
    wait(RETRY_MS, start);
  });
  return {
    code,
    eventId,
    info,
    view: () => ({
      code,
      name: info.name,
      url: info.route ?? '',
      matchId: eventId,
      videoInfo: { mid: live?.mid ?? '', ...parts.videoOf(code) },
      selections,
      topTenResult: results.slice(0, RESULTS),
      profitLoss: {},
      now: clock(),
      round: live ? liveRound(live, info, limits, results, parts.speed) : idleRound(roundNo),
    }),
    betting: () => (live?.round.phase === 'OPEN' ? { marketId: live.marketId, window: live.round.window } : null),
    async choose(selectionId, pick) {
      const selection = game.selections.find((one) => one.id === selectionId);
      const offer = live && openSelections(live.round).find((one) => one.selectionId === selectionId);
      if (!live || !selection?.pick || offer?.state !== 'OPEN' || !fits(selection.pick, pick)) return null;
      const runnerId = runnerIdOf(selectionId, pick);
      if (!live.runnerIds.includes(runnerId)) {
        const sizeMinor = sizeOf(selectionId);
        const row = {
          runnerId,
          // "None of them comes" is a lay alone.
          back: offer.back === null ? null : { price: offer.back, sizeMinor },
          lay: offer.lay === null ? null : { price: offer.lay, sizeMinor },
          status: 'ACTIVE' as const,
        };
        await submit({
          type: 'house.quotes',
          marketId: live.marketId,
          rows: [row],
          names: { [runnerId]: `${selection.name} ${named(selection.pick.of, pick).join(', ')}` },
          bounds: { [runnerId]: boundsOf(selection, pick) },
        });
        live.runnerIds.push(runnerId);
      }
      return runnerId;
    },
    addWord(mid, who, word) {
      if (live?.mid !== mid || (!words.has(who) && words.size >= MOST_WORDS)) return null;
      words.set(who, word);
      return live.roundNo + 1;
    },
    watched(by) {
      watchers = Math.max(0, watchers + by);
      if (watchers === 0) leftAt = clock();
      if (watchers > 0 && !live && !timer) wait(0, start);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await busy;
    },
  };
}

function fits(
  rule: NonNullable<ReturnType<typeof gameOf>['selections'][number]['pick']>,
  pick: readonly number[],
): boolean {
  if (pick.length < rule.least || pick.length > rule.most) return false;
  if (!rule.repeats && new Set(pick).size !== pick.length) return false;
  return pick.every((value) => Number.isInteger(value) && value >= rule.from && value <= rule.to);
}

/** Nothing was taken and the same may be sent again. */
const notTaken = (error: unknown): boolean =>
  error instanceof CodedError && (error.code === 'BUSY' || error.code === 'UNAVAILABLE');

/** What was chosen, as players read it: the ranks of cards by their letters. */
const named = (of: 'ranks' | 'digits', pick: readonly number[]): Array<string | number> =>
  of === 'ranks' ? pick.map(rankName) : [...pick];
