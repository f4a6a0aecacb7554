/** The yearly statement as a PDF of one page, in the language of who reads it. */
import { clockText, type LanguageTag } from '@fairgame/contract';
import type { MonthSums, Reader, YearSums } from '../ledger/ledger.ts';
import type { Word } from '../words.ts';
import { type Lines, linesIn } from './pdf-lines.ts';

export interface YearFacts {
  userName: string;
  userId: number;
  currency: string;
  /** When it is made, ms. */
  at: number;
}

const MARGIN = 48;
const WIDTH = 595 - 2 * MARGIN;
const ROW = 22;
const COLUMNS = ['deposits', 'withdrawals', 'sport', 'casino', 'liveCasino'] as const;
const HEADS = ['Month', 'Deposits', 'Withdrawals', 'Sport', 'Casino', 'Live casino', 'Balance'] as const;
const PLACE = WIDTH / HEADS.length;
const NOTE =
  'Sport and casino are results of settled bets and finished rounds less commission, on the day they were booked. Corrections of results are in the figures. Withdrawals and losses have a minus.' satisfies Word;

export async function yearFile(
  year: number,
  { opening, months }: YearSums,
  facts: YearFacts,
  { zone, language, say }: Reader,
): Promise<AsyncIterable<Uint8Array>> {
  // Loaded when the first is asked for.
  const { default: Pdf } = await import('pdfkit');
  const title = `${say('Yearly statement')} ${year}`;
  const doc = new Pdf({
    size: 'A4',
    margin: MARGIN,
    lang: language,
    displayTitle: true,
    // A page of text is no larger for it, and any reader can find its words.
    compress: false,
    info: { Title: title, Author: 'fairGame', CreationDate: new Date(facts.at) },
  });
  const lines = await linesIn(language, doc);
  const amount = amountsIn(language, zone);
  const cellsOf = (name: string, sums: Omit<MonthSums, 'month'>): string[] => [
    name,
    ...COLUMNS.map((column) => amount(sums[column])),
    amount(sums.closing),
  ];
  const top = head(lines, title, [
    `${say('Player')}: ${facts.userName} (${facts.userId})`,
    `${say('Currency')}: ${facts.currency}`,
    `${say('Time zone')}: ${zone}`,
    `${say('Made at')}: ${clockText(facts.at, zone)}`,
    `${say('Balance when the year began')}: ${amount(opening)}`,
  ]);
  const monthName = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const rows = [
    HEADS.map(say),
    ...months.map((one) => cellsOf(monthName.format(Date.UTC(year, one.month - 1)), one)),
    cellsOf(say('Year'), { ...summed(months), closing: months.at(-1)!.closing }),
  ];
  for (const [at, cells] of rows.entries()) {
    row(lines, cells, top + at * ROW, at === 0 || at === rows.length - 1);
    const under = top + (at + 1) * ROW;
    doc
      .moveTo(MARGIN, under)
      .lineTo(MARGIN + WIDTH, under)
      .lineWidth(0.5)
      .strokeColor('#999999')
      .stroke('#999999');
  }
  doc.fillColor('#555555');
  const below = top + rows.length * ROW + 16;
  for (const [at, text] of lines.wrapped(say(NOTE), WIDTH, 8).entries())
    lines.write(text, { x: MARGIN, y: below + at * 12, width: WIDTH, size: 8 });
  doc.end();
  return doc as unknown as AsyncIterable<Uint8Array>;
}

/** Title and facts; where the table begins. */
function head(lines: Lines, title: string, facts: readonly string[]): number {
  const line = { x: MARGIN, width: WIDTH };
  lines.write('fairGame', { ...line, y: MARGIN, size: 18, bold: true });
  lines.write(title, { ...line, y: MARGIN + 24, size: 14, bold: true });
  for (const [at, text] of facts.entries()) lines.write(text, { ...line, y: MARGIN + 50 + at * 14, size: 9 });
  return MARGIN + 50 + facts.length * 14 + 8;
}

function row(lines: Lines, cells: readonly string[], y: number, bold: boolean): void {
  for (const [at, text] of cells.entries()) {
    const place = lines.rtl ? cells.length - 1 - at : at;
    lines.write(text, { x: MARGIN + place * PLACE, y: y + 7, width: PLACE - 6, size: 8, bold, atEnd: at > 0 });
  }
}

/** Digits are Latin in all languages; who lives by the clock of India has his commas in English, too. */
function amountsIn(language: LanguageTag, zone: string): (minor: number) => string {
  const english = /^Asia\/(Calcutta|Kolkata)$/.test(zone) ? 'en-IN' : 'en-GB';
  const money = new Intl.NumberFormat(language === 'en' ? english : `${language}-u-nu-latn`, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return (minor) => money.format(minor / 100);
}

const summed = (months: readonly MonthSums[]): Record<(typeof COLUMNS)[number], number> =>
  Object.fromEntries(COLUMNS.map((column) => [column, months.reduce((sum, one) => sum + one[column], 0)])) as Record<
    (typeof COLUMNS)[number],
    number
  >;
