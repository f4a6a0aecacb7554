import { CALLS, eq, isNull, type MatchItem, type ReplyOf, SPORT_KEYS } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useDeferredValue, useMemo, useState } from 'react';
import { useCall } from '../../api/api.ts';
import { raceStage, useFavouriteMatches } from '../../betting/betting.ts';
import { usePace } from '../../live/live.ts';
import { serverNow } from '../../platform/clock.ts';
import { formatOff, formatTime } from '../../platform/format.ts';
import { say, type Words } from '../../platform/language.ts';
import { Link, useLocation, useNavigate } from '../../platform/routing.tsx';
import { sportName } from '../../platform/sports.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconBroadcast, IconCalendar, IconCards, IconFlame, IconLayoutList, IconStar } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import { Strip, type TabItem } from '../../ui/tabs.tsx';
import { CasinoStrip, CasinoTiles, useCasinoTiles } from './casino-tiles.tsx';
import { EventRows } from './event-rows.tsx';
import { mergeMatches } from './merge.ts';
import { MyMarkets, useMyMarkets } from './my-markets.tsx';
import panelCss from '../../ui/panel.module.css';
import racePartsCss from '../../ui/race-parts.module.css';

const ORDER = ['cricket', 'football', 'tennis', 'politics'];
const PER_SPORT = 6;

/** Which tab the nine routes of this screen open with (OPN-46); the others open with the highlights. */
const OPENING: Readonly<Record<string, string>> = {
  '/inPlay': 'inplay',
  '/other': 'politics',
  '/casino-slot': 'casino',
  '/live-casinom': 'casino',
  '/slot': 'casino',
  '/virtual': 'casino',
};

/** The landing screen of the nine routes: tabs by sport, live and coming events with first prices, next races, tables. */
export function Screen() {
  const [tab, setTab] = useTab();
  // Frozen prices stand where they are: rows come and go again when they run.
  const renew = usePace() === 'frozen' ? {} : { refetchMs: 30_000 };
  const tabs = useCall(CALLS.catalog.tabs, {}, renew);
  const list = useCall(
    CALLS.catalog.list,
    { query: { sort: 'match.startAt:ASC' } },
    { keep: true, ...renew, merge: mergeMatches },
  );
  const favourites = useFavouriteMatches();
  const tiles = useCasinoTiles();
  // Many rows are drawn in slices, so that the page answers meanwhile.
  const drawn = useDeferredValue(list.data);
  const matches = drawn?.matches ?? NONE;
  const marked = useMemo(() => matches.filter((match) => favourites.has(match.id)), [matches, favourites]);
  const mine = new Set([...(useMyMarkets().data ?? []).map((row) => row.matchId), ...marked.map((match) => match.id)])
    .size;

  const items = tabItems(tab, tabs.data ?? [], { marked: marked.length, mine, tables: tiles.length });
  const groups = useMemo(() => group(tab === 'favourites' ? marked : matches, tab), [matches, marked, tab]);
  const racing = tab === 'horseRacing' || tab === 'greyHound';

  return (
    <>
      <h1 className="sr">{t`Home`}</h1>
      <Strip label={t`Sports`} items={items} value={tab} onChange={setTab} />
      <Banners />
      {(tab === 'highlights' || racing) && (
        <NextRaces
          type={tab === 'greyHound' ? 'greyHound' : tab === 'horseRacing' ? 'horseRacing' : undefined}
          all={racing}
        />
      )}
      {tab === 'casino' ? (
        <Tables tiles={tiles} />
      ) : tab === 'mine' ? (
        <MyMarkets matches={matches} />
      ) : racing ? null : list.isPending || (list.data && !drawn) ? (
        <section className={panelCss.panel} aria-label={t`Loading`}>
          <SkeletonRows rows={8} kind="list" />
        </section>
      ) : list.isError && !list.data ? (
        <ErrorNote title={t`The events did not load.`} onRetry={() => void list.refetch()}>
          {t`Your bets and balance are not affected.`}
        </ErrorNote>
      ) : groups.every((one) => one.matches.length === 0) ? (
        <NoEvents tab={tab} />
      ) : (
        <>
          <EventRows groups={groups} label={say(LABELS[tab] ?? msg`Events`)} />
          {tab === 'favourites' && (
            <Button icon={IconLayoutList} onClick={() => setTab('mine')}>
              {t`Their markets on one screen`}
            </Button>
          )}
          {tab === 'highlights' && <CasinoStrip />}
        </>
      )}
    </>
  );
}

/** The tabs of the sports among those of the player's own and of the house. */
function tabItems(
  tab: string,
  sports: ReplyOf<typeof CALLS.catalog.tabs>,
  { marked, mine, tables }: { marked: number; mine: number; tables: number },
): TabItem[] {
  return [
    { id: 'highlights', label: t`Highlights`, icon: IconFlame },
    {
      id: 'inplay',
      label: t`In-Play`,
      icon: IconBroadcast,
      count: sports.reduce((sum, one) => sum + (one.matchType ? one.inPlay : 0), 0),
    },
    // What is the player's own stands here once there is something of it, and while it is on the screen.
    ...(marked > 0 || tab === 'favourites'
      ? [{ id: 'favourites', label: t`Favourites`, icon: IconStar, count: marked }]
      : []),
    ...(mine > 0 || tab === 'mine' ? [{ id: 'mine', label: t`My markets`, icon: IconLayoutList, count: mine }] : []),
    ...sports
      .filter((one) => one.matchType)
      .map((one) => ({
        id: one.matchType!,
        label: sportName(one.matchType!),
        mark: <SportIcon sport={one.matchType!} size={17} />,
        count: one.count,
      })),
    ...(tables > 0 || tab === 'casino' ? [{ id: 'casino', label: t`Casino`, icon: IconCards, count: tables }] : []),
  ];
}

const NONE: readonly MatchItem[] = [];
const LABELS: Readonly<Record<string, Words>> = { inplay: msg`In-play events`, favourites: msg`Favourite events` };

/** The tab: the player's choice, one that a link to this screen asked for (`state.tab`), or that of the route. */
function useTab(): [string, (tab: string) => void] {
  const { pathname, key, state } = useLocation();
  const navigate = useNavigate();
  const asked = (state as { tab?: string } | null)?.tab ?? null;
  const [chosen, setChosen] = useState({ key, pathname, tab: asked });
  // Another route, or a link that asks for a tab, opens anew; a plain return to this route keeps the choice.
  if (chosen.key !== key && (chosen.pathname !== pathname || asked !== null)) {
    setChosen({ key, pathname, tab: asked });
  }
  const choose = (tab: string) => {
    setChosen({ key, pathname, tab });
    // Kept with the entry of the history: Back comes to the tab that was left.
    void navigate(pathname, { replace: true, state: { tab } });
  };
  return [chosen.tab ?? OPENING[pathname] ?? 'highlights', choose];
}

/** What the operator has to say, as text (CAR-45). */
function Banners() {
  const texts = [
    useCall(CALLS.account.marquee, { query: { type: 'banner1' } }),
    useCall(CALLS.account.marquee, { query: { type: 'banner2' } }),
  ].map(({ data }) => data?.value.trim());
  return texts.map((text, at) => text && <Note key={at === 0 ? 'banner1' : 'banner2'}>{text}</Note>);
}

function NoEvents({ tab }: { tab: string }) {
  return (
    <section className={panelCss.panel}>
      {tab === 'favourites' ? (
        <EmptyState icon={IconStar} title={t`No favourites yet`}>
          {t`Press the star beside an event, and it stands here.`}
        </EmptyState>
      ) : (
        <EmptyState icon={IconCalendar} title={tab === 'inplay' ? t`Nothing is in play now` : t`No events open`}>
          {t`The next ones show up here by themselves.`}
        </EmptyState>
      )}
    </section>
  );
}

function Tables({ tiles }: { tiles: Parameters<typeof CasinoTiles>[0]['tiles'] }) {
  if (tiles.length > 0) return <CasinoTiles tiles={tiles} />;
  return (
    <section className={panelCss.panel}>
      <EmptyState
        icon={IconCards}
        title={t`No tables are open now`}
        action={
          <LinkButton kind="sec" to="/casino">
            {t`Casino`}
          </LinkButton>
        }
      >
        {t`They show up here by themselves.`}
      </EmptyState>
    </section>
  );
}

function group(matches: readonly MatchItem[], tab: string) {
  const sports = ORDER.includes(tab) ? [tab] : tab === 'favourites' ? SPORT_KEYS : ORDER;
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
  if (data && races.length === 0) return null;
  return (
    <nav className={cx(racePartsCss.races, all && racePartsCss.racesAll)} aria-label={t`Next races`}>
      {races.map((race) => (
        <Link key={race.id} className={racePartsCss.race} to={`/race/${race.id}`}>
          <b>{formatTime(Date.parse(race.startAt))}</b>
          <span>{race.venue}</span>
          <span className="num fs-11">{raceStage(race) ?? formatOff(Date.parse(race.startAt), serverNow())}</span>
        </Link>
      ))}
    </nav>
  );
}
