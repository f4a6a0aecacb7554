import type { Game } from '@fairgame/casino';
import { cardOddsText } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { cellText, isYesNo, type SelectionInfo } from './grid.ts';

/** The rules of a table, as far as bets are priced by them. */
export type Rules = typeof import('./rules.ts');

/** A bet's price: hundredths of odds, or a rate per 100 with its line. */
export interface Priced {
  readonly side: 'BACK' | 'LAY';
  readonly price: number;
  readonly line: number | null;
  readonly pick?: readonly number[] | null;
}

/** The side as a word and a letter: yes and no where the bet asks a question. */
export function sideOf(selection: Pick<SelectionInfo, 'sides'> | undefined, side: 'BACK' | 'LAY') {
  if (selection && isYesNo(selection))
    return side === 'BACK'
      ? ({ word: t({ message: 'Yes', context: 'bet' }), letter: 'Y' } as const)
      : ({ word: t({ message: 'No', context: 'bet' }), letter: 'N' } as const);
  return side === 'BACK'
    ? ({ word: t({ message: 'Back', context: 'bet' }), letter: 'B' } as const)
    : ({ word: t({ message: 'Lay', context: 'bet' }), letter: 'L' } as const);
}

/** A taken or asked price as players read it: odds, a rate, N to 1, or the range where the hand decides. */
export function priceText(
  { price, line }: Pick<Priced, 'price' | 'line'>,
  selection: SelectionInfo | undefined,
): string {
  if (line !== null || (selection && isYesNo(selection))) return String(price);
  if (!selection) return cardOddsText(price);
  return cellText(selection, { price, line: null }).price;
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
  { mostOf, riskOf, paysByHand }: Pick<Rules, 'mostOf' | 'riskOf' | 'paysByHand'>,
  game: Game,
  selection: SelectionInfo,
  bet: Priced,
  stakeMinor: number,
): Sums {
  const asks = isYesNo(selection);
  const priced = {
    selectionId: selection.id,
    side: bet.side === 'BACK' ? (asks ? 'YES' : 'BACK') : asks ? 'NO' : 'LAY',
    price: bet.price,
    stakeMinor,
    ...(bet.line === null ? {} : { line: bet.line }),
    ...(bet.pick ? { pick: bet.pick } : {}),
  } as const;
  return { profitMinor: mostOf(game, priced), liabilityMinor: riskOf(game, priced), upTo: paysByHand(selection) };
}
