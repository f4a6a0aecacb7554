import type { Game, TableInfo } from '@fairgame/casino';
import { cardOddsText } from '@fairgame/contract';
import { rememberOpener } from '../../betting/keep-focus.ts';
import { perPlayer } from '../../session/per-player.ts';
import { type Draft, select } from '../../slip/slip.ts';
import { rankName } from './cards.ts';
import { cellText, isYesNo, type Quote, type SelectionInfo } from './grid.ts';
import type { TableNow } from './use-table.ts';

/** The stake the player used last at a table: offered again, never placed by itself. */
let lastStake = '';
perPlayer(() => {
  lastStake = '';
});
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
  if (!selection) return cardOddsText(price);
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

/** What a bet may bring and cost, by the terms of the table: all units and points counted. */
export function sumsOf(
  { mostOf, riskOf, paysByHand }: Pick<typeof import('./rules.ts'), 'mostOf' | 'riskOf' | 'paysByHand'>,
  game: Game,
  selection: SelectionInfo,
  draft: Pick<Draft, 'side' | 'price' | 'line' | 'pick'>,
  stakeMinor: number,
): Sums {
  const asks = isYesNo(selection);
  const bet = {
    selectionId: selection.id,
    side: draft.side === 'BACK' ? (asks ? 'YES' : 'BACK') : asks ? 'NO' : 'LAY',
    price: draft.price,
    stakeMinor,
    ...(draft.line === undefined ? {} : { line: draft.line }),
    ...(draft.pick === undefined ? {} : { pick: draft.pick }),
  } as const;
  return { profitMinor: mostOf(game, bet), liabilityMinor: riskOf(game, bet), upTo: paysByHand(selection) };
}
