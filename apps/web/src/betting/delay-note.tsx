import { t } from '@lingui/core/macro';
import { cx } from '../ui/cx.ts';
import css from './betting.module.css';

/** Stands beside what is in play: what the screen shows of it is late (CAR-47). */
export function DelayNote() {
  return (
    <p className={cx(css.delay, 't3 fs-12')}>
      {t`Pictures and scores run about 5 s behind; others may know more than you see.`}
    </p>
  );
}
