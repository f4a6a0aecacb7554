import { CSV_BEGIN, csvLine } from '@fairgame/contract';

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Saves rows that are all here as a CSV file. */
export function downloadCsv(name: string, head: readonly string[], rows: ReadonlyArray<readonly string[]>): void {
  saveBlob(`${name}.csv`, new Blob([csvText(head, rows)], { type: 'text/csv;charset=utf-8' }));
}

export const csvText = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  CSV_BEGIN + [head, ...rows].map(csvLine).join('');
