import { commitOf, isClientSeed, isServerSeed, sharedSeed } from './fair.ts';
import { cardText, finish, newRound, type Round, resultOf } from './round.ts';
import { gameOf, isTableCode } from './table.ts';

/** What a finished round leaves behind, enough to deal it again. */
export interface RoundRecord {
  readonly code: string;
  /** Shown before the first bet. */
  readonly commit: string;
  readonly serverSeed: string;
  readonly clientSeed: string;
  readonly nonce: number;
  /** Where players put words into the client seed: those, and what it was without them. */
  readonly words?: readonly string[];
  readonly baseSeed?: string;
  /** Site notation, in the order of the deal. */
  readonly cards: readonly string[];
  /** Result code of C13. */
  readonly win: string;
}

export interface RoundCheck {
  readonly ok: boolean;
  /** The seed is the one that was promised before the first bet. */
  readonly commitHolds: boolean;
  /** The client seed is made of the table's own and the players' words. */
  readonly wordsHold: boolean;
  /** The seeds deal exactly these cards in this order. */
  readonly cardsHold: boolean;
  /** The cards make this result. */
  readonly resultHolds: boolean;
  /** What the seeds really deal; null where the seeds are no seeds of this game. */
  readonly dealt: { readonly cards: readonly string[]; readonly win: string; readonly words: string } | null;
}

/** The record of a round that has been dealt to the end. */
export function recordOf(round: Round): RoundRecord {
  const result = resultOf(round);
  if (!result) throw new Error('The round has no result yet.');
  const { serverSeed, clientSeed, nonce } = round.seeds;
  return {
    code: round.code,
    commit: commitOf(serverSeed),
    serverSeed,
    clientSeed,
    nonce,
    ...(round.words && round.baseSeed !== undefined ? { words: round.words, baseSeed: round.baseSeed } : {}),
    cards: round.cards.map((card) => cardText(gameOf(round.code), card)),
    win: result.win,
  };
}

/** Deals the round again from its seeds and compares (C11). Never throws on a bad record. */
export function verifyRound(record: RoundRecord): RoundCheck {
  const { code, serverSeed, clientSeed, nonce } = record;
  const commitHolds = isServerSeed(serverSeed) && commitOf(serverSeed) === record.commit;
  const { words = [], baseSeed = clientSeed } = record;
  const wordsHold = sharedSeed(baseSeed, words) === clientSeed;
  const playable = isServerSeed(serverSeed) && isClientSeed(clientSeed) && Number.isSafeInteger(nonce) && nonce >= 0;
  if (!playable || !isTableCode(code)) {
    return { ok: false, commitHolds, wordsHold, cardsHold: false, resultHolds: false, dealt: null };
  }
  const round = finish(newRound(code, { serverSeed, clientSeed, nonce }));
  const cards = round.cards.map((card) => cardText(gameOf(code), card));
  const result = resultOf(round)!;
  const cardsHold = cards.join() === record.cards.join();
  const resultHolds = result.win === record.win;
  return {
    ok: commitHolds && wordsHold && cardsHold && resultHolds,
    commitHolds,
    wordsHold,
    cardsHold,
    resultHolds,
    dealt: { cards, win: result.win, words: result.words },
  };
}
