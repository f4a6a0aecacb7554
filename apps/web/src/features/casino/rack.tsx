import { minorToText, parseMinor } from '@fairgame/contract';
import { useEffect, useState } from 'react';
import { useStakeButtons } from '../../betting/betting.ts';
import { StakeInput } from '../../ui/stepper.tsx';
import { limitsText, stakeText } from './amounts.ts';
import { chooseChip } from './chosen-chip.ts';
import { type Scope, useChip } from './fields.tsx';

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
    <fieldset className="rack" aria-label="Stake buttons">
      {buttons.map(({ label, stakeMinor }, at) => (
        <button
          key={label}
          type="button"
          className={`chip-b chip-b--${at % 8}`}
          aria-pressed={stakeMinor === chip}
          disabled={max > 0 && stakeMinor > max}
          title={`Chip of ${stakeText(stakeMinor)}`}
          onClick={() => chooseChip(stakeMinor)}
        >
          <span>{label}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** A chip of any other stake. */
export function OtherChip({ now }: Pick<Scope, 'now'>) {
  const chip = useChip();
  const { min, max } = tableLimits(now);
  const [text, setText] = useState(() => amountText(chip));
  const typed = parseMinor(text);
  useEffect(() => setText((before) => (parseMinor(before) === chip ? before : amountText(chip))), [chip]);
  const trouble =
    typed === null
      ? 'Enter an amount such as 25 or 2.50.'
      : typed < min
        ? `The smallest stake here is ${stakeText(min)}.`
        : typed > max && max > 0
          ? `The largest stake here is ${stakeText(max)}.`
          : null;
  return (
    <div className="rack__o">
      <div className="lbl">
        Chip <span>{max > 0 ? limitsText(min, max) : ''}</span>
      </div>
      <StakeInput
        value={text}
        error={max > 0 ? trouble : null}
        onChange={(value) => {
          setText(value);
          const minor = parseMinor(value);
          if (minor !== null && minor > 0) chooseChip(minor);
        }}
      />
    </div>
  );
}

const amountText = (minor: number): string => (minor % 100 === 0 ? String(minor / 100) : minorToText(minor));
