/** Saves rows as a CSV file. A cell that a spreadsheet would take for a formula is kept as text. */
export function downloadCsv(name: string, head: readonly string[], rows: ReadonlyArray<readonly string[]>): void {
  const blob = new Blob([csvText(head, rows)], { type: 'text/csv;charset=utf-8' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

export function csvText(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  return `\uFEFF${[head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

function cell(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) || /^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
