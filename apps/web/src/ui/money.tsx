import { formatMoney, formatOdds, formatSigned, signOf } from './format.ts';

/** An amount without a sign of result: balance, stake, liability limit. */
export function Money({ minor, decimals = 2 }: { minor: number; decimals?: 0 | 2 }) {
  return <span className="num nowrap">{formatMoney(minor, decimals)}</span>;
}

/** A result: green with plus, red with the true minus, grey zero. `next` tints it as the figure after the bet in the slip. */
export function SignedMoney({
  minor,
  decimals = 2,
  next = false,
}: {
  minor: number;
  decimals?: 0 | 2;
  next?: boolean;
}) {
  const tone = ['pl--neg', 'pl--zero', 'pl--pos'][signOf(minor) + 1];
  return <span className={`pl num ${tone}${next ? ' pl--next' : ''}`}>{formatSigned(minor, decimals)}</span>;
}

/** Decimal odds. */
export function Odds({ hundredths }: { hundredths: number }) {
  return <span className="num">{formatOdds(hundredths)}</span>;
}
