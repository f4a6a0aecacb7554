import type { InputHTMLAttributes, ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './checkbox.module.css';

type Props = { checked: boolean; onChange: (checked: boolean) => void; children?: ReactNode } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'checked' | 'onChange' | 'type'
>;

/** A check box with its words. */
export function Checkbox({ checked, onChange, children, className, ...rest }: Props) {
  return (
    <label className={cx(css.check, className)}>
      <input type="checkbox" {...rest} checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  );
}

/** One of several choices, drawn as a card with a line of explanation. */
export function RadioCard({
  checked,
  onChange,
  title,
  note,
  name,
}: {
  checked: boolean;
  onChange: () => void;
  title: string;
  note?: string;
  name: string;
}) {
  return (
    <label className={css.option}>
      <input type="radio" name={name} checked={checked} onChange={onChange} />
      <span>
        <b>{title}</b>
        {note && <small>{note}</small>}
      </span>
    </label>
  );
}
