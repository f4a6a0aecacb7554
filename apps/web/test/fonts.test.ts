import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const web = join(import.meta.dirname, '..');
const css = readFileSync(join(web, 'src/ui/tokens.css'), 'utf8');
const faces = [...css.matchAll(/url\((\/fonts\/[^)]+)\)[^;]*;\s*unicode-range:([^;]+);/g)].map(([, file, ranges]) => ({
  file: file!,
  ranges: ranges!.split(',').map((range) => {
    const [from, to = from] = range.trim().slice(2).split('-');
    return [Number.parseInt(from!, 16), Number.parseInt(to!, 16)] as const;
  }),
}));
/** Where ranges meet, the face declared last is asked. */
const fileOf = (code: number) =>
  faces.findLast(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to))?.file ?? 'none';
const filesOf = (text: string) => [...new Set(Array.from(text, (one) => fileOf(one.codePointAt(0)!)))];
const bytes = (file: string) => statSync(join(web, 'public', file)).size;

it('the page asks at once for the font that its words and most names need, and for no other', () => {
  const asked = [...readFileSync(join(web, 'index.html'), 'utf8').matchAll(/href="(\/fonts\/[^"]+)"/g)];
  expect(asked.map(([, file]) => file)).toEqual(filesOf('Back 1.85 – 12,50 € £ São Paulo, Atlético −3 ↑'));
});

it('a rupee stands in that file; any other sign of money fetches a small font and not the letters of thirty languages', () => {
  expect(filesOf('₹1,250.75')).toEqual(filesOf('1'));
  const [file, ...more] = filesOf('₺₽₦₩');
  expect(more).toEqual([]);
  expect(bytes(file!)).toBeLessThan(15_000);
  expect(filesOf('Łódź')).not.toContain(file);
});

it('each file has every weight that the styles ask for', () => {
  const src = join(web, 'src');
  const sheets = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  const asked = sheets.flatMap((name) =>
    [...readFileSync(join(src, name), 'utf8').matchAll(/(?:font-weight|--w-\w+): (\d+);/g)].map(([, one]) =>
      Number(one),
    ),
  );
  expect(asked.length).toBeGreaterThan(20);
  const held = [...css.matchAll(/font-weight: (\d+) (\d+);/g)].map(
    ([, from, to]) => [Number(from), Number(to)] as const,
  );
  expect(held).toHaveLength(faces.length);
  for (const [from, to] of held) expect(asked.filter((weight) => weight < from || weight > to)).toEqual([]);
});
