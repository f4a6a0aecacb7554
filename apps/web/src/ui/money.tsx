import { formatMoney, formatOdds, formatSigned, formatSignedShort, signOf } from '../platform/format.ts';

/** An amount without a sign of result: balance, stake, liability limit. */
export function Money({ minor, decimals = 2 }: { minor: number; decimals?: 0 | 2 }) {
  return <span className="num nowrap">{formatMoney(minor, decimals)}</span>;
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
  const tone = ['pl--neg', 'pl--zero', 'pl--pos'][signOf(minor) + 1];
  return (
    <span className={`pl num ${tone}${next ? ' pl--next' : ''}`}>
      {short ? formatSignedShort(minor) : formatSigned(minor)}
    </span>
  );
}

/** Decimal odds. */
export function Odds({ hundredths }: { hundredths: number }) {
  return <span className="num">{formatOdds(hundredths)}</span>;
}
