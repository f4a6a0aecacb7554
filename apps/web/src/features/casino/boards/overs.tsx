import { Crest } from '../../../ui/crest.tsx';
import { PlayingCard } from '../../../ui/playing-card.tsx';
import type { BoardProps } from '../board.ts';
import { rankOf } from '../cards.ts';
import { Card, type ShownCard, Winner } from '../hand.tsx';

const OVER = 6;

interface Innings {
  runs: number;
  wickets: number;
  cards: readonly ShownCard[];
}

/** Super Over and 5Five: two innings, each with the cards of its over in play; under every card what the ball came to. */
export function Board({ info, facts, round }: BoardProps) {
  const innings = info.seats.map((_, seat): Innings => {
    const ranks = facts.deal.cards.filter((__, at) => facts.deal.seats[at] === seat).map(rankOf);
    return {
      cards: facts.hands[seat] ?? [],
      runs: ranks.reduce((sum, rank) => sum + (rank < 10 ? rank : 0), 0),
      wickets: ranks.filter((rank) => rank === 13).length,
    };
  });
  const [first, second] = innings as [Innings, Innings];
  const chasing = second.cards.length > 0;
  const need = first.runs + 1 - second.runs;
  const over = facts.result !== null || round.phase === 'RESULT';
  return (
    <div className="overs">
      {info.seats.map((seat, index) => {
        const { runs, wickets, cards } = innings[index]!;
        const bats = !over && (index === 1) === chasing;
        const from = Math.floor(Math.max(0, cards.length - 1) / OVER) * OVER;
        const won = facts.result?.winners.includes(index) ?? false;
        return (
          <section
            key={seat.id}
            className={won ? 'inn is-win' : bats ? 'inn is-on' : 'inn'}
            aria-label={`${seat.name}: ${runs} for ${wickets} after ${oversOf(cards.length)} overs${won ? '. Winner' : ''}`}
          >
            <div className="inn__h">
              <Crest code={seat.name} name={seat.name} size={22} />
              {won ? <Winner name={seat.name} /> : <b>{seat.name}</b>}
              <span className="inn__s num">
                {runs}/{wickets}
              </span>
              <span className="inn__o num">{oversOf(cards.length)} ov</span>
            </div>
            <ol className="inn__b">
              {Array.from({ length: OVER }, (_, at) => from + at).map((ball) => (
                <Ball key={ball} card={cards[ball]} />
              ))}
            </ol>
          </section>
        );
      })}
      <p className="overs__l">
        {over
          ? ''
          : chasing
            ? `${info.seats[1]!.name} need ${Math.max(0, need)} more to win`
            : `${info.seats[0]!.name} bat first`}
      </p>
    </div>
  );
}

/** Ten is no run, the king a wicket, every other card as many runs as it shows. */
function Ball({ card }: { card: ShownCard | undefined }) {
  if (!card) {
    return (
      <li className="inn__c">
        <span className="dc is-place">
          <PlayingCard card={null} />
        </span>
      </li>
    );
  }
  const rank = card.code.slice(0, -1);
  const runs = rank === 'K' ? 'W' : rank === 'A' ? '1' : rank === '10' ? '0' : rank;
  return (
    <li className="inn__c">
      <Card card={card} />
      <span className={`inn__r num${runs === 'W' ? ' is-w' : runs === '4' || runs === '6' ? ' is-4' : ''}`}>
        {runs}
      </span>
    </li>
  );
}

const oversOf = (balls: number): string => `${Math.floor(balls / OVER)}.${balls % OVER}`;
