import { useEffect, useRef } from 'react';

/** What changes fast is read so often and no more. */
const READ_MS = 2000;

/** Does it after each change of a value, the first at once, later ones no oftener than the pace; null is no change that counts. */
export function useAfter(value: string | number | null, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  const before = useRef(value);
  const doneAt = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (value === null) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        doneAt.current = performance.now();
        latest.current();
      },
      Math.max(0, doneAt.current + READ_MS - performance.now()),
    );
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
