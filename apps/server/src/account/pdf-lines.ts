/**
 * Lines of a PDF in the languages of the client. Letters that the standard fonts have are text; those of other scripts are
 * drawn as their outlines, with the text beside them for who searches or listens: the files that browsers load of these
 * fonts cannot be set into a PDF.
 */
import { createRequire } from 'node:module';
import type { LanguageTag } from '@fairgame/contract';
import type { Font, Shaped } from 'fontkit';

type Doc = InstanceType<typeof import('pdfkit')>;

const SCRIPTS: Partial<Record<LanguageTag, string>> = {
  hi: 'devanagari',
  mr: 'devanagari',
  bn: 'bengali',
  ta: 'tamil',
  te: 'telugu',
  ur: 'arabic',
};
/** The parts of a line: words of the standard fonts that stand together, the signs behind a word, spaces, and words of others. */
const RUNS = /[:.,]+(?= |$)|[!-\xff](?:[!-\xff ]*[!-\xff])?(?<![:.,])| +|[^ -\xff]+/g;
const isOwn = (run: string): boolean => /[^ -\xff]/.test(run);

/** How far below the top of a line the standard fonts stand. */
const GROUND = 0.72;

export interface Line {
  /** Where the column begins, from the left, and how wide it is. */
  x: number;
  y: number;
  width: number;
  size: number;
  bold?: boolean;
  /** Where the reading ends; else where it begins. */
  atEnd?: boolean;
}

export interface Lines {
  /** Read from right to left. */
  rtl: boolean;
  write(text: string, line: Line): void;
  /** A text in lines no wider than this. */
  wrapped(text: string, width: number, size: number): string[];
}

export async function linesIn(language: LanguageTag, doc: Doc): Promise<Lines> {
  const script = SCRIPTS[language];
  const font = script ? await fontOf(script) : null;
  const rtl = language === 'ur';
  const widthOf = (run: string, size: number, bold: boolean): number =>
    font && isOwn(run)
      ? (shaped(font, run).advanceWidth * size) / font.unitsPerEm
      : doc
          .font(bold ? 'Helvetica-Bold' : 'Helvetica')
          .fontSize(size)
          .widthOfString(run);
  const wide = (text: string, size: number, bold = false): number =>
    (text.match(RUNS) ?? []).reduce((sum, run) => sum + widthOf(run, size, bold), 0);
  return {
    rtl,
    write(text, { x, y, width, size, bold = false, atEnd = false }) {
      const runs = text.match(RUNS) ?? [];
      let left = atEnd === rtl ? x : x + width - wide(text, size, bold);
      for (const run of rtl ? runs.toReversed() : runs) {
        if (font && isOwn(run)) outline(doc, font, run, { left, y, size, bold });
        else if (run.trim())
          doc
            .font(bold ? 'Helvetica-Bold' : 'Helvetica')
            .fontSize(size)
            .text(run, left, y, { lineBreak: false });
        left += widthOf(run, size, bold);
      }
    },
    wrapped(text, width, size) {
      const lines: string[] = [];
      for (const word of text.split(' ')) {
        const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
        if (lines.length > 0 && wide(longer, size) <= width) lines[lines.length - 1] = longer;
        else lines.push(word);
      }
      return lines;
    },
  };
}

async function fontOf(script: string): Promise<Font> {
  const { openSync } = await import('fontkit');
  const name = `noto-sans-${script}`;
  const { resolve } = createRequire(import.meta.url);
  return openSync(resolve(`@fontsource-variable/${name}/files/${name}-${script}-wght-normal.woff2`));
}

/** Letters joined and placed as their script wants it. */
function shaped(font: Font, run: string): Shaped {
  try {
    return font.layout(run);
  } catch {
    // It fails at marks that have no place on the letter before them (some of Telugu): those stand where they are.
    return font.layout(run, { abvm: false, blwm: false, mark: false, mkmk: false });
  }
}

/** Each letter as its outline. */
function outline(
  doc: Doc,
  font: Font,
  text: string,
  { left, y, size, bold }: { left: number; y: number; size: number; bold: boolean },
): void {
  const { glyphs, positions } = shaped(font, text);
  const scale = size / font.unitsPerEm;
  doc.markContent('Span', { actual: text });
  let at = left;
  for (const [n, glyph] of glyphs.entries()) {
    const { xAdvance, xOffset, yOffset } = positions[n]!;
    doc
      .save()
      // The top of a line is where its text begins; a glyph stands on its ground.
      .translate(at + xOffset * scale, y + GROUND * size - yOffset * scale)
      .scale(scale, -scale)
      .path(glyph.path.toSVG());
    if (bold) doc.lineWidth(24).fillAndStroke('#000000', '#000000');
    else doc.fill();
    doc.restore();
    at += xAdvance * scale;
  }
  doc.endMarkedContent();
}
