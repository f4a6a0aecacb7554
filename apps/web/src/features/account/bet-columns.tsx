import type { PlacedBet } from '@fairgame/contract';
import { Link } from 'react-router';
import { sideLetter, sideWord } from '../../betting/kinds.ts';
import { selectionPrice } from '../../betting/live-price.tsx';
import { sideOf } from '../../betting/positions.ts';
import { Chip, SideChip } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { formatDateTime, formatMoney, formatOdds } from '../../ui/format.ts';
import { eventPath } from '../../ui/links.ts';
import { SignedMoney } from '../../ui/money.tsx';

const RESULT: Record<PlacedBet['result'], string> = {
  PENDING: 'Open',
  WIN: 'Won',
  LOSS: 'Lost',
  TIE: 'Tie',
  VOID: 'Void',
  UNDECLARE: 'Taken out',
};

/** The columns of bet reports (OPN-12): Event, Market, Selection, Side, Price, Stake, Profit/Loss, Placed at, Status. */
export function betColumns(settled: boolean): Column<PlacedBet>[] {
  return [
    {
      id: 'event',
      head: 'Event',
      card: 'title',
      wrap: true,
      cell: (bet) => (
        <Link className="link" to={eventPath({ matchType: bet.eventType, id: bet.matchId, beventId: bet.beventId })}>
          {bet.eventName}
        </Link>
      ),
    },
    { id: 'market', head: 'Market', card: 'meta', cell: (bet) => bet.bettingName },
    {
      id: 'selection',
      head: 'Selection',
      card: 'tag',
      cell: (bet) => (
        <span className="row g-3">
          <SideChip side={sideOf(bet) === 'BACK' ? 'back' : 'lay'} letter={sideLetter(bet.kind, sideOf(bet))} />
          {bet.deleteReason ? <s>{bet.teamName}</s> : bet.teamName}
        </span>
      ),
    },
    { id: 'side', head: 'Side', cell: (bet) => sideWord(bet.kind, sideOf(bet)) },
    { id: 'price', head: 'Price', numeric: true, card: 'note', cell: priceOf },
    {
      id: 'stake',
      head: 'Stake',
      numeric: true,
      ...(settled ? {} : { card: 'amount' as const }),
      cell: (bet) => formatMoney(settled ? bet.matched : bet.amount),
    },
    {
      id: 'profit',
      head: 'Profit/Loss',
      numeric: true,
      ...(settled ? { card: 'amount' as const } : {}),
      cell: (bet) =>
        settled ? (
          <SignedMoney minor={bet.profitLoss} />
        ) : (
          `${formatMoney(bet.winAmount)} / ${formatMoney(-bet.lossAmount)}`
        ),
    },
    { id: 'placed', head: 'Placed at', cell: (bet) => formatDateTime(Date.parse(bet.createdAt)) },
    ...(settled
      ? [
          {
            id: 'status',
            head: 'Status',
            wrap: true,
            cell: (bet: PlacedBet) => <ResultChip bet={bet} />,
          },
        ]
      : []),
  ];
}

/** The result in a word, with the operator's reason where the bet was taken out. */
export function ResultChip({ bet }: { bet: PlacedBet }) {
  const tone = bet.result === 'WIN' ? 'pos' : bet.result === 'LOSS' ? 'neg' : null;
  const words = RESULT[bet.result];
  return (
    <span className="rep-result">
      <Chip {...(tone ? { tone } : {})}>{words}</Chip>
      {bet.deleteReason && <small className="t3">{bet.deleteReason}</small>}
    </span>
  );
}

/** The average matched price where there is one; asked and matched are both told when they differ. */
function priceOf(bet: PlacedBet) {
  if (bet.kind !== 'book' || bet.matched === 0)
    return selectionPrice({ kind: bet.kind, price: bet.odds, line: bet.line });
  return (
    <span title={bet.oddsMatched === bet.odds ? undefined : `Asked ${formatOdds(bet.odds)}`}>
      {formatOdds(bet.oddsMatched)}
    </span>
  );
}
