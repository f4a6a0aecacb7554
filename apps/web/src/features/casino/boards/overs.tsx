import { t } from '@lingui/core/macro';
import { Crest } from '../../../ui/crest.tsx';
import { cx } from '../../../ui/cx.ts';
import { PlayingCard } from '../../../ui/playing-card.tsx';
import type { BoardProps } from '../board.ts';
import { rankOf } from '../cards.ts';
import { Card, type ShownCard, Winner } from '../hand.tsx';
import handCss from '../hand.module.css';
import css from './overs.module.css';

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
    <div className={css.overs}>
      {info.seats.map((seat, index) => {
        const { runs, wickets, cards } = innings[index]!;
        const bats = !over && (index === 1) === chasing;
        const from = Math.floor(Math.max(0, cards.length - 1) / OVER) * OVER;
        const won = facts.result?.winners.includes(index) ?? false;
        const overs = oversOf(cards.length);
        const score = t`${{ team: seat.name }}: ${runs} for ${wickets} after ${overs} overs`;
        return (
          <section
            key={seat.id}
            className={cx(css.innings, won ? 'is-win' : bats && 'is-on')}
            aria-label={won ? `${score}. ${t`Winner`}` : score}
          >
            <div className={css.head}>
              <Crest code={seat.name} name={seat.name} size={22} />
              {won ? <Winner name={seat.name} /> : <b>{seat.name}</b>}
              <span className={cx(css.score, 'num')}>
                {runs}/{wickets}
              </span>
              <span className={cx(css.over, 'num')}>{t`${overs} ov`}</span>
            </div>
            <ol className={css.balls}>
              {Array.from({ length: OVER }, (_, at) => from + at).map((ball) => (
                <Ball key={ball} card={cards[ball]} />
              ))}
            </ol>
          </section>
        );
      })}
      <p className={css.last}>
        {over
          ? ''
          : chasing
            ? t`${{ team: info.seats[1]!.name }} need ${{ runs: Math.max(0, need) }} more to win`
            : t`${{ team: info.seats[0]!.name }} bat first`}
      </p>
    </div>
  );
}

/** Ten is no run, the king a wicket, every other card as many runs as it shows. */
function Ball({ card }: { card: ShownCard | undefined }) {
  if (!card) {
    return (
      <li className={css.ball}>
        <span className={cx(handCss.card, 'is-place')}>
          <PlayingCard card={null} />
        </span>
      </li>
    );
  }
  const rank = card.code.slice(0, -1);
  const runs = rank === 'K' ? 'W' : rank === 'A' ? '1' : rank === '10' ? '0' : rank;
  return (
    <li className={css.ball}>
      <Card card={card} />
      <span className={cx(css.runs, 'num', runs === 'W' && 'is-w', (runs === '4' || runs === '6') && 'is-4')}>
        {runs}
      </span>
    </li>
  );
}

const oversOf = (balls: number): string => `${Math.floor(balls / OVER)}.${balls % OVER}`;
