import { rankOf, SPADE, suitOf } from '../cards.ts';
import { ENDINGS } from '../endings.ts';
import { type Deal, type Game, inOrder, NO_CHANCES, seat, selection, windowsAt } from '../game.ts';
import { PACES, sideBySide } from './card-bets.ts';

/** Points in the low and the high zone, and of the 9 and 10 of spades, which count against the bettor. */
interface Points {
  readonly low: number;
  readonly high: number;
  readonly spade: number;
}

const CAP = 50;
const CARDS = 11;

function pointsOf({ cards }: Deal): Points {
  const points = { low: 0, high: 0, spade: 0 };
  for (const card of cards) {
    const rank = rankOf(card);
    if ((rank === 9 || rank === 10) && suitOf(card) === SPADE) points.spade += rank;
    else if (rank <= 9) points.low += rank;
    else points.high += rank;
  }
  return points;
}

const difference = (points: Points, zone: 'low' | 'high') =>
  points[zone] - (zone === 'low' ? points.high : points.low) - points.spade;

/** The return counts the fifty stakes held. */
const zoneBet = (id: number, name: string, zone: 'low' | 'high', returnPpm: number) =>
  selection<Points>({
    id,
    name,
    group: 'Main',
    price: { back: 215 },
    limit: 'main',
    returnPpm,
    hint: 'a point, 50 at most',
    points: CAP,
    units: () => CAP,
    most: () => CAP * 115,
    mark: (points) => ({ kind: 'POINTS', points: Math.max(-CAP, Math.min(CAP, difference(points, zone))) }),
  });

export const cmeter: Game<Points> = {
  family: 'meter',
  deck: 'D1',
  seats: [seat('C', 'Cards')],
  pace: PACES.meter.pace,
  layout: sideBySide('meter', 1, CARDS, 1, 'track'),
  selections: [zoneBet(1, 'Low', 'low', 933_362), zoneBet(2, 'High', 'high', 955_834)],
  rules: [
    'One deck, eleven cards, ace 1 to king 13. Low: ace to 8 and the nines but the spade. High: faces and the tens but the spade.',
    'The 9 and the 10 of spades always count against your side.',
    'Your stake is for one point. Ahead you win 1.15 stakes a point, behind you lose one stake a point, up to 50 points: 50 stakes are held.',
  ],
  handRanks: [],
  nextSeat: inOrder(Array<number>(CARDS).fill(0)),
  windowMs: windowsAt({ 0: PACES.meter.first }),
  outcome: pointsOf,
  endings: ENDINGS.cmeter,
  result: (points) => {
    const zones = [
      ['Low', difference(points, 'low')],
      ['High', difference(points, 'high')],
    ] as const;
    // The spades may leave both behind.
    const ahead = zones.findIndex(([, lead]) => lead > 0);
    const [name, lead] = zones[ahead] ?? ['', 0];
    const against = points.spade > 0 ? `; the spade 9 and 10 count ${points.spade} against both` : '';
    return {
      win: `${points.low}-${points.high}`,
      badge: ahead < 0 ? '0' : `${name[0]} ${lead}`,
      tone: ahead < 0 ? 'tie' : ahead === 0 ? 'a' : 'b',
      text: `Low ${points.low}|High ${points.high}|Spade ${points.spade}`,
      words: `${ahead < 0 ? 'Neither side is ahead' : `${name} is ahead by ${lead}`}: Low ${points.low}, High ${points.high}${against}.`,
      winners: [],
      best: [],
      void: false,
    };
  },
  chances: () => NO_CHANCES,
  note: (deal) => {
    const { low, high, spade } = pointsOf(deal);
    return deal.cards.length > 0 ? `Low ${low}, High ${high}, spade ${spade}` : '';
  },
};
