/** Where a round of one player stands: played again from its seeds, its wager and its moves, and remembered while it is open. */
import { createStream } from '@fairgame/casino';
import type { AnyGame, AnySolo, Step } from '../game.ts';
import type { RoundView } from '../wire.ts';
import { Refusal } from './refusal.ts';
import type { Round } from './store.ts';

export class SoloSteps {
  private readonly games: ReadonlyMap<string, AnyGame>;
  private readonly steps = new Map<string, Step<unknown>>();

  constructor(games: ReadonlyMap<string, AnyGame>) {
    this.games = games;
  }

  /** Throws BAD_INPUT for a game of shared rounds. */
  gameOf(code: string): AnySolo {
    const game = this.games.get(code);
    if (game?.kind !== 'solo') throw new Refusal('BAD_INPUT', 'This game is played in shared rounds.');
    return game;
  }

  of(round: Round): Step<unknown> {
    let step = this.steps.get(round.id);
    if (step !== undefined) return step;
    const game = this.gameOf(round.game);
    step = game.open(round.wager, createStream(round));
    for (const { move } of round.moves) step = game.play!(step.state, move);
    this.steps.set(round.id, step);
    return step;
  }

  keep(round: Round, step: Step<unknown>): void {
    this.steps.set(round.id, step);
  }

  forget(round: Round): void {
    this.steps.delete(round.id);
  }

  viewOf(round: Round): RoundView {
    return {
      roundId: round.id,
      wager: round.wager,
      view: this.gameOf(round.game).view(this.of(round).state),
      over: round.status === 'over',
      stakeMinor: round.stakeMinor,
      paidMinor: round.paidMinor,
      moves: round.moves.map(({ move }) => move),
    };
  }
}
