import { t } from '@lingui/core/macro';
import { type KeyboardEvent, type Ref, useId } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconMinus, IconPlus } from './icons.ts';
import fieldCss from './field.module.css';
import css from './stepper.module.css';

/** The odds box: text between minus and plus. `onStep` moves by ticks; `locked` is a price that cannot be changed. */
export function Stepper({
  value,
  onChange,
  onStep,
  label,
  locked = false,
  invalid = false,
  onBlur,
  onEnter,
}: {
  value: string;
  onChange: (text: string) => void;
  onStep: (ticks: 1 | -1) => void;
  label: string;
  locked?: boolean;
  invalid?: boolean;
  onBlur?: () => void;
  /** Enter in the box; prevent its default to keep the form from being sent. */
  onEnter?: (event: KeyboardEvent) => void;
}) {
  return (
    <div className={cx(css.step, invalid && fieldCss.inputWrong)} aria-disabled={locked || undefined}>
      <button
        type="button"
        aria-label={t`Lower ${{ what: label.toLowerCase() }}`}
        disabled={locked}
        onClick={() => onStep(-1)}
      >
        <Icon of={IconMinus} size={16} />
      </button>
      <input
        value={value}
        aria-label={label}
        aria-invalid={invalid || undefined}
        inputMode="decimal"
        autoComplete="off"
        readOnly={locked}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter?.(event);
          if (locked || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
          event.preventDefault();
          onStep(event.key === 'ArrowUp' ? 1 : -1);
        }}
      />
      <button
        type="button"
        aria-label={t`Raise ${{ what: label.toLowerCase() }}`}
        disabled={locked}
        onClick={() => onStep(1)}
      >
        <Icon of={IconPlus} size={16} />
      </button>
    </div>
  );
}

/** The stake box, with its error below. */
export function StakeInput({
  value,
  onChange,
  onEnter,
  error,
  disabled,
  lead = false,
  ref,
}: {
  value: string;
  onChange: (text: string) => void;
  onEnter?: () => void;
  error?: string | null;
  disabled?: boolean;
  /** The word stands in the box, where there is no room for it above. */
  lead?: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  const id = useId();
  return (
    <>
      <label className={cx(fieldCss.input, css.stakeInput, error && fieldCss.inputWrong)}>
        {lead && <span aria-hidden="true">{t`Stake`}</span>}
        <input
          ref={ref}
          value={value}
          aria-label={t`Stake`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          inputMode="decimal"
          autoComplete="off"
          // Not `disabled`: that would throw the focus out while a bet is on its way.
          readOnly={disabled}
          aria-disabled={disabled || undefined}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onEnter?.();
          }}
        />
      </label>
      {error && (
        <span className={cx(fieldCss.help, fieldCss.helpWrong)} id={id}>
          {error}
        </span>
      )}
    </>
  );
}

/** The player's eight stake buttons. `value` is the pressed one; `off` says why one cannot be pressed, `title` what one that can does. */
export function StakeButtons({
  label = t`Stake buttons`,
  items,
  value,
  onPick,
  disabled = false,
  className = css.stakes,
  classOf,
}: {
  label?: string;
  items: ReadonlyArray<{ label: string; value: number; off?: string | null; title?: string }>;
  value?: number | null;
  onPick: (value: number) => void;
  disabled?: boolean;
  /** Chips on a table are stake buttons of another look, each by its place. */
  className?: string;
  classOf?: (at: number) => string;
}) {
  return (
    <fieldset className={className} aria-label={label}>
      {items.map((item, at) => (
        <button
          key={item.label}
          type="button"
          className={classOf?.(at)}
          aria-pressed={item.value === value}
          disabled={disabled || Boolean(item.off)}
          title={item.off ?? item.title}
          onClick={() => onPick(item.value)}
        >
          {classOf ? <span>{item.label}</span> : item.label}
        </button>
      ))}
    </fieldset>
  );
}
