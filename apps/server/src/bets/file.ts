/** Bets of a report as a file: the columns of its table. */
import { betEnd, clockText, type PlacedBet } from '@fairgame/contract';
import type { World } from '../core/types.ts';
import {
  amountText,
  type BetQuery,
  betSlice,
  type Columns,
  csvOf,
  type Reader,
  type ReportDesk,
} from '../ledger/ledger.ts';
import type { Word } from '../words.ts';
import { type Names, toPlacedBet } from './rows.ts';

const RESULTS: Readonly<Record<Exclude<PlacedBet['result'], 'PENDING'>, Word>> = {
  WIN: 'Won',
  LOSS: 'Lost',
  TIE: 'Tie',
  VOID: 'Void',
  UNDECLARE: 'Deleted',
};
const SIDES = { BACK: 'Back', LAY: 'Lay', YES: 'Yes', NO: 'No' } as const;
const HEADS = [
  'Event',
  'Market',
  'Selection',
  'Side',
  'Line',
  'Price',
  'Stake',
  'Matched',
  'Profit/Loss',
  'May win',
  'May lose',
  'Status',
  'Reason',
  'Bet',
] as const;
/** Their prices are odds; those of all others are rates per 100. */
const WITH_ODDS = new Set(['book', 'card', 'fancy1', 'oddEven', 'cricketCasino', 'tied', 'completed']);

export function betFile(
  from: { reports: ReportDesk; names: Names },
  who: { accountId: number; world: World },
  query: BetQuery,
  reader: Reader,
): AsyncIterable<string> {
  const { reports, names } = from;
  return csvOf(columns(reader), reader, async (after: PlacedBet | null, limit) => {
    const rows = await reports.run(who.accountId, (db) => betSlice(db, query, after?.id ?? null, limit));
    const known = await names.of(rows.map((row) => row.marketId));
    return rows.map((row) => toPlacedBet(row, known.get(row.marketId) ?? names.now(row.marketId), row.settledAt));
  });
}

function columns({ zone, say, named }: Reader): Columns<PlacedBet> {
  const price = (bet: PlacedBet): string => {
    const shown = bet.oddsMatched || bet.odds;
    return WITH_ODDS.has(bet.kind) ? amountText(shown) : String(shown);
  };
  return {
    heads: [`${say('Placed at')} (${zone})`, ...HEADS.map(say)],
    cells: (bet) => {
      const open = bet.result === 'PENDING';
      return [
        clockText(Date.parse(bet.createdAt), zone),
        named(bet.eventName),
        named(bet.bettingName),
        named(bet.teamName),
        say(SIDES[bet.betType]),
        bet.line === null ? '' : String(bet.line),
        price(bet),
        amountText(bet.amount),
        amountText(bet.matched),
        open ? '' : amountText(bet.profitLoss),
        open ? amountText(bet.winAmount) : '',
        open ? amountText(bet.lossAmount) : '',
        ...stateCells(bet, { say, named }),
        String(bet.id),
      ];
    },
  };
}

/** What became of it and why, as the table says it: a bet that was never matched is not void, it was cancelled or lapsed. */
function stateCells(bet: PlacedBet, { say, named }: Pick<Reader, 'say' | 'named'>): [state: string, reason: string] {
  const end = betEnd(bet);
  if (end && wasNeverMatched(bet)) return [say(end[0]), end[1] === null ? '' : say(end[1])];
  const state = say(bet.result === 'PENDING' ? openState(bet) : RESULTS[bet.result]);
  if (end === null || bet.deleteReason !== null) return [state, named(bet.deleteReason ?? '')];
  return [state, end[1] === null ? say(end[0]) : `${say(end[0])}: ${say(end[1])}`];
}

const wasNeverMatched = ({ result, voided, matched, remaining }: PlacedBet): boolean =>
  (result === 'VOID' && voided === 0) || (result === 'PENDING' && matched === 0 && remaining === 0);

/** How far a bet has come whose market has no result yet. */
function openState({ status, matched, remaining }: PlacedBet): Word {
  if (status === 'PENDING') return 'In its delay';
  if (remaining > 0) return matched > 0 ? 'Part matched' : 'Unmatched';
  return matched > 0 ? 'Matched' : 'Void';
}
