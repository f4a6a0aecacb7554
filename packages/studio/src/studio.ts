/** Door of the games: the registry by code, and the check that plays a finished round again. Pure; runs in the browser. */
import { commitOf, createStream, sharedSeed } from '@fairgame/casino';
import type { AnyGame, AnyShared, AnySolo } from './game.ts';
import { blackjack } from './rules/blackjack.ts';
import { cardTables } from './rules/card-table.ts';
import { chickenRoad } from './rules/chicken-road.ts';
import { colour } from './rules/colour.ts';
import { comet, skyward } from './rules/crash.ts';
import { dice } from './rules/dice.ts';
import { hiLo } from './rules/hi-lo.ts';
import { keno } from './rules/keno.ts';
import { mines } from './rules/mines.ts';
import { numberDrop } from './rules/number-drop.ts';
import { plinko } from './rules/plinko.ts';
import { roulette } from './rules/roulette.ts';
import { slotsCluster } from './rules/slots-cluster.ts';
import { slotsLines } from './rules/slots-lines.ts';
import { slotsWays } from './rules/slots-ways.ts';
import { videoPoker } from './rules/video-poker.ts';
import { wheelShow } from './rules/wheel-show.ts';
import type { RoundProof } from './wire.ts';

/** Every game of both providers, by its code. */
export const GAMES: ReadonlyMap<string, AnyGame> = new Map(
  [
    dice,
    mines,
    plinko,
    keno,
    hiLo,
    chickenRoad,
    roulette,
    blackjack,
    videoPoker,
    skyward,
    comet,
    wheelShow,
    colour,
    numberDrop,
    slotsWays,
    slotsLines,
    slotsCluster,
    ...cardTables,
  ].map((game) => [game.code, game]),
);

export function gameOf(code: string): AnyGame {
  const game = GAMES.get(code);
  if (game === undefined) throw new Error(`There is no game ${code}.`);
  return game;
}

/** What playing a finished round again says about it; `view` is the end of the round as the game's board draws it. */
export interface ProofCheck {
  readonly ok: boolean;
  /** The server seed is the one whose hash was shown before the round. */
  readonly commitOk: boolean;
  readonly stakeOk: boolean;
  readonly paidOk: boolean;
  readonly stakeMinor: number;
  readonly paidMinor: number;
  /** Null where these seeds, wager and moves cannot be a round at all; `problem` says why. */
  readonly view: unknown;
  readonly problem: string | null;
}

/** Plays a round again from seeds, wager and moves. Never throws: what cannot be played is not ok. */
export function verifyProof(proof: RoundProof): ProofCheck {
  const commitOk = commitOf(proof.serverSeed) === proof.commit;
  try {
    const game = gameOf(proof.game);
    const played = game.kind === 'solo' ? soloAgain(game, proof) : sharedAgain(game, proof);
    const stakeOk = played.stakeMinor === proof.stakeMinor;
    const paidOk = played.paidMinor === proof.paidMinor;
    return { ok: commitOk && stakeOk && paidOk, commitOk, stakeOk, paidOk, ...played, problem: null };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, commitOk, stakeOk: false, paidOk: false, stakeMinor: 0, paidMinor: 0, view: null, problem };
  }
}

function soloAgain(game: AnySolo, proof: RoundProof) {
  const wager = game.wager(proof.wager);
  let step = game.open(wager, createStream(proof));
  let stakeMinor = game.stakeOf(wager);
  for (const sent of proof.moves) {
    if (step.over || !game.move || !game.play) throw new Error('The round has more moves than it can have.');
    const move = game.move(sent);
    stakeMinor += game.extra?.(step.state, move) ?? 0;
    step = game.play(step.state, move);
  }
  if (!step.over) throw new Error('The round does not end with its last move.');
  return { stakeMinor, paidMinor: step.paidMinor, view: game.view(step.state) };
}

function sharedAgain(game: AnyShared, proof: RoundProof) {
  const { seedOf } = proof;
  if (seedOf !== undefined && sharedSeed(seedOf.base, seedOf.words) !== proof.clientSeed)
    throw new Error('The seeds of the bettors do not make the public seed.');
  const wager = game.wager(proof.wager);
  const result = game.draw(createStream(proof));
  return {
    stakeMinor: game.stakeOf(wager),
    paidMinor: game.settle(wager, result, proof.cashedTimes),
    view: game.view(result, true),
  };
}
