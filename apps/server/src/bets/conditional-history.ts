/** What became of the orders that the core held: read by pages, and as a file. */
import {
  CALLS,
  CONDITIONAL_KINDS,
  type ConditionalEnd,
  clockText,
  conditionalFate,
  PAGE,
  whyFailed,
} from '@fairgame/contract';
import type { World } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import {
  amountText,
  type Columns,
  conditionalEnds,
  csvOf,
  type EndPlace,
  type EndQuery,
  type EndRow,
  type Reader,
  type ReportDesk,
  readEndQuery,
} from '../ledger/ledger.ts';
import { toConditionalOrder } from './conditional-row.ts';
import type { ListOptions } from './list.ts';
import type { Names } from './rows.ts';

export function conditionalHistoryRoutes(
  http: Http,
  { reports, names, readerOf }: Pick<ListOptions, 'reports' | 'names' | 'readerOf'>,
): void {
  const { trader } = CALLS;
  http.route(trader.conditionalHistory, async ({ query: { cursor, limit, ...filters }, session }) => {
    const size = Number(limit ?? PAGE.statement);
    const [at, id] = cursor?.split('.').map(Number) ?? [];
    const behind = at === undefined || id === undefined ? null : { at, id };
    // One more than asked for says whether there is a page behind this one.
    const rows = await readEnds({ reports, names }, readEndQuery(filters, session), behind, size + 1);
    const page = rows.slice(0, size);
    const last = page.at(-1);
    return { rows: page, next: rows.length > size && last ? `${Date.parse(last.endedAt)}.${last.id}` : null };
  });

  http.file(trader.conditionalFile, async ({ query: { timeZone, language, ...filters }, session }) => {
    const reader = await readerOf(session.userId, { timeZone, language });
    const asked = readEndQuery(filters, session);
    const chunks = csvOf(columns(reader), reader, (after: ConditionalEnd | null, limit) =>
      readEnds({ reports, names }, asked, after && { at: Date.parse(after.endedAt), id: after.id }, limit),
    );
    return { name: 'order-history.csv', chunks };
  });
}

async function readEnds(
  { reports, names }: { reports: ReportDesk; names: Names },
  asked: EndQuery & { accountId: number; world: World },
  behind: EndPlace | null,
  limit: number,
): Promise<ConditionalEnd[]> {
  const rows = await reports.run(asked.accountId, (db) => conditionalEnds(db, asked, behind, limit));
  const known = await names.of(rows.map(({ order }) => order.marketId));
  return rows.map((row) => toEnd(row, known.get(row.order.marketId) ?? names.now(row.order.marketId)));
}

function toEnd(
  { order, endedAt, code, actor, bet }: EndRow,
  names: Parameters<typeof toConditionalOrder>[1],
): ConditionalEnd {
  return {
    ...toConditionalOrder(order, names),
    code,
    endedAt: new Date(endedAt).toISOString(),
    by: actor === null ? null : actor.startsWith('player:') ? 'PLAYER' : 'SITE',
    reason: whyFailed({ status: order.status, code }),
    bet,
  };
}

const HEADS = [
  'Event',
  'Market',
  'Selection',
  'Type',
  'Side',
  'Trigger',
  'Ticks',
  'Limit price',
  'Stake',
  'For bet',
  'Status',
  'Reason',
  'Bet',
  'Price',
  'Matched',
] as const;

function columns({ zone, say, named }: Reader): Columns<ConditionalEnd> {
  const figure = (value: number | null | undefined) => (value == null ? '' : amountText(value));
  const number = (value: number | null) => (value === null ? '' : String(value));
  return {
    heads: [`${say('Over at')} (${zone})`, `${say('Made at')} (${zone})`, ...HEADS.map(say)],
    cells: (row) => {
      const [word, why] = conditionalFate(row);
      return [
        clockText(Date.parse(row.endedAt), zone),
        clockText(Date.parse(row.createdAt), zone),
        named(row.eventName),
        named(row.bettingName),
        named(row.teamName),
        say(CONDITIONAL_KINDS[row.kind]),
        say(row.bettingType === 'BACK' ? 'Back' : 'Lay'),
        figure(row.trigger),
        number(row.ticks),
        figure(row.odd),
        figure(row.bet?.stake ?? row.stake),
        number(row.forBet),
        say(word),
        why ? say(why) : named(row.reason ?? ''),
        number(row.placed),
        figure(row.bet && (row.bet.oddsMatched || row.bet.odd)),
        figure(row.bet?.matched),
      ];
    },
  };
}
