import { describe, publicView, type Round } from '@fairgame/casino';
import type { CardResult, CardRound } from '@fairgame/contract';

/** A round that is over, as the table showed it, with everything a browser needs to verify it. */
export function finishedRound(
  result: CardResult,
  { round, marketId, voided }: { round: Round; marketId: number; voided: boolean },
): CardRound {
  const info = describe(round.code);
  const shown = publicView(round);
  return {
    mid: result.mid,
    roundNo: result.roundNo,
    betId: marketId,
    phase: voided || shown.result?.void ? 'VOID' : 'RESULT',
    window: round.window,
    endsAt: 0,
    lastsMs: 0,
    commit: shown.commit,
    clientSeed: shown.clientSeed,
    nonce: shown.nonce,
    words: [...shown.words],
    baseSeed: shown.baseSeed,
    serverSeed: round.seeds.serverSeed,
    nextCommit: null,
    cards: shown.cards.map((code, at) => ({ seat: info.seats[shown.seats[at]!]!.id, code })),
    state: { notes: shown.notes, words: shown.result?.words ?? '' },
    odds: [],
    result,
  };
}
