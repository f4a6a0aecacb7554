/**
 * What the game page gives a game's board to draw with. The kit around it owns stake, balance, buttons, history, fairness
 * and everything that is said about money; the board draws the game and the choices that are the game's own.
 *
 * A module in src/boards: `export default soloBoard<Wager, View, Move>(DiceBoard)` (or `sharedBoard`), plus its own css file.
 * The place of the board is a size container of the name `board` (about 320x330 on a small phone to 1000x700): the board's
 * outermost element fills it (`height: 100%`) and lays itself out with cqw, cqh and `@container board (...)`.
 * Colours, sizes and cards come from tokens.css and parts.tsx.
 */
import { type ComponentType, createContext, useContext, useEffect } from 'react';
import type { LiveView } from '../wire.ts';

/** Short effects, silent unless the player switched sound on. The kit plays the win effect itself, where paid > stake. */
export type Effect = 'tick' | 'place' | 'deal' | 'move';

interface Common<Wager> {
  /** The stake of the stake panel (or the chip chosen there), in minor units. */
  readonly stakeMinor: number;
  readonly currency: string;
  /**
   * Choices and moves are closed: on its way, a result still shown, paused, no connection. Too soon for the next round is
   * not busy: choices stay free, and the main button says how long it waits.
   */
  readonly busy: boolean;
  /** False: draw the end at once. */
  readonly motion: boolean;
  readonly sound: (effect: Effect) => void;
  /** Types only: the panel of the board takes wagers of this shape. */
  readonly wagerType?: Wager;
}

export interface SoloBoardProps<Wager, View, Move = never> extends Common<Wager> {
  /** What is drawn: the round that is open or over last; null before the first one. In the history it is an old round. */
  readonly round: {
    readonly roundId: string;
    readonly wager: Wager;
    readonly view: View;
    readonly over: boolean;
    readonly stakeMinor: number;
    readonly paidMinor: number;
    /** True from each answer (open or move) until `onShown`: draw the motion of what is new, then call it. */
    readonly fresh: boolean;
  } | null;
  /** Starts a round; only for boards that start it by a press on the board (most name an action in `usePanel`). */
  readonly onOpen: (wager: Wager) => void;
  /** A move made by pressing on the board: a tile of mines, a held card. */
  readonly onMove: (move: Move) => void;
  /** The result has been shown: the kit says what was paid, then allows the next round. Call at once without motion. */
  readonly onShown: () => void;
}

export interface SharedBoardProps<Wager, View> extends Common<Wager> {
  readonly live: Omit<LiveView, 'view' | 'last'> & { readonly view: View | null; readonly last: readonly View[] };
  /** Milliseconds by which the provider's clock is ahead: the provider's time is Date.now() + skewMs. */
  readonly skewMs: number;
  /** A bet made by pressing on the board. Most boards let the player choose, and name an action in `usePanel`. */
  readonly onBet: (wager: Wager) => void;
  readonly onCashout: (betId: string) => void;
}

export type SoloBoard = ComponentType<SoloBoardProps<never, never, never>>;
export type SharedBoard = ComponentType<SharedBoardProps<never, never>>;

/** Types a board where it is written and forgets the types where the page holds it. */
export function soloBoard<Wager, View, Move = never>(
  board: ComponentType<SoloBoardProps<Wager, View, Move>>,
): SoloBoard {
  return board as unknown as SoloBoard;
}

export function sharedBoard<Wager, View>(board: ComponentType<SharedBoardProps<Wager, View>>): SharedBoard {
  return board as unknown as SharedBoard;
}

// ------------------------------------------------------------------------------------------------- the panel's buttons

/** A button of the stake panel. One of `wager` (starts a round, or bets in a shared one) and `move` (of the open round). */
export interface Action<Wager = unknown, Move = unknown> {
  /** What a press does, in one or two words: Roll, Deal, Stand, Cash out. The kit adds the stake to a wager's label. */
  readonly label: string;
  readonly wager?: Wager;
  readonly move?: Move;
  /** Sure value of a cash out, in minor units; shown large in the button. */
  readonly worthMinor?: number;
  /** Further stake of a move (double, split), in minor units; shown in the button. */
  readonly extraMinor?: number;
  /** Why it cannot be pressed, in a few words ("Choose numbers"); shown in the button instead of its label. */
  readonly off?: string;
}

export interface Panel<Wager = unknown, Move = unknown> {
  /** The first is the main button; at most five, the rest stand beside it. Kit closes them where `busy`. */
  readonly actions: readonly Action<Wager, Move>[];
  /** What the stake panel sets: the stake of the round (default), the chip that a press on the board lays down, or nothing. */
  readonly stake?: 'stake' | 'chip' | 'off';
  /** One line above the button: "Pays 1.98 times with a chance of 50.00 %". */
  readonly note?: string;
  /** One sentence about what was drawn ("The ball fell on 17, black."), read out with the money once it is shown. */
  readonly says?: string;
}

export const PanelContext = createContext<(panel: Panel) => void>(() => undefined);

/** Hands the buttons of the panel up to the kit; call it in each render with plain data. Does nothing in the history. */
export function usePanel<Wager, Move = never>(panel: Panel<Wager, Move>): void {
  const set = useContext(PanelContext);
  const text = JSON.stringify(panel);
  useEffect(() => set(JSON.parse(text) as Panel), [set, text]);
}

// ---------------------------------------------------------------------------------------------------- figures in words

/** 12345 -> "123.45"; whole amounts without decimals in chips and cells ("1,200"). */
export function amount(minor: number, decimals: 'always' | 'needed' = 'always'): string {
  const short = decimals === 'needed' && minor % 100 === 0;
  return (minor / 100).toLocaleString('en', {
    minimumFractionDigits: short ? 0 : 2,
    maximumFractionDigits: short ? 0 : 2,
  });
}

/** 198 -> "1.98×", 1200 -> "12×". */
export function times(hundredths: number): string {
  const text = (hundredths / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${text.endsWith('.00') ? text.slice(0, -3) : text}×`;
}
