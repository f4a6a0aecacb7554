import { CALLS, eq, isNull, type MatchItem } from '@fairgame/contract';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useCall } from '../../api/queries.ts';
import { formatTime } from '../../ui/format.ts';
import { IconBroadcast, IconCalendar, IconFlame } from '../../ui/icons.ts';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import { Strip, type TabItem } from '../../ui/tabs.tsx';
import { EventRows } from './event-rows.tsx';
import { mergeMatches } from './merge.ts';

const ORDER = ['cricket', 'football', 'tennis', 'politics'];
const PER_SPORT = 6;

/** The landing screen of the nine routes: tabs by sport, live and coming events with first prices, next races. */
export function Screen() {
  const { pathname } = useLocation();
  const [chosen, setChosen] = useState<string | null>(null);
  const tab = chosen ?? (pathname === '/inPlay' ? 'inplay' : 'highlights');
  const tabs = useCall(CALLS.catalog.tabs, {}, { refetchMs: 30_000 });
  const list = useCall(
    CALLS.catalog.list,
    { query: { sort: 'match.startAt:ASC' } },
    { keep: true, refetchMs: 30_000, merge: mergeMatches },
  );

  const items: TabItem[] = [
    { id: 'highlights', label: 'Highlights', icon: IconFlame },
    {
      id: 'inplay',
      label: 'In-Play',
      icon: IconBroadcast,
      count: (tabs.data ?? []).reduce((sum, one) => sum + one.inPlay, 0),
    },
    ...(tabs.data ?? [])
      .filter((one) => one.matchType)
      .map((one) => ({
        id: one.matchType!,
        label: one.name,
        mark: <SportIcon sport={one.matchType!} size={17} />,
        count: one.count,
      })),
  ];
  const groups = useMemo(() => group(list.data?.matches ?? [], tab), [list.data, tab]);
  const racing = tab === 'horseRacing' || tab === 'greyHound';

  return (
    <>
      <h1 className="sr">Home</h1>
      <Strip label="Sports" items={items} value={tab} onChange={setChosen} />
      {(tab === 'highlights' || racing) && (
        <NextRaces
          type={tab === 'greyHound' ? 'greyHound' : tab === 'horseRacing' ? 'horseRacing' : undefined}
          all={racing}
        />
      )}
      {racing ? null : list.isPending ? (
        <section className="panel" aria-label="Loading">
          <SkeletonRows rows={8} kind="list" />
        </section>
      ) : list.isError && !list.data ? (
        <ErrorNote title="The events did not load." onRetry={() => void list.refetch()}>
          Your bets and balance are not affected.
        </ErrorNote>
      ) : groups.every((one) => one.matches.length === 0) ? (
        <section className="panel">
          <EmptyState icon={IconCalendar} title={tab === 'inplay' ? 'Nothing is in play now' : 'No events open'}>
            The next ones show up here by themselves.
          </EmptyState>
        </section>
      ) : (
        <EventRows groups={groups} label={tab === 'inplay' ? 'In-play events' : 'Events'} />
      )}
    </>
  );
}

function group(matches: readonly MatchItem[], tab: string) {
  const sports = ORDER.includes(tab) ? [tab] : ORDER;
  return sports.map((sport) => {
    const of = matches.filter((match) => match.matchType === sport && (tab !== 'inplay' || match.inPlay));
    // In play first, then by start time, as the answer is sorted.
    const sorted = [...of.filter((match) => match.inPlay), ...of.filter((match) => !match.inPlay)];
    const shown = tab === 'highlights' ? sorted.slice(0, PER_SPORT) : sorted;
    return { sport, matches: shown, more: sorted.length - shown.length };
  });
}

/** The next races as chips; racing stays reachable from here (CAR-40). */
function NextRaces({ type, all }: { type: 'horseRacing' | 'greyHound' | undefined; all: boolean }) {
  const { data } = useCall(
    CALLS.racing.list,
    { query: { 'racingMatch.stopAt': isNull, ...(type ? { matchType: eq(type) } : {}) } },
    { keep: true, refetchMs: 30_000 },
  );
  const races = (data ?? [])
    .flatMap((meeting) => meeting.races)
    .sort((a, b) => Date.parse(a.startAt) - Date.parse(b.startAt))
    .slice(0, all ? 60 : 12);
  if (races.length === 0) return null;
  return (
    <nav className={all ? 'races races--all' : 'races'} aria-label="Next races">
      {races.map((race) => (
        <Link key={race.id} className="racechip" to={`/race/${race.id}`}>
          <b>{formatTime(Date.parse(race.startAt))}</b>
          <span>{race.venue}</span>
          <span className="num fs-11">{race.inPlay ? 'Off' : until(race.startAt)}</span>
        </Link>
      ))}
    </nav>
  );
}

function until(startAt: string): string {
  const minutes = Math.round((Date.parse(startAt) - Date.now()) / 60_000);
  return minutes <= 0
    ? 'due off'
    : minutes < 60
      ? `in ${minutes} min`
      : `in ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
