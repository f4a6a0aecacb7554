import { type KeyboardEvent, type Ref, useId } from 'react';
import { Icon } from './icon.tsx';
import { IconMinus, IconPlus } from './icons.ts';

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
    <div className={invalid ? 'step inp--err' : 'step'} aria-disabled={locked || undefined}>
      <button type="button" aria-label={`Lower ${label.toLowerCase()}`} disabled={locked} onClick={() => onStep(-1)}>
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
      <button type="button" aria-label={`Raise ${label.toLowerCase()}`} disabled={locked} onClick={() => onStep(1)}>
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
      <label className={error ? 'inp stakein inp--err' : 'inp stakein'}>
        {lead && <span aria-hidden="true">Stake</span>}
        <input
          ref={ref}
          value={value}
          aria-label="Stake"
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
        <span className="help help--err" id={id}>
          {error}
        </span>
      )}
    </>
  );
}

/** The player's eight stake buttons. `value` is the pressed one; `off` says why one cannot be pressed. */
export function StakeButtons({
  items,
  value,
  onPick,
  disabled = false,
}: {
  items: ReadonlyArray<{ label: string; value: number; off?: string | null }>;
  value?: number | null;
  onPick: (value: number) => void;
  disabled?: boolean;
}) {
  return (
    <fieldset className="stakes" aria-label="Stake buttons">
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          aria-pressed={item.value === value}
          disabled={disabled || Boolean(item.off)}
          title={item.off ?? undefined}
          onClick={() => onPick(item.value)}
        >
          {item.label}
        </button>
      ))}
    </fieldset>
  );
}
