/**
 * One card table: it plays rounds while somebody is there, and rests in between. A round is one market of the core, made
 * before its first window opens and declared with its last card; everything about money is the core's.
 */
import { randomBytes } from 'node:crypto';
import {
  describe,
  finish,
  gameOf,
  newRound,
  openSelections,
  publicView,
  type Round,
  rankName,
  resultOf,
  step,
  type TableCode,
  type TableInfo,
  withWords,
} from '@fairgame/casino';
import type { CardResult, CardRound, CardTable } from '@fairgame/contract';
import type { CardPay, Command } from '@fairgame/exchange';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import { paysOf, rowsOf, runnerIdOf, runnersOf } from './selections.ts';

export interface TableParts {
  db: Db;
  core: Core;
  log: Log;
  clock: () => number;
  /** Phases last their time divided by this. */
  speed: number;
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
  /** Puts a player's word into the client seed of this round; false where its first window is over. */
  addWord(mid: string, who: string, word: string): boolean;
  /** Somebody came or went. */
  watched(by: 1 | -1): void;
  onChange(listener: () => void): () => void;
  stop(): Promise<void>;
}

interface Live {
  round: Round;
  mid: string;
  roundNo: number;
  marketId: number;
  endsAt: number;
  runnerIds: number[];
  ends: Map<number, string>;
  voided: boolean;
  /** What players want in the client seed: one word each, in the order they came. */
  words: Map<string, string>;
}

/** A table goes on for this long after the last player left, so that a reload finds the round it left. */
const LINGER_MS = 30_000;
/** At least this between the starts of two rounds (PP-13). */
const LEAST_ROUND_MS = 5000;
const RESULTS = 10;
const MOST_WORDS = 200;

export async function openTable(code: TableCode, eventId: number, startNo: number, parts: TableParts): Promise<Table> {
  const { db, core, log, clock } = parts;
  const info = describe(code);
  const game = gameOf(code);
  const listeners = new Set<() => void>();
  const limits = new Map(info.selections.map((selection) => [selection.id, selection.limits]));
  const grouped = new Set(runnersOf(code).flatMap((runner) => (runner.group ? [runner.runnerId] : [])));
  let live: Live | null = null;
  let roundNo = startNo;
  let watchers = 0;
  let leftAt = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let busy: Promise<void> = Promise.resolve();
  let stopped = false;
  const results = await lastResults(db, code);

  const changed = () => {
    for (const listener of listeners) listener();
  };
  const both = (command: Command) => ({ world: 'both' as const, actor: `table:${code}`, command });
  const submit = async (...commands: Command[]): Promise<void> => {
    for (const answer of await core.submitAll(commands.map(both))) if (answer instanceof Error) throw answer;
  };
  const wait = (ms: number, next: () => Promise<void>): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      busy = next().catch((error: unknown) => {
        log.error({ err: error, table: code }, 'a card table stopped its round');
        // The round stands in the database: it is finished or paid back before the next one starts.
        live = null;
        wait(5000, start);
      });
    }, ms);
    timer.unref?.();
  };

  /** Rounds that were not over when the server stopped: their cards are decided by their seeds, so they are dealt to the end. */
  async function finishLeftovers(): Promise<void> {
    const rows = await db.query<{ mid: string; round_no: number; market_id: number; round: Round }>(
      'SELECT mid, round_no, market_id, round FROM card_rounds WHERE code = $1 AND NOT over',
      [code],
    );
    for (const row of rows) {
      const round = finish(typeof row.round === 'string' ? (JSON.parse(row.round) as Round) : row.round);
      const market = core.read.market(row.market_id);
      if (market && market.status !== 'CLOSED') {
        const runnerIds = market.runners.map((runner) => runner.runnerId);
        await declare(round, row.market_id, runnerIds).catch(async (error: unknown) => {
          // Better every stake back than a round that stays open.
          log.error({ err: error, table: code, mid: row.mid }, 'a round could not be settled: stakes are returned');
          const reason = 'The round was interrupted. Stakes are returned.';
          await submit({ type: 'market.declare', marketId: row.market_id, result: { kind: 'void', reason } });
        });
      }
      await keepResult(row.mid, row.round_no, round);
    }
  }

  async function declare(round: Round, marketId: number, runnerIds: readonly number[]): Promise<CardPay[]> {
    const result = resultOf(round)!;
    const pays = paysOf(code, round, runnerIds, grouped);
    await submit({ type: 'market.declare', marketId, result: { kind: 'cards', pays, text: result.text } });
    return pays;
  }

  async function keepResult(mid: string, no: number, round: Round): Promise<void> {
    const result = resultOf(round)!;
    const at = clock();
    await db.query(
      'UPDATE card_rounds SET over = true, round = $2, win = $3, badge = $4, result_text = $5, over_at_ms = $6 WHERE mid = $1',
      [mid, JSON.stringify(round), result.win, result.badge, result.words, at],
    );
    results.unshift({
      mid,
      type: code,
      roundNo: no,
      win: result.win,
      badge: result.badge,
      text: result.words,
      createdAt: new Date(at).toISOString(),
    });
    results.length = Math.min(results.length, RESULTS);
  }

  async function start(): Promise<void> {
    if (stopped || (watchers === 0 && clock() - leftAt > LINGER_MS)) {
      live = null;
      timer = null;
      changed();
      return;
    }
    await finishLeftovers();
    roundNo += 1;
    const round = newRound(code, {
      serverSeed: randomBytes(32).toString('hex'),
      clientSeed: `${code}-${roundNo}`,
      nonce: 0,
    });
    const marketId = core.nextId();
    const mid = String(marketId);
    const now = clock();
    // The seeds are stored before anybody can bet on them, so that no restart can change a card.
    await db.tx(async (q) => {
      await q('UPDATE card_tables SET round_no = $2 WHERE code = $1', [code, roundNo]);
      await q(
        'INSERT INTO card_rounds (mid, code, round_no, market_id, opened_at_ms, round) VALUES ($1, $2, $3, $4, $5, $6)',
        [mid, code, roundNo, marketId, now, JSON.stringify(round)],
      );
    });
    const runners = runnersOf(code).filter(
      (runner) => !game.selections.find((one) => one.id === runner.runnerId)?.pick,
    );
    const every = [...limits.values()];
    await submit(
      {
        type: 'market.create',
        market: {
          marketId,
          eventId,
          kind: 'card',
          name: `${info.name}, round ${roundNo}`,
          runners,
          winners: 1,
          commissionBps: 0,
          minStakeMinor: Math.min(...every.map((one) => one.min)),
          maxStakeMinor: Math.max(...every.map((one) => one.max)),
          maxExposureMinor: 0,
          maxBets: 0,
          inPlay: false,
          status: 'OPEN',
          betDelayMs: 0,
          lapseOnSuspend: false,
        },
      },
      quotes(round, marketId),
    );
    live = {
      round,
      mid,
      roundNo,
      marketId,
      endsAt: 0,
      runnerIds: runners.map((runner) => runner.runnerId),
      ends: new Map(),
      voided: false,
      words: new Map(),
    };
    phase(round);
  }

  function quotes(round: Round, marketId: number): Command {
    const rows = rowsOf(openSelections(round), (id) => limits.get(id)?.max ?? 0).filter(
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
    const { round, marketId } = live;
    const words = [...live.words.values()];
    live.words = new Map();
    const next = step(words.length > 0 ? withWords(round, words) : round);
    switch (next.phase) {
      case 'LOCKED':
        await submit({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Bets are closed' });
        // The seeds that deal stand in the database before the first card.
        if (words.length > 0)
          await db.query('UPDATE card_rounds SET round = $2 WHERE mid = $1', [live.mid, JSON.stringify(next)]);
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
        const opened = await db.query<{ opened_at_ms: number }>('SELECT opened_at_ms FROM card_rounds WHERE mid = $1', [
          live.mid,
        ]);
        await submit({ type: 'market.archive', marketId });
        const rest = Math.max(0, LEAST_ROUND_MS / parts.speed - (clock() - Number(opened[0]?.opened_at_ms ?? 0)));
        live.round = next;
        changed();
        wait(rest, start);
        return;
      }
      default:
    }
    phase(next);
  }

  function roundView(): CardRound {
    const shown = live && publicView(live.round);
    const over = live?.round.phase === 'RESULT' || live?.round.phase === 'SETTLED';
    return {
      mid: live?.mid ?? '',
      roundNo: live?.roundNo ?? roundNo,
      betId: live?.marketId ?? 0,
      phase: !live ? 'IDLE' : over ? (live.voided ? 'VOID' : 'RESULT') : (live.round.phase as CardRound['phase']),
      window: live?.round.window ?? 0,
      endsAt: live ? Math.round(live.endsAt) : 0,
      lastsMs: live ? Math.round(live.round.lastsMs / parts.speed) : 0,
      commit: shown?.commit ?? '',
      clientSeed: shown?.clientSeed ?? '',
      nonce: shown?.nonce ?? 0,
      words: [...(shown?.words ?? [])],
      baseSeed: shown?.baseSeed ?? '',
      // With the last card dealt and the result declared nothing hangs on the seed any more.
      serverSeed: live && over ? live.round.seeds.serverSeed : null,
      cards: (shown?.cards ?? []).map((code, at) => ({ seat: info.seats[shown!.seats[at]!]!.id, code })),
      state: { notes: shown?.notes ?? [], words: shown?.result?.words ?? '' },
      odds: (shown?.offers ?? []).map((offer) => {
        const limit = limits.get(offer.selectionId)!;
        const runnerId = runnerIdOf(offer.selectionId);
        return {
          runnerId,
          sel: String(offer.selectionId),
          back: offer.yes?.rate ?? offer.back,
          lay: offer.no?.rate ?? offer.lay,
          line: offer.yes?.line ?? offer.no?.line ?? null,
          open: offer.state === 'OPEN',
          minMinor: limit.min,
          maxMinor: limit.max,
          end: live?.ends.get(runnerId) ?? null,
        };
      }),
      result: live && over ? (results.find((one) => one.mid === live!.mid) ?? null) : null,
    };
  }

  await finishLeftovers();
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
      topTenResult: results.slice(0, RESULTS),
      profitLoss: {},
      now: clock(),
      round: roundView(),
    }),
    betting: () => (live?.round.phase === 'OPEN' ? { marketId: live.marketId, window: live.round.window } : null),
    async choose(selectionId, pick) {
      const selection = game.selections.find((one) => one.id === selectionId);
      const offer = live && openSelections(live.round).find((one) => one.selectionId === selectionId);
      if (!live || !selection?.pick || offer?.state !== 'OPEN' || !fits(selection.pick, pick)) return null;
      const runnerId = runnerIdOf(selectionId, pick);
      if (!live.runnerIds.includes(runnerId)) {
        const sizeMinor = limits.get(selectionId)?.max ?? 0;
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
        });
        live.runnerIds.push(runnerId);
      }
      return runnerId;
    },
    addWord(mid, who, word) {
      if (live?.mid !== mid || live.round.phase !== 'OPEN' || live.round.cards.length > 0) return false;
      if (!live.words.has(who) && live.words.size >= MOST_WORDS) return false;
      live.words.set(who, word);
      return true;
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

async function lastResults(db: Db, code: TableCode): Promise<CardResult[]> {
  return resultRows(db, 'code = $1 ORDER BY over_at_ms DESC LIMIT 10', [code]);
}

/** Finished rounds as results. `tail` is SQL of this room, never of a caller. */
export async function resultRows(db: Db, tail: string, params: unknown[]): Promise<CardResult[]> {
  const rows = await db.query<{
    mid: string;
    code: string;
    round_no: number;
    win: string;
    badge: string;
    result_text: string;
    over_at_ms: number;
  }>(`SELECT mid, code, round_no, win, badge, result_text, over_at_ms FROM card_rounds WHERE over AND ${tail}`, params);
  return rows.map((row) => ({
    mid: row.mid,
    type: row.code,
    roundNo: Number(row.round_no),
    win: row.win,
    badge: row.badge,
    text: row.result_text,
    createdAt: new Date(Number(row.over_at_ms)).toISOString(),
  }));
}

/** What was chosen, as players read it: the ranks of cards by their letters. */
const named = (of: 'ranks' | 'digits', pick: readonly number[]): Array<string | number> =>
  of === 'ranks' ? pick.map(rankName) : [...pick];
