/** The games of the page: code -> the rules and the board, each loaded when its game is opened. */
import type { AnyGame } from '../game.ts';
import type { SharedBoard, SoloBoard } from './board.ts';

interface Entry {
  readonly rules: () => Promise<AnyGame>;
  readonly board: () => Promise<{ default: SoloBoard | SharedBoard }>;
}

export const BOARDS: Readonly<Record<string, Entry>> = {
  dice: { rules: async () => (await import('../rules/dice.ts')).dice, board: () => import('../boards/dice.tsx') },
};
