import type { ConditionalOrder } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { eventPath } from '../../platform/links.ts';
import { named } from '../../platform/named.ts';
import { Link } from '../../platform/routing.tsx';
import { SideChip } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';

interface Where {
  eventName: string;
  eventType: string;
  matchId: number;
  beventId?: string | null;
  bettingName: string;
}

/** Event, Market and Selection, with which the rows of bets and orders begin. */
export const whereColumns = <Row extends Where>(selection: (row: Row) => ReactNode): Column<Row>[] => [
  {
    id: 'event',
    head: t`Event`,
    card: 'title',
    wrap: true,
    cell: ({ eventName, eventType, matchId, beventId }) => (
      <Link className="link" to={eventPath({ matchType: eventType, id: matchId, beventId })}>
        {named(eventName)}
      </Link>
    ),
  },
  { id: 'market', head: t`Market`, card: 'meta', wrap: true, cell: ({ bettingName }) => named(bettingName) },
  {
    id: 'selection',
    head: t`Selection`,
    card: 'tag',
    wrap: true,
    cell: (row) => <span className="row g-3">{selection(row)}</span>,
  },
];

/** The selection of an order that the server holds or held. */
export const orderSelection = ({ bettingType, teamName }: ConditionalOrder): ReactNode => (
  <>
    <SideChip side={bettingType === 'BACK' ? 'back' : 'lay'} />
    {named(teamName)}
  </>
);
