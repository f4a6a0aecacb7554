import type { MarketImage } from '@fairgame/contract';
import { parseMinor } from '@fairgame/contract';
import { memo, type ReactNode } from 'react';
import { useBroken, useMarket, useStaleWords, useTraded } from '../live/hooks.ts';
import { useSlipOf } from '../slip/hooks.ts';
import { Chip } from '../ui/badge.tsx';
import { formatWhole } from '../ui/format.ts';
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
export const RunnerMarket = memo(function RunnerMarket({
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
        return (
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
      })}
    </Market>
  );
});

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
