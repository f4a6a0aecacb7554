import type { Game, TableInfo } from '@fairgame/casino';
import type { CardRound } from '@fairgame/contract';
import { createContext } from 'react';
import type { DealFacts } from './facts.ts';
import type { Fields } from './fields.tsx';

/** What a board draws from. A board is one small file of its own, loaded with the tables that use it. */
export interface BoardProps {
  info: TableInfo;
  game: Game;
  facts: DealFacts;
  round: CardRound;
  /** Boards whose main bets are fields on the felt itself draw them from here. */
  fields: Fields;
}

/** How the cards of a deal are to be shown, for every card on the felt. */
export interface DealView {
  /** Delay in ms of a card that is dealt now, null for one that lies there. */
  delayOf: (at: number) => number | null;
  /** The cards that decided the round; null while nothing is decided. */
  best: ReadonlySet<number> | null;
  /** The card that is turned over slowly, being the last one: -1 for none. */
  squeezed: number;
}
export const DealContext = createContext<DealView>({ delayOf: () => null, best: null, squeezed: -1 });
