import type { BoardProps } from '../board.ts';
import { rankName, rankOf } from '../cards.ts';
import { Cards, Winner } from '../hand.tsx';

/** Andar Bahar: two rows that grow card by card; with a joker they wait for its rank, without one each rank goes to its side. */
export function Board({ info, facts, delayOf, ring }: BoardProps) {
  const joker = info.seats.findIndex((seat) => seat.name === 'Joker');
  const sides = info.layout.places.filter(({ seat }) => seat !== joker);
  const first = firstSides(facts.deal);
  return (
    <div className="ab">
      <div className="ab__h">
        {joker >= 0 && (
          <section className="ab__j" aria-label="Joker">
            <Cards hand={facts.hands[joker] ?? []} slots={1} spread="row" delayOf={delayOf} />
            <span className="seat__h">Joker</span>
          </section>
        )}
        {ring}
      </div>
      <div className="ab__r">
        {sides.map(({ seat }) => {
          const won = facts.result?.winners.includes(seat) ?? false;
          const hand = facts.hands[seat] ?? [];
          return (
            <section
              key={seat}
              className={won ? 'ab__s is-win' : 'ab__s'}
              aria-label={`${info.seats[seat]!.name}: ${hand.length} cards${won ? '. Winner' : ''}`}
            >
              <span className="ab__n">
                <b>{info.seats[seat]!.name}</b>
                <span className="num">{hand.length}</span>
                {won && <Winner />}
              </span>
              <Cards hand={hand} slots={1} spread="pile" delayOf={delayOf} />
              {joker < 0 && (
                <span
                  className="l7__r num"
                  role="img"
                  aria-label={`Ranks of ${info.seats[seat]!.name}: ${
                    [...first]
                      .filter(([, on]) => on === seat)
                      .map(([rank]) => rankName(rank))
                      .join(', ') || 'none yet'
                  }`}
                >
                  {Array.from({ length: 13 }, (_, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the thirteen ranks
                    <i key={at} className={first.get(at + 1) === seat ? 'is-in' : undefined}>
                      {rankName(at + 1)}
                    </i>
                  ))}
                </span>
              )}
            </section>
          );
        })}
      </div>
    </div>
  );
}

/** The side on which each rank came first. */
function firstSides(deal: BoardProps['facts']['deal']): Map<number, number> {
  const sides = new Map<number, number>();
  deal.cards.forEach((card, at) => {
    const rank = rankOf(card);
    if (!sides.has(rank)) sides.set(rank, deal.seats[at]!);
  });
  return sides;
}
