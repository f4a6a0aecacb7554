import { CALLS, type MarketImage, parseMinor, type RaceDetails, type RaceRunner } from '@fairgame/contract';
import { memo, useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { useCall } from '../../api/api.ts';
import {
  CashOutAction,
  DepthButton,
  DepthView,
  InlineSlip,
  LivePrice,
  limitsText,
  type MarketPosition,
  MarketRules,
  MyBets,
  markOf,
  NotLoaded,
  Paid,
  PriceHistory,
  positionAfter,
  stateText,
  useBetMarks,
  useDepthView,
  usePositions,
  veilOf,
} from '../../betting/betting.ts';
import {
  marketNow,
  seedMarkets,
  useBroken,
  useMarket,
  useMarketIds,
  useMarketPrices,
  useMatchRoom,
  useTraded,
  useWatch,
} from '../../live/live.ts';
import { formatTime, formatWhole } from '../../platform/format.ts';
import { useTitle } from '../../platform/title.ts';
import { useSlip } from '../../slip/slip.ts';
import { Chip } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconTrophy } from '../../ui/icons.ts';
import { Cells, MarketCols } from '../../ui/market-table.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { Rail } from '../../ui/rail.tsx';
import { SILK_PATTERNS, Silks } from '../../ui/silks.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { NextRaces, RaceHead, Running } from './race-head.tsx';
import './race.css';

/** One race, horse or greyhound: card, win and place markets, positions in running. */
export function Screen() {
  const { id = '' } = useParams();
  const raceId = Number(id);
  const { data, isError, error, isPending, refetch } = useCall(
    CALLS.racing.race,
    { params: { id } },
    { enabled: raceId > 0, refetchMs: 20_000 },
  );
  useTitle(data ? `${formatTime(Date.parse(data.startAt))} ${data.venue}` : 'Race');
  useWatch(data ? [raceId] : [], 'full');
  useEffect(() => {
    if (data) seedMarkets(data.markets);
  }, [data]);
  useMatchRoom(data?.id ?? 0);
  if (isError || !(raceId > 0))
    return <NotLoaded what="race" type="horseRacing" error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) {
    return (
      <section className="panel" aria-label="Loading">
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
          <MyBets matchId={race.id} title="My bets, this race" marketId={depthId} />
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
        <MyBets matchId={race.id} title="My bets, this race" />
      </Rail>
      <Running race={race} />
      {marketId > 0 && (
        <Card
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
  const traded = useTraded(marketId);
  const draft = useSlip();
  const [byPrice, setByPrice] = useState<MarketImage | null>(null);
  // The order goes on in another market of the race, by that one's prices.
  if (byPrice && byPrice.id !== marketId) setByPrice(marketNow(marketId) ?? null);
  if (!market) return null;
  const mine = draft?.marketId === marketId ? draft : null;
  const after = positionAfter(market, position, mine, mine ? (parseMinor(mine.stakeText) ?? 0) : 0);
  const rows = order(race, market, byPrice);
  return (
    <section className="panel race mk" aria-label={market.name}>
      <div className="mk__h">
        <Segmented
          label="Market"
          value={String(marketId)}
          onChange={onMarket}
          items={ids.map((id) => ({ id: String(id), label: marketNow(id)?.name ?? '' }))}
        />
        <span className="mk__meta num">{stateText(market) || `Matched ${formatWhole(traded)}`}</span>
        <span className="grow" />
        <BookPercent marketId={marketId} />
        <span className="mk__meta num race__limits">{limitsText(market)}</span>
        <Segmented
          label="Order"
          value={byPrice ? 'price' : 'card'}
          onChange={(value) => setByPrice(value === 'price' ? (marketNow(marketId) ?? null) : null)}
          items={{ card: 'Number', price: 'Price' }}
        />
        <CashOutAction market={market} position={position} small />
        <DepthButton onPress={() => onDepth(marketId)} />
        <MarketRules market={market} />
      </div>
      <Paid market={market} />
      <MarketCols
        label={
          <span className="rn__heads">
            <span>{race.matchType === 'horseRacing' ? 'No.' : 'Trap'}</span>
            <span>{race.matchType === 'horseRacing' ? 'Horse, jockey and trainer' : 'Greyhound and trainer'}</span>
            <span>Form, age and weight</span>
            {position && <span>Your result</span>}
          </span>
        }
        kind="six"
      />
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
    <span className="mk__meta num" title="Sum of the chances the best prices stand for, back and lay">
      Book {sum('back').toFixed(1)}% / {sum('lay').toFixed(1)}%
    </span>
  );
}

const RunnerLine = memo(function RunnerLine({
  race,
  runner,
  market,
  sums,
  position,
  marks,
}: {
  race: RaceDetails;
  runner: RaceRunner;
  market: MarketImage;
  sums: { now: number; next: number | null } | undefined;
  position: MarketPosition['runners'][number] | undefined;
  marks: ReadonlySet<string>;
}) {
  const live = market.runners.find((one) => one.id === runner.selectionId);
  const broken = useBroken(market.id);
  const veil = veilOf(market, live ?? { status: runner.status });
  const out = veil === 'removed';
  const won = live?.status === 'WINNER';
  const cell = {
    matchId: race.id,
    eventName: race.title,
    marketId: market.id,
    runnerId: runner.selectionId,
    kind: market.kind,
    name: runner.name,
    off: veil !== null || broken,
  };
  const result = position === undefined ? null : (sums?.now ?? position.win);
  return (
    <>
      <div className={['rn', won && 'is-win', out && 'rn--nr'].filter(Boolean).join(' ')}>
        <span className="rn__no">
          <b>{runner.clothNumber}</b>
          {runner.draw !== null && <small>({runner.draw})</small>}
        </span>
        {runner.silks ? (
          <Silks
            {...(out ? GREY : runner.silks)}
            pattern={SILK_PATTERNS.find((one) => one === runner.silks?.pattern) ?? 'plain'}
          />
        ) : (
          <span />
        )}
        <div className="grow">
          <div className="rn__n">{out ? <s>{runner.name}</s> : runner.name}</div>
          <div className="rn__s">{[runner.jockey, runner.trainer].filter(Boolean).join(' / ')}</div>
        </div>
        <div className="rn__f">
          {out ? (
            <>
              <Chip>Non-runner</Chip>
              <div className="rn__s num">
                {runner.adjustmentFactor > 0
                  ? `${(runner.adjustmentFactor / 100).toFixed(1)}% deduction`
                  : 'No deduction'}
              </div>
            </>
          ) : (
            <>
              <Form text={runner.form} />
              <div className="rn__s num">
                {[runner.age && `${runner.age}y`, runner.weight, runner.officialRating && `OR ${runner.officialRating}`]
                  .filter(Boolean)
                  .join(', ')}
              </div>
            </>
          )}
        </div>
        <div className="rn__r fs-12">
          {result !== null && !out && <SignedMoney minor={result} short />}
          {sums?.next !== null && sums?.next !== undefined && !out && (
            <div>
              <SignedMoney minor={sums.next} short next />
            </div>
          )}
        </div>
        {won ? (
          <div className="cells rn__won">
            <Chip tone="pos">
              <Icon of={IconTrophy} size={14} /> Winner
            </Chip>
          </div>
        ) : (
          <Cells veil={veil}>
            {([2, 1, 0] as const).map((depth) => (
              <LivePrice
                key={`b${depth}`}
                {...cell}
                side="BACK"
                depth={depth}
                hasBet={marks.has(markOf(market.id, runner.selectionId, 'BACK'))}
              />
            ))}
            {([0, 1, 2] as const).map((depth) => (
              <LivePrice
                key={`l${depth}`}
                {...cell}
                side="LAY"
                depth={depth}
                hasBet={marks.has(markOf(market.id, runner.selectionId, 'LAY'))}
              />
            ))}
          </Cells>
        )}
      </div>
      <InlineSlip marketId={market.id} runnerId={runner.selectionId} />
    </>
  );
});

const GREY = { body: 'var(--s4)', sleeves: 'var(--s3)', cap: 'var(--s4)', patternColour: 'var(--s3)' };

function Form({ text }: { text: string | null }) {
  if (!text) return null;
  const marks = text
    .replace(/[^0-9A-Z]/g, '')
    .split('')
    .slice(-5);
  return (
    <span className="form" role="img" aria-label={`Form ${marks.join('-')}`}>
      {marks.map((mark, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the row is the identity of a result
        <i key={at} className={mark === '1' ? 'w' : mark === '2' || mark === '3' ? 'p' : undefined}>
          {mark}
        </i>
      ))}
    </span>
  );
}
