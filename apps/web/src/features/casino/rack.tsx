import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { useStakeButtons } from '../../betting/betting.ts';
import { formatStake, typedAmount, typedMinor } from '../../platform/format.ts';
import { cx } from '../../ui/cx.ts';
import { StakeField } from '../../ui/slip-frame.tsx';
import { StakeButtons } from '../../ui/stepper.tsx';
import { limitsText } from './amounts.ts';
import { chooseChip } from './chosen-chip.ts';
import { type Scope, useChip } from './fields.tsx';
import css from './bet-bar.module.css';

/** The smallest and the largest stake that any field of the table takes now. */
export function tableLimits({ round }: Scope['now']): { min: number; max: number } {
  const mins = round.odds.map(({ minMinor }) => minMinor);
  const maxes = round.odds.map(({ maxMinor }) => maxMinor);
  return { min: Math.min(...mins, Number.MAX_SAFE_INTEGER), max: Math.max(...maxes, 0) };
}

/** The player's own stakes as chips: the one in the hand is what a press lays. Chips no field takes are off. */
export function Rack({ now }: Pick<Scope, 'now'>) {
  const buttons = useStakeButtons('Casino');
  const chip = useChip();
  const { max } = tableLimits(now);
  return (
    <StakeButtons
      className={css.rack}
      classOf={(at) => cx(css.chip, css[`chip${at % 8}`])}
      items={buttons.map(({ label, stakeMinor }) => ({
        label,
        value: stakeMinor,
        title: t`Chip of ${{ stake: formatStake(stakeMinor) }}`,
        off: max > 0 && stakeMinor > max ? t`The largest stake here is ${{ stake: formatStake(max) }}` : null,
      }))}
      value={chip}
      onPick={chooseChip}
    />
  );
}

/** A chip of any other stake. */
export function OtherChip({ now }: Pick<Scope, 'now'>) {
  const chip = useChip();
  const { min, max } = tableLimits(now);
  const [text, setText] = useState(() => typedAmount(chip));
  const typed = typedMinor(text);
  useEffect(() => setText((before) => (typedMinor(before) === chip ? before : typedAmount(chip))), [chip]);
  const trouble =
    typed === null
      ? t`Enter an amount such as 25 or 2.50.`
      : typed < min
        ? t`The smallest stake here is ${{ stake: formatStake(min) }}.`
        : typed > max && max > 0
          ? t`The largest stake here is ${{ stake: formatStake(max) }}.`
          : null;
  return (
    <div className={css.other}>
      <StakeField
        label={t`Chip`}
        limits={max > 0 ? limitsText(min, max) : ''}
        value={text}
        error={max > 0 ? trouble : null}
        onChange={(value) => {
          setText(value);
          const minor = typedMinor(value);
          if (minor !== null && minor > 0) chooseChip(minor);
        }}
      />
    </div>
  );
}
