import type { MarketImage } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { memo, type ReactNode, useState } from 'react';
import { isHeldBack, marketNow, useBroken, useLevel, useMarket, useStaleWords, useTraded } from '../live/live.ts';
import { formatWhole, typedMinor } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import { useSlipOf } from '../slip/slip.ts';
import { Chip } from '../ui/badge.tsx';
import { alone } from '../ui/boundary.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconClock, IconTrophy } from '../ui/icons.ts';
import { Cells, Market, MarketCols, MarketHead, RunnerRow, WhatIf } from '../ui/market-table.tsx';
import { AlertMe } from './alert-me.tsx';
import { CashOutAction } from './cash-out.tsx';
import { DutchMe } from './dutch-me.tsx';
import { InlineSlip } from './inline-slip.tsx';
import { isInPlay, kindOf, veilOf } from './kinds.ts';
import { MarketRules } from './market-rules.tsx';
import { limitsText, stateText } from './market-words.ts';
import { paidText } from './paid-text.ts';
import { type MarketPosition, usePaid } from './positions.ts';
import { RunnerCrest } from './runner-crest.tsx';
import { RunnerPrices } from './runner-prices.tsx';
import { positionAfter } from './sums.ts';
import fancyMarketCss from '../ui/fancy-market.module.css';
import marketTableCss from '../ui/market-table.module.css';
import css from './betting.module.css';

interface Props {
  marketId: number;
  eventName: string;
  position: MarketPosition | undefined;
  marks: ReadonlySet<string>;
  /** A shield stands before each runner's name. */
  crests?: boolean;
  /** Draws what stands before the cells: a trend. */
  trend?: (runnerId: number) => ReactNode;
  /** More actions of the head: ladder, rules. */
  actions?: ReactNode;
}

/**
 * A market with a row a runner: order book three deep, bookmaker with its boxes, tied and completed match. The row renders
 * when the market's shape, the position or the slip changes; its cells follow their prices alone.
 */
const MemoRunnerMarket = memo(function RunnerMarket(props: Props) {
  const { marketId, position, actions } = props;
  const market = useMarket(marketId);
  const broken = useBroken(marketId);
  const stale = useStaleWords();
  const mine = useSlipOf(marketId);
  const { dead, all, setAll } = useDead(marketId, position);
  if (!market) return null;
  const after = positionAfter(market, position, mine, mine ? (typedMinor(mine.stakeText) ?? 0) : 0);
  const deep = market.kind === 'book' || (market.kind === 'bookmaker' && market.runners.length > 0);
  const state = stateText(market);
  return (
    <Market label={named(market.name)} deep={deep}>
      <MarketHead
        title={named(market.name)}
        inPlay={isInPlay(market)}
        meta={state || <Matched market={market} />}
        limits={limitsText(market)}
        signs={
          <>
            {actions}
            <DutchMe market={market} />
            <AlertMe market={market} />
            <MarketRules market={market} />
          </>
        }
      >
        {broken && market.status === 'OPEN' && <Stale words={stale} />}
        <CashOutAction market={market} position={position} small />
      </MarketHead>
      <Paid market={market} />
      <MarketCols
        label={
          kindOf(market.kind).rate ? t`Prices per 100` : position ? t`Your result, then with this bet` : hint(market)
        }
        kind={deep ? 'six' : 'two'}
      />
      {market.runners.map((runner) => {
        const row = (
          <Row
            key={runner.id}
            {...props}
            market={market}
            runner={runner}
            deep={deep}
            sums={after?.get(runner.id)}
            broken={broken}
          />
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
        <div className={fancyMarketCss.more}>
          <Button kind="ghost" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t`Hide what nobody offers` : t`Show ${{ count: dead.size }} that nobody offers`}
          </Button>
        </div>
      )}
    </Market>
  );
});

/** Falls alone: a market that cannot be drawn leaves the others as they are. */
export const RunnerMarket = alone(msg`This market`, MemoRunnerMarket);

function Stale({ words }: { words: string }) {
  return (
    <span className={css.stale} title={words}>
      <Icon of={IconClock} size={15} />
      <span className="sr">{words}</span>
    </span>
  );
}

interface RowProps extends Omit<Props, 'actions'> {
  market: MarketImage;
  runner: MarketImage['runners'][number];
  deep: boolean;
  sums: { now: number; next: number | null } | undefined;
  broken: boolean;
}

function Row({ market, runner, deep, sums, broken, eventName, position, marks, crests, trend }: RowProps) {
  const veil = veilOf(market, runner);
  const won = runner.status === 'WINNER';
  return (
    <RunnerRow
      crest={crests && <RunnerCrest name={runner.name} />}
      name={named(runner.name)}
      won={won}
      trend={trend?.(runner.id)}
      whatIf={resultOf(market, runner.id, position, sums)}
      below={<InlineSlip marketId={market.id} runnerId={runner.id} />}
    >
      {won ? (
        <Chip tone="pos">
          <Icon of={IconTrophy} size={14} /> {t`Winner`}
        </Chip>
      ) : (
        <Cells veil={veil}>
          <RunnerPrices {...cell(market, runner, eventName)} deep={deep} marks={marks} off={veil !== null || broken} />
        </Cells>
      )}
    </RunnerRow>
  );
}

/** What a win of the runner is worth to the player; undefined: the market is over. */
function resultOf(market: MarketImage, runnerId: number, position: Props['position'], sums: RowProps['sums']) {
  if (market.status === 'CLOSED') return undefined;
  if (market.winners === 1) return <WhatIf minor={position && sums ? sums.now : null} nextMinor={sums?.next} />;
  const own = position?.runners.find((one) => one.runnerId === runnerId);
  if (!own) return <WhatIf minor={null} />;
  return (
    <span className={marketTableCss.whatIf}>
      <WhatIf minor={own.win} /> {t`if it places`}
    </span>
  );
}

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
  const tone = cx(marketTableCss.paid, paid.gross - paid.commission > 0 && marketTableCss.paidGain);
  return <p className={tone}>{paidText({ grossMinor: paid.gross, commissionMinor: paid.commission })}</p>;
}

function Matched({ market }: { market: MarketImage }) {
  const traded = useTraded(market.id);
  return market.kind === 'book' ? <span className="num">{t`Matched ${{ amount: formatWhole(traded) }}`}</span> : null;
}

const hint = (market: MarketImage): string =>
  market.winners > 1
    ? t`${{ count: market.winners }} places paid`
    : market.betDelayMs > 0 && market.inPlay
      ? t`Bets wait ${{ seconds: market.betDelayMs / 1000 }} s in play`
      : '';

const cell = (market: MarketImage, runner: { id: number; name: string }, eventName: string) => ({
  matchId: market.matchId,
  eventName,
  marketId: market.id,
  runnerId: runner.id,
  kind: market.kind,
  name: named(runner.name),
});
