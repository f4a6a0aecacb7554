import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openSources } from '../src/feed/replay/decode.ts';
import { bzip2 } from '../src/programs/recordings/bzip2.ts';
import { Shelf } from '../src/programs/recordings/shelf.ts';

const root = mkdtempSync(join(tmpdir(), 'fairgame-'));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'shelf-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** What a reader of the site makes of a file, as one text. */
async function read(bytes: Iterable<Uint8Array>): Promise<string[]> {
  const file = join(folder, 'file');
  writeFileSync(file, Buffer.concat([...bytes]));
  const lines: string[] = [];
  for (const source of await openSources(file))
    for await (const batch of source.batches()) lines.push(...batch.map(({ text }) => text));
  return lines;
}
async function collected(bytes: AsyncIterable<Uint8Array> | null): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes ?? []) parts.push(part);
  return parts;
}

describe('bzip2', () => {
  const words = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));
  it.each([
    ['one letter', ['a']],
    ['letters alike, more than a run can say', ['a'.repeat(70_000)]],
    ['what repeats itself whole', ['ab'.repeat(30_000)]],
    [
      'lines of a stream, over many blocks',
      words(2000, (n) => `{"clk":"x.${n}","rc":[{"atb":[[${(n * 7) % 31}.5,${n % 13}]]}]}`),
    ],
    ['letters of every kind', words(300, (n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000), 33 + (n % 90)))],
  ])('is opened to what was packed: %s', async (_name, lines) => {
    expect(await read(bzip2(Buffer.from(lines.join('\n'))))).toEqual(lines);
  });

  it('is smaller for what recordings are made of', () => {
    const text = Buffer.from(words(1000, (n) => `{"op":"mcm","clk":"x.${n}","rc":[{"atb":[[2.5,${n}]]}]}`).join('\n'));
    const packed = [...bzip2(text)].reduce((sum, part) => sum + part.length, 0);
    expect(packed).toBeLessThan(text.length / 10);
  });
});

describe('a shelf', () => {
  const [NOW, DAY] = [Date.UTC(2026, 3, 18, 12), 86_400_000];
  const shelfOf = async (mostBytes: number, days = 30) => {
    const shelf = new Shelf({ folder, mostBytes, days });
    return { shelf, begun: await shelf.begin() };
  };

  it('keeps the first result of a market, and gives one or a day of them', async () => {
    const { shelf } = await shelfOf(1_000_000);
    for (const [name, text] of [
      ['1.200000001', 'one\n'],
      ['1.200000002', 'two\n'],
      ['1.200000001', 'once more\n'],
    ] as const) {
      await shelf.append(name, text);
      await shelf.finish(name, '2026-04-18');
    }
    expect(await read(await collected(await shelf.find('1.200000001')))).toEqual(['one']);
    expect(await read(await collected(await shelf.ofDay('2026-04-18')))).toEqual(['one', 'two']);
    expect([await shelf.find('1.200000003'), await shelf.ofDay('2026-04-17'), await shelf.ofDay('..')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(readdirSync(join(folder, 'open'))).toEqual([]);
    // Another process that reads.
    expect(await read(await collected(await new Shelf({ folder, mostBytes: 0, days: 1 }).find('1.200000002')))).toEqual(
      ['two'],
    );
  });

  it('takes away what is older than it may be, and for room the oldest first, then the largest that is open', async () => {
    const { shelf } = await shelfOf(300, 10);
    for (const [name, day] of [
      ['1.1', '2026-04-08'],
      ['1.2', '2026-04-17'],
      ['1.3', '2026-04-18'],
    ] as const) {
      await shelf.append(name, 'x\n');
      await shelf.finish(name, day);
    }
    const there = async () =>
      (
        await Promise.all(
          ['1.1', '1.2', '1.3'].map(async (name) => (await collected(await shelf.find(name))).length > 0),
        )
      ).join();
    expect(await shelf.tidy(NOW)).toEqual([]);
    expect(await there()).toBe('true,true,true');
    expect(await shelf.tidy(NOW + DAY)).toEqual([]);
    expect(await there()).toBe('false,true,true');
    expect(existsSync(join(folder, '2026-04-08'))).toBe(false);

    await shelf.append('1.4', 'x'.repeat(230));
    expect(shelf.isTooFull).toBe(true);
    expect(await shelf.tidy(NOW)).toEqual([]);
    expect(await there()).toBe('false,false,true');
    await shelf.append('1.5', 'x'.repeat(100));
    expect(await shelf.tidy(NOW)).toEqual(['1.4']);
    expect(await there()).toBe('false,false,false');
    expect(shelf.isTooFull).toBe(false);
    // What it counted is what lies there.
    const { shelf: again, begun } = await shelfOf(99, 10);
    expect([begun, again.isTooFull]).toEqual([['1.5'], false]);
  });
});
