import { t } from '@lingui/core/macro';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import css from './auth.module.css';

const LENGTH = 6;
const EMPTY: readonly string[] = Array.from({ length: LENGTH }, () => '');

/**
 * The six-digit security code: one numeric character per box, paste and autofill fill all, the last digit submits, once per
 * code (CAR-15), Backspace steps back. A new `error` clears the boxes and puts the focus on the first. That the code sends
 * itself is said beforehand, and a button does the same (A11Y-12).
 */
export function CodeBoxes({
  onComplete,
  error = null,
  label = t`6-digit code`,
  busy = false,
}: {
  onComplete: (code: string) => void;
  /** The refusal of the last try, or null. Pass a fresh object or text for each refusal. */
  error?: string | null;
  label?: string;
  busy?: boolean;
}) {
  const { digits, boxes, put, onKeyDown } = useDigits(onComplete, error, busy);
  const hint = useId();

  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    put(0, event.clipboardData.getData('text'));
  };

  const whole = digits.join('');
  return (
    <>
      <fieldset
        className={cx(css.code, error && css.codeWrong)}
        aria-label={label}
        aria-describedby={hint}
        onPaste={onPaste}
      >
        {digits.map((digit, i) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the place of a box is its identity
            key={i}
            ref={(element) => {
              boxes.current[i] = element;
            }}
            value={digit}
            inputMode="numeric"
            autoComplete={i === 0 ? 'one-time-code' : 'off'}
            aria-label={t`Digit ${{ number: i + 1 }} of ${LENGTH}`}
            aria-invalid={error ? true : undefined}
            className={digit ? 'is-filled' : undefined}
            readOnly={busy}
            onChange={(event) => {
              // A box that holds a digit gets both, the old one and the typed one: the typed one counts.
              const text = event.target.value;
              put(i, text.length === 2 && text.startsWith(digit) ? text.slice(1) : text);
            }}
            onFocus={(event) => event.target.select()}
            onKeyDown={(event) => onKeyDown(i, event)}
          />
        ))}
      </fieldset>
      <p className="sr" id={hint}>
        {t`The code is checked by itself once the last digit is in.`}
      </p>
      <Button
        block
        kind="sec"
        className={css.go}
        busy={busy}
        disabled={whole.length < LENGTH}
        onClick={() => onComplete(whole)}
      >
        {t`Check code`}
      </Button>
    </>
  );
}

/** What stands in the boxes: typed, pasted or filled in; the whole code is told once. */
function useDigits(onComplete: (code: string) => void, error: string | null, busy: boolean) {
  const [digits, setDigits] = useState<readonly string[]>(EMPTY);
  const boxes = useRef<Array<HTMLInputElement | null>>([]);
  const sent = useRef('');

  useEffect(() => {
    boxes.current[0]?.focus();
  }, []);

  useEffect(() => {
    if (!error || busy) return;
    sent.current = '';
    setDigits(EMPTY);
    boxes.current[0]?.focus();
  }, [error, busy]);

  const put = (from: number, text: string) => {
    const typed = text.replace(/\D/g, '').slice(0, LENGTH - from);
    if (typed === '' || busy) return;
    const next = digits.map((digit, i) => typed[i - from] ?? digit);
    setDigits(next);
    boxes.current[Math.min(LENGTH - 1, from + typed.length)]?.focus();
    const code = next.join('');
    if (code.length === LENGTH && code !== sent.current) {
      sent.current = code;
      onComplete(code);
    }
  };

  const clear = (at: number) => {
    sent.current = '';
    setDigits(digits.map((digit, i) => (i === at ? '' : digit)));
  };

  const onKeyDown = (at: number, event: KeyboardEvent) => {
    if (event.key === 'Backspace') {
      event.preventDefault();
      if (busy) return;
      if (digits[at] !== '') return clear(at);
      clear(at - 1);
      boxes.current[at - 1]?.focus();
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault();
      boxes.current[at + (event.key === 'ArrowLeft' ? -1 : 1)]?.focus();
    }
  };
  return { digits, boxes, put, onKeyDown };
}
