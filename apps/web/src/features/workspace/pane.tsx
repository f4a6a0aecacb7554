import { CALLS, type MarketImage, type ReplyOf } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { eventCall, useCall } from '../../api/api.ts';
import {
  closed,
  DeskLadder,
  EventScore,
  FancyMarket,
  kindOf,
  MyBets,
  NotLoaded,
  PriceHistory,
  RunnerMarket,
  sessionsInOrder,
  Tape,
  useBetMarks,
  useFoldedResults,
  usePositions,
  useStandingColumns,
  WindowLink,
} from '../../betting/betting.ts';
import { marketNow, useMarket, useMarketIds, useMatchRoom, useWatch } from '../../live/live.ts';
import { listed } from '../../platform/format.ts';
import { say, type Words } from '../../platform/language.ts';
import { named } from '../../platform/named.ts';
import { useSearchParams } from '../../platform/routing.tsx';
import { useTitle } from '../../platform/title.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconX } from '../../ui/icons.ts';
import { Market, MarketCols } from '../../ui/market-table.tsx';
import { Note } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { paneText, type Shown } from './arrangement.ts';
import fancyMarketCss from '../../ui/fancy-market.module.css';
import css from './workspace.module.css';

export const KINDS: Readonly<Record<Shown['kind'], Words>> = {
  ladder: msg`Ladder`,
  market: msg`Market`,
  chart: msg`Price history`,
  score: msg`Score`,
  bets: msg`My bets`,
  tape: msg`Last trades`,
  fancy: msg`Fancy`,
};

/** The others are of the whole event. */
const OF_MARKET: ReadonlyArray<Shown['kind']> = ['ladder', 'market', 'chart', 'tape'];

const isSession = (market: Pick<MarketImage, 'kind'> | undefined): boolean =>
  market !== undefined && kindOf(market.kind).fancy !== null;

/** What there is of a market: prices of the house have no ladder, no chart and no trades. */
export const kindsOf = (market: MarketImage): Array<Shown['kind']> =>
  (Object.keys(KINDS) as Array<Shown['kind']>).filter(
    (kind) => kindOf(market.kind).ladder || !['ladder', 'chart', 'tape'].includes(kind),
  );

interface Props {
  pane: Shown;
  place: number;
  /** How many columns it takes of those there are. */
  width: number;
  className?: string | undefined;
  /** What moves it, before its title. */
  grip?: ReactNode;
  /** What sizes it. */
  corner?: ReactNode;
  onRemove: () => void;
}

/** One part of a workspace in its frame. It falls alone. */
export function Pane({ pane, place, width, className, grip, corner, onRemove }: Props) {
  const {
    data: event,
    isError,
    error,
    refetch,
  } = useCall(CALLS.catalog.eventOf, {
    params: { id: String(pane.marketId) },
  });
  const runner = useMarket(pane.marketId)?.runners.find(({ id }) => id === pane.runnerId);
  const market = OF_MARKET.includes(pane.kind) && event ? named(event.marketName) : null;
  const title = listed(say(KINDS[pane.kind]), runner && named(runner.name), market, event?.title);
  const isOwn = useSearchParams()[0].get('pane') === paneText(pane);
  // Windows of parts are told from one another by it.
  useTitle(isOwn ? title : null);
  return (
    <section
      className={cx(css.pane, className)}
      style={{ '--width': width, '--height': pane.height, order: place } as object}
      aria-label={title}
      data-pane={pane.id}
    >
      <header className={css.paneHead}>
        {grip}
        <h2 title={title}>{title}</h2>
        {!isOwn && (
          <WindowLink
            to={`/workspace?pane=${paneText(pane)}`}
            name={paneText(pane)}
            label={t`In a window of its own`}
          />
        )}
        <IconButton icon={IconX} label={t`Take away`} small onClick={onRemove} />
      </header>
      <div className={cx(css.paneBody, pane.kind === 'ladder' && css.whole)}>
        <Boundary what={KINDS[pane.kind]}>
          {isError ? (
            <NotLoaded what="market" type="" error={error} onRetry={() => void refetch()} />
          ) : event ? (
            <Content pane={pane} event={event} />
          ) : (
            <SkeletonRows rows={4} />
          )}
        </Boundary>
      </div>
      {corner}
    </section>
  );
}

type Event = ReplyOf<typeof CALLS.catalog.eventOf>;

function Content({ pane: { kind, marketId, runnerId }, event }: { pane: Shown; event: Event }) {
  useWatch([event.id], 'full');
  useMatchRoom(event.id);
  const market = useMarket(marketId);
  const position = usePositions(event.id).get(marketId);
  const marks = useBetMarks(event.id);
  if (kind === 'bets') return <MyBets matchId={event.id} />;
  if (kind === 'score') return <Score event={event} />;
  if (kind === 'fancy') return <Sessions event={event} marks={marks} />;
  if (!market) return <SkeletonRows rows={4} />;
  if (kind === 'market')
    return <RunnerMarket marketId={marketId} eventName={event.title} position={position} marks={marks} />;
  if (kind === 'chart') return <PriceHistory market={market} />;
  if (kind === 'tape')
    return (
      <div className={css.tape}>
        <Tape market={market} titled />
      </div>
    );
  const runner = market.runners.find(({ id }) => id === runnerId);
  if (!runner || !kindOf(market.kind).ladder)
    return <NotLoaded what="market" type="" error={null} onRetry={() => undefined} />;
  return (
    <DeskLadder
      market={market}
      runnerId={runnerId}
      name={runner.name}
      match={event}
      position={position}
      follows={false}
      isNamed
    />
  );
}

/**
 * The sessions of the event: each comes and goes by itself, so the part stays when the one it was made from is over. What takes bets stands
 * above the results, and none of it moves.
 */
function Sessions({ event, marks }: { event: Event; marks: ReadonlySet<string> }) {
  const positions = usePositions(event.id);
  const ids = sessionsInOrder(useMarketIds(event.id).filter((id) => isSession(marketNow(id))));
  const folded = useFoldedResults(ids);
  const [shown = []] = useStandingColumns(
    ids.filter((id) => !folded.has(id)),
    '',
    1,
  );
  // Drawn anew when it closes, and then with the next: so it is known when none is left.
  const open = useMarket(shown.find((id) => !closed(id)) ?? 0);
  return (
    <>
      {!open && <Note>{t`No sessions are open.`}</Note>}
      {shown.length > 0 && (
        <Market label={t`Fancy`} className={fancyMarketCss.fancy}>
          <MarketCols label={t({ message: 'Session', context: 'bet' })} kind="fancy" />
          {shown.map((id) => (
            <FancyMarket key={id} marketId={id} eventName={event.title} position={positions.get(id)} marks={marks} />
          ))}
        </Market>
      )}
    </>
  );
}

function Score({ event: { id, title, matchType } }: { event: Event }) {
  const isRace = matchType === 'horseRacing' || matchType === 'greyHound';
  const { data } = useCall(eventCall(matchType), { params: { id: String(id) } }, { enabled: !isRace });
  if (!data && !isRace) return <SkeletonRows rows={2} />;
  return (
    <EventScore
      matchId={id}
      matchType={matchType}
      first={data?.scoreBoard ?? null}
      stopAt={data?.stopAt ?? null}
      teams={data ? [data.teamA, data.teamB] : [title, '']}
      strip
    />
  );
}
