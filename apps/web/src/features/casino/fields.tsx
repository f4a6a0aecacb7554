import type { Game, TableInfo } from '@fairgame/casino';
import { t } from '@lingui/core/macro';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useStakeButtons } from '../../betting/betting.ts';
import { formatStake, listed } from '../../platform/format.ts';
import { useBettingOff } from '../../slip/slip.ts';
import { arrowBetween } from '../../ui/arrow-cells.ts';
import { cx } from '../../ui/cx.ts';
import { flash } from '../../ui/flash.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconTrophy } from '../../ui/icons.ts';
import { chipText, limitsText, positionText } from './amounts.ts';
import { rankName } from './cards.ts';
import { type Laid, lay, takeOff, useChips } from './chips.ts';
import { useChosenChip } from './chosen-chip.ts';
import { cellText, hasSide, oddsBySelection, type Quote, quoteOf, type SelectionInfo } from './grid.ts';
import { place } from './placing.ts';
import { fieldOf, type OnField, type RoundBets } from './round-bets.ts';
import { playSound } from './sound.ts';
import { tablePrefs } from './table-prefs.ts';
import { type Rules, sideOf } from './terms.ts';
import type { TableNow } from './use-table.ts';
import css from './fields.module.css';

/** A table on the screen: its round now, its rules, the player's bets. */
export interface Scope {
  readonly now: TableNow;
  readonly info: TableInfo;
  readonly game: Game;
  readonly rules: Rules;
  readonly bets: RoundBets;
}

/** The fields of a table as they stand: what each offers, what lies on it, how it ended, and what a press does. */
export interface Fields {
  /** Bets are taken now. */
  readonly open: boolean;
  /** Why not, in a word or two. */
  readonly veil: string;
  readonly quote: (selection: SelectionInfo, side: 'BACK' | 'LAY') => Quote | null;
  readonly laid: (selection: SelectionInfo, side: 'BACK' | 'LAY') => number;
  readonly own: (selection: SelectionInfo, side: 'BACK' | 'LAY') => OnField | undefined;
  readonly net: (selection: SelectionInfo) => number | null;
  /** Stakes at risk for one that is laid on a choice. */
  readonly units: (selection: SelectionInfo, pick: readonly number[]) => number;
  /** WIN, LOSE ..., once it is known. */
  readonly end: (selection: SelectionInfo) => string | null;
  readonly press: (selection: SelectionInfo, side: 'BACK' | 'LAY', pick?: readonly number[]) => void;
  readonly off: (selection: SelectionInfo, side: 'BACK' | 'LAY') => void;
}

/** What a press lays: the chip that was chosen, else the smallest of the player's. */
export function useChip(): number {
  const buttons = useStakeButtons('Casino');
  const chosen = useChosenChip();
  return chosen ?? buttons[0]?.stakeMinor ?? 100;
}

export function useFields({ now, bets, game }: Pick<Scope, 'now' | 'bets' | 'game'>): Fields {
  const { table, round } = now;
  const rows = useMemo(() => oddsBySelection(round.odds), [round.odds]);
  const chips = useChips(table.matchId);
  const chip = useChip();
  const off = useBettingOff() !== null;
  const open = round.phase === 'OPEN' && now.health === 'live' && !off;
  return useMemo(() => {
    const laid = new Map<string, number>();
    for (const one of chips.laid) {
      const key = fieldOf(one.selectionId, one.side);
      laid.set(key, (laid.get(key) ?? 0) + one.stakeMinor);
    }
    const quote = (selection: SelectionInfo, side: 'BACK' | 'LAY') => quoteOf(rows.get(selection.id), side);
    return {
      open,
      veil: off ? t`Betting is off` : veilWords(now),
      quote,
      laid: ({ id }, side) => laid.get(fieldOf(id, side)) ?? 0,
      own: ({ id }, side) => bets.fields.get(fieldOf(id, side)),
      net: ({ id }) => bets.nets.get(id) ?? null,
      units: ({ id }, pick) => game.selections.find((one) => one.id === id)?.units(pick) ?? 1,
      end: ({ id }) => rows.get(id)?.[0]?.end ?? null,
      press(selection, side, pick) {
        const at = quote(selection, side);
        if (!open || !at?.open) return;
        const bet = laidOf(selection, side, at, pick);
        if (!lay(table.matchId, round, bet, chip)) return;
        playSound('chip');
        if (tablePrefs().atOnce) void place(table.matchId, [bet.id]);
      },
      off({ id }, side) {
        for (const one of chips.laid) if (one.selectionId === id && one.side === side) takeOff(table.matchId, one.id);
      },
    };
  }, [open, off, now, rows, chips.laid, bets, chip, table.matchId, round, game]);
}

/** A bet on a field at the price of now. */
export function laidOf(
  selection: SelectionInfo,
  side: 'BACK' | 'LAY',
  { runnerId, price, line, minMinor, maxMinor }: Quote,
  pick?: readonly number[] | null,
): Omit<Laid, 'stakeMinor'> {
  const of = selection.pick?.of === 'ranks' ? (pick ?? []).map(rankName) : (pick ?? []);
  return {
    id: `${selection.id}${pick ? `:${pick.join('-')}` : ''}.${side}`,
    selectionId: selection.id,
    runnerId,
    side,
    price,
    line,
    pick: pick ?? null,
    name: pick ? `${selection.name} ${of.join(', ')}` : selection.name,
    minMinor,
    maxMinor,
  };
}

const veilWords = ({ round, health }: TableNow): string =>
  health !== 'live'
    ? t`Waiting for the table`
    : round.phase === 'RESULT' || round.phase === 'VOID'
      ? t`Round over`
      : round.phase === 'IDLE'
        ? t`Waiting for the next round`
        : t`Bets closed`;

/** Whether anything of these is on offer in this window. */
export const offered = (selections: ReadonlyArray<SelectionInfo | undefined>, fields: Fields): boolean =>
  selections.some(
    (one) => one && (['BACK', 'LAY'] as const).some((side) => hasSide(one, side) && fields.quote(one, side)?.open),
  );

/** What every look of a field shares: its words, its press, its keys, the chip on it. */
export function useField(selection: SelectionInfo, side: 'BACK' | 'LAY', fields: Fields) {
  const quote = fields.quote(selection, side);
  const text = quote ? cellText(selection, quote) : null;
  const idle = !fields.open || !quote?.open;
  const laid = fields.laid(selection, side);
  const own = fields.own(selection, side);
  const end = fields.end(selection);
  const won = end !== null && (side === 'BACK' ? end === 'WIN' : end === 'LOSE');
  const { word } = sideOf(selection, side);
  const ref = useMovedMark(idle ? null : (quote?.price ?? null));
  const state = [
    laid > 0 ? t`${{ stake: formatStake(laid) }} laid` : '',
    own && own.resultMinor === null ? t`you have ${{ stake: formatStake(own.stakeMinor) }} on it` : '',
    own && own.resultMinor !== null ? t`brought ${{ amount: positionText(own.resultMinor) }}` : '',
    won ? t`won` : '',
  ].filter(Boolean);
  const label = fieldWords(word, selection.name, text, quote);
  return {
    quote,
    text,
    idle,
    won,
    laid,
    own,
    button: {
      type: 'button' as const,
      ref,
      'aria-label': state.length > 0 ? `${label}. ${listed(...state)}` : label,
      'aria-disabled': idle || undefined,
      'data-field': '',
      title: hoverText(selection, quote),
      onClick: idle ? undefined : () => fields.press(selection, side),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        if ((event.key === 'Delete' || event.key === 'Backspace') && laid > 0) {
          event.preventDefault();
          fields.off(selection, side);
        } else arrowBetween(event, '[data-table]', '[data-field]:not([aria-disabled])');
      },
    },
    mark: <FieldMark laid={laid} own={own} won={won} />,
  };
}

function fieldWords(side: string, name: string, text: ReturnType<typeof cellText> | null, quote: Quote | null): string {
  if (!text || !quote) return t`${side} ${name}, no price`;
  const price = text.under ? `${text.price} ${text.under}` : text.price;
  const limits = limitsText(quote.minMinor, quote.maxMinor);
  return t`${side} ${name} at ${price}, ${limits}`;
}

function hoverText({ returnPpm }: SelectionInfo, quote: Quote | null): string {
  const back = returnPpm === null ? '' : t`Returns ${{ percent: (returnPpm / 10_000).toFixed(1) }} % on average.`;
  const stakes = quote ? t`Stakes ${{ limits: limitsText(quote.minMinor, quote.maxMinor) }}` : '';
  return [back, stakes].filter(Boolean).join(' ');
}

/** For how many letters there must be room: a narrow cell writes them the smaller. */
export const roomOf = (words: string) => ({ '--letters': Math.max(3, words.length) }) as object;

/** The chip on a field: laid, placed, or what it brought. A field that won says so though nothing lies on it. */
function FieldMark({ laid, own, won }: { laid: number; own: OnField | undefined; won: boolean }) {
  const result = own?.resultMinor ?? null;
  return (
    <>
      {won && (
        <span className={cx(css.mark, css.markWon)} style={roomOf(t`Won`)} aria-hidden="true">
          <Icon of={IconTrophy} size={11} /> <span>{t`Won`}</span>
        </span>
      )}
      {own && result === null && (
        <span className={cx(css.mark, css.markOwn, 'num')} aria-hidden="true">
          {chipText(own.stakeMinor)}
        </span>
      )}
      {result !== null && (
        <span
          className={cx(css.mark, css.markResult, 'num', result > 0 ? 'is-up' : result < 0 && 'is-down')}
          aria-hidden="true"
        >
          {positionText(result)}
        </span>
      )}
      {laid > 0 && (
        <span className={cx(css.mark, css.markLaid, 'num')} aria-hidden="true">
          {chipText(laid)}
        </span>
      )}
    </>
  );
}

/** Marks a price that moved. */
function useMovedMark(price: number | null) {
  const ref = useRef<HTMLButtonElement>(null);
  const before = useRef<number | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = price;
    if (was !== null && price !== null && was !== price && ref.current) flash(ref.current, price > was ? 'up' : 'down');
  }, [price]);
  return ref;
}
