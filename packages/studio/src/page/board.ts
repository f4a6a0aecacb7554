/** What the game page gives a game's board to draw with; the kit around it owns stake, balance, history and fairness. */
import type { ComponentType } from 'react';
import type { LiveView } from '../wire.ts';

export interface SoloBoardProps<Wager, View, Move> {
  /** What is drawn: the round that is open or over last; null before the first one. */
  readonly round: {
    readonly roundId: string;
    readonly wager: Wager;
    readonly view: View;
    readonly over: boolean;
    readonly stakeMinor: number;
    readonly paidMinor: number;
    /** True from the answer until `onShown`: draw the motion of the result, then call it. */
    readonly fresh: boolean;
  } | null;
  /** The stake of the stake panel, in minor units. */
  readonly stakeMinor: number;
  readonly currency: string;
  /** Nothing may be pressed: no connection, on its way, paused, too soon. */
  readonly busy: boolean;
  /** False: draw the end at once. */
  readonly motion: boolean;
  /** Starts a round. Boards without a wager of their own fields let the kit's main button do it (see `Board.main`). */
  readonly onOpen: (wager: Wager) => void;
  readonly onMove: (move: Move) => void;
  /** The result has been shown: the kit shows what was paid, then allows the next round. Call at once without motion. */
  readonly onShown: () => void;
  /** Short effect, silent unless the player switched sound on. */
  readonly sound: (effect: 'tick' | 'place' | 'deal' | 'win') => void;
}

export interface SharedBoardProps<Wager, View> {
  readonly live: LiveView & { readonly view: View | null };
  /** Milliseconds by which the provider's clock is ahead of this one's. */
  readonly skewMs: number;
  readonly stakeMinor: number;
  readonly currency: string;
  readonly busy: boolean;
  readonly motion: boolean;
  readonly onBet: (wager: Wager) => void;
  readonly onCashout: (betId: string) => void;
  readonly sound: (effect: 'tick' | 'place' | 'deal' | 'win') => void;
}

/**
 * A board module's default export. `main` names the kit's main button for games whose whole wager is made by the board's
 * own state (dice, plinko, slots ...): the board keeps that state, and hands the wager up with `useWager` below.
 */
export type SoloBoard = ComponentType<SoloBoardProps<never, never, never>>;
export type SharedBoard = ComponentType<SharedBoardProps<never, never>>;
