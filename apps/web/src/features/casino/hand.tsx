import type { ReactNode } from 'react';
import { Chip } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconTrophy } from '../../ui/icons.ts';
import { cardName, PlayingCard } from '../../ui/playing-card.tsx';

export interface ShownCard {
  /** "KS", or "back". */
  code: string;
  /** Its number in the deal. */
  at: number;
}

/** One card on the baize; it slides in when it is dealt now. */
export function Card({ card, delay }: { card: ShownCard; delay: number | null }) {
  return (
    <span
      className={delay === null ? 'dc' : 'dc is-dealt'}
      style={delay === null ? undefined : ({ '--d': `${delay}ms` } as object)}
    >
      <PlayingCard card={card.code} />
    </span>
  );
}

/** The cards of a seat with empty places up to `slots`; `fan` lets them overlap. */
export function Cards({
  hand,
  slots,
  spread,
  delayOf,
}: {
  hand: readonly ShownCard[];
  slots: number;
  spread: 'row' | 'fan' | 'pile' | 'track';
  delayOf: (at: number) => number | null;
}) {
  const empty = Math.max(0, (spread === 'row' ? slots : Math.min(slots, 1)) - hand.length);
  return (
    <div className={`seat__c is-${spread}`} style={{ '--k': Math.max(1, hand.length + empty) } as object}>
      {hand.map((card) => (
        <Card key={card.at} card={card} delay={delayOf(card.at)} />
      ))}
      {Array.from({ length: empty }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
        <span key={at} className="dc">
          <PlayingCard card={null} />
        </span>
      ))}
    </div>
  );
}

/** A seat: who, what came, and what it comes to in words. Gold outline and the word Winner when it won. */
export function Hand({
  name,
  hand,
  slots,
  spread,
  note,
  won,
  total,
  delayOf,
  after,
}: {
  name: string;
  hand: readonly ShownCard[];
  slots: number;
  spread: 'row' | 'fan' | 'pile' | 'track';
  note: string;
  won: boolean;
  total?: ReactNode;
  delayOf: (at: number) => number | null;
  after?: ReactNode;
}) {
  return (
    <section className="hand" aria-label={handWords(name, hand, note, won)}>
      <div className="seat__n">
        {name}
        {total !== undefined && <span className="tot num">{total}</span>}
        {won && <Winner />}
      </div>
      <div className={won ? 'hand__c is-win' : 'hand__c'}>
        <Cards hand={hand} slots={slots} spread={spread} delayOf={delayOf} />
      </div>
      <div className="seat__h num">{note}</div>
      {after}
    </section>
  );
}

export function Winner() {
  return (
    <span className="winner">
      <Chip>
        <Icon of={IconTrophy} size={13} /> Winner
      </Chip>
    </span>
  );
}

function handWords(name: string, hand: readonly ShownCard[], note: string, won: boolean): string {
  const cards = hand.map(({ code }) => cardName(code) ?? 'a card face down').join(', ');
  return `${name}: ${cards || 'no card yet'}${note && !cards.toLowerCase().includes(note.toLowerCase()) ? `. ${note}` : ''}${won ? '. Winner' : ''}`;
}
