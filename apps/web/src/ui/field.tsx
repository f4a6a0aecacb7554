import { t } from '@lingui/core/macro';
import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  useContext,
  useId,
  useState,
} from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Icon, type IconShape } from './icon.tsx';
import { IconAlertCircle, IconChevronDown, IconEye, IconEyeOff } from './icons.ts';
import css from './field.module.css';

type FieldLink = { id: string; describedBy: string | undefined; invalid: boolean };
const FieldContext = createContext<FieldLink | null>(null);

/** A form row: label, control, one short line of error or help tied to the control for screen readers (OPN-06). */
export function Field({
  label,
  error,
  help,
  grow = false,
  children,
}: {
  label: string;
  error?: string | null | undefined;
  help?: ReactNode;
  grow?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const link = { id, describedBy: error || help ? noteId : undefined, invalid: Boolean(error) };
  return (
    <div className={cx(css.field, grow && 'grow')}>
      <label htmlFor={id}>{label}</label>
      <FieldContext value={link}>{children}</FieldContext>
      {error ? (
        <Wrong id={noteId}>{error}</Wrong>
      ) : (
        help && (
          <span className={css.help} id={noteId}>
            {help}
          </span>
        )
      )}
    </div>
  );
}

/** One line that says what is wrong, of a field or of a small form as a whole. */
export const Wrong = ({ id, children }: { id?: string; children: ReactNode }) => (
  <span className={cx(css.help, css.helpWrong)} id={id}>
    <Icon of={IconAlertCircle} size={14} />
    {children}
  </span>
);

export type InputProps = InputHTMLAttributes<HTMLInputElement> & {
  icon?: IconShape;
  large?: boolean;
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
};

/** One line of text. Inside a `Field` it takes its label and error; alone it needs `aria-label`. */
export function TextInput({ icon, large = false, end, className, ...input }: InputProps) {
  const link = useContext(FieldContext);
  return (
    <div
      className={cx(
        css.input,
        large && css.inputLarge,
        link?.invalid && css.inputWrong,
        input.disabled && 'is-off',
        className,
      )}
    >
      {icon && <Icon of={icon} size={large ? 18 : 16} />}
      <input
        type="text"
        id={link?.id}
        aria-describedby={link?.describedBy}
        aria-invalid={link?.invalid || undefined}
        {...input}
      />
      {end}
    </div>
  );
}

/** A whole or decimal number as text: right-aligned figures, numeric keypad on a phone. The caller parses it. */
export function NumberInput({ decimal = false, ...props }: InputProps & { decimal?: boolean }) {
  return (
    <TextInput inputMode={decimal ? 'decimal' : 'numeric'} autoComplete="off" className={css.numberInput} {...props} />
  );
}

/** A password with show and hide. */
export function PasswordInput(props: InputProps) {
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      className={css.password}
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          icon={shown ? IconEyeOff : IconEye}
          label={shown ? t`Hide characters` : t`Show characters`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}

/** A native list of choices: `options`, or `<option>` children. */
export function SelectInput({
  icon,
  options = [],
  children,
  ...select
}: SelectHTMLAttributes<HTMLSelectElement> & {
  icon?: IconShape;
  options?: ReadonlyArray<{ value: string; label: string }>;
}) {
  const link = useContext(FieldContext);
  return (
    <div className={cx(css.input, css.select, link?.invalid && css.inputWrong)}>
      {icon && <Icon of={icon} size={16} />}
      <select id={link?.id} aria-describedby={link?.describedBy} aria-invalid={link?.invalid || undefined} {...select}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
        {children}
      </select>
      <Icon of={IconChevronDown} size={14} />
    </div>
  );
}
