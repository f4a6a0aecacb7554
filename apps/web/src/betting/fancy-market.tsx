import { CALLS, type MarketImage } from '@fairgame/contract';
import { labelRuns, trimRuns } from '@fairgame/exchange';
import { msg, plural, t } from '@lingui/core/macro';
import { memo, useState } from 'react';
import { useCall } from '../api/api.ts';
import { useBroken, useMarket } from '../live/live.ts';
import { named, namedResult } from '../platform/named.ts';
import { Chip } from '../ui/badge.tsx';
import { alone } from '../ui/boundary.tsx';
import { cx } from '../ui/cx.ts';
import { Cells, FancyRow, RunLadder } from '../ui/market-table.tsx';
import { SignedMoney } from '../ui/money.tsx';
import { InlineSlip } from './inline-slip.tsx';
import { kindOf, veilOf } from './kinds.ts';
import { LivePrice } from './live-price.tsx';
import { limitsText } from './market-words.ts';
import { type MarketPosition, markOf, usePaid } from './positions.ts';
import fieldCss from '../ui/field.module.css';
import marketTableCss from '../ui/market-table.module.css';

/** The rows of one fancy: No on the left, Yes on the right (the custom of this market), or one side where only it is taken. */
const MemoFancyMarket = memo(function FancyMarket({
  marketId,
  eventName,
  position,
  marks,
}: {
  marketId: number;
  eventName: string;
  position: MarketPosition | undefined;
  marks: ReadonlySet<string>;
}) {
  const market = useMarket(marketId);
  const broken = useBroken(marketId);
  const [open, setOpen] = useState(false);
  const paid = usePaid(market?.matchId ?? 0).get(marketId);
  if (!market) return null;
  const look = kindOf(market.kind);
  const single = look.yesNo;
  const rows = single ? market.runners.slice(0, 1) : market.runners;
  return (
    <>
      {rows.map((runner, at) => {
        const veil = veilOf(market, runner);
        const closed = market.status === 'CLOSED';
        const common = {
          matchId: market.matchId,
          eventName,
          marketId,
          runnerId: runner.id,
          kind: market.kind,
          name: single ? named(market.name) : `${named(market.name)} ${named(runner.name)}`,
          off: veil !== null || broken,
        };
        return (
          <FancyRow
            key={runner.id}
            name={single ? named(market.name) : `${named(market.name)}: ${named(runner.name)}`}
            meta={closed ? t`Settled` : limitsText(market)}
            maxLossMinor={position && position.betCount > 0 && at === 0 ? -position.exposure : null}
            ladderOpen={open}
            onLadder={() => setOpen(!open)}
            below={
              <>
                {open && at === 0 && <Ladder market={market} onClose={() => setOpen(false)} />}
                <InlineSlip marketId={marketId} runnerId={runner.id} />
              </>
            }
          >
            {closed ? (
              <span className={marketTableCss.fancyEnd}>
                {paid && <SignedMoney minor={paid.gross - paid.commission} />}
                <Chip>{market.resultText ? t`Result ${{ result: namedResult(market.resultText) }}` : t`Closed`}</Chip>
              </span>
            ) : (
              <Cells veil={veil}>
                {look.backOnly ? (
                  <span />
                ) : (
                  <LivePrice {...common} side="LAY" hasBet={marks.has(markOf(marketId, runner.id, 'LAY'))} />
                )}
                <LivePrice {...common} side="BACK" hasBet={marks.has(markOf(marketId, runner.id, 'BACK'))} />
              </Cells>
            )}
          </FancyRow>
        );
      })}
    </>
  );
});

/** Falls alone: a market that cannot be drawn leaves the others as they are. */
export const FancyMarket = alone(msg`This market`, MemoFancyMarket);

/** Results by runs for the player's bets here; long ladders are cut around the change of sign. */
function Ladder({ market, onClose }: { market: MarketImage; onClose: () => void }) {
  const { data, isError } = useCall(CALLS.bets.runAmount, {
    params: { id: String(market.id) },
    query: { matchId: String(market.matchId) },
  });
  if (isError) return <p className={cx(fieldCss.help, fieldCss.helpWrong)}>{t`The run ladder did not load.`}</p>;
  if (!data) return <p className="t3 fs-12">{t`Loading the run ladder`}</p>;
  const all = data.profitLoss.betPlaced.map((row) => ({ run: row.odds, profitMinor: row.profitLoss }));
  const shown = labelRuns(all, trimRuns(all));
  const bets = data.profitLoss.totalBet;
  return (
    <RunLadder
      title={named(market.name)}
      sub={plural(bets, { one: '# bet', other: '# bets' })}
      onClose={onClose}
      rows={shown.map((row, at) => {
        const before = shown[at - 1];
        return {
          runs: nameOf(market, row.run, row.label),
          minor: row.profitMinor,
          flip: before !== undefined && before.profitMinor < 0 !== row.profitMinor < 0,
        };
      })}
    />
  );
}

function nameOf(market: MarketImage, run: number, label: string): string {
  if (market.kind === 'oddEven') return run === 1 ? t`Odd` : t`Even`;
  if (market.kind === 'fancy1')
    return run === 1 ? t({ message: 'Yes', context: 'bet' }) : t({ message: 'No', context: 'bet' });
  if (market.kind === 'cricketCasino') return t`Last digit ${run}`;
  return label;
}
