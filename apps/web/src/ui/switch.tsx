import type { ReactNode } from 'react';

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
    <label className="sw">
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
