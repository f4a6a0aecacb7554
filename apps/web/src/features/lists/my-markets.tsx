import { CALLS, type MatchItem, type ReplyOf, SPORT_KEYS } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { useCall } from '../../api/api.ts';
import {
  DelayNote,
  FancyMarket,
  FavouriteStar,
  GroupRules,
  InlineSlips,
  kindOf,
  RunnerMarket,
  useBetMarks,
  useFavouriteMatches,
  usePositions,
} from '../../betting/betting.ts';
import { marketNow, scoreLine, useMarketIds, useScore, useStopped, useWatch } from '../../live/live.ts';
import { listed } from '../../platform/format.ts';
import { eventPath } from '../../platform/links.ts';
import { Link } from '../../platform/routing.tsx';
import { IconStar } from '../../ui/icons.ts';
import { Market, MarketCols, MarketHead } from '../../ui/market-table.tsx';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import fancyMarketCss from '../../ui/fancy-market.module.css';
import panelCss from '../../ui/panel.module.css';
import css from './lists.module.css';

type Mine = ReplyOf<typeof CALLS.bets.myMarket>[number];

/** An event whose markets stand here: those with open bets, and the main one of a favourite. */
interface MyEvent {
  matchId: number;
  matchType: string;
  title: string;
  beventId: string | null;
  marketIds: ReadonlySet<number>;
  favourite: boolean;
}

/** All prices of so many events are followed at once; the others are named below. */
const MOST_EVENTS = 12;

/** Markets of many events on one screen, live: where the player has open bets first, then the favourites. */
export function MyMarkets({ matches }: { matches: readonly MatchItem[] }) {
  const mine = useMyMarkets();
  const favourites = useFavouriteMatches();
  const events = useMemo(() => gather(mine.data ?? [], favourites, matches), [mine.data, favourites, matches]);
  const shown = events.slice(0, MOST_EVENTS);
  useWatch(
    shown.map((event) => event.matchId),
    'full',
  );
  if (mine.isError && !mine.data) {
    return <ErrorNote title={t`Your markets did not load.`} onRetry={() => void mine.refetch()} />;
  }
  if (mine.data && events.length === 0) {
    return (
      <section className={panelCss.panel}>
        <EmptyState icon={IconStar} title={t`No markets of yours yet`}>
          {t`Markets with your open bets, and events that you mark with the star, stand here on one screen.`}
        </EmptyState>
      </section>
    );
  }
  return (
    <InlineSlips value={false}>
      {shown.some(({ matchId }) => matches.some((match) => match.id === matchId && match.inPlay)) && <DelayNote />}
      <div className={css.market}>
        {shown.map((event) => (
          <EventMarkets key={event.matchId} event={event} />
        ))}
      </div>
      {events.length > shown.length && (
        <Note>
          {t`${{ count: shown.length }} of ${{ total: events.length }} events are shown.`}{' '}
          {events.slice(MOST_EVENTS).map((event, at) => (
            <span key={event.matchId}>
              {at > 0 && ', '}
              <Link className="link" to={eventPath({ ...event, id: event.matchId })}>
                {event.title}
              </Link>
            </span>
          ))}
        </Note>
      )}
    </InlineSlips>
  );
}

/** Markets of sports in which the player has open bets; rounds of card tables have their own screens. */
export function useMyMarkets() {
  const { data, ...rest } = useCall(CALLS.bets.myMarket, {}, { keep: true });
  const sports = useMemo(
    () => data?.filter((row) => (SPORT_KEYS as readonly string[]).includes(row.eventType)),
    [data],
  );
  return { ...rest, data: sports };
}

function EventMarkets({ event }: { event: MyEvent }) {
  const ids = useMarketIds(event.matchId);
  const positions = usePositions(event.matchId);
  const marks = useBetMarks(event.matchId);
  const score = useScore(event.matchId);
  const stopped = useStopped(event.matchId);
  const kind = (id: number) => marketNow(id)?.kind ?? 'book';
  const head = ids.find((id) => kind(id) === 'book');
  const shown = ids.filter((id) => event.marketIds.has(id) || (event.favourite && id === head));
  const fancy = shown.filter((id) => kindOf(kind(id)).fancy !== null);
  const line = score ? scoreLine(score) : null;
  const common = { eventName: event.title, marks };
  return (
    <section className={css.event} aria-label={event.title}>
      <div className={css.head}>
        <SportIcon sport={event.matchType} size={17} className="t2" />
        <h2 className="clip">
          <Link to={eventPath({ ...event, id: event.matchId })}>{event.title}</Link>
        </h2>
        <span className="t2 fs-12 num clip grow">{stopped ? t`Over` : line && listed(line.when, line.text)}</span>
        <FavouriteStar matchId={event.matchId} title={event.title} />
      </div>
      {shown
        .filter((id) => !fancy.includes(id))
        .map((id) => (
          <RunnerMarket key={id} marketId={id} position={positions.get(id)} crests {...common} />
        ))}
      {fancy.length > 0 && (
        <Market label={t`Fancy, ${{ event: event.title }}`} className={fancyMarketCss.fancy}>
          <MarketHead
            title={t`Fancy`}
            meta={plural({ count: fancy.length }, { one: '# session', other: '# sessions' })}
            signs={<GroupRules marketIds={fancy} name={t`Fancy`} />}
          />
          <MarketCols label={t({ message: 'Session', context: 'bet' })} kind="fancy" />
          {fancy.map((id) => (
            <FancyMarket key={id} marketId={id} position={positions.get(id)} {...common} />
          ))}
        </Market>
      )}
      {shown.length === 0 && (
        <Market label={t`Waiting for prices, ${{ event: event.title }}`}>
          <SkeletonRows rows={2} />
        </Market>
      )}
    </section>
  );
}

/** Events with open bets in the order of the answer, then favourites in the order of the list (by start time). */
function gather(mine: readonly Mine[], favourites: ReadonlySet<number>, matches: readonly MatchItem[]): MyEvent[] {
  const events = new Map<number, MyEvent & { marketIds: Set<number> }>();
  const put = (event: Omit<MyEvent, 'marketIds' | 'favourite'>) => {
    const held = events.get(event.matchId) ?? {
      ...event,
      marketIds: new Set<number>(),
      favourite: favourites.has(event.matchId),
    };
    events.set(event.matchId, held);
    return held;
  };
  for (const row of mine) {
    const { matchId, eventType: matchType, eventName: title, beventId } = row;
    put({ matchId, matchType, title, beventId }).marketIds.add(row.betId);
  }
  for (const match of matches) {
    if (!favourites.has(match.id)) continue;
    put({ matchId: match.id, matchType: match.matchType, title: match.title, beventId: match.beventId });
  }
  return [...events.values()];
}
