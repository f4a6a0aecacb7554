/**
 * One card table: it plays rounds while somebody is there, and rests in between. A round is one market of the core, made
 * before its first window opens and declared with its last card; everything about money is the core's.
 */
import {
  describe,
  finish,
  gameOf,
  newRound,
  openSelections,
  type Round,
  resultOf,
  step,
  type TableCode,
  type TableInfo,
} from '@fairgame/casino';
import { type CardResult, type CardTable, CodedError } from '@fairgame/contract';
import type { CardPay } from '@fairgame/exchange';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Keyring } from '../keyring.ts';
import { isDeserted, phaseMs, restMs } from './round-clock.ts';
import { INTERRUPTED, RoundMoney } from './round-money.ts';
import { createRoundStore, type OpenRound, type RoundStore, resultRows } from './rounds.ts';
import { createSeedChain, type SeedChain } from './seeds.ts';
import { runnerIdOf } from './selections.ts';
import { idleRound, type Live, liveRound, shownSelections } from './view.ts';

export interface TableParts {
  db: Db;
  core: Core;
  log: Log;
  clock: () => number;
  /** Milliseconds that only go on: for how long it rests and lingers. */
  steady: () => number;
  /** Phases last their time divided by this. */
  speed: number;
  /** Seals the seeds of coming rounds in the database. */
  seedKeys: Keyring;
  /** Where the site has other processes. */
  others?: object;
}

const RESULTS = 10;
const MOST_WORDS = 200;
/** Between two tries of what did not go through. */
const RETRY_MS = 5000;

type Pick = NonNullable<ReturnType<typeof gameOf>['selections'][number]['pick']>;

/** A table with its last results; rounds that an interruption left open are over, or paid back, as soon as they can be. */
export async function openTable(code: TableCode, eventId: number, parts: TableParts): Promise<Table> {
  const [row] = await parts.db.query<{ round_no: number }>('SELECT round_no FROM card_tables WHERE code = $1', [code]);
  const results = await resultRows(parts.db, `code = $1 ORDER BY over_at_ms DESC LIMIT ${RESULTS}`, [code]);
  const table = new Table(code, eventId, row?.round_no ?? 0, results, parts);
  await table.begin();
  return table;
}

export class Table {
  readonly code: TableCode;
  readonly eventId: number;
  readonly info: TableInfo;
  private readonly parts: TableParts;
  private readonly money: RoundMoney;
  private readonly chain: SeedChain;
  private readonly store: RoundStore;
  private readonly listeners = new Set<() => void>();
  private readonly selections: CardTable['selections'];
  /** The newest first. */
  private readonly results: CardResult[];
  private live: Live | null = null;
  private roundNo: number;
  private watchers = 0;
  /** Moments of the steady clock. */
  private leftAt = Number.NEGATIVE_INFINITY;
  private startedAt = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private busy: Promise<void> = Promise.resolve();
  private stopped = false;
  /** What players want in the public seed of the next round: one word each, in the order they came. */
  private words = new Map<string, string>();

  constructor(code: TableCode, eventId: number, startNo: number, results: CardResult[], parts: TableParts) {
    const { db, core, seedKeys: keyring, clock, log } = parts;
    this.code = code;
    this.eventId = eventId;
    this.roundNo = startNo;
    this.results = results;
    this.parts = parts;
    this.info = describe(code);
    this.selections = shownSelections(this.info);
    this.money = new RoundMoney(core, code, eventId, parts.others !== undefined);
    this.chain = createSeedChain({ db, code, keyring, clock, log });
    this.store = createRoundStore(db, code, this.chain);
  }

  async begin(): Promise<void> {
    await this.finishLeftovers().catch((error: unknown) => {
      this.parts.log.error({ err: error, table: this.code }, 'rounds left open could not be finished yet');
      this.wait(RETRY_MS, () => this.start());
    });
  }

  view(): CardTable {
    const { code, info, live, parts, results } = this;
    return {
      code,
      name: info.name,
      url: info.route ?? '',
      matchId: this.eventId,
      videoInfo: { mid: live?.mid ?? '', url: null },
      selections: this.selections,
      topTenResult: results.slice(0, RESULTS),
      profitLoss: {},
      now: parts.clock(),
      round: live ? liveRound(live, info, this.money.limits, results, parts.speed) : idleRound(this.roundNo),
    };
  }

  /** The market of the round that takes bets now, with its window; null between rounds. */
  betting(): { marketId: number; window: number } | null {
    const { live } = this;
    return live?.round.phase === 'OPEN' ? { marketId: live.marketId, window: live.round.window } : null;
  }

  /** Makes a choice of digits or ranks bettable in this round; answers its runner. */
  async choose(selectionId: number, pick: readonly number[]): Promise<number | null> {
    const { live } = this;
    const selection = gameOf(this.code).selections.find((one) => one.id === selectionId);
    const offer = live && openSelections(live.round).find((one) => one.selectionId === selectionId);
    if (!live || !selection?.pick || offer?.state !== 'OPEN' || !fits(selection.pick, pick)) return null;
    const runnerId = runnerIdOf(selectionId, pick);
    if (!live.runnerIds.includes(runnerId)) {
      await this.money.offer(live.marketId, selectionId, pick, offer);
      live.runnerIds.push(runnerId);
    }
    return runnerId;
  }

  /**
   * Puts a player's word into the public seed of the round after the one named, and answers that round's number; null where
   * the named round is not the present one. Words are closed before betting opens: the last one sees no bet.
   */
  addWord(mid: string, who: string, word: string): number | null {
    const { live, words } = this;
    if (live?.mid !== mid || (!words.has(who) && words.size >= MOST_WORDS)) return null;
    words.set(who, word);
    return live.roundNo + 1;
  }

  /** Somebody came or went. */
  watched(by: 1 | -1): void {
    this.watchers = Math.max(0, this.watchers + by);
    if (this.watchers === 0) this.leftAt = this.parts.steady();
    if (this.watchers > 0 && !this.live && !this.timer) this.wait(0, () => this.start());
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.money.stop();
    if (this.timer) clearTimeout(this.timer);
    await this.busy;
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private wait(ms: number, next: () => Promise<void>): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.busy = next().catch((error: unknown) => {
        this.parts.log.error({ err: error, table: this.code }, 'a card table stopped its round');
        // The round stands in the database: it is finished or paid back before the next one starts.
        this.live = null;
        this.changed();
        this.wait(RETRY_MS, () => this.start());
      });
    }, ms);
    this.timer.unref?.();
  }

  private async start(): Promise<void> {
    await this.finishLeftovers();
    const { chain, code, store, money, parts } = this;
    if (this.stopped || isDeserted(this.watchers, this.leftAt, parts.steady())) {
      this.live = null;
      this.timer = null;
      this.changed();
      return;
    }
    this.roundNo += 1;
    const { roundNo } = this;
    const said = [...this.words.values()];
    this.words = new Map();
    const drawn = await chain.draw();
    const seeds = { serverSeed: drawn.serverSeed, clientSeed: await store.publicSeed(), nonce: roundNo };
    const round = newRound(code, seeds, said);
    const marketId = parts.core.nextId();
    const mid = String(marketId);
    const openedAt = parts.clock();
    this.startedAt = parts.steady();
    await store.insert({ mid, roundNo, marketId, openedAt, drawn, round });
    const runnerIds = await money.open(marketId, roundNo, round);
    this.live = {
      round,
      mid,
      roundNo,
      marketId,
      openedAt,
      endsAt: 0,
      runnerIds,
      ends: new Map(),
      voided: false,
      nextCommit: drawn.nextCommit,
    };
    this.show(this.live, round);
  }

  /** The phase of a round that it is in now, until it is over. */
  private show(live: Live, round: Round): void {
    live.round = round;
    const lasts = phaseMs(round.lastsMs, this.parts.speed);
    live.endsAt = this.parts.clock() + lasts;
    this.changed();
    this.wait(lasts, () => this.advance());
  }

  private async advance(): Promise<void> {
    const { live, money } = this;
    if (!live) return;
    const next = step(live.round);
    if (next.phase === 'LOCKED') await money.closeWindow(live.marketId);
    else if (next.phase === 'OPEN') await money.openWindow(live.marketId, next);
    else if (next.phase === 'RESULT') await this.settle(live, next);
    else if (next.phase === 'SETTLED') {
      await this.rest(live, next);
      return;
    }
    this.show(live, next);
  }

  private async settle(live: Live, round: Round): Promise<void> {
    const pays = await this.money.declare(live.marketId, round, live.runnerIds);
    for (const pay of pays) live.ends.set(pay.runnerId, endOf(pay));
    live.voided = resultOf(round)!.void;
    await this.keepResult(live.mid, live.roundNo, round);
  }

  private async rest(live: Live, round: Round): Promise<void> {
    await this.money.archive(live.marketId);
    const { steady, speed } = this.parts;
    const ms = restMs(this.startedAt, steady(), speed);
    live.round = round;
    this.changed();
    this.wait(ms, () => this.start());
  }

  private async keepResult(mid: string, roundNo: number, round: Round, voided?: string): Promise<void> {
    const { win, badge, words } = resultOf(round)!;
    const at = this.parts.clock();
    await this.store.finish(mid, round, at, voided);
    const createdAt = new Date(at).toISOString();
    this.results.unshift({ mid, type: this.code, roundNo, win, badge, text: voided ?? words, createdAt });
    this.results.length = Math.min(this.results.length, RESULTS);
  }

  /**
   * Rounds that an interruption left open, whether somebody looks or not: their cards are decided by their seeds, so they
   * are dealt to the end.
   */
  private async finishLeftovers(): Promise<void> {
    for (const left of await this.store.open()) await this.finishLeftover(left);
  }

  private async finishLeftover({ mid, roundNo, marketId, round }: OpenRound): Promise<void> {
    const { money } = this;
    const runnerIds = money.unsettled(marketId);
    if (!round) {
      if (runnerIds) await money.refund(marketId);
      await this.store.giveUp(mid, this.parts.clock());
      return;
    }
    const dealt = finish(round);
    let voided: string | undefined;
    if (runnerIds)
      await money.declare(marketId, dealt, runnerIds).catch(async (error: unknown) => {
        if (!(error instanceof CodedError) || error.code === 'INTERNAL') throw error;
        // Better every stake back than a round that stays open.
        this.parts.log.error(
          { err: error, table: this.code, mid },
          'a round could not be settled: stakes are returned',
        );
        voided = INTERRUPTED;
        await money.refund(marketId);
      });
    await this.keepResult(mid, roundNo, dealt, voided);
  }
}

/** How a runner ended, as the board marks it. */
const endOf = (pay: CardPay): string => (pay.is === 'PAY' ? (pay.per100 > 0 ? 'WIN' : 'LOSE') : pay.is);

function fits(rule: Pick, pick: readonly number[]): boolean {
  if (pick.length < rule.least || pick.length > rule.most) return false;
  if (!rule.repeats && new Set(pick).size !== pick.length) return false;
  return pick.every((value) => Number.isInteger(value) && value >= rule.from && value <= rule.to);
}
