import {
  type Card,
  CLUB,
  cardWords,
  type DeckName,
  DIAMOND,
  HEART,
  isRed,
  rankName,
  rankOf,
  SPADE,
  suitOf,
} from '../cards.ts';
import { ENDINGS, type Ending, endOf } from '../endings.ts';
import {
  type Game,
  HALF,
  inOrder,
  type Layout,
  type LimitKind,
  LOSE,
  NO_CHANCES,
  type Result,
  type Selection,
  seat,
  selection,
  WIN,
  windowsAt,
  won,
} from '../game.ts';
import { cardBet, cardFacts, PACES, rankBets, sideBySide } from './card-bets.ts';

/** One card decides: Lucky 7, Amar Akbar Anthony, Bollywood. */
interface Variant {
  readonly family: string;
  readonly deck: DeckName;
  readonly board: Layout['board'];
  readonly sides?: Layout['sides'];
  readonly selections: readonly Selection<Card>[];
  readonly rules: readonly string[];
  readonly endings: readonly Ending[];
  readonly result: (card: Card) => Pick<Result, 'win' | 'text'> & { readonly said: string };
}

function singleCard(variant: Variant): Game<Card> {
  return {
    family: variant.family,
    deck: variant.deck,
    seats: [seat('C', 'Card')],
    pace: PACES.single.pace,
    layout: { ...sideBySide(variant.board, 1, 1), sides: variant.sides ?? [] },
    selections: variant.selections,
    rules: variant.rules,
    handRanks: [],
    nextSeat: inOrder([0]),
    windowMs: windowsAt({ 0: PACES.single.first }),
    outcome: (deal) => deal.cards[0]!,
    endings: variant.endings,
    result: (card) => {
      const { said, win, text } = variant.result(card);
      return { ...endOf(variant.endings, win), text, words: said, winners: [], best: [0], void: false };
    },
    chances: () => NO_CHANCES,
    note: (deal) => deal.cards.map(cardWords).join(),
  };
}

const itself = (card: Card) => card;
const plain = (limit: LimitKind) => ({ name: (bet: string) => bet, card: itself, limit });
const rankIn = (from: number, to: number) => (card: Card) => rankOf(card) >= from && rankOf(card) <= to;

/** Half of the stake is lost on a seven. */
function sevenHalf(id: number, name: string, group: string, from: number, to: number, limit: LimitKind) {
  const wins = rankIn(from, to);
  return selection<Card>({
    id,
    name,
    group,
    price: { back: 200 },
    returnPpm: 961_538,
    limit,
    mark: (card) => (rankOf(card) === 7 ? HALF : won(wins(card))),
  });
}

const LINES = [
  [1, 'A 2 3'],
  [4, '4 5 6'],
  [8, '8 9 10'],
  [11, 'J Q K'],
] as const;
const lineOf = (rank: number) => LINES.findIndex(([from]) => rank >= from && rank < from + 3) + 1;

function lucky(): Game<Card> {
  const side = plain('side');
  return singleCard({
    family: 'lucky7',
    deck: 'D8',
    board: 'lucky7',
    sides: [
      { selection: 1, name: 'Low', from: 1, to: 6 },
      { selection: 13, name: 'Seven', from: 7, to: 7 },
      { selection: 2, name: 'High', from: 8, to: 13 },
    ],
    endings: ENDINGS.lucky7,
    selections: [
      { ...sevenHalf(1, 'Low Card', 'Main', 1, 6, 'main'), hint: 'A to 6, half back on 7' },
      { ...sevenHalf(2, 'High Card', 'Main', 8, 13, 'main'), hint: '8 to K, half back on 7' },
      cardBet(3, 'Even', side),
      cardBet(4, 'Odd', side),
      cardBet(5, 'Red', side),
      cardBet(6, 'Black', side),
      ...rankBets(7, side),
      ...LINES.map(([from, ranks], index) =>
        selection<Card>({
          id: 20 + index,
          name: `Line ${index + 1}`,
          group: 'Line',
          label: ranks,
          price: { back: 400 },
          returnPpm: 923_077,
          limit: 'long',
          mark: (card) => won(rankIn(from, from + 2)(card)),
        }),
      ),
    ],
    rules: [
      'Eight decks, one card. Ace to 6 is Low, 8 to king is High.',
      'On a 7 both Low and High lose half of the stake. A 7 counts as odd.',
      'Line 1 is A 2 3, line 2 is 4 5 6, line 3 is 8 9 10, line 4 is J Q K.',
    ],
    result: (card) => {
      const rank = rankOf(card);
      const tie = rank === 7;
      const name = tie ? 'Tie' : rank < 7 ? 'Low Card' : 'High Card';
      const [colour, parity, face] = cardFacts(card);
      const parts = [name, parity, colour, face, ...(tie ? [] : [`Line ${lineOf(rank)}`])];
      return {
        win: tie ? '0' : rank < 7 ? '1' : '2',
        text: parts.join('||'),
        said: tie
          ? `The ${cardWords(card)}: Low and High get half back.`
          : `${rank < 7 ? 'Low' : 'High'} wins with the ${cardWords(card)}.`,
      };
    },
  });
}

export const lucky7: Game<Card> = lucky();
/** The second table of the same game. */
export const lucky7eu: Game<Card> = lucky();

const BROTHERS = [
  { name: 'Amar', from: 1, to: 6, back: 212, lay: 222, returnPpm: 978_462 },
  { name: 'Akbar', from: 7, to: 10, back: 315, lay: 335, returnPpm: 969_231 },
  { name: 'Anthony', from: 11, to: 13, back: 415, lay: 445, returnPpm: 957_692 },
] as const;

export const aaa: Game<Card> = singleCard({
  family: 'bollywood',
  deck: 'D1',
  board: 'lucky7',
  sides: BROTHERS.map(({ name, from, to }, index) => ({ selection: index + 1, name, from, to })),
  endings: ENDINGS.aaa,
  selections: [
    ...BROTHERS.map(({ name, from, to, back, lay, returnPpm }, index) =>
      selection<Card>({
        id: index + 1,
        name,
        hint: `${rankName(from)} to ${rankName(to)}`,
        group: 'Main',
        price: { back, lay },
        net: 'winner',
        returnPpm,
        limit: 'main',
        mark: (card) => won(rankIn(from, to)(card)),
      }),
    ),
    cardBet(4, 'Even', plain('fancy')),
    cardBet(5, 'Odd', plain('fancy')),
    cardBet(6, 'Red', plain('side')),
    cardBet(7, 'Black', plain('side')),
    ...rankBets(8, plain('fancy')),
    { ...sevenHalf(21, 'Under 7', 'Under or over 7', 1, 6, 'fancy'), hint: 'half back on 7' },
    { ...sevenHalf(22, 'Over 7', 'Under or over 7', 8, 13, 'fancy'), hint: 'half back on 7' },
  ],
  rules: [
    'One deck, one card. Ace to 6 is Amar, 7 to 10 is Akbar, jack to king is Anthony.',
    'On a 7 both Under 7 and Over 7 lose half of the stake.',
  ],
  result: (card) => {
    const index = BROTHERS.findIndex(({ from, to }) => rankIn(from, to)(card));
    return {
      win: String(index + 1),
      text: [BROTHERS[index]!.name, ...cardFacts(card)].join('|'),
      said: `${BROTHERS[index]!.name} wins with the ${cardWords(card)}.`,
    };
  },
});

const film = (
  name: string,
  hint: string,
  back: number,
  lay: number,
  returnPpm: number,
  has: (rank: number, suit: number) => boolean,
) => ({
  name,
  hint,
  back,
  lay,
  returnPpm,
  has,
});
const FILMS = [
  film('DON', 'ace of spades', 1500, 1700, 937_500, (rank, suit) => rank === 1 && suit === SPADE),
  film('Amar Akbar Anthony', 'the other aces', 515, 550, 965_625, (rank, suit) => rank === 1 && suit !== SPADE),
  film(
    'Sahib Bibi Aur Ghulam',
    'king, queen, jack of spades',
    515,
    550,
    965_625,
    (rank, suit) => rank > 10 && suit === SPADE,
  ),
  film(
    'Dharam Veer',
    'kings of diamonds and clubs',
    765,
    835,
    956_250,
    (rank, suit) => rank === 13 && (suit === DIAMOND || suit === CLUB),
  ),
  film(
    'Kis KisKo Pyaar Karoon',
    'king of hearts, other queens',
    385,
    415,
    962_500,
    (rank, suit) => (rank === 13 && suit === HEART) || (rank === 12 && suit !== SPADE),
  ),
  film('Ghulam', 'the other jacks', 515, 550, 965_625, (rank, suit) => rank === 11 && suit !== SPADE),
] as const;
const filmOf = (card: Card) => FILMS.findIndex(({ has }) => has(rankOf(card), suitOf(card)));
const KING_QUEEN = 'Dulha Dulhan K-Q';
const JACK_ACE = 'Barati J-A';
const isKingQueen = (card: Card) => rankOf(card) >= 12;

function evens(id: number, name: string, group: string, limit: LimitKind, wins: (card: Card) => boolean) {
  return selection<Card>({
    id,
    name,
    group,
    price: { back: 197 },
    returnPpm: 985_000,
    limit,
    mark: (card) => won(wins(card)),
  });
}

export const btable: Game<Card> = singleCard({
  family: 'bollywood',
  deck: 'DB',
  board: 'table',
  endings: ENDINGS.btable,
  selections: [
    ...FILMS.map(({ name, hint, back, lay, returnPpm }, index) =>
      selection<Card>({
        id: index + 1,
        name,
        hint,
        group: 'Film',
        price: { back, lay },
        net: 'winner',
        returnPpm,
        limit: 'main',
        mark: (card) => (filmOf(card) === index ? WIN : LOSE),
      }),
    ),
    selection<Card>({
      id: 7,
      name: 'Odd',
      group: 'Odd',
      hint: 'jack, king or ace',
      price: { back: 132, lay: 136 },
      returnPpm: 990_000,
      limit: 'fancy',
      mark: (card) => won(rankOf(card) !== 12),
    }),
    evens(8, 'Red', 'Colour', 'side', isRed),
    evens(9, 'Black', 'Colour', 'side', (card) => !isRed(card)),
    ...[11, 12, 13, 1].map((rank, index) =>
      selection<Card>({
        id: 10 + index,
        name: `Card ${rankName(rank)}`,
        group: 'Card',
        label: rankName(rank),
        price: { back: 375 },
        returnPpm: 937_500,
        limit: 'fancy',
        mark: (card) => won(rankOf(card) === rank),
      }),
    ),
    evens(14, KING_QUEEN, 'Wedding', 'fancy', isKingQueen),
    evens(15, JACK_ACE, 'Wedding', 'fancy', (card) => !isKingQueen(card)),
  ],
  rules: [
    'The jacks, queens, kings and aces of two decks, one card. Every card belongs to one film.',
    'DON: ace of spades. Amar Akbar Anthony: the other aces. Sahib Bibi Aur Ghulam: king, queen, jack of spades.',
    'Dharam Veer: kings of diamonds and clubs. Kis KisKo Pyaar Karoon: king of hearts and the other queens. Ghulam: the other jacks.',
    'Jack, king and ace are odd.',
  ],
  result: (card) => {
    const index = filmOf(card);
    const [colour, , face] = cardFacts(card);
    return {
      win: String(index + 1),
      text: [
        FILMS[index]!.name,
        rankOf(card) === 12 ? 'Even' : 'Odd',
        isKingQueen(card) ? KING_QUEEN : JACK_ACE,
        colour,
        face,
      ].join('|'),
      said: `${FILMS[index]!.name} wins with the ${cardWords(card)}.`,
    };
  },
});
