import { plural, t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { availableOf, useWallet } from '../../live/live.ts';
import { formatStake } from '../../platform/format.ts';
import { useBettingOff } from '../../slip/slip.ts';
import { announce } from '../../ui/live-region.tsx';
import {
  accept,
  clearChips,
  double,
  follow,
  type Laid,
  onTheirWay,
  repeat,
  setReview,
  sumOf,
  type TableChips,
  undo,
  useChips,
} from './chips.ts';
import { laidOf, type Scope } from './fields.tsx';
import { oddsBySelection, type Quote, quoteOf, type SelectionInfo } from './grid.ts';
import { place, resumeChips } from './placing.ts';
import { useRoundPace } from './round-pace.ts';
import { useTablePrefs } from './table-prefs.ts';
import { type Sums, sumsOf } from './terms.ts';

/** A laid bet with what the table offers on it now. */
export interface Row {
  readonly bet: Laid;
  readonly selection: SelectionInfo;
  readonly sums: Sums;
  /** The price of now, where it is another one; null: as laid. */
  readonly moved: Quote | null;
  /** Not offered now. */
  readonly gone: boolean;
}

export interface Betting {
  readonly chips: TableChips;
  readonly rows: readonly Row[];
  readonly stakeMinor: number;
  /** What all that lies there can lose together. */
  readonly riskMinor: number;
  readonly busy: boolean;
  /** More than the player has free. */
  readonly short: boolean;
  /** What the main button says and does; null: nothing now. */
  readonly main: { readonly words: string; readonly press: (() => void) | null };
  readonly canUndo: boolean;
  readonly canRepeat: boolean;
  readonly undo: () => void;
  readonly double: () => void;
  readonly repeat: () => void;
  readonly clear: () => void;
  readonly back: () => void;
}

/** The chips of a table and everything that can be done with them, for the panel beside it and the bar below it. */
export function useBetting({ now, info, game, rules }: Pick<Scope, 'now' | 'info' | 'game' | 'rules'>): Betting {
  const { table, round } = now;
  const { matchId } = table;
  const chips = useChips(matchId);
  const wallet = useWallet();
  const { asks } = useTablePrefs();
  const off = useBettingOff();
  const wait = useRoundPace(round.betId, chips);
  const odds = oddsBySelection(round.odds);

  const offerOf = (bet: Laid) => offered(info, odds, bet);
  const again = (bet: Laid) => {
    const offer = offerOf(bet);
    return offer && laidOf(offer.selection, bet.side, offer.quote, bet.pick);
  };
  const rows = chips.laid.flatMap((bet): Row[] => {
    const selection = info.selections.find(({ id }) => id === bet.selectionId);
    if (!selection) return [];
    const quote = offerOf(bet)?.quote ?? null;
    return [
      {
        bet,
        selection,
        sums: sumsOf(rules, game, selection, bet, bet.stakeMinor),
        moved: quote && (quote.price !== bet.price || quote.line !== bet.line) ? quote : null,
        gone: quote === null,
      },
    ];
  });
  const stakeMinor = sumOf(chips.laid);
  const riskMinor = riskOf(rules, game, rows);
  const way = onTheirWay(chips);
  const short = wallet !== null && riskMinor > availableOf(wallet);
  const open = round.phase === 'OPEN' && now.health === 'live';

  const main = ((): Betting['main'] => {
    if (way.length > 0) {
      const lost = way.some(({ fate }) => fate === 'checking');
      return { words: lost ? t`Checking` : t`Placing ${{ stake: formatStake(sumOf(way)) }}`, press: null };
    }
    if (off) return { words: t`Betting is off`, press: null };
    if (now.health !== 'live') return { words: t`Waiting for the table`, press: null };
    if (!open) return { words: t`Bets are closed`, press: null };
    if (rows.length === 0) return { words: t`Press a field to lay a chip`, press: null };
    if (rows.some(({ moved, gone }) => moved || gone))
      return { words: t`Accept the new prices`, press: () => accept(matchId, again) };
    if (wait > 0) return { words: t`Next bet in ${wait} s`, press: null };
    const words = placeWords(rows.length, formatStake(stakeMinor), asks && chips.review);
    return { words, press: asks && !chips.review ? () => setReview(matchId, true) : () => void place(matchId) };
  })();

  return {
    chips,
    rows,
    stakeMinor,
    riskMinor,
    busy: way.length > 0,
    short,
    main,
    canUndo: chips.past.length > 0,
    canRepeat: open && chips.played.bets.length > 0 && chips.laid.length === 0 && chips.played.marketId !== round.betId,
    undo: () => undo(matchId),
    double: () => double(matchId),
    repeat: () => repeat(matchId, again),
    clear: () => clearChips(matchId),
    back: () => setReview(matchId, false),
  };
}

const placeWords = (count: number, stake: string, confirm: boolean): string =>
  confirm
    ? plural(count, { one: `Confirm bet, ${stake}`, other: `Confirm # bets, ${stake}` })
    : plural(count, { one: `Place bet, ${stake}`, other: `Place # bets, ${stake}` });

/** The selection of a bet and what the table gives for it now; null: not offered. */
function offered(info: Scope['info'], odds: ReturnType<typeof oddsBySelection>, { selectionId, side }: Laid) {
  const selection = info.selections.find(({ id }) => id === selectionId);
  const quote = selection ? quoteOf(odds.get(selection.id), side) : null;
  return selection && quote?.open ? { selection, quote } : null;
}

/** What the bets can lose together. */
const riskOf = (rules: Scope['rules'], game: Scope['game'], rows: readonly Row[]): number =>
  rules.exposureOf(
    game,
    rows.map(({ bet, selection }) => ({
      selectionId: selection.id,
      side: selection.sides.includes('YES') ? (bet.side === 'BACK' ? 'YES' : 'NO') : bet.side,
      price: bet.price,
      stakeMinor: bet.stakeMinor,
      ...(bet.line === null ? {} : { line: bet.line }),
      ...(bet.pick === null ? {} : { pick: bet.pick }),
    })),
  );

/** Keeps the chips of a table with its rounds: once for each table on the screen. */
export function useChipsOfRound({ table, round }: Scope['now']): void {
  const { matchId } = table;
  const { betId, window, phase } = round;
  useEffect(resumeChips, []);
  useEffect(() => follow(matchId, { betId, window, phase }), [matchId, betId, window, phase]);
  const { said } = useChips(matchId);
  useEffect(() => {
    if (!said) return;
    if (said.placed.length > 0)
      announce(
        `${plural({ count: said.placed.length }, { one: 'Bet placed.', other: '# bets placed.' })} ${said.text}`,
      );
    else announce(said.text, said.tone === 'err' ? 'assertive' : 'polite');
  }, [said]);
}
