import type { BoardProps } from '../board.ts';
import { rankName, rankOf } from '../cards.ts';
import { Cards } from '../hand.tsx';

const SIDES: Readonly<Record<string, ReadonlyArray<{ name: string; from: number; to: number }>>> = {
  lucky7: [
    { name: 'Low', from: 1, to: 6 },
    { name: 'Seven', from: 7, to: 7 },
    { name: 'High', from: 8, to: 13 },
  ],
  aaa: [
    { name: 'Amar', from: 1, to: 6 },
    { name: 'Akbar', from: 7, to: 10 },
    { name: 'Anthony', from: 11, to: 13 },
  ],
};

/** One card that falls on a side: low or high of seven, or one of three brothers. The ranks stand in their fields. */
export function Board({ info, facts, delayOf, ring }: BoardProps) {
  const sides = SIDES[info.code] ?? SIDES.lucky7!;
  const card = facts.deal.cards[0];
  const rank = card === undefined ? null : rankOf(card);
  const field = ({ name, from, to }: (typeof sides)[number]) => {
    const hit = rank !== null && rank >= from && rank <= to;
    return (
      <section
        key={name}
        className={hit ? 'l7 is-in' : 'l7'}
        aria-label={`${name}: ${rankName(from)} to ${rankName(to)}${hit ? '. Winner' : ''}`}
      >
        <b>{name}</b>
        <span className="l7__r num" aria-hidden="true">
          {Array.from({ length: to - from + 1 }, (_, at) => (
            <i key={rankName(from + at)} className={rank === from + at ? 'is-in' : undefined}>
              {rankName(from + at)}
            </i>
          ))}
        </span>
      </section>
    );
  };
  return (
    <div className="l7s">
      <div className="l7s__m">
        {ring}
        <Cards hand={facts.hands[0] ?? []} slots={1} spread="row" delayOf={delayOf} />
      </div>
      <div className="l7s__f">{sides.map(field)}</div>
    </div>
  );
}
