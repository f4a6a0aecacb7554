import { t } from '@lingui/core/macro';
import { dayText } from '../platform/format.ts';
import { cx } from './cx.ts';
import { type InputProps, TextInput } from './field.tsx';
import css from './field.module.css';

/**
 * A day, YYYY-MM-DD, with the browser's own picker. At rest it is written as everywhere in the product; the browser's order
 * of day and month stands only while it is edited there.
 */
export function DateInput({ value, ...props }: Omit<InputProps, 'value' | 'type' | 'end'> & { value: string }) {
  return (
    <TextInput
      {...props}
      type="date"
      value={value}
      className={cx(css.day, value === '' && 'is-empty')}
      end={
        <span className={css.dayText} aria-hidden="true">
          {value === '' ? t`Choose a day` : dayText(value)}
        </span>
      }
    />
  );
}
