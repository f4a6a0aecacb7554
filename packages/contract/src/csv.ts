/** Files of rows that a spreadsheet opens: each cell is what it says and never a formula (a name may begin with any sign). */

/** What a spreadsheet may read as the beginning of a formula, also in its wide form. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** Where a spreadsheet takes semicolons or tabs for the ends of cells, as in half of Europe, one begins within ours. */
const WITHIN = /([;\t]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** One line with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** Before the first line: says that the text is UTF-8. */
export const CSV_BEGIN = '\uFEFF';

function cell(text: string): string {
  const whole = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  const safe = whole.replace(WITHIN, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
