import { CALLS, type MarketImage, type RaceDetails, type RaceRunner } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { useCall } from '../../api/api.ts';
import {
  AlertMe,
  CashOutAction,
  DepthButton,
  DepthView,
  DutchMe,
  limitsText,
  type MarketPosition,
  MarketRules,
  MyBets,
  NotLoaded,
  Paid,
  PriceHistory,
  positionAfter,
  stateText,
  useBetMarks,
  useDepthView,
  usePositions,
} from '../../betting/betting.ts';
import {
  marketNow,
  seedMarkets,
  useMarket,
  useMarketIds,
  useMarketPrices,
  useMatchRoom,
  useTraded,
  useWatch,
} from '../../live/live.ts';
import { formatTime, formatWhole, typedMinor } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { useParams } from '../../platform/routing.tsx';
import { useTitle } from '../../platform/title.ts';
import { useSlip } from '../../slip/slip.ts';
import { alone } from '../../ui/boundary.tsx';
import { cx } from '../../ui/cx.ts';
import { MarketCols } from '../../ui/market-table.tsx';
import { Rail } from '../../ui/rail.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { NextRaces, RaceHead, Running } from './race-head.tsx';
import { RunnerLine } from './runner-line.tsx';
import marketTableCss from '../../ui/market-table.module.css';
import panelCss from '../../ui/panel.module.css';
import racePartsCss from '../../ui/race-parts.module.css';
import css from './race-page.module.css';

/** What falls alone on this page; chart, slip and bets do so everywhere. */
const RaceRunning = alone(msg`The running order`, Running);
const RaceCard = alone(msg`The race card`, Card);

/** One race, horse or greyhound: card, win and place markets, positions in running. */
export function Screen() {
  const { id = '' } = useParams();
  const raceId = Number(id);
  const { data, isError, error, isPending, refetch } = useCall(
    CALLS.racing.race,
    { params: { id } },
    { enabled: raceId > 0, refetchMs: 20_000 },
  );
  useTitle(data ? `${formatTime(Date.parse(data.startAt))} ${data.venue}` : t`Race`);
  useWatch(data ? [raceId] : [], 'full');
  useEffect(() => {
    if (data) seedMarkets(data.markets);
  }, [data]);
  useMatchRoom(data?.id ?? 0);
  if (isError || !(raceId > 0))
    return <NotLoaded what="race" type="horseRacing" error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) {
    return (
      <section className={panelCss.panel} aria-label={t`Loading`}>
        <SkeletonRows rows={8} />
      </section>
    );
  }
  return <Race key={data.id} race={data} />;
}

function Race({ race }: { race: RaceDetails }) {
  const ids = useMarketIds(race.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const marketId = Number(chosen ?? ids[0] ?? 0);
  const positions = usePositions(race.id);
  const [depthId, openDepth] = useDepthView();
  if (depthId > 0) {
    return (
      <>
        <Rail slot="bets">
          <MyBets matchId={race.id} title={t`My bets, this race`} marketId={depthId} />
        </Rail>
        <DepthView
          marketId={depthId}
          match={{ id: race.id, title: `${formatTime(Date.parse(race.startAt))} ${race.venue}` }}
          position={positions.get(depthId)}
          onClose={() => openDepth(null)}
        />
      </>
    );
  }
  return (
    <>
      <NextRaces race={race} />
      <RaceHead race={race} />
      <Rail slot="bets">
        <MyBets matchId={race.id} title={t`My bets, this race`} />
      </Rail>
      <RaceRunning race={race} />
      {marketId > 0 && (
        <RaceCard
          race={race}
          marketId={marketId}
          ids={ids}
          onMarket={setChosen}
          onDepth={openDepth}
          position={positions.get(marketId)}
        />
      )}
      {marketId > 0 && <History marketId={marketId} />}
    </>
  );
}

function History({ marketId }: { marketId: number }) {
  return <PriceHistory market={useMarket(marketId)} />;
}

function Card({
  race,
  marketId,
  ids,
  onMarket,
  onDepth,
  position,
}: {
  race: RaceDetails;
  marketId: number;
  ids: number[];
  onMarket: (id: string) => void;
  onDepth: (marketId: number) => void;
  position: MarketPosition | undefined;
}) {
  const market = useMarket(marketId);
  const marks = useBetMarks(race.id);
  const amount = formatWhole(useTraded(marketId));
  const draft = useSlip();
  const [byPrice, setByPrice] = useState<MarketImage | null>(null);
  // The order goes on in another market of the race, by that one's prices.
  if (byPrice && byPrice.id !== marketId) setByPrice(marketNow(marketId) ?? null);
  if (!market) return null;
  const mine = draft?.marketId === marketId ? draft : null;
  const after = positionAfter(market, position, mine, mine ? (typedMinor(mine.stakeText) ?? 0) : 0);
  const rows = order(race, market, byPrice);
  const heads = <Heads horses={race.matchType === 'horseRacing'} hasBets={position !== undefined} />;
  return (
    <section className={cx(panelCss.panel, racePartsCss.head, marketTableCss.market)} aria-label={named(market.name)}>
      <div className={marketTableCss.head}>
        <Segmented
          label={t`Market`}
          value={String(marketId)}
          onChange={onMarket}
          items={ids.map((id) => ({ id: String(id), label: named(marketNow(id)?.name ?? '') }))}
        />
        <span className={cx(marketTableCss.meta, 'num')}>{stateText(market) || t`Matched ${amount}`}</span>
        <span className="grow" />
        <BookPercent marketId={marketId} />
        <span className={cx(marketTableCss.meta, 'num', css.limits)}>{limitsText(market)}</span>
        <Segmented
          label={t`Order`}
          value={byPrice ? 'price' : 'card'}
          onChange={(value) => setByPrice(value === 'price' ? (marketNow(marketId) ?? null) : null)}
          items={{ card: t`Number`, price: t`Price` }}
        />
        <CashOutAction market={market} position={position} small />
        <div className={marketTableCss.signs}>
          <DepthButton onPress={() => onDepth(marketId)} />
          <DutchMe market={market} />
          <AlertMe market={market} />
          <MarketRules market={market} />
        </div>
      </div>
      <Paid market={market} />
      <MarketCols label={heads} kind="six" />
      {rows.map((runner) => (
        <RunnerLine
          key={runner.selectionId}
          race={race}
          runner={runner}
          market={market}
          sums={after?.get(runner.selectionId)}
          position={position?.runners.find((one) => one.runnerId === runner.selectionId)}
          marks={marks}
        />
      ))}
    </section>
  );
}

function Heads({ horses, hasBets }: { horses: boolean; hasBets: boolean }) {
  return (
    <span className={css.heads}>
      <span>{horses ? t`No.` : t`Trap`}</span>
      <span>{horses ? t`Horse, jockey and trainer` : t`Greyhound and trainer`}</span>
      <span>{t`Form, age and weight`}</span>
      {hasBets && <span>{t`Your result`}</span>}
    </span>
  );
}

/** Card order; by price only when the player asks, and never while he looks: the prices are those of the moment of the press. */
function order(race: RaceDetails, market: MarketImage, byPrice: MarketImage | null): RaceRunner[] {
  const removed = (runner: RaceRunner) =>
    market.runners.find((one) => one.id === runner.selectionId)?.status === 'REMOVED' || runner.status === 'REMOVED';
  const price = (runner: RaceRunner) =>
    byPrice?.runners.find((one) => one.id === runner.selectionId)?.back[0]?.[0] ?? Number.MAX_SAFE_INTEGER;
  return [...race.runners].sort(
    (a, b) =>
      Number(removed(a)) - Number(removed(b)) || (byPrice ? price(a) - price(b) : a.clothNumber - b.clothNumber),
  );
}

function BookPercent({ marketId }: { marketId: number }) {
  const market = useMarketPrices(marketId);
  if (market?.status !== 'OPEN') return null;
  const sum = (side: 'back' | 'lay') =>
    market.runners
      .filter((runner) => runner.status !== 'REMOVED')
      .reduce((total, runner) => total + (runner[side][0] ? 10_000 / runner[side][0][0] : 0), 0);
  return (
    <span
      className={cx(marketTableCss.meta, 'num')}
      title={t`Sum of the chances the best prices stand for, back and lay`}
    >
      {t`Book ${{ back: sum('back').toFixed(1) }}% / ${{ lay: sum('lay').toFixed(1) }}%`}
    </span>
  );
}
