/** What a table shows of its round. The server seed is in it only when the result is declared. */
import { publicView, type Round, type TableInfo } from '@fairgame/casino';
import type { CardResult, CardRound, CardTable } from '@fairgame/contract';
import { runnerIdOf } from './selections.ts';

export interface Live {
  round: Round;
  mid: string;
  roundNo: number;
  marketId: number;
  openedAt: number;
  endsAt: number;
  runnerIds: number[];
  ends: Map<number, string>;
  voided: boolean;
  /** Of the round after this one, where it is not this one's seed. */
  nextCommit: string | null;
}

/** The selections of a table as its players see them, whatever round it is in. */
export function shownSelections(info: TableInfo): CardTable['selections'] {
  return info.selections.map(({ id, name, group, hint, pays, pick }) => ({
    sel: String(id),
    name,
    group,
    hint,
    pays: pays === null ? null : pays.map(({ when, odds }) => ({ when, odds })),
    pick: pick && { ...pick },
  }));
}

export function idleRound(roundNo: number): CardRound {
  return {
    mid: '',
    roundNo,
    betId: 0,
    phase: 'IDLE',
    window: 0,
    endsAt: 0,
    lastsMs: 0,
    commit: '',
    clientSeed: '',
    nonce: 0,
    words: [],
    baseSeed: '',
    serverSeed: null,
    nextCommit: null,
    cards: [],
    state: { notes: [], words: '' },
    odds: [],
    result: null,
  };
}

export function liveRound(
  live: Live,
  info: TableInfo,
  limits: ReadonlyMap<number, { min: number; max: number }>,
  results: readonly CardResult[],
  speed: number,
): CardRound {
  const { round } = live;
  const shown = publicView(round);
  const over = round.phase === 'RESULT' || round.phase === 'SETTLED';
  // With the last card dealt and the result declared nothing of this round hangs on the seed any more.
  const serverSeed = over ? round.seeds.serverSeed : null;
  return {
    mid: live.mid,
    roundNo: live.roundNo,
    betId: live.marketId,
    phase: over ? (live.voided ? 'VOID' : 'RESULT') : (round.phase as CardRound['phase']),
    window: round.window,
    endsAt: Math.round(live.endsAt),
    lastsMs: Math.round(round.lastsMs / speed),
    commit: shown.commit,
    clientSeed: shown.clientSeed,
    nonce: shown.nonce,
    words: [...shown.words],
    baseSeed: shown.baseSeed,
    serverSeed,
    nextCommit: live.nextCommit ?? serverSeed,
    cards: shown.cards.map((code, at) => ({ seat: info.seats[shown.seats[at]!]!.id, code })),
    state: { notes: shown.notes, words: shown.result?.words ?? '' },
    odds: shown.offers.map((offer) => {
      const limit = limits.get(offer.selectionId)!;
      const runnerId = runnerIdOf(offer.selectionId);
      return {
        runnerId,
        sel: String(offer.selectionId),
        back: offer.yes?.rate ?? offer.back,
        lay: offer.no?.rate ?? offer.lay,
        line: offer.yes?.line ?? null,
        noLine: offer.no?.line ?? null,
        open: offer.state === 'OPEN',
        minMinor: limit.min,
        maxMinor: limit.max,
        end: live.ends.get(runnerId) ?? null,
      };
    }),
    result: over ? (results.find((one) => one.mid === live.mid) ?? null) : null,
  };
}

/** The round as it reads in a world whose stakes are so many times those of the first currency. */
export function inTerms(round: CardRound, factor: number): CardRound {
  if (factor === 1) return round;
  const odds = round.odds.map((one) => ({ ...one, minMinor: one.minMinor * factor, maxMinor: one.maxMinor * factor }));
  return { ...round, odds };
}
