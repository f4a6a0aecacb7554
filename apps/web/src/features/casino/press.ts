import type { TableInfo } from '@fairgame/casino';
import { rememberOpener } from '../../betting/keep-focus.ts';
import { type Draft, select } from '../../slip/slip.ts';
import { formatOdds } from '../../ui/format.ts';
import { rankName } from './cards.ts';
import { cellText, isYesNo, type Quote, type SelectionInfo } from './grid.ts';
import type { TableNow } from './use-table.ts';

/** The stake the player used last at a table: offered again, never placed by itself. */
let lastStake = '';
export const keepStake = (text: string): void => {
  if (text !== '') lastStake = text;
};

/** Puts a price of the table into the slip. */
export function pressCell(
  { table, round }: TableNow,
  info: TableInfo,
  selection: SelectionInfo,
  side: 'BACK' | 'LAY',
  quote: Quote,
  pick?: readonly number[],
): void {
  rememberOpener();
  select(
    {
      matchId: table.matchId,
      marketId: round.betId,
      runnerId: quote.runnerId,
      kind: 'card',
      side,
      price: quote.price,
      ...(quote.line === null ? {} : { line: quote.line }),
      window: round.window,
      ...(pick ? { pick: [...pick] } : {}),
      runnerName: pick ? `${selection.name} (${pick.map(rankName).join(', ')})` : selection.name,
      marketName: selection.group,
      eventName: info.name,
      marketVersion: 0,
      betDelayMs: 0,
      minStakeMinor: quote.minMinor,
      maxStakeMinor: quote.maxMinor,
    },
    lastStake,
  );
}

/** The side as a word and a letter: yes and no where the bet asks a question. */
export function sideOf(selection: Pick<SelectionInfo, 'sides'> | undefined, side: 'BACK' | 'LAY') {
  const word = selection && isYesNo(selection) ? (side === 'BACK' ? 'Yes' : 'No') : side === 'BACK' ? 'Back' : 'Lay';
  return { word, letter: word[0] as 'B' | 'L' | 'Y' | 'N' };
}

/** A taken or asked price as players read it: odds, a rate, N to 1, or the range where the hand decides. */
export function priceText(
  price: number,
  line: number | null | undefined,
  selection: SelectionInfo | undefined,
): string {
  if ((line !== null && line !== undefined) || (selection && isYesNo(selection))) return String(price);
  if (!selection) return formatOdds(price);
  const quote = { runnerId: 0, price, line: null, open: true, minMinor: 0, maxMinor: 0 };
  return cellText(selection, quote).price;
}

export interface Sums {
  /** The most the bet can win. */
  profitMinor: number;
  liabilityMinor: number;
  /** Told where the win hangs on the hand, or on points. */
  upTo: boolean;
}

/** What a bet may bring and cost; the bounds of hands and points are the descriptor's. */
export function sumsOf(
  selection: SelectionInfo | undefined,
  draft: Pick<Draft, 'side' | 'price' | 'line'>,
  stakeMinor: number,
): Sums {
  const round = (value: number) => Math.floor(value + 0.5);
  const pays = (selection?.table ?? []).flatMap(([, pay]) => /^([\d.]+):1$/.exec(pay)?.[1] ?? []).map(Number);
  if (selection?.table?.some(([words]) => words.startsWith('Every point'))) {
    const points = 50;
    return {
      profitMinor: round((stakeMinor * points * (draft.price - 100)) / 100),
      liabilityMinor: stakeMinor * points,
      upTo: true,
    };
  }
  if (pays.length > 0)
    return { profitMinor: round(stakeMinor * Math.max(...pays)), liabilityMinor: stakeMinor, upTo: pays.length > 1 };
  const rate = draft.line === undefined ? draft.price - 100 : draft.price;
  const won = round((stakeMinor * rate) / 100);
  return draft.side === 'BACK'
    ? { profitMinor: won, liabilityMinor: stakeMinor, upTo: false }
    : { profitMinor: stakeMinor, liabilityMinor: won, upTo: false };
}
