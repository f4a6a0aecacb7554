import type { CALLS, PlacedBet, ReplyOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { isDeleted, selectionPrice, sideLetter, sideOf, sideWord, stateOf } from '../../betting/betting.ts';
import { formatDateTime, formatMoney, formatOdds } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { Chip, SideChip } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import type { Column } from '../../ui/data-table.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { whereColumns } from './where-columns.tsx';
import css from './reports.module.css';

/**
 * The columns of bet reports (OPN-12): Event, Market, Selection, Side, Price, Stake, Profit/Loss, Placed at, Status; beside
 * the stake as asked what was matched of it, and the number of the bet. `settled` has results, else what may come of it.
 */
export function betColumns(settled: boolean): Column<PlacedBet>[] {
  return [
    ...whereColumns<PlacedBet>((bet) => (
      <>
        <SideChip side={sideOf(bet) === 'BACK' ? 'back' : 'lay'} letter={sideLetter(bet.kind, sideOf(bet))} />
        {isDeleted(bet) ? <s>{named(bet.teamName)}</s> : named(bet.teamName)}
      </>
    )),
    { id: 'side', head: t`Side`, cell: (bet) => sideWord(bet.kind, sideOf(bet)) },
    { id: 'price', head: t`Price`, numeric: true, card: 'note', cell: priceOf },
    { id: 'stake', head: t`Stake`, numeric: true, cell: (bet) => formatMoney(bet.amount) },
    { id: 'matched', head: t`Matched`, numeric: true, cell: (bet) => formatMoney(bet.matched) },
    {
      id: 'profit',
      head: t`Profit/Loss`,
      numeric: true,
      card: 'amount',
      cell: (bet) =>
        settled ? (
          <SignedMoney minor={bet.profitLoss} />
        ) : (
          <span className={css.may}>
            <SignedMoney minor={bet.winAmount} /> <SignedMoney minor={-bet.lossAmount} />
          </span>
        ),
    },
    { id: 'placed', head: t`Placed at`, wrap: true, cell: (bet) => formatDateTime(Date.parse(bet.createdAt)) },
    ...(settled ? [{ id: 'status', head: t`Status`, wrap: true, cell: stateCell }] : []),
    { id: 'bet', head: t`Bet`, numeric: true, cell: (bet) => <span className="t3">{bet.id}</span> },
    {
      id: 'facts',
      head: t`Details`,
      card: 'more',
      only: 'card',
      cell: (bet) => (
        <span className={cx(css.facts, 'num')}>
          <span>{t`Stake ${{ stake: formatMoney(bet.amount) }}`}</span>
          <span>{t`matched ${{ matched: formatMoney(bet.matched) }}`}</span>
          <span>{formatDateTime(Date.parse(bet.createdAt))}</span>
          <span>{t`bet ${{ id: bet.id }}`}</span>
          {settled && <ResultChip bet={bet} />}
        </span>
      ),
    },
  ];
}

/** The total row of the same. */
export const betTotals = ({ stake, matched }: ReplyOf<typeof CALLS.bets.list>['totals']) => ({
  event: t`Total`,
  stake: formatMoney(stake),
  matched: formatMoney(matched),
  facts: t`Stake ${{ stake: formatMoney(stake) }}, matched ${{ matched: formatMoney(matched) }}`,
});

const stateCell = (bet: PlacedBet) => <ResultChip bet={bet} />;

/** The state in a word, with why or how much. */
export function ResultChip({ bet }: { bet: PlacedBet }) {
  const { word, tone, more } = stateOf(bet);
  return (
    <span className={css.result}>
      <Chip {...(tone ? { tone } : {})}>{word}</Chip>
      {more && <small className="t3">{more}</small>}
    </span>
  );
}

/** The average matched price where there is one; asked and matched are both told when they differ. */
function priceOf(bet: PlacedBet) {
  if (bet.kind !== 'book' || bet.matched === 0)
    return selectionPrice({ kind: bet.kind, price: bet.odds, line: bet.line });
  return (
    <span title={bet.oddsMatched === bet.odds ? undefined : t`Asked ${{ odds: formatOdds(bet.odds) }}`}>
      {formatOdds(bet.oddsMatched)}
    </span>
  );
}
