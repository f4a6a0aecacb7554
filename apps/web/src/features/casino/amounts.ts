import { t } from '@lingui/core/macro';
import { formatMoney, formatSigned, formatStake, formatWhole } from '../../platform/format.ts';

/** What fits on a chip: "0.1", "2.5", "25", "1.5k", "12k". */
export function chipText(minor: number): string {
  const units = minor / 100;
  if (units < 1000) return String(Math.round(units * 10) / 10);
  return units < 9950 ? `${Math.round(units / 100) / 10}k` : `${Math.round(units / 1000)}k`;
}

/** A position: to the cent while that is short, then rounded, never cut. */
export const positionText = (minor: number): string =>
  minor % 100 === 0 || Math.abs(minor) >= 100_000
    ? formatSigned(Math.round(minor / 100) * 100, 0)
    : formatSigned(minor);

/** "0.10 to 100", "1 to 5,000": the smallest and the largest stake. */
export function limitsText(minMinor: number, maxMinor: number): string {
  const least = formatStake(minMinor);
  const most = maxMinor % 100 === 0 ? formatWhole(maxMinor) : formatMoney(maxMinor);
  return t`${least} to ${most}`;
}

/** "Returns 98.5 %", "Returns 93.0 to 97.1 %"; nothing where none is known. */
export function returnsText(bets: ReadonlyArray<{ returnPpm: number | null }>): string {
  const known = bets.flatMap(({ returnPpm }) => (returnPpm === null ? [] : [Math.round(returnPpm / 1000) / 10]));
  if (known.length === 0) return '';
  const [least, most] = [Math.min(...known), Math.max(...known)].map((one) => one.toFixed(1));
  return least === most ? t`Returns ${least} %` : t`Returns ${least} to ${most} %`;
}
