/** The yearly statement as a PDF of one page. */
import { clockText } from '@fairgame/contract';
import type { MonthSums, YearSums } from '../ledger/ledger.ts';

export interface YearFacts {
  userName: string;
  userId: number;
  currency: string;
  zone: string;
  /** When it is made, ms. */
  at: number;
}

const MARGIN = 48;
const WIDTH = 595 - 2 * MARGIN;
const ROW = 22;
const COLUMNS = ['deposits', 'withdrawals', 'sport', 'casino', 'liveCasino'] as const;
const HEADS = ['Month', 'Deposits', 'Withdrawals', 'Sport', 'Casino', 'Live casino', 'Balance'];
const PLACE = WIDTH / HEADS.length;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const money = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export async function yearFile(
  year: number,
  { opening, months }: YearSums,
  facts: YearFacts,
): Promise<AsyncIterable<Uint8Array>> {
  // Loaded when the first is asked for.
  const { default: Pdf } = await import('pdfkit');
  const title = `Yearly statement ${year}`;
  const doc = new Pdf({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    displayTitle: true,
    // A page of text is no larger for it, and any reader can find its words.
    compress: false,
    info: { Title: title, Author: 'fairGame', CreationDate: new Date(facts.at) },
  });
  doc.font('Helvetica-Bold').fontSize(18).text('fairGame').fontSize(14).text(title).moveDown(0.5);
  doc.font('Helvetica').fontSize(9);
  doc.text(`Player: ${facts.userName} (${facts.userId})`);
  doc.text(`All amounts in ${facts.currency}. Months by the clock of ${facts.zone}.`);
  doc.text(`Made at ${clockText(facts.at, facts.zone)}.`).moveDown();
  doc.text(`Balance when the year began: ${amount(opening)}`).moveDown();

  let top = doc.y;
  const row = (cells: readonly string[], bold = false): void => {
    doc.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(8.5);
    cells.forEach((text, at) => {
      doc.text(text, MARGIN + at * PLACE, top + 7, {
        width: PLACE - 6,
        align: at === 0 ? 'left' : 'right',
        lineBreak: false,
      });
    });
    top += ROW;
    doc
      .moveTo(MARGIN, top)
      .lineTo(MARGIN + WIDTH, top)
      .lineWidth(0.5)
      .strokeColor('#999999')
      .stroke();
  };
  row(HEADS, true);
  for (const one of months) row(cellsOf(MONTHS[one.month - 1]!, one));
  row(cellsOf('Year', { ...summed(months), closing: months.at(-1)!.closing }), true);

  doc.font('Helvetica').fontSize(8).fillColor('#555555');
  doc.text(
    'Sport and casino are results of settled bets and finished rounds less commission, on the day they were booked. Corrections of results are in the figures. Withdrawals and losses have a minus.',
    MARGIN,
    top + 16,
    { width: WIDTH },
  );
  doc.end();
  return doc as unknown as AsyncIterable<Uint8Array>;
}

const amount = (minor: number): string => money.format(minor / 100);

const cellsOf = (name: string, sums: Omit<MonthSums, 'month'>): string[] => [
  name,
  ...COLUMNS.map((column) => amount(sums[column])),
  amount(sums.closing),
];

const summed = (months: readonly MonthSums[]): Record<(typeof COLUMNS)[number], number> =>
  Object.fromEntries(COLUMNS.map((column) => [column, months.reduce((sum, one) => sum + one[column], 0)])) as Record<
    (typeof COLUMNS)[number],
    number
  >;
