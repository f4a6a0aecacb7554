import {
  between,
  CALLS,
  CONDITIONAL_ENDS,
  type ConditionalEnd,
  conditionalFate,
  eq,
  inArr,
  PAGE,
} from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { readFile, useCall } from '../../api/api.ts';
import { heldWords, whatHeld, whenHeld } from '../../betting/betting.ts';
import { formatDateTime, formatMoney, formatOdds } from '../../platform/format.ts';
import { say } from '../../platform/language.ts';
import { Chip } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { IconClock } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/note.tsx';
import { useCursor } from '../../ui/pagination.tsx';
import { saveBlob } from './csv.ts';
import { bounds, FilterChoice, FilterForm, FilterSearch, lastWeek, useFilter } from './date-filter.tsx';
import { reader } from './export.tsx';
import { Report, ReportTable } from './report.tsx';
import { orderSelection, whereColumns } from './where-columns.tsx';
import css from './reports.module.css';

/** The codes of one fate. */
const codesOf = (fate: 'Cancelled' | 'Lapsed'): string[] =>
  Object.entries(CONDITIONAL_ENDS).flatMap(([code, [word]]) => (word === fate ? [code] : []));

const kindChoice = () => ({
  all: t`All orders`,
  STOP: heldWords('STOP'),
  PROFIT: heldWords('PROFIT'),
  TRAIL: heldWords('TRAIL'),
  OFFSET: heldWords('OFFSET'),
  EXPIRE: heldWords('EXPIRE'),
});
const endChoice = () => ({
  all: t`All`,
  FIRED: t`Fired`,
  FAILED: t`Not placed`,
  CANCELLED: t`Cancelled`,
  LAPSED: t`Lapsed`,
});
const ENDS = {
  all: {},
  FIRED: { status: eq('FIRED') },
  FAILED: { status: eq('FAILED') },
  CANCELLED: { status: eq('ENDED'), code: inArr(codesOf('Cancelled')) },
  LAPSED: { status: eq('ENDED'), code: inArr(codesOf('Lapsed')) },
};

const start = () => ({
  ...lastWeek(),
  kind: 'all' as keyof ReturnType<typeof kindChoice>,
  end: 'all' as keyof typeof ENDS,
  keyword: '',
});

/** Order history: what became of the orders that the server held, the latest end first. */
export function Screen() {
  const filter = useFilter(start);
  const { kind, end, keyword, ...days } = filter.shown;
  const [kinds, ends] = [kindChoice(), endChoice()];
  const { from, to } = bounds(days);
  const word = keyword.trim();
  const query = {
    endedAt: between(from, to),
    ...(kind === 'all' ? {} : { kind: eq(kind) }),
    ...ENDS[end],
    ...(word ? { keyword: word } : {}),
  };
  const cursor = useCursor<string>(query);
  const page = { limit: String(PAGE.statement), ...(cursor.start === null ? {} : { cursor: cursor.start }) };
  const read = useCall(CALLS.trader.conditionalHistory, { query: { ...query, ...page } }, { keep: true });
  const save = async () =>
    saveBlob('order-history.csv', await readFile(CALLS.trader.conditionalFile, { query: { ...query, ...reader() } }));
  return (
    <Report
      title={t`Order history`}
      file={{ save, empty: !read.data?.rows.length }}
      filter={
        <FilterForm filter={filter} chosen={[kind === 'all' ? '' : kinds[kind], end === 'all' ? '' : ends[end], word]}>
          <FilterChoice
            label={t`Kind`}
            value={kind}
            options={kinds}
            onChange={(next) => filter.choose({ kind: next })}
          />
          <FilterChoice
            label={t`Status`}
            value={end}
            options={ends}
            onChange={(next) => filter.choose({ end: next })}
          />
          <FilterSearch filter={filter} placeholder={t`Event or market`} />
        </FilterForm>
      }
      days={days}
      read={read}
      failed={t`Your orders did not load.`}
      calm={t`Nothing was changed.`}
    >
      <ReportTable
        caption={t`Order history`}
        columns={columns()}
        rowKey={(order) => String(order.id)}
        read={read}
        cursor={cursor}
        empty={
          <EmptyState icon={IconClock} title={t`No orders in this time`}>
            {t`Orders that the server held come here once they are over.`}
          </EmptyState>
        }
      />
    </Report>
  );
}

const columns = (): Column<ConditionalEnd>[] => [
  ...whereColumns(orderSelection),
  { id: 'when', head: t`Acts`, wrap: true, cell: whenWords },
  { id: 'what', head: t`Then`, wrap: true, cell: whatHeld },
  { id: 'status', head: t`Status`, wrap: true, cell: (order) => <EndChip order={order} /> },
  { id: 'price', head: t`Price`, numeric: true, card: 'note', cell: priceOf },
  { id: 'stake', head: t`Stake`, numeric: true, cell: ({ bet, stake }) => moneyOf(bet?.stake ?? stake) },
  {
    id: 'matched',
    head: t`Matched`,
    numeric: true,
    card: 'amount',
    cell: ({ bet }) => bet && formatMoney(bet.matched),
  },
  { id: 'bet', head: t`Bet`, numeric: true, cell: ({ placed }) => <span className="t3">{placed}</span> },
  { id: 'ended', head: t`Over at`, wrap: true, cell: ({ endedAt }) => formatDateTime(Date.parse(endedAt)) },
  {
    id: 'facts',
    head: t`Details`,
    card: 'more',
    only: 'card',
    cell: (order) => (
      <span className={css.facts}>
        <span>
          {whenWords(order)}. {whatHeld(order)}
        </span>
        <span>{formatDateTime(Date.parse(order.endedAt))}</span>
        {order.placed !== null && <span>{t`bet ${{ id: order.placed }}`}</span>}
        <EndChip order={order} />
      </span>
    ),
  },
];

const moneyOf = (minor: number | null) => minor !== null && formatMoney(minor);

/** What it waited for. The price that a trailing stop followed is past: how far behind it was stays. */
const whenWords = (order: ConditionalEnd): string =>
  `${heldWords(order.kind)} ${whenHeld(order.kind === 'TRAIL' ? { ...order, trigger: null } : order)}`;

function EndChip({ order }: { order: ConditionalEnd }) {
  const { status, reason } = order;
  const [word, why] = conditionalFate(order);
  const more = why ?? reason;
  return (
    <span className={css.result}>
      <Chip {...(status === 'ENDED' ? {} : { tone: status === 'FIRED' ? 'pos' : 'neg' })}>{say(word)}</Chip>
      {more && <small className="t3">{say(more)}</small>}
    </span>
  );
}

/** The average matched price of the bet it became; what was asked for is told where that is another. */
function priceOf({ bet }: ConditionalEnd) {
  if (!bet) return null;
  const price = bet.oddsMatched || bet.odd;
  return (
    <span title={price === bet.odd ? undefined : t`Asked ${{ odds: formatOdds(bet.odd) }}`}>{formatOdds(price)}</span>
  );
}
