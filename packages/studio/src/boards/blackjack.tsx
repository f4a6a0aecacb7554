/** Blackjack: the dealer above, one hand or two below, the acts in the panel. */
import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import { type Action, amount, type SoloBoardProps, soloBoard, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { Chip, PlayingCard } from '../page/parts.tsx';
import { type BlackjackAct, type BlackjackView, type Hand, type Outcome, totalOf } from '../rules/blackjack.ts';
import css from './blackjack.module.css';

interface Wager {
  readonly stakeMinor: number;
}
interface Move {
  readonly act: BlackjackAct;
}

const DEAL_MS = 240;
const DRAW_MS = 480;
const SETTLE_MS = 380;
const LABELS: Readonly<Record<BlackjackAct, string>> = {
  hit: 'Hit',
  stand: 'Stand',
  double: 'Double',
  split: 'Split',
  surrender: 'Surrender',
};
const OUTCOMES: Readonly<Record<Outcome, string>> = {
  blackjack: 'Blackjack',
  won: 'Won',
  push: 'Push',
  lost: 'Lost',
  bust: 'Bust',
  surrendered: 'Surrendered',
};

function BlackjackBoard({ round, stakeMinor, motion, onShown, sound }: SoloBoardProps<Wager, BlackjackView, Move>) {
  const fresh = round?.fresh === true;
  const view = round?.view ?? null;
  const open = round !== null && !round.over;

  const acts = (open && view ? view.allowed : []).map(
    (act): Action<Wager, Move> => ({
      label: LABELS[act],
      move: { act },
      ...((act === 'double' || act === 'split') && { extraMinor: round!.wager.stakeMinor }),
    }),
  );
  usePanel<Wager, Move>({
    actions: open ? acts : [{ label: 'Deal', wager: { stakeMinor } }],
    note: open && view ? actNote(view) : 'Blackjack pays 3 to 2, dealer stands on 17',
    ...(view && { says: words(view) }),
  });

  const { delays, lastMs } = useDeal(view, round?.roundId ?? null, fresh);

  useEffect(() => {
    if (!fresh) return;
    if (motion) sound('deal');
    const timer = setTimeout(onShown, motion ? lastMs + SETTLE_MS : 0);
    return () => clearTimeout(timer);
  }, [fresh, motion, lastMs, onShown, sound]);

  const card = (at: number, i: number, each: number | null) => {
    const key = keyOf(at, i, each);
    const turns = at === -1 && i === 1 && each !== null;
    return <DealtCard key={key} card={each} turns={turns} delayMs={fresh && motion ? delays.get(key) : undefined} />;
  };

  // A total is told when the last card lies.
  const late = fresh && motion ? 'is-late' : undefined;
  const lateBy = late ? ({ animationDelay: `${lastMs}ms` } as CSSProperties) : undefined;
  const dealer = view?.dealer ?? [];
  const opened = dealer.filter((each) => each !== null);
  return (
    <div className={css.blackjack} data-net={round !== null && round.paidMinor > round.stakeMinor}>
      <Cloth />
      <section className={cx(css.seat, 'is-dealer')} aria-label="Dealer">
        <ul className={css.cards}>{dealer.length > 0 ? dealer.map((each, i) => card(-1, i, each)) : EMPTY}</ul>
        <p className={css.total}>
          <span>Dealer</span>
          {opened.length > 0 && !(fresh && round?.over) && (
            <b className={late} style={lateBy}>
              {totalWords(opened)}
            </b>
          )}
        </p>
      </section>
      <div className={css.hands} data-count={view?.hands.length ?? 1}>
        {(view?.hands ?? [null]).map((hand, at) => (
          <section
            key={at === 0 ? 'one' : 'two'}
            className={css.seat}
            aria-label={view && view.hands.length > 1 ? `Hand ${at + 1}` : 'Your hand'}
            data-active={open && !fresh && view!.hands.length > 1 && view!.active === at}
            data-outcome={!fresh ? hand?.outcome : undefined}
          >
            <HandTotal hand={hand} over={!fresh} late={late} lateBy={lateBy} />
            <ul className={css.cards}>{hand ? hand.cards.map((each, i) => card(at, i, each)) : EMPTY}</ul>
          </section>
        ))}
      </div>
    </div>
  );
}

/** How long after the first each card of a deal comes. Cards that lay here before are not dealt again. */
function useDeal(view: BlackjackView | null, roundId: string | null, fresh: boolean) {
  const before = useRef<{ roundId: string; keys: ReadonlySet<string> } | null>(null);
  const { delays, lastMs } = useMemo(() => {
    const known = before.current?.roundId === roundId ? before.current.keys : new Set<string>();
    const first = known.size === 0;
    const own = view ? view.hands.flatMap((hand, at) => hand.cards.map((card, i) => keyOf(at, i, card))) : [];
    const theirs = view ? view.dealer.map((card, i) => keyOf(-1, i, card)) : [];
    const order = first ? interleave(own, theirs) : [...own, ...theirs].filter((key) => !known.has(key));
    const map = new Map<string, number>();
    let ms = 0;
    for (const key of order) {
      map.set(key, ms);
      ms += first && map.size <= 4 ? DEAL_MS : DRAW_MS;
    }
    return { delays: map, lastMs: ms };
  }, [roundId, view]);

  useEffect(() => {
    if (!view || roundId === null || fresh) return;
    const keys = [
      ...view.hands.flatMap((hand, at) => hand.cards.map((card, i) => keyOf(at, i, card))),
      ...view.dealer.map((card, i) => keyOf(-1, i, card)),
    ];
    before.current = { roundId, keys: new Set(keys) };
  }, [view, roundId, fresh]);
  return { delays, lastMs };
}

function Cloth() {
  return (
    <svg className={css.cloth} viewBox="0 0 1000 340" aria-hidden="true">
      <path id="blackjack-arc" d="M120 60Q500 300 880 60" />
      <path className={css.line} d="M70 60Q500 350 930 60M150 60Q500 250 850 60" />
      <text>
        <textPath href="#blackjack-arc" startOffset="50%" textAnchor="middle">
          BLACKJACK PAYS 3 TO 2 · DEALER STANDS ON ALL 17S
        </textPath>
      </text>
    </svg>
  );
}

interface TotalProps {
  hand: Hand | null;
  /** The result may be told. */
  over: boolean;
  late: string | undefined;
  lateBy: CSSProperties | undefined;
}

function HandTotal({ hand, over, late, lateBy }: TotalProps) {
  return (
    <p className={css.total}>
      {hand ? (
        <b key={hand.cards.length} className={late} style={lateBy}>
          {totalWords(hand.cards)}
        </b>
      ) : (
        <span>Your hand</span>
      )}
      {hand && <Chip text={amount(hand.stakeMinor, 'needed')} title="Stake" />}
      {hand?.outcome && over && <strong>{OUTCOMES[hand.outcome]}</strong>}
    </p>
  );
}

/** `delayMs`: it comes now, so long after the first; undefined: it lies there. */
function DealtCard({ card, turns, delayMs }: { card: number | null; turns: boolean; delayMs: number | undefined }) {
  return (
    <li
      className={delayMs === undefined ? undefined : turns ? 'is-turned' : 'is-dealt'}
      style={delayMs === undefined ? undefined : ({ animationDelay: `${delayMs}ms` } as CSSProperties)}
    >
      <PlayingCard card={card ?? 'back'} />
    </li>
  );
}

const EMPTY = (
  <>
    <li>
      <PlayingCard card={null} />
    </li>
    <li>
      <PlayingCard card={null} />
    </li>
  </>
);

const keyOf = (at: number, i: number, card: number | null) => `${at}-${i}-${card ?? 'back'}`;

/** The first cards as they are dealt: player, dealer, player, dealer. */
function interleave(own: readonly string[], theirs: readonly string[]): string[] {
  const order: string[] = [];
  for (let i = 0; i < Math.max(own.length, theirs.length); i++)
    for (const key of [own[i], theirs[i]]) if (key !== undefined) order.push(key);
  return order;
}

function totalWords(cards: readonly number[]): string {
  const { total, soft } = totalOf(cards);
  if (cards.length === 2 && total === 21) return '21';
  return soft && total < 21 ? `${total - 10} / ${total}` : `${total}`;
}

function actNote(view: BlackjackView): string {
  const hand = view.hands[view.active];
  if (!hand) return '';
  const which = view.hands.length > 1 ? `Hand ${view.active + 1}: ` : '';
  return `${which}${totalWords(hand.cards)} against ${totalWords([view.dealer[0]!])}`;
}

function words(view: BlackjackView): string {
  const hand = (each: Hand, at: number) =>
    `${view.hands.length > 1 ? `Hand ${at + 1}` : 'Your hand'} ${totalOf(each.cards).total}${each.outcome ? `, ${OUTCOMES[each.outcome].toLowerCase()}` : ''}`;
  const open = view.dealer.filter((card) => card !== null);
  return `${view.hands.map(hand).join('. ')}. Dealer ${view.over ? 'has' : 'shows'} ${totalOf(open).total}.`;
}

export default soloBoard<Wager, BlackjackView, Move>(BlackjackBoard);
