import type { ConditionalOrder } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { heldWords, releaseHeld, useHeldOrders, whatHeld, whenHeld } from '../../betting/betting.ts';
import { formatDateTime } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { orderSelection, whereColumns } from './where-columns.tsx';

/** Orders that the server holds until a price, a match or a time; nothing where there are none. */
export function HeldTable() {
  const { data } = useHeldOrders();
  if (!data || data.length === 0) return null;
  return (
    <Panel
      title={t`Held by the server`}
      count={data.length}
      end={
        data.length > 1 && (
          <Button size="sm" onClick={() => void releaseHeld({})}>
            {t`Take all back`}
          </Button>
        )
      }
    >
      <DataTable
        caption={t`Orders held by the server`}
        columns={columns()}
        rows={data}
        rowKey={({ id }) => String(id)}
      />
    </Panel>
  );
}

const columns = (): Column<ConditionalOrder>[] => [
  ...whereColumns(orderSelection),
  { id: 'when', head: t`Acts`, wrap: true, cell: (order) => `${heldWords(order.kind)} ${whenHeld(order)}` },
  { id: 'what', head: t`Then`, wrap: true, cell: whatHeld },
  { id: 'made', head: t`Made at`, wrap: true, cell: ({ createdAt }) => formatDateTime(Date.parse(createdAt)) },
  {
    id: 'facts',
    head: t`Details`,
    card: 'more',
    only: 'card',
    cell: (order) => (
      <span className="row g-3">
        <span className="grow">
          {heldWords(order.kind)} {whenHeld(order)}. {whatHeld(order)}
        </span>
        <TakeBack {...order} />
      </span>
    ),
  },
  { id: 'back', head: '', cell: (order) => <TakeBack {...order} /> },
];

function TakeBack({ id, kind, teamName }: ConditionalOrder) {
  const name = heldWords(kind);
  return (
    <Button
      size="sm"
      aria-label={t`Take back: ${name}, ${{ teamName: named(teamName) }}`}
      onClick={() => void releaseHeld({ id })}
    >
      {t`Take back`}
    </Button>
  );
}
