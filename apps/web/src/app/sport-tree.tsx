import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { NavLink } from 'react-router';
import { formatTreeDate } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { IconChevronDown, IconChevronRight } from '../ui/icons.ts';
import { eventPath } from '../ui/links.ts';
import { Skeleton, useLate } from '../ui/skeleton.tsx';
import { SportIcon } from '../ui/sport-icon.tsx';
import { SPORTS } from '../ui/sports.ts';

/** Where the branches come from: competitions of a sport, dates of a competition, matches of a date. */
export type TreeLoaders = {
  competitions: (
    type: string,
  ) => Promise<ReadonlyArray<{ competitionId: string; competitionName: string; count: number }>>;
  dates: (competitionId: string) => Promise<ReadonlyArray<{ startDate: string; count: number }>>;
  matches: (
    competitionId: string,
    date: string,
  ) => Promise<
    ReadonlyArray<{ id: number; title: string; matchType: string; beventId: string | null; inPlay: boolean }>
  >;
};

/** All Sports: 36 sports; each opens to competitions, dates (YYYY/MM/DD) and matches (SID-08..17). `counts` by match type. */
export function SportTree({
  loaders,
  counts = {},
}: {
  loaders: TreeLoaders;
  counts?: Readonly<Record<string, number>>;
}) {
  return (
    <ul>
      {SPORTS.map((sport) => (
        <Branch
          key={sport.id}
          label={sport.name}
          mark={<SportIcon sport={sport.type} size={18} />}
          count={counts[sport.type]}
          queryKey={['tree', sport.type]}
          load={() => loaders.competitions(sport.type)}
          none="No events now"
        >
          {(competitions) =>
            competitions.map((competition) => (
              <Branch
                key={competition.competitionId}
                label={competition.competitionName}
                count={competition.count}
                queryKey={['tree', 'dates', competition.competitionId]}
                load={() => loaders.dates(competition.competitionId)}
                none="No dates now"
              >
                {(dates) =>
                  dates.map((date) => (
                    <Branch
                      key={date.startDate}
                      label={formatTreeDate(date.startDate)}
                      count={date.count}
                      queryKey={['tree', 'matches', competition.competitionId, date.startDate]}
                      load={() => loaders.matches(competition.competitionId, date.startDate)}
                      none="No matches now"
                    >
                      {(matches) => matches.map((match) => <Leaf key={match.id} {...match} />)}
                    </Branch>
                  ))
                }
              </Branch>
            ))
          }
        </Branch>
      ))}
    </ul>
  );
}

function Leaf({
  id,
  title,
  matchType,
  beventId,
  inPlay,
}: {
  id: number;
  title: string;
  matchType: string;
  beventId: string | null;
  inPlay: boolean;
}) {
  return (
    <li>
      <NavLink className="nv nv--leaf" to={eventPath({ id, matchType, beventId })} title={title}>
        <span className="clip">{title}</span>
        {inPlay && (
          <span className="live">
            <span className="sr">In-play</span>
          </span>
        )}
      </NavLink>
    </li>
  );
}

/** A node that loads its children when it is first opened and keeps them. */
function Branch<T>({
  label,
  mark,
  count,
  queryKey,
  load,
  none,
  children,
}: {
  label: string;
  mark?: ReactNode;
  count?: number | undefined;
  queryKey: readonly string[];
  load: () => Promise<readonly T[]>;
  none: string;
  children: (items: readonly T[]) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const query = useQuery({ queryKey, queryFn: load, enabled: open, staleTime: 30_000 });
  return (
    <li>
      <button type="button" className="nv" aria-expanded={open} title={label} onClick={() => setOpen(!open)}>
        {mark}
        <span className="clip">{label}</span>
        {count !== undefined && count > 0 && <span className="nv__n">{count}</span>}
        <span className="nv__car">
          <Icon of={open ? IconChevronDown : IconChevronRight} size={14} />
        </span>
      </button>
      {open && (
        <ul className="tree">
          <Children query={query} none={none}>
            {children}
          </Children>
        </ul>
      )}
    </li>
  );
}

function Children<T>({
  query,
  none,
  children,
}: {
  query: UseQueryResult<readonly T[]>;
  none: string;
  children: (items: readonly T[]) => ReactNode;
}) {
  const late = useLate(query.isPending);
  if (query.data) return query.data.length > 0 ? children(query.data) : <li className="tree__note">{none}</li>;
  if (query.isError) {
    return (
      <li className="tree__note">
        Did not load.{' '}
        <button type="button" className="link" onClick={() => void query.refetch()}>
          Try again
        </button>
      </li>
    );
  }
  return (
    <li className="tree__note" aria-busy="true">
      {late && <Skeleton w={120} h={12} />}
    </li>
  );
}
