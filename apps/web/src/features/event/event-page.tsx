import type { MarketImage, MatchDetails } from '@fairgame/contract';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { eventCall, useCall } from '../../api/queries.ts';
import { DepthButton, DepthView, useDepthView } from '../../betting/depth-view.tsx';
import { FancyMarket } from '../../betting/fancy-market.tsx';
import { FavouriteStar } from '../../betting/favourites.tsx';
import { kindOf } from '../../betting/kinds.ts';
import { GroupRules } from '../../betting/market-rules.tsx';
import { MyBets } from '../../betting/my-bets.tsx';
import { useBetMarks, useOpenBets, usePositions } from '../../betting/positions.ts';
import { PriceHistory, Trend } from '../../betting/price-history.tsx';
import { RunnerMarket } from '../../betting/runner-market.tsx';
import { useMarket, useMarketIds, useMatchRoom, useStopped, useWatch } from '../../live/hooks.ts';
import * as store from '../../live/store.ts';
import { LiveBadge } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Crest, crestCode } from '../../ui/crest.tsx';
import { formatDateTime, formatTime, formatTreeDate } from '../../ui/format.ts';
import { IconCalendar } from '../../ui/icons.ts';
import { Market, MarketCols, MarketHead } from '../../ui/market-table.tsx';
import { PHONE, useMedia } from '../../ui/media.ts';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { Crumbs } from '../../ui/panel.tsx';
import { Rail } from '../../ui/rail.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { sportName } from '../../ui/sports.ts';
import { Segmented } from '../../ui/tabs.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { Picture } from './picture.tsx';
import { EventScore } from './scoreboard.tsx';

type Tab = 'all' | 'odds' | 'bookmaker' | 'fancy' | 'other' | 'bets';

/** One event: score, markets, slip and bets beside them. */
export function Screen() {
  const { type = '', id = '' } = useParams();
  const matchId = Number(id);
  const { data, isError, error, refetch, isPending } = useCall(
    eventCall(type),
    { params: { id } },
    { enabled: matchId > 0 },
  );
  useTitle(data?.title ?? 'Event');
  useWatch(data ? [matchId] : [], 'full');
  useEffect(() => {
    if (data) store.seed(data.markets);
  }, [data]);
  useMatchRoom(data?.id ?? 0);

  if (isError) {
    return (
      <ErrorNote title="The event did not load." onRetry={() => void refetch()}>
        {error.message} Nothing was placed.
      </ErrorNote>
    );
  }
  if (isPending || !data) {
    return (
      <Market label="Loading">
        <SkeletonRows rows={4} />
      </Market>
    );
  }
  return <Event key={data.id} match={data} />;
}

function Event({ match }: { match: MatchDetails }) {
  const ids = useMarketIds(match.id);
  const positions = usePositions(match.id);
  const marks = useBetMarks(match.id);
  const { data: open } = useOpenBets(match.id);
  const phone = useMedia(PHONE);
  const [tab, setTab] = useState<Tab>('all');
  const groups = useGroups(ids);
  const [depthId, openDepth] = useDepthView();

  const tabs = (
    [
      ['all', phone ? 'All' : 'All markets', true],
      ['odds', 'Match Odds', groups.books.length > 0],
      ['bookmaker', 'Bookmaker', groups.bookmaker.length + groups.pairs.length > 0],
      ['fancy', 'Fancy', groups.fancy.length > 0],
      ['other', 'Other', groups.books.length > 1],
      ['bets', 'My bets', phone],
    ] as const
  ).filter(([, , on]) => on);
  const shows = (which: Tab) => tab === 'all' || tab === which;
  const head = groups.books[0];
  const crest = (name: string) => <Crest code={crestCode(name)} name={name} size={26} />;
  const common = { eventName: match.title, marks };

  return (
    <>
      {depthId === 0 && (
        <>
          <Crumbs
            items={[
              { text: sportName(match.matchType), to: `/game-list/${match.matchType}` },
              { text: match.competitionName },
              { text: formatTreeDate(match.startAt) },
            ]}
          />
          <div className="mh">
            <h1>{match.title}</h1>
            <FavouriteStar matchId={match.id} title={match.title} />
            {match.inPlay && <LiveBadge pill />}
            <span className="t2">
              {match.inPlay
                ? `${match.venue ?? match.competitionName}, started ${formatTime(Date.parse(match.startAt))}`
                : formatDateTime(Date.parse(match.startAt))}
            </span>
            <span className="grow" />
            <Segmented
              label="Markets shown"
              value={tab}
              onChange={setTab}
              items={tabs.map(([id, label]) => ({
                id,
                label,
                ...(id === 'bets' ? { count: open?.rows.length ?? 0 } : {}),
              }))}
            />
          </div>
        </>
      )}
      <Over match={match} />
      <Picture match={match} />
      <Rail slot="bets">
        <MyBets matchId={match.id} title="My bets, this match" {...(depthId ? { marketId: depthId } : {})} />
      </Rail>
      {tab === 'bets' && <MyBets matchId={match.id} title="My bets, this match" />}
      {depthId > 0 ? (
        <DepthView marketId={depthId} match={match} position={positions.get(depthId)} onClose={() => openDepth(null)} />
      ) : (
        <>
          {tab !== 'bets' && (
            <EventScore matchId={match.id} first={match.scoreBoard} teams={[match.teamA, match.teamB]} />
          )}
          {match.inPlay && (
            <p className="delay-note t3 fs-12">
              Pictures and scores run about 5 s behind; others may know more than you see.
            </p>
          )}
          {ids.length === 0 && (
            <EmptyState icon={IconCalendar} title="Waiting for prices">
              Markets open here before the start.
            </EmptyState>
          )}
          {shows('odds') && head !== undefined && (
            <HeadMarket marketId={head} position={positions.get(head)} crest={crest} onDepth={openDepth} {...common} />
          )}
          {shows('bookmaker') &&
            groups.bookmaker.map((id) => (
              <RunnerMarket key={id} marketId={id} position={positions.get(id)} crest={crest} {...common} />
            ))}
          {shows('bookmaker') && groups.pairs.length > 0 && (
            <div className="two">
              {groups.pairs.map((id) => (
                <RunnerMarket key={id} marketId={id} position={positions.get(id)} {...common} />
              ))}
            </div>
          )}
          {shows('fancy') && groups.fancy.length > 0 && <Fancy ids={groups.fancy} positions={positions} {...common} />}
          {(tab === 'all' || tab === 'other') &&
            groups.books
              .slice(1)
              .map((id) => (
                <RunnerMarket
                  key={id}
                  marketId={id}
                  position={positions.get(id)}
                  actions={<DepthButton onPress={() => openDepth(id)} />}
                  {...common}
                />
              ))}
          {head !== undefined && shows('odds') && <History marketId={head} />}
        </>
      )}
    </>
  );
}

interface MarketProps {
  eventName: string;
  marks: ReadonlySet<string>;
}

function HeadMarket({
  marketId,
  onDepth,
  ...rest
}: MarketProps & {
  marketId: number;
  position: Parameters<typeof RunnerMarket>[0]['position'];
  crest: (name: string) => ReactNode;
  onDepth: (id: number) => void;
}) {
  const market = useMarket(marketId);
  const trends = useMedia('(min-width: 1200px)') && market !== undefined && market.runners.length <= 4;
  return (
    <RunnerMarket
      marketId={marketId}
      {...rest}
      {...(trends ? { trend: (runnerId: number) => <Trend market={market} runnerId={runnerId} /> } : {})}
      actions={<DepthButton onPress={() => onDepth(marketId)} />}
    />
  );
}

function History({ marketId }: { marketId: number }) {
  return <PriceHistory market={useMarket(marketId)} />;
}

const FILTERS = [
  { id: 'all', label: 'All' },
  { id: 'overs', label: 'Overs' },
  { id: 'batters', label: 'Batters' },
  { id: 'wickets', label: 'Wickets' },
  { id: 'other', label: 'Odd / even' },
] as const;

function Fancy({
  ids,
  positions,
  ...common
}: MarketProps & { ids: number[]; positions: ReturnType<typeof usePositions> }) {
  const [filter, setFilter] = useState<(typeof FILTERS)[number]['id']>('all');
  const shown = ids.filter((id) => {
    const market = store.market(id);
    return filter === 'all' || (market && fancyGroup(market) === filter);
  });
  const folded = useFolded(shown);
  const [all, setAll] = useState(false);
  const columns = useColumns(all ? shown : shown.filter((id) => !folded.has(id)), filter, useMedia(PHONE) ? 1 : 2);
  return (
    <Market label="Fancy" className="fy">
      <MarketHead title="Fancy" meta={ids.length === 1 ? '1 session' : `${ids.length} sessions`}>
        <Segmented
          label="Fancy shown"
          value={filter}
          onChange={setFilter}
          items={FILTERS.map(({ id, label }) => ({ id, label }))}
        />
        <GroupRules marketIds={ids} name="Fancy" />
      </MarketHead>
      <div className="fy2">
        {columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
          <div key={at}>
            <MarketCols label="Session" kind="fancy" />
            {column.map((id) => (
              <FancyMarket key={id} marketId={id} position={positions.get(id)} {...common} />
            ))}
          </div>
        ))}
      </div>
      {shown.length === 0 && <Note>No sessions of this kind are open.</Note>}
      {folded.size > 0 && (
        <div className="fy__more">
          <Button kind="ghost" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all
              ? 'Hide earlier results'
              : folded.size === 1
                ? 'Show one earlier result'
                : `Show ${folded.size} earlier results`}
          </Button>
        </div>
      )}
    </Market>
  );
}

const closed = (id: number) => store.market(id)?.status === 'CLOSED';
const RESULTS_SHOWN = 6;

/**
 * Sessions that were settled before the page was opened, but for the latest of them: a long match has dozens. What settles
 * while it is looked at stays where it is.
 */
function useFolded(ids: readonly number[]): ReadonlySet<number> {
  const seenOpen = useRef(new Set<number>());
  for (const id of ids) if (!closed(id)) seenOpen.current.add(id);
  return new Set(ids.filter((id) => !seenOpen.current.has(id)).slice(RESULTS_SHOWN));
}

/**
 * Sessions in columns. None that takes bets ever moves while it is looked at: a new one takes the place of a settled one,
 * which sinks to the end, or else the end of the shortest column.
 */
function useColumns(ids: readonly number[], filter: string, count: number): number[][] {
  const held = useRef<{ filter: string; columns: number[][] }>({ filter, columns: [] });
  const known =
    held.current.filter === filter && held.current.columns.length === count
      ? held.current.columns
      : Array.from({ length: count }, () => []);
  const columns = known.map((column) => column.filter((id) => ids.includes(id)));
  for (const id of ids) {
    if (columns.some((column) => column.includes(id))) continue;
    const column = columns.find((one) => !closed(id) && one.some(closed));
    if (column) {
      const at = column.findIndex(closed);
      column.push(column[at]!);
      column[at] = id;
    } else columns.reduce((least, one) => (one.length < least.length ? one : least)).push(id);
  }
  held.current = { filter, columns };
  return columns;
}

function fancyGroup(market: MarketImage): string {
  if (/wicket/i.test(market.name)) return 'wickets';
  if (market.kind === 'session' && !/over|lambi|ball/i.test(market.name)) return 'batters';
  return kindOf(market.kind).fancy ?? 'other';
}

/** Markets of the page by their place on it; settled sessions come last, of them the latest first. */
function useGroups(ids: number[]) {
  return useMemo(() => {
    const groups = { books: [] as number[], bookmaker: [] as number[], pairs: [] as number[], fancy: [] as number[] };
    for (const id of ids) {
      const kind = store.market(id)?.kind ?? 'book';
      (kindOf(kind).fancy
        ? groups.fancy
        : kind === 'book'
          ? groups.books
          : kind === 'bookmaker'
            ? groups.bookmaker
            : groups.pairs
      ).push(id);
    }
    groups.fancy.sort((a, b) => Number(closed(a)) - Number(closed(b)) || (closed(a) ? b - a : 0));
    return groups;
  }, [ids]);
}

/** A match that ends while it is on the screen says so; its results stay for whoever reads them. */
function Over({ match }: { match: MatchDetails }) {
  const stopped = useStopped(match.id);
  useEffect(() => {
    if (stopped && !match.stopAt) toast.info(`${match.title} is over`);
  }, [stopped, match]);
  if (!stopped && !match.stopAt) return null;
  return (
    <Note action={<LinkButton to={`/game-list/${match.matchType}`}>More {sportName(match.matchType)}</LinkButton>}>
      <b>{match.title} is over.</b> Results and what they paid you stay here.
    </Note>
  );
}
