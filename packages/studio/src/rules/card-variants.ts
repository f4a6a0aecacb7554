import type { TableCode } from '@fairgame/casino';
import type { Family } from '../game.ts';
import type { TableSection } from './card-table.ts';

/** Which bets each card table offers, and at which multiple where it is not the table's own: none returns under 92 %. */

export type Offered = number | { readonly id: number; readonly label?: string; readonly times?: number };

export interface Variant {
  readonly code: string;
  readonly name: string;
  readonly table: TableCode;
  readonly family: Family;
  readonly category: 'Live' | 'Poker';
  readonly sections: readonly {
    readonly title: string;
    readonly look: TableSection['look'];
    readonly bets: readonly Offered[];
  }[];
  /** In place of the table's own rules, where these speak of windows that a round of one deal has not. */
  readonly rules?: readonly string[];
  /** Said besides the rules. */
  readonly more?: readonly string[];
}

export const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

export const VARIANTS: readonly Variant[] = [
  {
    code: 'baccarat',
    name: 'Alder Baccarat',
    table: 'baccarat',
    family: 'baccarat',
    category: 'Live',
    sections: [
      { title: 'Winner', look: 'main', bets: [1, { id: 3, times: 1000 }, 2] },
      {
        title: 'Pairs',
        look: 'row',
        bets: [
          { id: 4, times: 1250 },
          { id: 9, times: 650 },
          { id: 6, times: 2800 },
          { id: 5, times: 1250 },
        ],
      },
      {
        title: 'Cards in all',
        look: 'row',
        bets: [
          { id: 8, label: 'Small (4)' },
          { id: 7, label: 'Big (5 or 6)' },
        ],
      },
    ],
    more: [
      'The third card table: after a third Player card the Banker draws on 0 to 2; on 3 unless that card was an 8; on 4 against 2 to 7; on 5 against 4 to 7; on 6 against 6 and 7. Where the Player stood, the Banker draws on 0 to 5.',
    ],
  },
  {
    code: 'dragon-tiger',
    name: 'Dragon Tiger',
    table: 'dt20',
    family: 'dragon-tiger',
    category: 'Live',
    sections: [
      {
        title: 'Winner and pair',
        look: 'main',
        bets: [1, { id: 3, times: 5600 }, { id: 4, times: 1250, label: 'Pair' }, 2],
      },
      { title: 'Dragon card', look: 'row', bets: range(5, 8) },
      { title: 'Rank of the Dragon card', look: 'ranks', bets: range(9, 21) },
      { title: 'Tiger card', look: 'row', bets: range(22, 25) },
      { title: 'Rank of the Tiger card', look: 'ranks', bets: range(26, 38) },
    ],
  },
  {
    code: 'lucky7',
    name: 'Lucky Seven',
    table: 'lucky7eu',
    family: 'lucky7',
    category: 'Live',
    sections: [
      {
        title: 'Below or above seven',
        look: 'main',
        bets: [
          { id: 1, label: 'Low A to 6' },
          { id: 2, label: 'High 8 to K' },
        ],
      },
      { title: 'Card', look: 'row', bets: range(3, 6) },
      { title: 'Line', look: 'row', bets: range(20, 23) },
      { title: 'Rank', look: 'ranks', bets: range(7, 19) },
    ],
  },
  {
    code: 'andar-bahar',
    name: 'Andar Bahar',
    table: 'abj',
    family: 'andar-bahar',
    category: 'Live',
    sections: [
      {
        title: 'Which side gets the rank of the joker',
        look: 'main',
        bets: [
          { id: 2, label: 'Andar' },
          { id: 5, label: 'Bahar' },
        ],
      },
      {
        title: 'On its first card',
        look: 'row',
        bets: [
          { id: 1, times: 1700, label: 'First Andar card' },
          { id: 4, times: 1600, label: 'First Bahar card' },
        ],
      },
      { title: 'Joker', look: 'row', bets: [24, 25, ...range(20, 23)] },
      { title: 'Rank of the joker', look: 'ranks', bets: range(7, 19) },
    ],
    rules: [
      'One deck. The first card is the joker. Then Bahar and Andar get a card in turn until one has the rank of the joker: that side wins.',
      'A side that wins on its very first card pays 1.25, on a later card 2.',
    ],
  },
  {
    code: 'teenpatti',
    name: 'Teenpatti Duel',
    table: 'teen20',
    family: 'teenpatti',
    category: 'Poker',
    sections: [
      {
        title: 'Better hand',
        look: 'main',
        bets: [
          { id: 1, label: 'Player A' },
          { id: 3, label: 'Player B' },
        ],
      },
      {
        title: 'Pair plus',
        look: 'row',
        bets: [
          { id: 2, label: 'Hand A' },
          { id: 4, label: 'Hand B' },
        ],
      },
      {
        title: 'Three-card baccarat',
        look: 'row',
        bets: [
          { id: 5, label: 'Hand A' },
          { id: 6, label: 'Hand B' },
        ],
      },
      {
        title: 'Higher total',
        look: 'row',
        bets: [
          { id: 7, label: 'Hand A' },
          { id: 8, label: 'Hand B' },
        ],
      },
      {
        title: 'Two of three cards',
        look: 'row',
        bets: [
          { id: 9, label: 'A red' },
          { id: 10, label: 'A black' },
          { id: 11, label: 'B red' },
          { id: 12, label: 'B black' },
        ],
      },
    ],
  },
];
