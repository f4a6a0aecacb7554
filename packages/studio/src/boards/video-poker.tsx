/** Video poker: the pay table, five cards that are held or thrown, and the draw. */
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { amount, type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { PlayingCard } from '../page/parts.tsx';
import { POKER_NAMES, POKER_PAYS, POKER_RANKS, type PokerView } from '../rules/video-poker.ts';
import css from './video-poker.module.css';

interface Wager {
  readonly stakeMinor: number;
}
interface Move {
  readonly hold: readonly number[];
}

const PLACES = [0, 1, 2, 3, 4];
const PAYING = POKER_RANKS.filter((rank) => rank !== 'nothing');
const CARD_MS = 150;
const TURN_MS = 380;

function PokerBoard({ round, stakeMinor, busy, motion, onShown, sound }: SoloBoardProps<Wager, PokerView, Move>) {
  const [hold, setHold] = useState<readonly number[]>([]);
  const fresh = round?.fresh === true;
  const view = round?.view ?? null;
  const open = round !== null && !round.over;
  const held = round?.over ? (view?.hold ?? []) : hold;

  usePanel<Wager, Move>({
    actions: open
      ? [{ label: hold.length === 5 ? 'Keep all five' : 'Draw', move: { hold } }]
      : [{ label: 'Deal', wager: { stakeMinor } }],
    note: open
      ? hold.length === 0
        ? 'Choose the cards to hold'
        : `Holding ${hold.length} of 5`
      : 'Pays from a pair of jacks',
    ...(view && { says: `${view.rank === 'nothing' ? 'No paying hand' : POKER_NAMES[view.rank]}.` }),
  });

  const roundId = round?.roundId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round begins with nothing held
  useEffect(() => setHold([]), [roundId]);

  const turned = PLACES.filter((place) => round?.over !== true || !(view?.hold ?? []).includes(place));
  const count = turned.length;
  useEffect(() => {
    if (!fresh) return;
    if (motion && count > 0) sound('deal');
    const timer = setTimeout(onShown, motion && count > 0 ? count * CARD_MS + TURN_MS : 0);
    return () => clearTimeout(timer);
  }, [fresh, motion, count, onShown, sound]);

  const toggle = (place: number) => {
    if (busy || !open) return;
    sound('tick');
    setHold(hold.includes(place) ? hold.filter((each) => each !== place) : [...hold, place].sort((a, b) => a - b));
  };
  useHoldKeys(toggle);

  const made = view && !fresh ? view.rank : null;
  return (
    <div className={css.poker} data-net={round !== null && round.paidMinor > round.stakeMinor}>
      <Pays made={made} staked={round?.stakeMinor ?? stakeMinor} />
      <div className={css.hand}>
        <p className={css.made} data-pays={made !== null && made !== 'nothing'}>
          {madeWords(made, open)}
        </p>
        <ol className={css.cards}>
          {PLACES.map((place) => {
            const card = view?.cards[place];
            const on = held.includes(place);
            const at = turned.indexOf(place);
            return (
              <HeldCard
                key={place}
                place={place}
                card={card}
                on={on}
                open={open}
                off={busy || !open}
                delayMs={fresh && motion && at >= 0 ? at * CARD_MS : null}
                onPress={() => toggle(place)}
              />
            );
          })}
        </ol>
      </div>
    </div>
  );
}

function madeWords(made: PokerView['rank'] | null, open: boolean): string {
  if (made === null) return open ? '' : 'Five cards, one draw';
  if (made === 'nothing') return open ? 'Nothing yet' : 'No pay';
  return POKER_NAMES[made];
}

interface HeldCardProps {
  place: number;
  card: number | undefined;
  on: boolean;
  open: boolean;
  off: boolean;
  /** It is turned now, so long after the first; null: it lies there. */
  delayMs: number | null;
  onPress: () => void;
}

function HeldCard({ place, card, on, open, off, delayMs, onPress }: HeldCardProps) {
  return (
    <li>
      <button type="button" aria-pressed={on} aria-disabled={off} aria-keyshortcuts={`${place + 1}`} onClick={onPress}>
        <span
          key={card ?? 'none'}
          className={cx(css.turn, delayMs !== null && 'is-turned')}
          style={delayMs === null ? undefined : ({ animationDelay: `${delayMs}ms` } as CSSProperties)}
        >
          <PlayingCard card={card ?? 'back'} />
        </span>
        <small>{on ? 'Held' : open ? 'Hold' : ''}</small>
      </button>
    </li>
  );
}

/** Keys 1 to 5 press the cards. */
function useHoldKeys(toggle: (place: number) => void): void {
  const press = useRef(toggle);
  press.current = toggle;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement)
        return;
      if (/^[1-5]$/.test(event.key)) press.current(Number(event.key) - 1);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function Pays({ made, staked }: { made: PokerView['rank'] | null; staked: number }) {
  return (
    <table className={css.pays}>
      <caption className="spoken">What the hands pay</caption>
      <tbody>
        {PAYING.map((rank) => (
          <tr key={rank} data-made={made === rank}>
            <th scope="row">{POKER_NAMES[rank]}</th>
            <td className={css.times}>{times(POKER_PAYS[rank])}</td>
            <td>{amount((staked / 100) * POKER_PAYS[rank], 'needed')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export default soloBoard<Wager, PokerView, Move>(PokerBoard);
