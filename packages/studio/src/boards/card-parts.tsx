import type { Card } from '@fairgame/casino';
import type { ReactNode } from 'react';
import { amount, type SoloBoardProps } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { Chip, PlayingCard } from '../page/parts.tsx';
import type { TableField, TableInfo, TableView, TableWager } from '../rules/card-table.ts';
import css from './card-table.module.css';
import fieldsCss from './card-table-fields.module.css';

/** Seats with their cards, and the fields that take chips. */

export interface Look {
  /** Places drawn before the cards come, by seat. */
  readonly places: readonly number[];
  /** Hues of the big fields in their order; 0 plain. */
  readonly hues: readonly number[];
  readonly ornament: ReactNode;
}

export function Seats(props: {
  info: TableInfo;
  look: Look;
  round: SoloBoardProps<TableWager, TableView>['round'];
  dealt: number;
  over: boolean;
  moves: boolean;
}) {
  const { info, look, round, dealt, over, moves } = props;
  const hands: Card[][] = info.seats.map(() => []);
  round?.view.cards.slice(0, dealt).forEach((card, i) => {
    hands[round.view.seats[i]!]!.push(card);
  });
  return (
    <div className={css.seats} data-seats={info.seats.length}>
      {info.seats.map((seat, index) => {
        const hand = hands[index]!;
        const won = over && round?.view.winners.includes(index) === true;
        const open = Math.max(0, look.places[index]! - hand.length);
        return (
          <section
            key={seat.id}
            className={css.seat}
            data-seat={seat.id}
            data-won={won || undefined}
            aria-label={seat.name}
          >
            <h3>
              {seat.name}
              {won && <span className={fieldsCss.won}>wins</span>}
            </h3>
            <div className={css.hand}>
              {hand.map((card, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cards lie in the order they came
                <span key={`${round?.roundId}:${i}`} className={cx(css.card, moves && 'is-dealt')}>
                  <PlayingCard card={card} />
                </span>
              ))}
              {Array.from({ length: open }, (_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: empty places
                <span key={`place:${i}`} className={css.card}>
                  <PlayingCard card={null} />
                </span>
              ))}
            </div>
            <p>{over && round ? noteOf(round.view.notes[index]!) : ''}</p>
          </section>
        );
      })}
    </div>
  );
}

/** Baccarat notes are bare totals. */
const noteOf = (note: string) => (/^\d+$/.test(note) ? `Total ${note}` : note);

export function Field(props: {
  field: TableField;
  look: string;
  hue: number;
  betMinor: number;
  /** What the bet of the last round paid back; null where nothing is settled. */
  paidMinor: number | null;
  busy: boolean;
  /** The tab stop of its section. */
  stop: boolean;
  onAim: () => void;
  onLay: (id: number) => void;
}) {
  const { field, betMinor, paidMinor } = props;
  const laid = betMinor > 0 ? `, ${amount(betMinor)} on it` : '';
  const came = paidMinor === null ? '' : `, paid ${amount(paidMinor)}`;
  return (
    <button
      type="button"
      className={fieldsCss.field}
      data-hue={props.hue}
      data-paid={paidMinor === null ? undefined : paidMinor > 0 ? 'yes' : 'no'}
      aria-disabled={props.busy}
      tabIndex={props.stop ? 0 : -1}
      onFocus={props.onAim}
      title={field.table || undefined}
      aria-label={`${field.name}, pays ${field.pays}${field.table ? ` (${field.table})` : ''}${laid}${came}`}
      onClick={() => !props.busy && props.onLay(field.id)}
    >
      <b>{field.label}</b>
      {paidMinor === null ? (
        props.look !== 'ranks' && <small>{field.pays}×</small>
      ) : paidMinor > 0 ? (
        <span className={fieldsCss.paid}>{amount(paidMinor, 'needed')}</span>
      ) : (
        <span className={fieldsCss.paid}>{props.look === 'ranks' ? '–' : 'not won'}</span>
      )}
      {betMinor > 0 && <Chip text={short(betMinor)} />}
    </button>
  );
}

/** 12500 -> "125", 150000 -> "1.5k": fits on a chip. */
const short = (minor: number) =>
  minor >= 100_000 ? `${(minor / 100_000).toFixed(minor % 100_000 === 0 ? 0 : 1)}k` : String(Math.floor(minor / 100));
