import type { Game, TableInfo } from '@fairgame/casino';
import type { CardRound } from '@fairgame/contract';
import type { ReactNode } from 'react';
import type { DealFacts } from './facts.ts';

/** What a board draws from. A board is one small file of its own, loaded with the tables that use it. */
export interface BoardProps {
  info: TableInfo;
  game: Game;
  facts: DealFacts;
  round: CardRound;
  /** Delay in ms of a card that is dealt now, null for one that lies there. */
  delayOf: (at: number) => number | null;
  /** The countdown and the phase in words; the board places it. */
  ring: ReactNode;
}
