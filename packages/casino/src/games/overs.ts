import { type Card, deckOf, rankOf } from '../cards.ts';
import { type Innings, RUN_KINDS, reaching, runsToCome, WICKET } from '../chances/overs.ts';
import { ENDINGS, type Ending, endOf } from '../endings.ts';
import {
  cardsAt,
  type Deal,
  type Game,
  LOSE,
  NO_CHANCES,
  REFUND,
  type Selection,
  seat,
  selection,
  WIN,
  won,
} from '../game.ts';
import type { Chance } from '../odds.ts';
import { PACES, sideBySide } from './card-bets.ts';

/** Two teams bat one after the other; a card is a ball. Super Over and 5Five differ in these figures only. */
interface Variant {
  readonly deck: 'DSO' | 'DV3';
  readonly teams: readonly [string, string];
  readonly endings: readonly Ending[];
  readonly balls: number;
  readonly wickets: number;
  readonly windowMs: (score: Match) => number;
  readonly sides: (variant: Variant) => readonly Selection<Match>[];
  readonly sideChances: (variant: Variant, match: Match, chances: Map<number, Chance>) => void;
  readonly rules: readonly string[];
}

interface Score {
  readonly runs: number;
  readonly wickets: number;
  readonly balls: number;
  readonly cards: readonly Card[];
  readonly over: boolean;
}
type Match = readonly [Score, Score];

const FIRST = 0;
const SECOND = 1;
const isWicket = (card: Card) => rankOf(card) === 13;
/** 10 is no run, king a wicket, the rest as printed. */
const runsOf = (card: Card) => (rankOf(card) >= 10 ? 0 : rankOf(card));
const kindOf = (card: Card) => (isWicket(card) ? WICKET : RUN_KINDS.indexOf(runsOf(card)));

function scoreOf(variant: Variant, cards: readonly Card[], target: number): Score {
  let runs = 0;
  let wickets = 0;
  for (const card of cards) {
    if (isWicket(card)) wickets += 1;
    else runs += runsOf(card);
  }
  const over = cards.length === variant.balls || wickets === variant.wickets || runs >= target;
  return { runs, wickets, balls: cards.length, cards, over };
}

function matchOf(variant: Variant, deal: Deal): Match {
  const first = scoreOf(variant, cardsAt(deal, FIRST), Number.POSITIVE_INFINITY);
  return [first, scoreOf(variant, cardsAt(deal, SECOND), first.runs + 1)];
}

const decks = { DSO: deckOf('DSO'), DV3: deckOf('DV3') };

/** What is left of an innings after the cards seen. */
function inningsLeft(variant: Variant, score: Score): Innings {
  const left = [0, 0, 0, 0, 0, 0, 0];
  for (const card of decks[variant.deck]) left[kindOf(card)]! += 1;
  for (const card of score.cards) left[kindOf(card)]! -= 1;
  return { left, balls: variant.balls - score.balls, wickets: variant.wickets - score.wickets };
}

const freshInnings = new Map<Variant, readonly number[]>();
function freshReaching(variant: Variant): readonly number[] {
  let known = freshInnings.get(variant);
  if (!known) {
    known = reaching(runsToCome(inningsLeft(variant, scoreOf(variant, [], Number.POSITIVE_INFINITY))), 0);
    freshInnings.set(variant, known);
  }
  return known;
}

/** Chances that the first and the second team win; the rest is a tie. */
function winChances(variant: Variant, [first, second]: Match): [number, number] {
  if (!first.over) {
    const chase = freshReaching(variant);
    const toCome = runsToCome(inningsLeft(variant, first));
    let win = 0;
    let lose = 0;
    for (let runs = 0; runs < toCome.length; runs++) {
      const total = first.runs + runs;
      win += toCome[runs]! * (1 - (chase[total] ?? 0));
      lose += toCome[runs]! * (chase[total + 1] ?? 0);
    }
    return [win, lose];
  }
  const chase =
    second.balls === 0 ? freshReaching(variant) : reaching(runsToCome(inningsLeft(variant, second)), second.runs);
  return [1 - (chase[first.runs] ?? 0), chase[first.runs + 1] ?? 0];
}

function chances(variant: Variant, deal: Deal): ReadonlyMap<number, Chance> {
  const match = matchOf(variant, deal);
  if (match[SECOND].over) return NO_CHANCES;
  const [win, lose] = winChances(variant, match);
  const result = new Map<number, Chance>([
    [1, { kind: 'RUNNER', win, lose }],
    [2, { kind: 'RUNNER', win: lose, lose: win }],
  ]);
  if (!match[FIRST].over) variant.sideChances(variant, match, result);
  return result;
}

const overText = (balls: number) => `${Math.floor(balls / 6)}.${balls % 6}`;
const scoreText = (score: Score) => `${score.runs}/${score.wickets}`;

function overs(variant: Variant): Game<Match> {
  const teams: readonly string[] = variant.teams;
  const team = (index: 0 | 1) =>
    selection<Match>({
      id: index + 1,
      name: teams[index]!,
      group: 'Winner',
      column: teams[index]!,
      price: null,
      net: 'winner',
      limit: 'main',
      mark: (match) => {
        const lead = match[index].runs - match[index === 0 ? 1 : 0].runs;
        return lead === 0 ? REFUND : won(lead > 0);
      },
    });
  return {
    family: 'overs',
    deck: variant.deck,
    seats: teams.map((name, index) => seat(name, name, index === 0 ? 0 : 1)),
    pace: PACES.cricket.pace,
    layout: sideBySide('overs', 2, 6, 1, 'track'),
    selections: [team(0), team(1), ...variant.sides(variant)],
    rules: [
      'Every card is a ball: ace 1 run, 2, 3, 4 and 6 as printed, 10 no run, king a wicket. The second team starts with a fresh stack.',
      ...variant.rules,
      'More runs win; the chase ends as soon as it is ahead. Equal runs: team bets go back, all others stand.',
    ],
    handRanks: [],
    nextSeat: (deal) => {
      const [first, second] = matchOf(variant, deal);
      if (!first.over) return FIRST;
      return second.over ? -1 : SECOND;
    },
    windowMs: (deal) => variant.windowMs(matchOf(variant, deal)),
    outcome: (deal) => matchOf(variant, deal),
    endings: variant.endings,
    result: (match) => {
      const lead = match[FIRST].runs - match[SECOND].runs;
      const winner = lead > 0 ? FIRST : lead < 0 ? SECOND : -1;
      const scores = match.map((score, index) => `${teams[index]} ${scoreText(score)}`);
      return {
        ...endOf(variant.endings, String(winner + 1)),
        text: [winner < 0 ? 'Tie' : teams[winner]!, ...scores].join('|'),
        words: matchWords(variant, match, winner),
        winners: winner < 0 ? [] : [winner],
        best: [],
        void: false,
      };
    },
    chances: (deal) => chances(variant, deal),
    note: (deal, index) => {
      const score = matchOf(variant, deal)[index]!;
      return score.balls > 0 ? `${scoreText(score)} (${overText(score.balls)})` : '';
    },
  };
}

/** `IND wins by 7 wickets: 53/3 against 52/4.` The team that bats first wins by runs, the second by wickets. */
function matchWords({ teams, wickets }: Variant, [first, second]: Match, winner: number): string {
  if (winner < 0) return `Tie: both teams have ${first.runs} runs. Team bets go back.`;
  const margin = winner === FIRST ? first.runs - second.runs : wickets - second.wickets;
  const what = winner === FIRST ? 'run' : 'wicket';
  const scores = winner === FIRST ? [first, second] : [second, first];
  return `${teams[winner]} wins by ${margin} ${what}${margin === 1 ? '' : 's'}: ${scores.map(scoreText).join(' against ')}.`;
}

const session = (id: number, name: string, hint: string, mark: (match: Match) => number) =>
  selection<Match>({
    id,
    name,
    hint,
    group: 'Session',
    sides: ['YES', 'NO'],
    price: null,
    limit: 'fancy',
    mark: (match) => ({ kind: 'VALUE', value: mark(match) }),
  });

/** What the next ball may be, by kind; `Boundry` is the site's spelling. */
const BALLS = [
  ['Wicket', [WICKET]],
  ['Zero', [5]],
  ['One', [0]],
  ['Two', [1]],
  ['Three', [2]],
  ['Boundry', [3, 4]],
] as const;
const NO_BOUNDARY = [true, true, true, false, false, true];
const isBoundary = (card: Card) => runsOf(card) >= 4;
const ballId = (ball: number, row: number) => ball * 10 + row;

const SUPER_OVER: Variant = {
  deck: 'DSO',
  teams: ['ENG', 'RSA'],
  endings: ENDINGS.superover,
  balls: 6,
  wickets: 2,
  windowMs: ([first, second]) => (second.over ? 0 : (first.balls === 0 ? 20 : 8) * 1000),
  sides: ({ teams }) => [
    session(3, `1 over run ${teams[0]}`, 'runs of the over', ([first]) => first.runs),
    session(4, 'Common Wicket', 'one or more in the over', ([first]) => Math.min(1, first.wickets)),
    session(5, 'Common Boundary', 'a four or six in the over', ([first]) => (first.cards.some(isBoundary) ? 1 : 0)),
    ...[1, 2, 3, 4, 5, 6].flatMap((ball) =>
      BALLS.map(([name, kinds], row) =>
        selection<Match>({
          id: ballId(ball, row),
          name: `0.${ball} Over ${name} ${teams[0]}`,
          group: 'Next ball',
          label: name,
          sides: ['BACK'],
          price: null,
          mark: ([first]) => {
            const card = first.cards[ball - 1];
            return card !== undefined && kinds.some((kind) => kind === kindOf(card)) ? WIN : LOSE;
          },
        }),
      ),
    ),
  ],
  sideChances: (variant, [first], chances) => {
    const innings = inningsLeft(variant, first);
    const cardsLeft = innings.left.reduce((sum, count) => sum + count, 0);
    if (first.balls < 5) {
      chances.set(3, { kind: 'SESSION', atLeast: reaching(runsToCome(innings), first.runs) });
    }
    // At least one wicket and at least one boundary in the over, until one has come.
    if (first.wickets === 0) {
      let none = 1;
      for (let ball = 0; ball < innings.balls; ball++)
        none *= (cardsLeft - innings.left[WICKET]! - ball) / (cardsLeft - ball);
      chances.set(4, { kind: 'SESSION', atLeast: [1, 1 - none], line: 1 });
    }
    if (!first.cards.some(isBoundary)) {
      const none = runsToCome(innings, NO_BOUNDARY).reduce((sum, chance) => sum + chance, 0);
      chances.set(5, { kind: 'SESSION', atLeast: [1, 1 - none], line: 1 });
    }
    for (const [row, [, kinds]] of BALLS.entries()) {
      const matching = kinds.reduce<number>((sum, kind) => sum + innings.left[kind]!, 0);
      chances.set(ballId(first.balls + 1, row), { kind: 'NEXT', win: matching / cardsLeft });
    }
  },
  rules: [
    'One over each, at most two wickets; 35 cards, five of each value.',
    'The teams are priced again before every ball, the run session before balls 1 to 5 of ENG.',
    'Common Wicket and Common Boundary: at least one wicket, at least one four or six, in the over of ENG.',
  ],
};

const FIVE_FIVE: Variant = {
  deck: 'DV3',
  teams: ['AUS', 'IND'],
  endings: ENDINGS.cricketv3,
  balls: 30,
  wickets: 10,
  windowMs: ([first, second]) => {
    if (second.over) return 0;
    if (!first.over) return first.balls === 0 ? 20_000 : first.balls % 6 === 0 ? 10_000 : 0;
    if (second.balls <= 18) return second.balls % 6 === 0 ? 10_000 : 0;
    return 6000;
  },
  sides: ({ teams }) => [session(3, `5 over run ${teams[0]}`, 'runs of the innings', ([first]) => first.runs)],
  sideChances: (variant, [first], chances) => {
    chances.set(3, { kind: 'SESSION', atLeast: reaching(runsToCome(inningsLeft(variant, first)), first.runs) });
  },
  rules: [
    'Five overs and ten wickets each; 70 cards, ten of each value.',
    'The teams are priced again after every over, in the last two overs of the chase before every ball.',
  ],
};

export const superover: Game<Match> = overs(SUPER_OVER);
export const cricketv3: Game<Match> = overs(FIVE_FIVE);
