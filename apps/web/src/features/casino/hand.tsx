import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useContext, useLayoutEffect, useRef } from 'react';
import { listed } from '../../platform/format.ts';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconTrophy } from '../../ui/icons.ts';
import { cardName, PlayingCard } from '../../ui/playing-card.tsx';
import { type BoardProps, DealContext } from './board.ts';
import seatsCss from './boards/seats.module.css';
import boardsCss from './boards.module.css';
import feltCss from './felt.module.css';
import css from './hand.module.css';

export interface ShownCard {
  /** "KS", or "back". */
  code: string;
  /** Its number in the deal. */
  at: number;
}

/**
 * One card on the baize. Dealt now, it comes from the shoe face down and is turned over at its place; the last card of a
 * deal is turned slowly. After the round the cards that decided it are lifted. (Reduced motion: cards are just there.)
 */
export function Card({ card, sideways = false }: { card: ShownCard; sideways?: boolean }) {
  const { delayOf, best, squeezed } = useContext(DealContext);
  const place = useRef<HTMLSpanElement>(null);
  const delay = delayOf(card.at);
  const dealt = delay !== null;
  useLayoutEffect(() => {
    const span = place.current;
    const shoe = dealt && span?.closest(`.${feltCss.felt}`)?.querySelector(`.${css.shoe}`);
    if (!span || !shoe) return;
    const from = shoe.getBoundingClientRect();
    const to = span.getBoundingClientRect();
    span.style.setProperty('--fx', `${Math.round(from.left + from.width / 2 - to.left - to.width / 2)}px`);
    span.style.setProperty('--fy', `${Math.round(from.top + from.height / 2 - to.top - to.height / 2)}px`);
  }, [dealt]);
  const classes = cx(
    css.card,
    dealt && 'is-dealt',
    sideways && 'is-side',
    card.at === squeezed && 'is-squeezed',
    best && (best.has(card.at) ? 'is-best' : 'is-rest'),
  );
  return (
    <span ref={place} className={classes} style={dealt ? ({ '--d': `${delay}ms` } as object) : undefined}>
      <PlayingCard card={card.code} />
      {dealt && (
        <span className={css.back} aria-hidden="true">
          <PlayingCard card="back" />
        </span>
      )}
    </span>
  );
}

/** The cards of a seat with empty places up to `slots`; `fan` lets them overlap. The third of three may lie across. */
export function Cards({
  hand,
  slots,
  spread,
  thirdAcross = false,
}: {
  hand: readonly ShownCard[];
  slots: number;
  spread: 'row' | 'fan' | 'pile' | 'track';
  thirdAcross?: boolean;
}) {
  const empty = Math.max(0, (spread === 'row' ? slots : Math.min(slots, 1)) - hand.length);
  const across = (at: number) => thirdAcross && at === 2;
  return (
    <div className={cx(seatsCss.cards, `is-${spread}`)} style={{ '--k': Math.max(1, hand.length + empty) } as object}>
      {hand.map((card, at) => (
        <Card key={card.at} card={card} sideways={across(at)} />
      ))}
      {Array.from({ length: empty }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
        <span key={at} className={cx(css.card, across(hand.length + at) ? 'is-side is-place' : 'is-place')}>
          <PlayingCard card={null} />
        </span>
      ))}
    </div>
  );
}

/** A seat: who, what came, and what it comes to in words. Gold ground and the word Winner when it won. */
export function Hand({
  info,
  facts,
  seat,
  slots,
  spread,
  note,
  total,
  thirdAcross = false,
}: Pick<BoardProps, 'info' | 'facts'> & {
  seat: number;
  slots: number;
  spread: 'row' | 'fan' | 'pile' | 'track';
  note: string;
  total?: ReactNode;
  thirdAcross?: boolean;
}) {
  const name = info.seats[seat]?.name ?? '';
  const hand = facts.hands[seat] ?? [];
  const won = facts.result?.winners.includes(seat) ?? false;
  return (
    <section className={cx(boardsCss.hand, won && 'is-win')} aria-label={handWords(name, hand, note, won)}>
      <div className={seatsCss.name}>
        {won ? <Winner name={name} /> : <span className="clip">{name}</span>}
        {total !== undefined && <span className={cx(seatsCss.total, 'num')}>{total}</span>}
      </div>
      <Cards hand={hand} slots={slots} spread={spread} thirdAcross={thirdAcross} />
      <div className={cx(seatsCss.holds, 'num')}>{note}</div>
    </section>
  );
}

/** The name of who won, as a gold plate in the place of the name: nothing is covered, nothing moves. */
export function Winner({ name }: { name?: string }) {
  return (
    <span className={boardsCss.winner}>
      <Icon of={IconTrophy} size={13} />
      {name === undefined ? (
        <span className="clip">{t`Winner`}</span>
      ) : (
        <Trans>
          <span className="clip">{name}</span>
          <span className="sr">, winner</span>
        </Trans>
      )}
    </span>
  );
}

function handWords(name: string, hand: readonly ShownCard[], note: string, won: boolean): string {
  const cards = listed(...hand.map(({ code }) => cardName(code) ?? t`a card face down`));
  const told = note && cards.toLowerCase().includes(note.toLowerCase()) ? '' : note;
  return [`${name}: ${cards || t`no card yet`}`, told, won ? t`Winner` : ''].filter(Boolean).join('. ');
}
