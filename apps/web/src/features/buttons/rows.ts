import { COUNT } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { buttonPairs } from '../../betting/betting.ts';

/** What is stored of a kind: the first element of the answer counts (BTN-08). */
export const storedOf = <Stored>(answer: readonly Stored[] | undefined): Stored | undefined => answer?.[0];

export interface ButtonRow {
  label: string;
  /** As typed: whole units of the currency. */
  value: string;
}

/** The eight rows of a stored value: JSON text mapping label to number. */
export function rowsOf(value: string | undefined): ButtonRow[] {
  if (value === undefined) return [];
  // A damaged value shows as empty rows; saving writes a good one.
  const pairs = buttonPairs(value);
  return Array.from({ length: COUNT.buttonRows }, (_, at) => ({
    label: pairs[at]?.[0] ?? '',
    value: pairs[at] ? String(pairs[at][1]) : '',
  }));
}

/** What is wrong, by row: bounds and labels that stand twice (OPN-19, CAR-31). Half-filled rows are not wrong, they are left out. */
export function checkRows(rows: readonly ButtonRow[]): Record<number, string> {
  const errors: Record<number, string> = {};
  const seen = new Set<string>();
  rows.forEach(({ label, value }, at) => {
    const name = label.trim();
    if (name === '' || value.trim() === '') return;
    const units = Number(value);
    if (!Number.isInteger(units) || units < 1 || units > 100_000_000)
      errors[at] = t`Enter a whole number from 1 to 100,000,000.`;
    else if (name.length > 10) errors[at] = t`A label has at most 10 characters.`;
    else if (seen.has(name)) errors[at] = t`This label stands twice.`;
    seen.add(name);
  });
  if (Object.keys(errors).length === 0 && seen.size === 0) errors[0] = t`Fill at least one row.`;
  return errors;
}

/** JSON text of the filled rows, in their order. */
export function jsonOf(rows: readonly ButtonRow[]): string {
  return `{${rows
    .filter(({ label, value }) => label.trim() !== '' && value.trim() !== '')
    .map(({ label, value }) => `${JSON.stringify(label.trim())}:${Number(value)}`)
    .join(',')}}`;
}
