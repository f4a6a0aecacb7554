import type { ReactNode } from 'react';
import { BOARDS } from '../../../packages/studio/src/page/boards.ts';
import { CASINO } from './groups/casino.tsx';
import { CONTROLS } from './groups/controls.tsx';
import { DRAWINGS } from './groups/drawings.tsx';
import { FIGURES } from './groups/figures.tsx';
import { MARKET } from './groups/market.tsx';
import { MESSAGES } from './groups/messages.tsx';
import { REPORTS } from './groups/reports.tsx';
import { SCREENS } from './groups/screens.tsx';
import { SLIP } from './groups/slip.tsx';
import { TRADING } from './groups/trading.tsx';

/** What a part is shown with. */
export interface Setting {
  readonly theme: 'dark' | 'light';
  readonly density: 'comfortable' | 'compact';
  readonly dir: 'ltr' | 'rtl';
  readonly words: 'plain' | 'long';
  readonly language: 'en' | 'hi' | 'bn' | 'ta' | 'ur';
}

/** Every part has a picture dark and one light; `also` names further ones, `looks` others. */
export const LOOKS = {
  dark: {},
  light: { theme: 'light' },
  compact: { density: 'compact' },
  rtl: { dir: 'rtl' },
  long: { words: 'long' },
  phone: {},
  // On a phone, too.
  hi: { language: 'hi' },
  bn: { language: 'bn' },
  ta: { language: 'ta' },
  ur: { language: 'ur', dir: 'rtl' },
  // Every control of the part as under a pointer, and as with the keyboard on it (e2e/pictures.ts).
  hover: {},
  focus: {},
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
  readonly looks?: readonly Look[];
}

/** A game of the studio, in a page of its own: its styles are not those of the client. */
export interface Board {
  readonly name: string;
  readonly address: string;
  /** With the frame around it: stake, buttons, what is said of money. */
  readonly whole?: boolean;
  readonly looks?: readonly Look[];
}

const board = (fake: string, wishes: Readonly<Record<string, string>> = {}): string =>
  `/boards.html?${new URLSearchParams({ fake, ...wishes })}`;

/** They stand on the board of another game (baccarat, the lines, Skyward), whose picture holds for them. */
const ALIKE = ['dragon-tiger', 'lucky7', 'andar-bahar', 'teenpatti', 'slots-ways', 'comet'];

export const STUDIO: readonly Board[] = [
  ...Object.keys(BOARDS).map(
    (code): Board => ({
      name: `board-${code}`,
      address: board(code),
      ...(ALIKE.includes(code) && { looks: [] }),
    }),
  ),
  { name: 'board-round', address: board('dice', { play: '1' }), whole: true, looks: ['dark', 'light', 'rtl'] },
  { name: 'board-loading', address: board('dice', { lag: '3600000' }), whole: true },
  { name: 'board-refused', address: board('dice', { play: '1', refuse: 'NO_FUNDS' }), whole: true },
  { name: 'board-ended', address: board('dice', { refuse: 'SESSION_OVER', at: 'session' }), whole: true },
  { name: 'board-failed', address: board('dice', { refuse: 'WALLET_DOWN', at: 'session' }), whole: true },
];

export const GROUPS: Readonly<Record<string, readonly Part[]>> = {
  Controls: CONTROLS,
  Figures: FIGURES,
  Markets: MARKET,
  'Bet slip': SLIP,
  Trading: TRADING,
  Casino: CASINO,
  Reports: REPORTS,
  Messages: MESSAGES,
  Drawings: DRAWINGS,
  Screens: SCREENS,
};
