import type { MarketImage, RaceDetails, RaceRunner } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { memo } from 'react';
import { InlineSlip, type MarketPosition, RunnerPrices, veilOf } from '../../betting/betting.ts';
import { useBroken } from '../../live/live.ts';
import { listed } from '../../platform/format.ts';
import { Chip } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconTrophy } from '../../ui/icons.ts';
import { Cells } from '../../ui/market-table.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { SILK_PATTERNS, Silks } from '../../ui/silks.tsx';
import ballsCss from '../../ui/balls.module.css';
import priceCss from '../../ui/price.module.css';
import racePartsCss from '../../ui/race-parts.module.css';
import css from './race-page.module.css';

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
  sums: Sums;
  position: Position;
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
  return (
    <>
      <div className={cx(racePartsCss.runner, won && 'is-win', out && racePartsCss.nonRunner)}>
        <span className={racePartsCss.number}>
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
          <div className={cx(racePartsCss.name, 'as-named')}>{out ? <s>{runner.name}</s> : runner.name}</div>
          <div className={cx(racePartsCss.sub, 'as-named')}>
            {[runner.jockey, runner.trainer].filter(Boolean).join(' / ')}
          </div>
        </div>
        <Record runner={runner} out={out} />
        <Result sums={sums} position={position} out={out} />
        {won ? (
          <div className={cx(priceCss.cells, css.won)}>
            <Chip tone="pos">
              <Icon of={IconTrophy} size={14} /> {t`Winner`}
            </Chip>
          </div>
        ) : (
          <Cells veil={veil}>
            <RunnerPrices deep {...cell} marks={marks} />
          </Cells>
        )}
      </div>
      <InlineSlip marketId={market.id} runnerId={runner.selectionId} />
    </>
  );
});

/** How the runner did before, or what its leaving takes off the others' wins. */
function Record({ runner, out }: { runner: RaceRunner; out: boolean }) {
  return (
    <div className={racePartsCss.form}>
      {out ? (
        <>
          <Chip>{t`Non-runner`}</Chip>
          <div className={cx(racePartsCss.sub, 'num')}>
            {runner.adjustmentFactor > 0
              ? t`${{ percent: (runner.adjustmentFactor / 100).toFixed(1) }}% deduction`
              : t`No deduction`}
          </div>
        </>
      ) : (
        <>
          <Form text={runner.form} />
          <div className={cx(racePartsCss.sub, 'num')}>{listed(...factsOf(runner))}</div>
        </>
      )}
    </div>
  );
}

const factsOf = ({ age, weight, officialRating: rating }: RaceRunner) => [
  age && t({ message: `${age}y`, comment: 'Age of a horse in years.' }),
  weight,
  rating && t({ message: `OR ${rating}`, comment: 'Official rating of a horse.' }),
];

type Sums = { now: number; next: number | null } | undefined;
type Position = MarketPosition['runners'][number] | undefined;

/** What its win is worth to the player, now and with the bet in the slip. */
function Result({ sums, position, out }: { sums: Sums; position: Position; out: boolean }) {
  const result = position === undefined ? null : (sums?.now ?? position.win);
  return (
    <div className={cx(racePartsCss.rowEnd, 'fs-12')}>
      {result !== null && !out && <SignedMoney minor={result} short />}
      {sums?.next !== null && sums?.next !== undefined && !out && (
        <div>
          <SignedMoney minor={sums.next} short next />
        </div>
      )}
    </div>
  );
}

const GREY = { body: 'var(--s4)', sleeves: 'var(--s3)', cap: 'var(--s4)', patternColour: 'var(--s3)' };

function Form({ text }: { text: string | null }) {
  if (!text) return null;
  const marks = text
    .replace(/[^0-9A-Z]/g, '')
    .split('')
    .slice(-5);
  return (
    <span className={ballsCss.form} role="img" aria-label={t`Form ${{ form: marks.join('-') }}`}>
      {marks.map((mark, at) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the row is the identity of a result
          key={at}
          className={mark === '1' ? ballsCss.won : mark === '2' || mark === '3' ? ballsCss.placed : undefined}
        >
          {mark}
        </i>
      ))}
    </span>
  );
}
