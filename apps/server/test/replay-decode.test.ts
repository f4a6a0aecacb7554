import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openBytes, openSources, type Source, UnreadableFile } from '../src/feed/replay/decode.ts';
import { emptyReport, mergeMessages, readMessages } from '../src/feed/replay/read.ts';
import { FIXTURES, makeFootball, makeGolf, makeRace, makeTroubled, scratch, writeLines } from './replay-fixtures.ts';

const folder = scratch();
const race = makeRace(7).lines;
const raceText = `${race.join('\n')}\n`;

describe('the committed fixtures', () => {
  it('are what the generator makes', () => {
    expect(readFileSync(join(FIXTURES, 'race.jsonl'), 'utf8')).toBe(raceText);
    expect(readFileSync(join(FIXTURES, 'golf.jsonl'), 'utf8')).toBe(`${makeGolf().join('\n')}\n`);
    expect(readFileSync(join(FIXTURES, 'football.jsonl'), 'utf8')).toBe(`${makeFootball().join('\n')}\n`);
    expect(readFileSync(join(FIXTURES, 'troubled.jsonl'), 'utf8')).toBe(makeTroubled().text);
  });
});

describe('decoding', () => {
  it.each(['race.jsonl', 'race.jsonl.bz2', 'race.zip', 'race-stored.zip', 'race.tar', 'race.tar.bz2'])(
    'reads %s',
    async (name) => {
      const sources = await openSources(join(FIXTURES, name));
      expect(sources).toHaveLength(1);
      expect(await textsOf(sources[0]!)).toEqual(race);
    },
  );

  it('reads gzip, also a bzip2 inside it', async () => {
    const plain = await openBytes('race.gz', gzipSync(raceText));
    expect(await textsOf(plain[0]!)).toEqual(race);
    const nested = await openBytes('race.bz2.gz', gzipSync(readFileSync(join(FIXTURES, 'race.jsonl.bz2'))));
    expect(await textsOf(nested[0]!)).toEqual(race);
  });

  it('names the entries of an archive and reads each as its own stream', async () => {
    const sources = await openSources(join(FIXTURES, 'three.tar'));
    expect(sources.map((source) => source.name.split('!')[1])).toEqual([
      '2023/Nov/race.jsonl.bz2',
      '2023/Nov/golf.jsonl',
      'football.zip',
    ]);
    expect(sources[2]!.name).toContain('football.zip!football.jsonl');
    expect(await textsOf(sources[1]!)).toEqual(makeGolf());
  });

  it('takes LF and CRLF, skips blank lines and keeps the numbers', async () => {
    const [source] = await openBytes('x', Buffer.from('{"a":1}\r\n\r\n   \n{"b":2}\n\n{"c":3}'));
    const lines = (await batches(source!)).flat();
    expect(lines).toEqual([
      { number: 1, text: '{"a":1}' },
      { number: 4, text: '{"b":2}' },
      { number: 6, text: '{"c":3}' },
    ]);
  });

  it('keeps a character whole that two chunks share', async () => {
    const path = writeLines(
      folder,
      'wide.jsonl',
      Array.from({ length: 40_000 }, (_, at) => `{"n":"é€😀${at}"}`),
    );
    const texts = await textsOf((await openSources(path))[0]!);
    expect(texts).toHaveLength(40_000);
    expect(texts.every((text, at) => text === `{"n":"é€😀${at}"}`)).toBe(true);
  });

  it('reads an empty file as no lines', async () => {
    const [source] = await openBytes('empty', Buffer.alloc(0));
    expect(await batches(source!)).toEqual([]);
  });

  it('refuses an archive that opens to more than there is room for', async () => {
    const zip = readFileSync(join(FIXTURES, 'race.zip'));
    const size = Buffer.byteLength(raceText);
    expect(await openBytes('race.zip', zip, size)).toHaveLength(1);
    await expect(openBytes('race.zip', zip, size - 1)).rejects.toThrow(/race\.jsonl: the archive opens to more than/);
    await expect(openBytes('race.zip', zip, 0)).rejects.toThrow(UnreadableFile);
  });

  it('refuses an LZMA zip, a missing file and a folder with one clear message each', async () => {
    await expect(openSources(join(FIXTURES, 'race-lzma.zip'))).rejects.toThrow(
      /race\.jsonl: zip compression LZMA is not supported/,
    );
    await expect(openSources(join(folder, 'none'))).rejects.toThrow(/none: no such file/);
    await expect(openSources(folder)).rejects.toThrow(/is a folder/);
  });

  it('keeps what came before a break in a compressed file, and says where it broke', async () => {
    const whole = gzipSync(Buffer.from(raceText.repeat(30)));
    const path = join(folder, 'cut.gz');
    writeFileSync(path, whole.subarray(0, Math.floor(whole.length * 0.7)));
    const report = emptyReport();
    for await (const _ of readMessages([path], report));
    expect(report.lines).toBeGreaterThan(100);
    expect(report.malformed).toHaveLength(1);
    expect(report.malformed[0]!.reason).toBe('the rest cannot be read: the gzip data is damaged or cut off');
    expect(report.unreadable).toEqual([]);
  });

  it('says so when nothing of a compressed file can be read', async () => {
    const damaged = readFileSync(join(FIXTURES, 'race.jsonl.bz2')).subarray(0, 900);
    const path = join(folder, 'damaged.bz2');
    writeFileSync(path, damaged);
    const report = emptyReport();
    for await (const _ of readMessages([path], report));
    expect(report.unreadable).toEqual([{ file: path, reason: 'the bzip2 data is damaged or cut off' }]);
  });

  it('fails with UnreadableFile only', async () => {
    await expect(openBytes('z', Buffer.from('504b030400', 'hex'))).rejects.toBeInstanceOf(UnreadableFile);
    await expect(openBytes('t', tarHead('99999999'))).rejects.toThrow('t: the tar is damaged or cut off');
  });
});

describe('merging', () => {
  it('orders by publish time, equal times by the order of files and lines', async () => {
    const at = (...times: Array<[number, string]>): string =>
      times.map(([pt, clk]) => JSON.stringify({ op: 'mcm', pt, clk, mc: [] })).join('\n');
    const sources = [
      ...(await openBytes('a', Buffer.from(at([10, 'a1'], [20, 'a2'], [20, 'a3'], [40, 'a4'])))),
      ...(await openBytes('b', Buffer.from(at([5, 'b1'], [20, 'b2'], [39, 'b3'])))),
    ];
    const order: string[] = [];
    for await (const { message } of mergeMessages(sources, emptyReport())) order.push(message.clk!);
    expect(order).toEqual(['b1', 'a1', 'a2', 'a3', 'b2', 'b3', 'a4']);
  });

  it('reports malformed lines with file and number, skips them and goes on', async () => {
    const { malformed } = makeTroubled();
    const path = join(FIXTURES, 'troubled.jsonl');
    const report = emptyReport();
    let messages = 0;
    for await (const _ of readMessages([path], report)) messages++;
    expect(report.malformed).toEqual(malformed.map((one) => ({ file: path, ...one })));
    expect(report.malformedLines).toBe(malformed.length);
    expect(report.otherLines).toEqual({ connection: 1, status: 1 });
    expect(messages).toBe(report.lines - malformed.length - 2);
    expect(messages).toBe(5);
  });
});

async function batches(source: Source): Promise<Array<Array<{ number: number; text: string }>>> {
  const all = [];
  for await (const batch of source.batches()) all.push(batch);
  return all;
}

async function textsOf(source: Source): Promise<string[]> {
  return (await batches(source)).flat().map((line) => line.text);
}

function tarHead(size: string): Buffer {
  const head = Buffer.alloc(1024);
  head.write('file', 0);
  head.write(size, 124);
  head.write('ustar', 257);
  return head;
}
