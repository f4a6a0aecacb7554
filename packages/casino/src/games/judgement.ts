import { cardWords, rankName, rankOf } from '../cards.ts';
import { ENDINGS } from '../endings.ts';
import { type Deal, type Game, inOrder, NO_CHANCES, type Pick, seat, selection, windowsAt, won } from '../game.ts';
import { listed } from '../words.ts';
import { PACES, sideBySide } from './card-bets.ts';

/** The three ranks that came. */
type Ranks = readonly number[];

const hit = (ranks: Ranks, pick: Pick) => won(ranks.some((rank) => pick.includes(rank)));
const pick = { of: 'ranks', from: 1, to: 13, least: 3, most: 3, repeats: false } as const;
const words = (deal: Deal) => listed(deal.cards.map(cardWords));

export const judgement: Game<Ranks> = {
  family: 'judgement',
  deck: 'D1',
  seats: [seat('C', 'Cards')],
  pace: PACES.fixed.pace,
  layout: sideBySide('table', 1, 3),
  selections: [
    selection<Ranks>({
      id: 1,
      name: 'Yes',
      hint: 'one of them comes',
      group: 'Your three ranks',
      price: { back: 178 },
      limit: 'main',
      pick,
      returnPpm: 984_235,
      mark: hit,
    }),
    // Shown as a lay price: the layer of "one of them comes".
    selection<Ranks>({
      id: 2,
      name: 'No',
      hint: 'none comes',
      group: 'Your three ranks',
      price: { lay: 184 },
      sides: ['LAY'],
      limit: 'main',
      pick,
      returnPpm: 979_272,
      mark: hit,
    }),
  ],
  rules: [
    'One deck, three cards. Choose three different ranks.',
    'Yes wins when at least one of the three cards has one of your ranks, No when none has.',
  ],
  handRanks: [],
  nextSeat: inOrder([0, 0, 0]),
  windowMs: windowsAt({ 0: PACES.fixed.first }),
  outcome: (deal) => deal.cards.map(rankOf),
  endings: ENDINGS['3cardj'],
  result: (ranks) => ({
    win: '',
    badge: ranks.map(rankName).join(' '),
    tone: 'none',
    text: ranks.map(rankName).join(','),
    words: `The ranks are ${listed(ranks.map(rankName))}: Yes wins with one of them, No with none.`,
    winners: [],
    best: [0, 1, 2],
    void: false,
  }),
  chances: () => NO_CHANCES,
  note: words,
};
