/** Hi-Lo: the card to guess from, the two guesses beside it, and the way the round came. */
import { rankName } from '@fairgame/casino';
import { useEffect } from 'react';
import { payOf } from '../game.ts';
import { type Panel, type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { PlayingCard } from '../page/parts.tsx';
import { type Guess, guessWords, type HiLoMove, type HiLoView, type HiLoWager, winningRanks } from '../rules/hi-lo.ts';
import { useShown } from './tools.ts';
import css from './hi-lo.module.css';

const CARD_MS = 380;
const END_MS = 650;
const TRAIL = 8;
const RANK_WORDS = [
  'ace',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'jack',
  'queen',
  'king',
];
const rankOf = (card: number) => (card % 13) + 1;

function HiLoBoard(props: SoloBoardProps<HiLoWager, HiLoView, HiLoMove>) {
  const { round, stakeMinor, busy, motion, onMove, onShown, sound } = props;
  const open = round !== null && !round.over;
  const view = round?.view ?? null;
  const words = says(view);
  usePanel<HiLoWager, HiLoMove>({ says: words, ...panelOf(round, stakeMinor) });

  const fresh = round?.fresh === true;
  const showing = useShown(fresh, motion, round?.over && view?.end === 'wrong' ? END_MS : CARD_MS, onShown);
  const count = view?.cards.length ?? 0;
  const cashed = view?.end === 'cashed';
  useEffect(() => {
    if (showing && count > 0 && !cashed) sound('deal');
  }, [showing, count, cashed, sound]);

  const card = view?.cards.at(-1) ?? null;
  const rank = card === null ? null : rankOf(card);

  const guessButton = (guess: Guess) => {
    const offer = view?.[guess] ?? null;
    const off = !open || busy || offer === null;
    return (
      <button
        type="button"
        className={css.guess}
        data-guess={guess}
        aria-disabled={off}
        onClick={() => {
          if (!off) onMove({ do: guess });
        }}
      >
        <Arrow guess={guess} same={rank !== null && winningRanks(rank, guess) === 1} />
        <b>{rank === null || !open ? (guess === 'higher' ? 'Higher' : 'Lower') : guessWords(rank, guess)}</b>
        {offer ? (
          <>
            <span>{offer.ranks} of 13 ranks</span>
            <strong>{times(offer.times)}</strong>
          </>
        ) : (
          <span>{open ? 'Over the highest multiple' : 'or same'}</span>
        )}
      </button>
    );
  };

  return (
    <div className={css.hiLo} data-end={view?.end ?? 'none'}>
      <div className={css.table}>
        {guessButton('lower')}
        <div className={css.card} data-new={showing && !cashed}>
          <span key={`${round?.roundId}-${count}`} className={css.flip}>
            <PlayingCard card={card ?? 'back'} />
          </span>
        </div>
        {guessButton('higher')}
      </div>

      <p className={css.says}>{words}</p>

      <Trail view={view} />
    </div>
  );
}

/** What can be done now. */
function panelOf(
  round: SoloBoardProps<HiLoWager, HiLoView, HiLoMove>['round'],
  stakeMinor: number,
): Panel<HiLoWager, HiLoMove> {
  if (round === null || round.over)
    return { actions: [{ label: 'Deal', wager: { stakeMinor } }], note: 'Ace is the lowest card, king the highest' };
  const { done, skipsLeft, times: won } = round.view;
  return {
    actions: [
      {
        label: done.some((what) => what !== 'skip') ? 'Cash out' : 'Take stake back',
        move: { do: 'cash' },
        worthMinor: payOf(round.stakeMinor, won),
      },
      {
        label: `Skip card (${skipsLeft})`,
        move: { do: 'skip' },
        ...(skipsLeft === 0 ? { off: 'No skips left' } : {}),
      },
    ],
    note: 'Guess the next card, or cash out',
  };
}

/** The cards before this one, with what was guessed at each. */
function Trail({ view }: { view: HiLoView | null }) {
  const before = view === null ? [] : view.cards.slice(0, -1);
  return (
    <ol className={css.trail} aria-label="Cards before">
      {before.slice(-TRAIL).map((old, i) => {
        const at = Math.max(0, before.length - TRAIL) + i;
        const what = view!.done[at]!;
        return (
          <li key={at}>
            <PlayingCard card={old} />
            <span>{what === 'skip' ? 'Skip' : trailWords(rankOf(old), what)}</span>
          </li>
        );
      })}
      {before.length === 0 && <li className={css.none}>The cards of the round line up here</li>}
    </ol>
  );
}

const trailWords = (rank: number, guess: Guess) =>
  winningRanks(rank, guess) === 1 ? '= Same' : guess === 'higher' ? '↑ High' : '↓ Low';

const article = (word: string) => (word === 'ace' || word === 'eight' ? 'An' : 'A');

function says(view: HiLoView | null): string {
  if (view === null) return 'Deal a card to begin';
  const right = view.done.filter((what) => what !== 'skip').length - (view.end === 'wrong' ? 1 : 0);
  const guesses = right === 1 ? '1 right guess' : `${right} right guesses`;
  if (view.end === 'wrong') {
    const card = RANK_WORDS[rankOf(view.cards.at(-1)!) - 1]!;
    if (right === 0) return `${article(card)} ${card}: the guess was wrong`;
    return `${article(card)} ${card}: wrong after ${guesses}`;
  }
  if (view.end === 'cashed')
    return right === 0 ? 'Stake taken back' : `Cashed out after ${guesses}: ${times(view.times)}`;
  if (right === 0) return `Is the next card higher or lower than ${rankName(rankOf(view.cards.at(-1)!))}?`;
  return `${guesses}: ${times(view.times)} so far`;
}

function Arrow({ guess, same }: { guess: Guess; same: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={same ? 'M5 9h14M5 15h14' : guess === 'higher' ? 'M5 15l7-7 7 7' : 'M5 9l7 7 7-7'} />
    </svg>
  );
}

export default soloBoard<HiLoWager, HiLoView, HiLoMove>(HiLoBoard);
