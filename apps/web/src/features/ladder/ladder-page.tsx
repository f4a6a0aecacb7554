import { CALLS, type ReplyOf } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useCall } from '../../api/api.ts';
import { Available, Desk, isInPlay, NotLoaded, usePositions } from '../../betting/betting.ts';
import { useMarket, useMatchRoom, useStopped, useTraded, useWatch } from '../../live/live.ts';
import { formatWhole } from '../../platform/format.ts';
import { say, type Words } from '../../platform/language.ts';
import { eventPath } from '../../platform/links.ts';
import { named } from '../../platform/named.ts';
import { Link, useParams, useSearchParams } from '../../platform/routing.tsx';
import { useTitle } from '../../platform/title.ts';
import { Chip, LiveBadge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ThemeButton } from '../../ui/theme-button.tsx';
import css from './ladder-page.module.css';

/** The ladders of one market in a window of their own: `/ladder/11?runners=1,2`. */
export function Screen() {
  const { marketId: text = '' } = useParams();
  const marketId = Number(text);
  const { data, isError, error, refetch } = useCall(
    CALLS.catalog.eventOf,
    { params: { id: text } },
    { enabled: marketId > 0 },
  );
  useTitle(data ? `${data.title}, ${named(data.marketName)}` : t`Ladder`);
  useWatch(data ? [data.id] : [], 'full');
  useMatchRoom(data?.id ?? 0);
  if (isError || !(marketId > 0))
    return <NotLoaded what="market" type="" error={error} onRetry={() => void refetch()} />;
  return data ? <Trading marketId={marketId} event={data} /> : <SkeletonRows rows={8} />;
}

type Of = ReplyOf<typeof CALLS.catalog.eventOf>;

function Trading({ marketId, event }: { marketId: number; event: Of }) {
  const market = useMarket(marketId);
  const positions = usePositions(event.id);
  const [search, setSearch] = useSearchParams();
  const chosen = (search.get('runners') ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0);
  return (
    <>
      <Head marketId={marketId} event={event} />
      {market ? (
        <Desk
          market={market}
          match={event}
          position={positions.get(marketId)}
          chosen={chosen}
          onChoose={(ids) => setSearch({ runners: ids.join(',') }, { replace: true })}
        />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </>
  );
}

/** What is traded here, how it stands, and with how much money. */
function Head({ marketId, event }: { marketId: number; event: Of }) {
  const market = useMarket(marketId);
  const traded = useTraded(marketId);
  const stopped = useStopped(event.id);
  return (
    <header className={css.head}>
      <h1>
        <Link className="link" to={eventPath(event)}>
          {event.title}
        </Link>
      </h1>
      {market && !stopped && isInPlay(market) && <LiveBadge pill />}
      <span
        className={cx('t2 fs-12 num', css.matched)}
      >{t`${{ market: named(event.marketName) }}, matched ${{ amount: formatWhole(traded) }}`}</span>
      {market && market.status !== 'OPEN' && <Chip>{named(market.reason) || stateWord(market.status)}</Chip>}
      <span className={cx('grow', css.elsewhere)} />
      <Link className={cx('link fs-12', css.elsewhere)} to={`/workspace?market=${marketId}`}>{t`Workspace`}</Link>
      <Available />
      <span className={css.elsewhere}>
        <ThemeButton />
      </span>
    </header>
  );
}

const STATES: Readonly<Record<string, Words>> = {
  SUSPENDED: msg`Suspended`,
  SETTLING: msg`Settling`,
  CLOSED: msg`Closed`,
};
const stateWord = (status: string): string => say(STATES[status] ?? status);
