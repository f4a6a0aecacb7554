/** The games of the page: code -> the rules and the board, each loaded when its game is opened. */
import type { AnyGame } from '../game.ts';
import type { SharedBoard, SoloBoard } from './board.ts';

interface Entry {
  readonly rules: () => Promise<AnyGame>;
  readonly board: () => Promise<{ default: SoloBoard | SharedBoard }>;
}

export const BOARDS: Readonly<Record<string, Entry>> = {
  dice: { rules: async () => (await import('../rules/dice.ts')).dice, board: () => import('../boards/dice.tsx') },
  mines: { rules: async () => (await import('../rules/mines.ts')).mines, board: () => import('../boards/mines.tsx') },
  plinko: {
    rules: async () => (await import('../rules/plinko.ts')).plinko,
    board: () => import('../boards/plinko.tsx'),
  },
  keno: { rules: async () => (await import('../rules/keno.ts')).keno, board: () => import('../boards/keno.tsx') },
  'hi-lo': { rules: async () => (await import('../rules/hi-lo.ts')).hiLo, board: () => import('../boards/hi-lo.tsx') },
  'chicken-road': {
    rules: async () => (await import('../rules/chicken-road.ts')).chickenRoad,
    board: () => import('../boards/chicken-road.tsx'),
  },
  'slots-ways': {
    rules: async () => (await import('../rules/slots-ways.ts')).slotsWays,
    board: () => import('../boards/slots-ways.tsx'),
  },
  'slots-lines': {
    rules: async () => (await import('../rules/slots-lines.ts')).slotsLines,
    board: () => import('../boards/slots-lines.tsx'),
  },
  'slots-cluster': {
    rules: async () => (await import('../rules/slots-cluster.ts')).slotsCluster,
    board: () => import('../boards/slots-cluster.tsx'),
  },
  roulette: {
    rules: async () => (await import('../rules/roulette.ts')).roulette,
    board: () => import('../boards/roulette.tsx'),
  },
  blackjack: {
    rules: async () => (await import('../rules/blackjack.ts')).blackjack,
    board: () => import('../boards/blackjack.tsx'),
  },
  'video-poker': {
    rules: async () => (await import('../rules/video-poker.ts')).videoPoker,
    board: () => import('../boards/video-poker.tsx'),
  },
  skyward: {
    rules: async () => (await import('../rules/crash.ts')).skyward,
    board: () => import('../boards/skyward.tsx'),
  },
  comet: {
    rules: async () => (await import('../rules/crash.ts')).comet,
    board: () => import('../boards/comet.tsx'),
  },
  'wheel-show': {
    rules: async () => (await import('../rules/wheel-show.ts')).wheelShow,
    board: () => import('../boards/wheel-show.tsx'),
  },
  colour: {
    rules: async () => (await import('../rules/colour.ts')).colour,
    board: () => import('../boards/colour.tsx'),
  },
  'number-drop': {
    rules: async () => (await import('../rules/number-drop.ts')).numberDrop,
    board: () => import('../boards/number-drop.tsx'),
  },
  baccarat: cardTable('baccarat'),
  'dragon-tiger': cardTable('dragon-tiger'),
  lucky7: cardTable('lucky7'),
  'andar-bahar': cardTable('andar-bahar'),
  teenpatti: cardTable('teenpatti'),
};

/** The card tables share their rules and their board. */
function cardTable(code: string): Entry {
  return {
    rules: async () => (await import('../rules/card-table.ts')).cardTable(code),
    board: async () => ({ default: (await import('../boards/card-table.tsx')).cardTableBoards[code]! }),
  };
}
