import type { MarketImage } from '@fairgame/contract';
import { parseMinor } from '@fairgame/contract';
import { memo, type ReactNode, useState } from 'react';
import { isHeldBack, marketNow, useBroken, useLevel, useMarket, useStaleWords, useTraded } from '../live/live.ts';
import { formatWhole } from '../platform/format.ts';
import { useSlipOf } from '../slip/slip.ts';
import { Chip } from '../ui/badge.tsx';
import { alone } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconClock, IconTrophy } from '../ui/icons.ts';
import { Cells, Market, MarketCols, MarketHead, RunnerRow, WhatIf } from '../ui/market-table.tsx';
import { paidText } from './bet-news.ts';
import { CashOutAction } from './cash-out.tsx';
import { InlineSlip } from './inline-slip.tsx';
import { kindOf, veilOf } from './kinds.ts';
import { LivePrice } from './live-price.tsx';
import { MarketRules } from './market-rules.tsx';
import { limitsText, stateText } from './market-words.ts';
import { type MarketPosition, markOf, usePaid } from './positions.ts';
import { positionAfter } from './sums.ts';

interface Props {
  marketId: number;
  eventName: string;
  position: MarketPosition | undefined;
  marks: ReadonlySet<string>;
  /** Draws what stands before a runner's name. */
  crest?: (name: string) => ReactNode;
  /** Draws what stands before the cells: a trend. */
  trend?: (runnerId: number) => ReactNode;
  /** More actions of the head: ladder, rules. */
  actions?: ReactNode;
}

/**
 * A market with a row a runner: order book three deep, bookmaker with its boxes, tied and completed match. The row renders
 * when the market's shape, the position or the slip changes; its cells follow their prices alone.
 */
const MemoRunnerMarket = memo(function RunnerMarket({
  marketId,
  eventName,
  position,
  marks,
  crest,
  trend,
  actions,
}: Props) {
  const market = useMarket(marketId);
  const broken = useBroken(marketId);
  const stale = useStaleWords();
  const mine = useSlipOf(marketId);
  const { dead, all, setAll } = useDead(marketId, position);
  if (!market) return null;
  const after = positionAfter(market, position, mine, mine ? (parseMinor(mine.stakeText) ?? 0) : 0);
  const depths = market.kind === 'book' || (market.kind === 'bookmaker' && market.runners.length > 0) ? 3 : 1;
  const state = stateText(market);
  return (
    <Market label={market.name} deep={depths === 3}>
      <MarketHead
        title={market.name}
        inPlay={market.inPlay && market.status !== 'CLOSED'}
        meta={state || <Matched market={market} />}
        limits={limitsText(market)}
      >
        {broken && market.status === 'OPEN' && (
          <span className="mk__stale" title={stale}>
            <Icon of={IconClock} size={15} />
            <span className="sr">{stale}</span>
          </span>
        )}
        <CashOutAction market={market} position={position} small />
        {actions}
        <MarketRules market={market} />
      </MarketHead>
      <Paid market={market} />
      <MarketCols
        label={
          kindOf(market.kind).rate ? 'Prices per 100' : position ? 'Your result, then with this bet' : hint(market)
        }
        kind={depths === 3 ? 'six' : 'two'}
      />
      {market.runners.map((runner) => {
        const veil = veilOf(market, runner);
        const sums = after?.get(runner.id);
        const own = position?.runners.find((one) => one.runnerId === runner.id);
        const won = runner.status === 'WINNER';
        const row = (
          <RunnerRow
            key={runner.id}
            crest={crest?.(runner.name)}
            name={runner.name}
            won={won}
            trend={trend?.(runner.id)}
            whatIf={
              market.status === 'CLOSED' ? undefined : market.winners === 1 ? (
                <WhatIf minor={position && sums ? sums.now : null} nextMinor={sums?.next} />
              ) : own ? (
                <span className="whatif">
                  <WhatIf minor={own.win} /> if it places
                </span>
              ) : (
                <WhatIf minor={null} />
              )
            }
            below={<InlineSlip marketId={marketId} runnerId={runner.id} />}
          >
            {won ? (
              <Chip tone="pos">
                <Icon of={IconTrophy} size={14} /> Winner
              </Chip>
            ) : (
              <Cells veil={veil}>
                {(depths === 3 ? ([2, 1, 0] as const) : ([0] as const)).map((depth) => (
                  <LivePrice
                    key={`b${depth}`}
                    {...cell(market, runner, eventName)}
                    side="BACK"
                    depth={depth}
                    hasBet={marks.has(markOf(marketId, runner.id, 'BACK'))}
                    off={veil !== null || broken}
                  />
                ))}
                {(depths === 3 ? ([0, 1, 2] as const) : ([0] as const)).map((depth) => (
                  <LivePrice
                    key={`l${depth}`}
                    {...cell(market, runner, eventName)}
                    side="LAY"
                    depth={depth}
                    hasBet={marks.has(markOf(marketId, runner.id, 'LAY'))}
                    off={veil !== null || broken}
                  />
                ))}
              </Cells>
            )}
          </RunnerRow>
        );
        return dead.has(runner.id) && !all && mine?.runnerId !== runner.id ? (
          <Unoffered key={runner.id} marketId={marketId} runnerId={runner.id}>
            {row}
          </Unoffered>
        ) : (
          row
        );
      })}
      {dead.size > 0 && market.status !== 'CLOSED' && (
        <div className="fy__more">
          <Button kind="ghost" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Hide what nobody offers' : `Show ${dead.size} that nobody offers`}
          </Button>
        </div>
      )}
    </Market>
  );
});

/** Falls alone: a market that cannot be drawn leaves the others as they are. */
export const RunnerMarket = alone('This market', MemoRunnerMarket);

/** From so many runners on those without an offer are folded away. */
const LONG = 6;

/**
 * Runners of a long market in play that nobody offered when it came on the screen: scores that cannot come any more. None
 * where the player has bets: each row has a result of his. What loses its offers while it is looked at keeps its place.
 */
function useDead(marketId: number, position: MarketPosition | undefined) {
  const [all, setAll] = useState(false);
  const [seen, setSeen] = useState<ReadonlySet<number> | null>(null);
  const now = marketNow(marketId);
  if (seen === null && now?.status === 'OPEN' && !isHeldBack(marketId)) {
    const without = now.runners.filter(({ back, lay }) => back.length === 0 && lay.length === 0).map(({ id }) => id);
    // A market that opens without any offer is no dead one.
    const folds = now.inPlay && now.runners.length > LONG && without.length < now.runners.length;
    setSeen(new Set(folds ? without : []));
  }
  return { dead: position ? NONE : (seen ?? NONE), all, setAll };
}
const NONE: ReadonlySet<number> = new Set();

/** Comes back into sight as soon as somebody offers it. */
function Unoffered({ marketId, runnerId, children }: { marketId: number; runnerId: number; children: ReactNode }) {
  const back = useLevel(marketId, runnerId, 'back', 0);
  const lay = useLevel(marketId, runnerId, 'lay', 0);
  return back || lay ? children : null;
}

/** What a market with a result paid the player: it stays where the prices were. */
export function Paid({ market }: { market: MarketImage }) {
  const paid = usePaid(market.matchId).get(market.id);
  if (market.status !== 'CLOSED' || !paid) return null;
  const tone = paid.gross - paid.commission > 0 ? 'mk__paid mk__paid--pos' : 'mk__paid';
  return <p className={tone}>{paidText({ grossMinor: paid.gross, commissionMinor: paid.commission })}</p>;
}

function Matched({ market }: { market: MarketImage }) {
  const traded = useTraded(market.id);
  return market.kind === 'book' ? <span className="num">Matched {formatWhole(traded)}</span> : null;
}

const hint = (market: MarketImage): string =>
  market.winners > 1
    ? `${market.winners} places paid`
    : market.betDelayMs > 0 && market.inPlay
      ? `Bets wait ${market.betDelayMs / 1000} s in play`
      : '';

const cell = (market: MarketImage, runner: { id: number; name: string }, eventName: string) => ({
  matchId: market.matchId,
  eventName,
  marketId: market.id,
  runnerId: runner.id,
  kind: market.kind,
  name: runner.name,
});
