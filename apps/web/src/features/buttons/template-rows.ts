import { COUNT, type StakeTemplate } from '@fairgame/contract';
import { t } from '@lingui/core/macro';

export interface TemplateRow {
  /** Of the row on the screen, whatever stands in it. */
  id: number;
  label: string;
  kind: StakeTemplate['kind'];
  /** As typed. */
  value: string;
}

/** Not a player's: a number for each row that was ever drawn. */
let made = 0;
export const newRow = (of: Partial<Omit<TemplateRow, 'id'>> = {}): TemplateRow => ({
  id: ++made,
  label: '',
  kind: 'percent',
  value: '',
  ...of,
});

export const rowsOfTemplates = (templates: readonly StakeTemplate[]): TemplateRow[] =>
  templates.map(({ value, ...rest }) => newRow({ ...rest, value: String(value) }));

const isFilled = ({ label, value }: TemplateRow): boolean => label.trim() !== '' && value.trim() !== '';

/** What is kept: the filled rows in their order. */
export const templatesIn = (rows: readonly TemplateRow[]): StakeTemplate[] =>
  rows.filter(isFilled).map(({ label, kind, value }) => ({ label: label.trim(), kind, value: Number(value) }));

/** What is wrong, by the id of the row. */
export function checkTemplates(rows: readonly TemplateRow[]): Record<number, string> {
  const errors: Record<number, string> = {};
  const seen = new Set<string>();
  for (const row of rows.filter(isFilled)) {
    const name = row.label.trim();
    const value = Number(row.value);
    const isWhole = /^\d{1,9}$/.test(row.value.trim()) && value >= 1;
    if (row.kind === 'percent' && !(isWhole && value <= 100)) errors[row.id] = t`Enter a whole number from 1 to 100.`;
    else if (!isWhole || value > 100_000_000) errors[row.id] = t`Enter a whole number from 1 to 100,000,000.`;
    else if (name.length > 10) errors[row.id] = t`A label has at most 10 characters.`;
    else if (seen.has(name)) errors[row.id] = t`This label stands twice.`;
    seen.add(name);
  }
  return errors;
}

export const isFull = (rows: readonly TemplateRow[]): boolean => rows.length >= COUNT.buttonRows;
