import { CALLS, eq, isNull, type MatchItem, type ReplyOf, SPORT_KEYS, type SportKey } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useCall } from '../../api/api.ts';
import { raceStage } from '../../betting/betting.ts';
import { serverNow } from '../../platform/clock.ts';
import { formatDay, formatTime } from '../../platform/format.ts';
import { namedCountry } from '../../platform/named.ts';
import { Link, useNavigate, useParams, useSearchParams } from '../../platform/routing.tsx';
import { sportName } from '../../platform/sports.ts';
import { useTitle } from '../../platform/title.ts';
import { cx } from '../../ui/cx.ts';
import { IconCalendar } from '../../ui/icons.ts';
import { COMPACT, PHONE, useMedia } from '../../ui/media.ts';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Segmented, Tabs } from '../../ui/tabs.tsx';
import { EventRows } from './event-rows.tsx';
import { useFacts } from './list-facts.ts';
import { competitionsOf, filtered, type ListFilter, narrowedBy, readFilter, writeFilter } from './list-filter.ts';
import { columnHeads, ListTools, SortHeads } from './list-tools.tsx';
import { mergeMatches } from './merge.ts';
import panelCss from '../../ui/panel.module.css';
import racePartsCss from '../../ui/race-parts.module.css';

/** The events of one sport by start time; races by country and meeting. */
export function Screen() {
  const { type = '' } = useParams();
  const known = (SPORT_KEYS as readonly string[]).includes(type);
  useTitle(sportName(type));
  if (!known) {
    return (
      <section className={panelCss.panel}>
        <EmptyState icon={IconCalendar} title={t`No ${{ sport: sportName(type) }} events are open`}>
          <Trans>
            This sport is opened on request. <Link to="/home">Back to Home</Link>
          </Trans>
        </EmptyState>
      </section>
    );
  }
  return type === 'horseRacing' || type === 'greyHound' ? (
    <Meetings key={type} type={type} />
  ) : (
    <Matches type={type as SportKey} />
  );
}

function Matches({ type }: { type: SportKey }) {
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const change = (next: Partial<ListFilter>) => setQuery(writeFilter({ ...filter, ...next }), { replace: true });
  const list = useCall(
    CALLS.catalog.list,
    { query: { sort: 'match.startAt:ASC', 'match.matchType': type } },
    { keep: true, refetchMs: 30_000, merge: mergeMatches },
  );
  const [facts] = useFacts();
  const compact = useMedia(COMPACT);
  const phone = useMedia(PHONE);
  const all = list.data?.matches ?? NONE;
  const matches = filtered(all, filter, serverNow());
  return (
    <>
      <PageHead title={sportName(type)}>
        <Segmented
          label={t`Events shown`}
          value={filter.when}
          onChange={(when) => change({ when })}
          items={{ all: t`All`, inplay: t`In-Play`, coming: t`Coming` }}
        />
        <ListTools filter={filter} competitions={competitionsOf(all)} onChange={change} />
      </PageHead>
      {list.isPending ? (
        <section className={panelCss.panel} aria-label={t`Loading`}>
          <SkeletonRows rows={8} kind="list" />
        </section>
      ) : list.isError && !list.data ? (
        <ErrorNote title={t`The events did not load.`} onRetry={() => void list.refetch()} />
      ) : matches.length === 0 ? (
        <section className={panelCss.panel}>
          <EmptyState icon={IconCalendar} title={t`No events here now`}>
            {narrowedBy(filter) > 0 ? t`No event fits the filter.` : t`The next ones show up by themselves.`}
          </EmptyState>
        </section>
      ) : (
        <EventRows
          groups={[{ sport: type, matches }]}
          label={sportName(type)}
          facts={facts}
          heads={compact ? undefined : <SortHeads facts={facts} filter={filter} onChange={change} />}
          columns={phone ? undefined : columnHeads(facts, { filter, onChange: change })}
        />
      )}
    </>
  );
}

const NONE: readonly MatchItem[] = [];

/** Races of all countries, or of one (RAC-02); the next meeting first. */
function Meetings({ type }: { type: 'horseRacing' | 'greyHound' }) {
  const navigate = useNavigate();
  const countries = useCall(
    CALLS.racing.countries,
    { query: { 'racingMatch.stopAt': isNull, matchType: type } },
    { refetchMs: 60_000 },
  );
  const [chosen, setCountry] = useState(ALL);
  const known = countries.data ?? [];
  // A country whose last race is over has no tab any more.
  const country = known.some(({ countryCode }) => countryCode === chosen) ? chosen : ALL;
  const query = { 'racingMatch.stopAt': isNull, matchType: eq(type) };
  const all = useCall(CALLS.racing.list, { query }, { enabled: country === ALL, refetchMs: 30_000 });
  const one = useCall(
    CALLS.racing.list,
    { query: { ...query, 'racingMatch.countryCode': eq(country) } },
    { enabled: country !== ALL, refetchMs: 30_000 },
  );
  const list = country === ALL ? all : one;
  // A tab answers at once: until the races of its country are there, those of all are narrowed.
  const races = list.data ?? all.data;
  const nameOf = new Map(known.map(({ countryCode: code, countryName }) => [code, namedCountry(code, countryName)]));
  const meetings = (races ?? [])
    .filter((one) => country === ALL || one.countryCode === country)
    .sort((a, b) => startOf(a) - startOf(b));
  return (
    <>
      <PageHead title={sportName(type)}>
        <Segmented
          label={t`Races`}
          value={type}
          onChange={(next) => void navigate(`/game-list/${next}`)}
          items={{ horseRacing: t`Horses`, greyHound: t`Greyhounds` }}
        />
      </PageHead>
      {list.isError && !races && <ErrorNote title={t`The races did not load.`} onRetry={() => void list.refetch()} />}
      {known.length > 1 && (
        <Tabs
          label={t`Countries`}
          value={country}
          onChange={setCountry}
          items={[
            { id: ALL, label: t`All countries`, count: known.reduce((sum, { count }) => sum + count, 0) },
            ...known.map((one) => ({ id: one.countryCode, label: nameOf.get(one.countryCode)!, count: one.count })),
          ]}
        />
      )}
      {list.isPending && !races && (
        <section className={panelCss.panel} aria-label={t`Loading`}>
          <SkeletonRows rows={4} kind="list" />
        </section>
      )}
      {races && meetings.length === 0 && (
        <section className={panelCss.panel}>
          <EmptyState icon={IconCalendar} title={t`No races here now`}>
            {t`The next ones show up by themselves.`}
          </EmptyState>
        </section>
      )}
      {meetings.map((meeting) => (
        <Meeting
          key={`${meeting.countryCode} ${meeting.venue}`}
          meeting={meeting}
          country={country === ALL && (nameOf.get(meeting.countryCode) ?? meeting.countryCode)}
        />
      ))}
    </>
  );
}

/** The races of one place; its country where those of all stand together. */
function Meeting({
  meeting,
  country,
}: {
  meeting: ReplyOf<typeof CALLS.racing.list>[number];
  country: string | false;
}) {
  return (
    <Panel
      title={meeting.venue}
      count={meeting.races.length}
      end={country && <span className="t3 fs-12">{country}</span>}
      flush={false}
    >
      <nav
        className={cx(racePartsCss.races, racePartsCss.racesAll)}
        aria-label={t`Races at ${{ venue: meeting.venue }}`}
      >
        {meeting.races.map((race) => (
          <Link key={race.id} className={racePartsCss.race} to={`/race/${race.id}`}>
            <b>{formatTime(Date.parse(race.startAt))}</b>
            <span>{race.title}</span>
            <span className="num fs-11">
              {raceStage(race) ?? formatDay(Date.parse(race.startAt))}, {t`${{ count: race.runnerCount }} run`}
            </span>
          </Link>
        ))}
      </nav>
    </Panel>
  );
}

/** No country has this code. */
const ALL = 'all';
const startOf = ({ races }: { races: ReadonlyArray<{ startAt: string }> }): number =>
  Math.min(...races.map(({ startAt }) => Date.parse(startAt)));
