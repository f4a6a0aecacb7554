import type { ReactNode } from 'react';
import { CONTROLS } from './groups/controls.tsx';
import { DRAWINGS } from './groups/drawings.tsx';
import { FIGURES } from './groups/figures.tsx';
import { MARKET } from './groups/market.tsx';
import { MESSAGES } from './groups/messages.tsx';
import { REPORTS } from './groups/reports.tsx';
import { SLIP } from './groups/slip.tsx';

/** What a part is shown with. */
export interface Setting {
  readonly theme: 'dark' | 'light';
  readonly density: 'comfortable' | 'compact';
  readonly dir: 'ltr' | 'rtl';
  readonly words: 'plain' | 'long';
}

/** Every part has a picture dark and one light; `also` names further ones. */
export const LOOKS = {
  dark: {},
  light: { theme: 'light' },
  compact: { density: 'compact' },
  rtl: { dir: 'rtl' },
  long: { words: 'long' },
  phone: {},
} as const satisfies Record<string, Partial<Setting>>;
export type Look = keyof typeof LOOKS;

/** Gives a word of a fixture back, or, where long words are wanted, a longer one that does not break. */
export type Say = (word: string) => string;

export interface Part {
  /** In the address and in the names of its pictures: "price-cell". */
  readonly name: string;
  /** What it is drawn as, each by what is to be seen. */
  readonly states: Readonly<Record<string, (say: Say) => ReactNode>>;
  /** Each state takes the whole width; otherwise they stand in a row. */
  readonly wide?: boolean;
  /** A dialog or popover, which lies over the page: it has one state. */
  readonly over?: boolean;
  readonly also?: readonly Exclude<Look, 'dark' | 'light'>[];
}

export const GROUPS: Readonly<Record<string, readonly Part[]>> = {
  Controls: CONTROLS,
  Figures: FIGURES,
  Markets: MARKET,
  'Bet slip': SLIP,
  Reports: REPORTS,
  Messages: MESSAGES,
  Drawings: DRAWINGS,
};
