import type { ReactNode } from 'react';
import css from './checkbox.module.css';

/** On or off, acting at once. The words may stand before or after it. */
export function Switch({
  checked,
  onChange,
  children,
  after = false,
  disabled = false,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  after?: boolean;
  disabled?: boolean;
}) {
  return (
    <label className={css.switch}>
      {!after && children}
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {after && children}
    </label>
  );
}
