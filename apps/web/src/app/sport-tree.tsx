import { t } from '@lingui/core/macro';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatTreeDate } from '../platform/format.ts';
import { eventPath } from '../platform/links.ts';
import { named } from '../platform/named.ts';
import { NavLink, useLocation } from '../platform/routing.tsx';
import { SPORTS, sportName } from '../platform/sports.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconChevronDown, IconChevronRight } from '../ui/icons.ts';
import { intoSight } from '../ui/into-sight.ts';
import { Skeleton, useLate } from '../ui/skeleton.tsx';
import { SportIcon } from '../ui/sport-icon.tsx';
import controlsCss from '../ui/controls.module.css';
import sideNavCss from '../ui/side-nav.module.css';

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

/** Where in the tree the event on the screen is; `date` as YYYY-MM-DD. */
export type TreePlace = { matchType: string; competitionId: string; date: string };

type Reading<T> = { queryKey: readonly string[]; queryFn: () => Promise<readonly T[]>; staleTime: number };
function reading<T>(queryFn: () => Promise<readonly T[]>, ...key: string[]): Reading<T> {
  return { queryKey: ['tree', ...key], queryFn, staleTime: 30_000 };
}
const competitionsOf = (from: TreeLoaders, type: string) => reading(() => from.competitions(type), type);
const datesOf = (from: TreeLoaders, id: string) => reading(() => from.dates(id), 'dates', id);
const matchesOn = (from: TreeLoaders, id: string, date: string) =>
  reading(() => from.matches(id, date), 'matches', id, date);

/**
 * All Sports: 36 sports; each opens to competitions, dates (YYYY/MM/DD) and matches (SID-08..17), and stands open to the
 * event on the screen. `counts` by match type.
 */
export function SportTree({
  loaders,
  counts = {},
  at,
}: {
  loaders: TreeLoaders;
  counts?: Readonly<Record<string, number>>;
  at?: TreePlace | undefined;
}) {
  const client = useQueryClient();
  const { matchType = '', competitionId = '', date = '' } = at ?? {};
  useEffect(() => {
    if (!matchType) return;
    // Its three branches at once, not one after the other.
    void client.prefetchQuery(competitionsOf(loaders, matchType));
    void client.prefetchQuery(datesOf(loaders, competitionId));
    void client.prefetchQuery(matchesOn(loaders, competitionId, date));
  }, [client, loaders, matchType, competitionId, date]);
  return (
    <ul>
      {SPORTS.map((sport) => (
        <Branch
          key={sport.id}
          label={sportName(sport.type)}
          mark={<SportIcon sport={sport.type} size={18} />}
          count={counts[sport.type]}
          from={competitionsOf(loaders, sport.type)}
          leadsHere={sport.type === matchType}
          none={t`No events now`}
        >
          {(competitions) =>
            competitions.map((competition) => (
              <Branch
                key={competition.competitionId}
                label={named(competition.competitionName)}
                count={competition.count}
                from={datesOf(loaders, competition.competitionId)}
                leadsHere={competition.competitionId === competitionId}
                none={t`No dates now`}
              >
                {(dates) =>
                  dates.map(({ startDate, count }) => (
                    <Branch
                      key={startDate}
                      label={formatTreeDate(startDate)}
                      count={count}
                      from={matchesOn(loaders, competition.competitionId, startDate)}
                      leadsHere={competition.competitionId === competitionId && startDate === date}
                      none={t`No matches now`}
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
  const path = eventPath({ id, matchType, beventId });
  const isHere = useLocation().pathname === path.split('?')[0];
  const link = useRef<HTMLAnchorElement>(null);
  // The tours above it may be longer than the screen.
  useEffect(() => {
    if (isHere && link.current) intoSight(link.current);
  }, [isHere]);
  return (
    <li>
      <NavLink ref={link} className={cx(sideNavCss.entry, sideNavCss.leaf)} to={path} title={title}>
        <span className="clip">{title}</span>
        {inPlay && (
          <span className={controlsCss.live}>
            <span className="sr">{t`In-play`}</span>
          </span>
        )}
      </NavLink>
    </li>
  );
}

/**
 * A node that loads its children when it is first opened and keeps them. It stands open while it leads to the event on the
 * screen, unless the player has closed it since; what the player opened stays open.
 */
function Branch<T>({
  label,
  mark,
  count,
  from,
  leadsHere,
  none,
  children,
}: {
  label: string;
  mark?: ReactNode;
  count?: number | undefined;
  from: Reading<T>;
  leadsHere: boolean;
  none: string;
  children: (items: readonly T[]) => ReactNode;
}) {
  const [pressed, setPressed] = useState<boolean | null>(null);
  const [led, setLed] = useState(leadsHere);
  if (led !== leadsHere) {
    setLed(leadsHere);
    if (pressed === false) setPressed(null);
  }
  const open = pressed ?? leadsHere;
  const query = useQuery({ ...from, enabled: open });
  return (
    <li>
      <button
        type="button"
        className={sideNavCss.entry}
        aria-expanded={open}
        title={label}
        onClick={() => setPressed(!open)}
      >
        {mark}
        <span className="clip">{label}</span>
        {count !== undefined && count > 0 && <span className={sideNavCss.count}>{count}</span>}
        <span className={sideNavCss.arrow}>
          <Icon of={open ? IconChevronDown : IconChevronRight} size={14} />
        </span>
      </button>
      {open && (
        <ul className={sideNavCss.tree}>
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
  if (query.data) return query.data.length > 0 ? children(query.data) : <li className={sideNavCss.note}>{none}</li>;
  if (query.isError) {
    return (
      <li className={sideNavCss.note}>
        {t`Did not load.`}{' '}
        <button type="button" className="link" onClick={() => void query.refetch()}>
          {t`Try again`}
        </button>
      </li>
    );
  }
  return (
    <li className={sideNavCss.note} aria-busy="true">
      {late && <Skeleton w={120} h={12} />}
    </li>
  );
}
