import { memo, type ReactNode, useEffect, useRef } from 'react';
import { useSelected } from '../../slip/hooks.ts';
import { flash } from '../../ui/flash.ts';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconLock, IconTrophy } from '../../ui/icons.ts';
import { Cells } from '../../ui/market-table.tsx';
import { PriceCell } from '../../ui/price-cell.tsx';
import { cellText, hasSide, type Quote, type SelectionInfo } from './grid.ts';
import { sideOf } from './press.ts';

/** What the player has on a runner this round: stakes by side, and the result if it wins. */
export interface Mine {
  back: number;
  lay: number;
  net: number | null;
}

export interface Shared {
  open: boolean;
  quote: (selection: SelectionInfo, side: 'BACK' | 'LAY') => Quote | null;
  mine: (selection: SelectionInfo) => Mine | undefined;
  /** How the selection ended: WIN, LOSE ... */
  end: (selection: SelectionInfo) => string | null;
  press: (selection: SelectionInfo, side: 'BACK' | 'LAY', quote: Quote, pick?: readonly number[]) => void;
  betId: number;
  veil: string;
}

/** Whether anything of these is on offer in this window. */
export const offered = (selections: ReadonlyArray<SelectionInfo | undefined>, shared: Shared): boolean =>
  selections.some(
    (one) => one && (['BACK', 'LAY'] as const).some((side) => hasSide(one, side) && shared.quote(one, side)?.open),
  );

/** One price of a selection as a market cell. */
export const Cell = memo(function Cell({
  selection,
  side,
  shared,
  under,
}: {
  selection: SelectionInfo;
  side: 'BACK' | 'LAY';
  shared: Shared;
  /** Words under the price; without them the largest stake. */
  under?: string | undefined;
}) {
  const quote = shared.quote(selection, side);
  const live = quote?.open ? quote : null;
  const text = live ? cellText(selection, live) : null;
  const selected = useSelected(shared.betId, quote?.runnerId ?? -1, side, quote?.price ?? 0);
  const ref = useMovedMark(live?.price ?? null);
  const { word } = sideOf(selection, side);
  const own = shared.mine(selection);
  return (
    <PriceCell
      ref={ref}
      side={side === 'BACK' ? 'back' : 'lay'}
      price={text?.price ?? null}
      size={under ?? text?.under ?? (live ? formatWhole(live.maxMinor) : null)}
      selected={selected}
      hasBet={Boolean(own && (side === 'BACK' ? own.back : own.lay) > 0)}
      label={`${word} ${selection.name} at ${text?.price ?? ''}${text?.under ? ` ${text.under}` : ''}, up to ${live ? formatWhole(live.maxMinor) : ''}`}
      onPress={live && shared.open ? () => shared.press(selection, side, live) : undefined}
    />
  );
});

/** Marks a price that moved. */
export function useMovedMark(price: number | null) {
  const ref = useRef<HTMLButtonElement>(null);
  const before = useRef<number | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = price;
    if (was !== null && price !== null && was !== price && ref.current) flash(ref.current, price > was ? 'up' : 'down');
  }, [price]);
  return ref;
}

/** Covers prices that take no bets, and says why once; what the bets are stays readable. */
export function Covered({
  on,
  words,
  won = null,
  children,
  className,
}: {
  on: boolean;
  words: string;
  /** What of it won, once that is known. */
  won?: string | null;
  children: ReactNode;
  className: string;
}) {
  return (
    <div className={on ? `${className} cover is-on` : `${className} cover`}>
      {children}
      {on && (
        <span className={`veil cover__v ${won ? 'veil--won' : 'veil--closed'}`}>
          <Icon of={won ? IconTrophy : IconLock} size={14} />
          {won ?? words}
        </span>
      )}
    </div>
  );
}

/** The cells of one line; closed they say so, and after the round which of them won. */
export function RowCells({ veil, won, children }: { veil: boolean; won: string | null; children: ReactNode }) {
  if (!veil || won === null) return <Cells veil={veil ? 'closed' : null}>{children}</Cells>;
  return (
    <div className="cells is-veiled">
      {children}
      <span className="veil veil--won">
        <Icon of={IconTrophy} size={14} />
        {won}
      </span>
    </div>
  );
}

/** "Won", or which of the choices of a cell did; null while nothing is decided. */
export function wonWords(cells: readonly SelectionInfo[], shared: Shared): string | null {
  const won = cells.filter((one) => shared.end(one) === 'WIN');
  if (won.length === 0) return null;
  return cells.length === 1 ? 'Won' : `${won.map((one) => one.label).join(', ')} won`;
}

export function hintOf(selections: readonly SelectionInfo[]): string {
  const one = selections[0];
  if (!one) return '';
  if (one.pays && one.pays.length > 2) return 'Pays by the hand';
  if (one.returnPpm !== null && one.returnPpm !== undefined) return `Returns ${(one.returnPpm / 10_000).toFixed(1)} %`;
  return one.price === null ? 'Priced again with the cards' : '';
}
