import type { MatchDetails } from '@fairgame/contract';
import { msg, ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { eventCall, useCall } from '../../api/api.ts';
import {
  DelayNote,
  DepthButton,
  DepthView,
  EventScore,
  LadderLink,
  MyBets,
  NotLoaded,
  PastPrices,
  PriceHistory,
  RunnerMarket,
  Trend,
  useBetMarks,
  useDepthView,
  useOpenBets,
  usePositions,
} from '../../betting/betting.ts';
import {
  marketNow,
  seedMarkets,
  useMarket,
  useMarketIds,
  useMatchRoom,
  useStopped,
  useWatch,
} from '../../live/live.ts';
import { named } from '../../platform/named.ts';
import { useParams } from '../../platform/routing.tsx';
import { sportName } from '../../platform/sports.ts';
import { useTitle } from '../../platform/title.ts';
import { toast } from '../../platform/toasts.ts';
import { alone } from '../../ui/boundary.tsx';
import { IconCalendar } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Market } from '../../ui/market-table.tsx';
import { COMPACT, PHONE, useMedia } from '../../ui/media.ts';
import { EmptyState, Note } from '../../ui/note.tsx';
import { Rail } from '../../ui/rail.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { EventHead, type Switch } from './event-head.tsx';
import { Fancy } from './fancy.tsx';
import { type Groups, useGroups } from './groups.ts';
import { Others } from './others.tsx';
import { Picture } from './picture.tsx';
import eventCss from '../../ui/event.module.css';
import marketCss from '../../ui/market.module.css';

const MatchPicture = alone(msg`The picture`, Picture);
const MatchScore = alone(msg`The score`, EventScore);

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
  // Many markets are drawn in slices, so that the page answers meanwhile; they are in the store by then.
  const drawn = useDeferredValue(data);
  useTitle(data?.title ?? t`Event`);
  useWatch(data ? [matchId] : [], 'full');
  useEffect(() => {
    if (data) seedMarkets(data.markets);
  }, [data]);
  useMatchRoom(data?.id ?? 0);

  if (isError || !(matchId > 0))
    return <NotLoaded what="event" type={type} error={error} onRetry={() => void refetch()} />;
  if (isPending || !drawn) {
    return (
      <Market label={t`Loading`}>
        <SkeletonRows rows={4} />
      </Market>
    );
  }
  return <Event key={drawn.id} match={drawn} />;
}

function Event({ match }: { match: MatchDetails }) {
  const ids = useMarketIds(match.id);
  const positions = usePositions(match.id);
  const phone = useMedia(PHONE);
  const [tab, setTab] = useState<Tab>('all');
  const groups = useGroups(ids);
  // A phone's first screen is for the prices: picture and scorecard are asked for.
  const picture = useSwitch();
  const card = useSwitch();
  const [depthId, openDepth] = useDepthView();

  const tabs = <MarketTabs matchId={match.id} groups={groups} phone={phone} value={tab} onChange={setTab} />;
  const delay = match.inPlay && <DelayNote />;

  return (
    <>
      {depthId === 0 && <EventHead match={match} phone={phone} tabs={tabs} picture={picture} card={card} />}
      <Over match={match} />
      {(!phone || picture.on) && <MatchPicture match={match} inline={phone} />}
      <Rail slot="bets">
        <MyBets matchId={match.id} title={t`My bets, this match`} {...(depthId ? { marketId: depthId } : {})} />
      </Rail>
      {tab === 'bets' && <MyBets matchId={match.id} title={t`My bets, this match`} />}
      {depthId > 0 ? (
        <DepthView marketId={depthId} match={match} position={positions.get(depthId)} onClose={() => openDepth(null)} />
      ) : (
        <>
          {tab !== 'bets' && (
            <MatchScore
              matchId={match.id}
              matchType={match.matchType}
              first={match.scoreBoard}
              stopAt={match.stopAt}
              teams={[match.teamA, match.teamB]}
              strip={phone && !card.on}
            />
          )}
          {phone ? <div className={eventCss.tabs}>{tabs}</div> : delay}
          {ids.length === 0 && match.stopAt && <PastPrices matchId={match.id} />}
          {ids.length === 0 && !match.stopAt && (
            <EmptyState icon={IconCalendar} title={t`Waiting for prices`}>
              {t`Markets open here before the start.`}
            </EmptyState>
          )}
          <Markets match={match} groups={groups} tab={tab} note={phone && delay} onDepth={openDepth} />
        </>
      )}
    </>
  );
}

function useSwitch(): Switch {
  const [on, setOn] = useState(false);
  return { on, toggle: () => setOn(!on) };
}

interface TabsProps {
  matchId: number;
  groups: Groups;
  phone: boolean;
  value: Tab;
  onChange: (tab: Tab) => void;
}

function MarketTabs({ matchId, groups, phone, value, onChange }: TabsProps) {
  const { data: open } = useOpenBets(matchId);
  const tabs = (
    [
      ['all', phone ? t`All` : t`All markets`, true],
      ['odds', named(marketNow(groups.books[0] ?? 0)?.name ?? ''), groups.books.length > 0],
      ['bookmaker', t`Bookmaker`, groups.bookmaker.length + groups.pairs.length > 0],
      ['fancy', t`Fancy`, groups.fancy.length > 0],
      ['other', t`Other`, groups.books.length > 1],
      ['bets', t`My bets`, phone],
    ] as const
  ).filter(([, , on]) => on);
  return (
    <Segmented
      label={t`Markets shown`}
      value={value}
      onChange={onChange}
      items={tabs.map(([id, label]) => ({
        id,
        label,
        ...(id === 'bets' ? { count: open?.rows.length ?? 0 } : {}),
      }))}
    />
  );
}

interface MarketsProps {
  match: MatchDetails;
  groups: Groups;
  tab: Tab;
  /** Stands below the first market. */
  note: ReactNode;
  onDepth: (id: number) => void;
}

function Markets({ match, groups, tab, note, onDepth }: MarketsProps) {
  const positions = usePositions(match.id);
  const marks = useBetMarks(match.id);
  // What stands below the first markets is laid out after them.
  const whole = useDeferredValue(true, false);
  const shows = (which: Tab) => tab === 'all' || tab === which;
  const head = groups.books[0];
  const common = { eventName: match.title, marks };
  return (
    <>
      {shows('odds') && head !== undefined && (
        <HeadMarket marketId={head} position={positions.get(head)} crests onDepth={onDepth} {...common} />
      )}
      {note}
      {shows('bookmaker') &&
        groups.bookmaker.map((id) => (
          <RunnerMarket key={id} marketId={id} position={positions.get(id)} crests {...common} />
        ))}
      {shows('bookmaker') && groups.pairs.length > 0 && (
        <div className={marketCss.two}>
          {groups.pairs.map((id) => (
            <RunnerMarket key={id} marketId={id} position={positions.get(id)} {...common} />
          ))}
        </div>
      )}
      {whole && shows('fancy') && groups.fancy.length > 0 && (
        <Fancy ids={groups.fancy} positions={positions} {...common} />
      )}
      {whole && (tab === 'all' || tab === 'other') && (
        <Others ids={groups.books.slice(1)} matchId={match.id} positions={positions} onDepth={onDepth} {...common} />
      )}
      {whole && head !== undefined && shows('odds') && <History marketId={head} />}
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
  crests: boolean;
  onDepth: (id: number) => void;
}) {
  const market = useMarket(marketId);
  const trends = !useMedia(COMPACT) && market !== undefined && market.runners.length <= 4;
  return (
    <RunnerMarket
      marketId={marketId}
      {...rest}
      {...(trends ? { trend: (runnerId: number) => <Trend market={market} runnerId={runnerId} /> } : {})}
      actions={
        <>
          <DepthButton onPress={() => onDepth(marketId)} />
          <LadderLink marketId={marketId} />
        </>
      }
    />
  );
}

function History({ marketId }: { marketId: number }) {
  return <PriceHistory market={useMarket(marketId)} />;
}

/** A match that ends while it is on the screen says so; its results stay for whoever reads them. */
function Over({ match }: { match: MatchDetails }) {
  const stopped = useStopped(match.id);
  useEffect(() => {
    if (stopped && !match.stopAt) toast.info(t`${{ event: match.title }} is over`);
  }, [stopped, match]);
  if (!stopped && !match.stopAt) return null;
  return (
    <Note
      action={
        <LinkButton to={`/game-list/${match.matchType}`}>{t`More ${{ sport: sportName(match.matchType) }}`}</LinkButton>
      }
    >
      <Trans>
        <b>{ph({ event: match.title })} is over.</b> Results and what they paid you stay here.
      </Trans>
    </Note>
  );
}
