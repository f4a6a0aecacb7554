import { formatMoney, formatOdds, formatSigned, formatSignedShort, signOf } from '../platform/format.ts';
import { cx } from './cx.ts';
import css from './controls.module.css';
import marketTableCss from './market-table.module.css';

// Figures read from left to right in every script: `dir` keeps their sign before them.

/** An amount without a sign of result: balance, stake, liability limit. */
export function Money({ minor, decimals = 2 }: { minor: number; decimals?: 0 | 2 }) {
  return (
    <span className="num nowrap" dir="ltr">
      {formatMoney(minor, decimals)}
    </span>
  );
}

/**
 * A result: green with plus, red with the true minus, grey zero. `short` leaves the cents out from 1,000 up; `next` tints it
 * as the figure after the bet in the slip.
 */
export function SignedMoney({
  minor,
  short = false,
  next = false,
}: {
  minor: number;
  short?: boolean;
  next?: boolean;
}) {
  const sign = signOf(minor);
  return (
    <span
      dir="ltr"
      className={cx(
        css.profit,
        'num',
        sign < 0 ? css.loss : sign > 0 ? css.gain : css.even,
        next && marketTableCss.next,
      )}
    >
      {short ? formatSignedShort(minor) : formatSigned(minor)}
    </span>
  );
}

/** Decimal odds. */
export function Odds({ hundredths }: { hundredths: number }) {
  return <span className="num">{formatOdds(hundredths)}</span>;
}
