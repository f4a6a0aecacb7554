import type { MarketImage, RaceDetails, RaceRunner } from '@fairgame/contract';
import { memo } from 'react';
import { InlineSlip, LivePrice, type MarketPosition, markOf, veilOf } from '../../betting/betting.ts';
import { useBroken } from '../../live/live.ts';
import { Chip } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconTrophy } from '../../ui/icons.ts';
import { Cells } from '../../ui/market-table.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { SILK_PATTERNS, Silks } from '../../ui/silks.tsx';

/** One runner of a race: number, silks, form, the player's result and the six prices. */

export const RunnerLine = memo(function RunnerLine({
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
