/**
 * The selections of a table as runners of a round's market, and a result as what each runner pays. A selection that asks
 * the player for digits or ranks becomes one runner for each choice actually bet on.
 */
import { type Deal, gameOf, type Mark, type Offer, type Selection, type TableCode } from '@fairgame/casino';
import type { CardPay, QuoteRow, RunnerDef } from '@fairgame/exchange';

type Choice = readonly number[];

const NO_PICK: Choice = [];
const PICK_BASE = 20;
const PICKS_FROM = 1000;

/** Selections of the book are numbered below 1000; a choice is written above that, one digit of base 20 for each value. */
export function runnerIdOf(selectionId: number, pick: Choice = NO_PICK): number {
  let id = 0;
  for (const value of pick) id = id * PICK_BASE + value + 1;
  return selectionId + id * PICKS_FROM;
}

export function pickOf(runnerId: number): { selectionId: number; pick: number[] } {
  const pick: number[] = [];
  for (let rest = Math.floor(runnerId / PICKS_FROM); rest > 0; rest = Math.floor(rest / PICK_BASE))
    pick.unshift((rest % PICK_BASE) - 1);
  return { selectionId: runnerId % PICKS_FROM, pick };
}

/** The runners a round's market starts with: every selection that needs no choice. */
export function runnersOf(code: TableCode): RunnerDef[] {
  const game = gameOf(code);
  const groups = [...new Set(game.selections.flatMap(({ net }) => net ?? []))];
  return game.selections.map((selection) => ({
    runnerId: runnerIdOf(selection.id),
    name: selection.name,
    ...(selection.net === null ? {} : { group: groups.indexOf(selection.net) + 1 }),
    ...boundsOf(selection, NO_PICK),
  }));
}

/**
 * What a stake of 100 can bring at most and cost at most: by points or several stakes at once, by a table of pays, or at less
 * than the quoted price. Netted selections win their price or lose their stake.
 */
export function boundsOf(selection: Selection<unknown>, pick: Choice): Pick<RunnerDef, 'payMax' | 'payMin'> {
  const units = selection.units(pick);
  const price = selection.price?.back ?? 0;
  const most = selection.most(pick);
  if (most !== null) return { payMax: Math.max(0, most), payMin: units * 100 };
  if (selection.pays) return { payMax: Math.max(...selection.pays.map(({ odds }) => odds)) - 100 };
  return selection.net === null && price > 100 && selection.sides.every((side) => side === 'BACK')
    ? { payMax: price - 100 }
    : {};
}

/** The quotes of a window. `sizeOf` gives what all players together may stake on a selection. */
export function rowsOf(offers: readonly Offer[], sizeOf: (selectionId: number) => number): QuoteRow[] {
  return offers.map((offer) => {
    const sizeMinor = sizeOf(offer.selectionId);
    const open = offer.state === 'OPEN';
    const back = offer.yes
      ? { price: offer.yes.rate, line: offer.yes.line, sizeMinor }
      : offer.back === null
        ? null
        : { price: offer.back, sizeMinor };
    const lay = offer.no
      ? { price: offer.no.rate, line: offer.no.line, sizeMinor }
      : offer.lay === null
        ? null
        : { price: offer.lay, sizeMinor };
    return { runnerId: runnerIdOf(offer.selectionId), back, lay, status: open ? 'ACTIVE' : 'SUSPENDED' };
  });
}

/** What every runner of a finished round pays; `runnerIds` are those of the market, choices included. */
export function paysOf(
  code: TableCode,
  deal: Deal,
  runnerIds: readonly number[],
  grouped: ReadonlySet<number>,
): CardPay[] {
  const game = gameOf(code);
  const outcome = game.outcome(deal);
  const nobody = game.result(outcome, deal).void;
  return runnerIds.map((runnerId) => {
    const { selectionId, pick } = pickOf(runnerId);
    const selection = game.selections.find((one) => one.id === selectionId);
    return selection && !nobody
      ? payOf(runnerId, selection, selection.mark(outcome, pick), selection.units(pick), grouped)
      : { runnerId, is: 'VOID' };
  });
}

function payOf(
  runnerId: number,
  selection: Selection<unknown>,
  mark: Mark,
  units: number,
  grouped: ReadonlySet<number>,
): CardPay {
  const price = selection.price?.back ?? 0;
  switch (mark.kind) {
    case 'REFUND':
      return { runnerId, is: 'VOID' };
    case 'HALF':
      return { runnerId, is: 'HALF' };
    case 'VALUE':
      return { runnerId, is: 'SCORE', score: mark.value };
    case 'POINTS':
      return { runnerId, is: 'PAY', per100: mark.points > 0 ? mark.points * (price - 100) : mark.points * 100 };
    case 'LOSE':
      return units > 1 ? { runnerId, is: 'PAY', per100: -100 * units } : { runnerId, is: 'LOSE' };
    case 'WIN':
      if (grouped.has(runnerId) || (mark.odds === null && units === 1)) return { runnerId, is: 'WIN' };
      return { runnerId, is: 'PAY', per100: (mark.odds ?? price) - 100 * units };
  }
}
