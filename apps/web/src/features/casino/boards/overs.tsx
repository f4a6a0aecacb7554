import { Crest } from '../../../ui/crest.tsx';
import { BallChip } from '../../../ui/scoreboard.tsx';
import type { BoardProps } from '../board.ts';
import { rankOf } from '../cards.ts';
import { Winner } from '../hand.tsx';

interface Innings {
  runs: number;
  wickets: number;
  balls: string[];
}

/** Super Over and 5Five: a scoreboard; a card is a ball, ten is no run, king a wicket. The cards of the over stay in sight as balls. */
export function Board({ info, facts, round, ring }: BoardProps) {
  const innings = info.seats.map((_, seat): Innings => {
    const balls = facts.deal.cards.filter((__, at) => facts.deal.seats[at] === seat).map((card) => rankOf(card));
    return {
      balls: balls.map((rank) => (rank === 13 ? 'W' : rank === 10 ? '0' : String(rank))),
      runs: balls.reduce((sum, rank) => sum + (rank < 10 ? rank : 0), 0),
      wickets: balls.filter((rank) => rank === 13).length,
    };
  });
  const [first, second] = innings as [Innings, Innings];
  const chasing = second.balls.length > 0 || (first.balls.length > 0 && facts.deal.seats.at(-1) === 1);
  const need = first.runs + 1 - second.runs;
  const over = facts.result !== null || round.phase === 'RESULT';
  return (
    <div className="overs">
      <div className="overs__r">{ring}</div>
      <div className="overs__t">
        {info.seats.map((seat, index) => {
          const { runs, wickets, balls } = innings[index]!;
          const bats = !over && (index === 1 ? chasing : !chasing);
          const shown = balls.slice(Math.floor(Math.max(0, balls.length - 1) / 6) * 6);
          const won = facts.result?.winners.includes(index) ?? false;
          return (
            <section
              key={seat.id}
              className={bats ? 'inn is-on' : 'inn'}
              aria-label={`${seat.name}: ${runs} for ${wickets} after ${oversOf(balls.length)} overs${won ? '. Winner' : ''}`}
            >
              <div className="inn__h">
                <Crest code={seat.name} name={seat.name} size={26} />
                <b>{seat.name}</b>
                {won && <Winner />}
                <span className="inn__s num">
                  {runs}/{wickets}
                </span>
                <span className="inn__o num">{oversOf(balls.length)} ov</span>
              </div>
              <div className="inn__b" aria-hidden="true">
                {Array.from({ length: 6 }, (_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the balls of an over have places
                  <BallChip key={at} ball={shown[at] ?? ''} />
                ))}
              </div>
            </section>
          );
        })}
        <p className="overs__l">
          {over
            ? ''
            : chasing
              ? `${info.seats[1]!.name} need ${Math.max(0, need)} more ${need === 1 ? 'run' : 'runs'}`
              : `${info.seats[0]!.name} bat first`}
        </p>
      </div>
    </div>
  );
}

const oversOf = (balls: number): string => `${Math.floor(balls / 6)}.${balls % 6}`;
