/**
 * Recorded files as numbered lines, decoded while they are read: plain text, gzip, bzip2, zip, tar and any of them inside
 * another (`data.tar` of `.bz2` is how historic streams are sold). What a file is, its first bytes say; names are not asked.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, inflateRawSync } from 'node:zlib';
import unbzip2Stream from 'unbzip2-stream';

export interface Line {
  /** Counted from 1, blank lines included. */
  number: number;
  text: string;
  /** The line could not be read as text; `text` is empty then. */
  fault?: string;
}

/** One stream of messages: a file, or one entry of an archive (`data.tar!2017/Apr/1.123.bz2`). */
export interface Source {
  name: string;
  /** Batches of lines in file order. Throws UnreadableFile when decoding breaks off; what came before stays good. */
  batches(): AsyncGenerator<Line[]>;
}

/** A file (or the rest of it) cannot be read. The message names the file and says why, in words for a person. */
export class UnreadableFile extends Error {
  readonly file: string;
  readonly reason: string;
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`);
    this.name = 'UnreadableFile';
    this.file = file;
    this.reason = reason;
  }
}

type Bytes = AsyncIterable<Buffer>;

const MAX_LINE_CHARS = 32 * 1024 * 1024;
/** Archives are held whole (compressed); their entries are small against that. */
const MAX_ARCHIVE_BYTES = 1024 * 1024 * 1024;
/** What all archives of one source may open to: packed data can be a thousandth of it. */
const MAX_OPENED_BYTES = 512 * 1024 * 1024;
const MAX_NESTING = 4;

/** What may still be opened. */
interface Room {
  left: number;
}

/** Opens a path, or standard input for `-`. Throws UnreadableFile when nothing can be read from it. */
export async function openSources(path: string): Promise<Source[]> {
  const room = { left: MAX_OPENED_BYTES };
  if (path === '-') return sourcesOf('stdin', process.stdin as unknown as Bytes, 0, room);
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFile(path, error.code === 'ENOENT' ? 'no such file' : String(error.code ?? error.message));
  });
  if (info.isDirectory()) throw new UnreadableFile(path, 'is a folder, name the files in it');
  return sourcesOf(path, createReadStream(path, { highWaterMark: 256 * 1024 }) as unknown as Bytes, 0, room);
}

/** The same for bytes in memory; `name` is what errors call it. Archives in it open to `most` bytes at the most. */
export function openBytes(name: string, bytes: Buffer, most = MAX_OPENED_BYTES): Promise<Source[]> {
  return sourcesOf(name, one(bytes), 0, { left: most });
}

async function sourcesOf(name: string, input: Bytes, depth: number, room: Room): Promise<Source[]> {
  if (depth > MAX_NESTING) throw new UnreadableFile(name, `archives inside archives more than ${MAX_NESTING} deep`);
  const { head, bytes } = await peek(name, input);
  if (head[0] === 0x1f && head[1] === 0x8b) return sourcesOf(name, gunzipped(bytes), depth + 1, room);
  if (head.toString('latin1', 0, 3) === 'BZh') return sourcesOf(name, unbzipped(bytes), depth + 1, room);
  const entries =
    head.readUInt32BE(0) === 0x504b0304
      ? zipEntries(name, await collect(name, bytes), room)
      : head.toString('latin1', 257, 262) === 'ustar'
        ? tarEntries(name, await collect(name, bytes))
        : null;
  if (!entries) return [{ name, batches: () => linesOf(name, bytes) }];
  const nested = await Promise.all(entries.map((entry) => sourcesOf(entry.name, one(entry.bytes), depth + 1, room)));
  return nested.flat();
}

// ---------------------------------------------------------------------------------------------------- lines

async function* linesOf(name: string, bytes: Bytes): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8');
  let number = 0;
  let rest = '';
  let overlong = false;
  const finish = (piece: string, into: Line[]): void => {
    number++;
    const fault = overlong || rest.length + piece.length > MAX_LINE_CHARS;
    const whole = fault ? '' : rest + piece;
    const text = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    if (fault) into.push({ number, text: '', fault: `line longer than ${MAX_LINE_CHARS} characters` });
    else if (text.trim() !== '') into.push({ number, text });
    rest = '';
    overlong = false;
  };
  try {
    for await (const chunk of bytes) {
      const pieces = decoder.decode(chunk, { stream: true }).split('\n');
      const batch: Line[] = [];
      const last = pieces.pop() as string;
      for (const piece of pieces) finish(piece, batch);
      if (overlong || rest.length + last.length > MAX_LINE_CHARS) {
        overlong = true;
        rest = '';
      } else rest += last;
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    throw readable(name, error);
  }
  const batch: Line[] = [];
  const last = decoder.decode();
  if (overlong || rest !== '' || last !== '') finish(last, batch);
  if (batch.length > 0) yield batch;
}

// ---------------------------------------------------------------------------------------------------- bytes

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The first bytes (zero-padded to 512), and the whole stream again. */
async function peek(name: string, input: Bytes): Promise<{ head: Buffer; bytes: Bytes }> {
  const iterator = input[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  let length = 0;
  let failure: unknown = null;
  try {
    while (length < 512) {
      const next = await iterator.next();
      if (next.done) break;
      taken.push(next.value);
      length += next.value.length;
    }
  } catch (error) {
    if (length === 0) throw readable(name, error);
    failure = error;
  }
  async function* again(): AsyncGenerator<Buffer> {
    try {
      yield* taken.splice(0);
      if (failure) throw failure;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  const head = Buffer.alloc(512);
  Buffer.concat(taken).copy(head);
  return { head, bytes: again() };
}

async function collect(name: string, bytes: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of bytes) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_ARCHIVE_BYTES) throw new UnreadableFile(name, 'archive larger than 1 GiB, unpack it first');
    }
  } catch (error) {
    throw readable(name, error);
  }
  return Buffer.concat(chunks);
}

function gunzipped(bytes: Bytes): Bytes {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  // The iterator below reports the error; the callback only keeps it from being unhandled.
  pipeline(Readable.from(bytes), gunzip, () => {});
  return gunzip as unknown as Bytes;
}

/** Driven by hand, not piped: the decoder works inside `write`, and blocks before a broken one must not be lost. */
async function* unbzipped(bytes: Bytes): AsyncGenerator<Buffer> {
  const decoder = unbzip2Stream();
  const ready: Buffer[] = [];
  let broken = false;
  decoder.on('data', (block: Buffer) => ready.push(block));
  decoder.on('error', () => {
    broken = true;
  });
  for await (const chunk of bytes) {
    decoder.write(chunk);
    yield* ready.splice(0);
    if (broken) break;
  }
  if (!broken) decoder.end();
  yield* ready.splice(0);
  if (broken) throw new Error('the bzip2 data is damaged or cut off');
}

function readable(name: string, error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code?.startsWith('Z_') ? 'the gzip data is damaged or cut off' : message || String(code);
  return new UnreadableFile(name, reason);
}

// ---------------------------------------------------------------------------------------------------- archives

interface Entry {
  name: string;
  bytes: Buffer;
}

/** Entries by the central directory (the local headers may lack sizes). Stored and deflated ones are read. */
function zipEntries(name: string, zip: Buffer, room: Room): Entry[] {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (end < 0 || end + 22 > zip.length) throw new UnreadableFile(name, 'the zip is damaged or cut off');
  const entries: Entry[] = [];
  try {
    let at = zip.readUInt32LE(end + 16);
    for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
      const flags = zip.readUInt16LE(at + 8);
      const method = zip.readUInt16LE(at + 10);
      const packed = zip.readUInt32LE(at + 20);
      const nameLength = zip.readUInt16LE(at + 28);
      const local = zip.readUInt32LE(at + 42);
      const entry = `${name}!${zip.toString('utf8', at + 46, at + 46 + nameLength)}`;
      at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
      if (entry.endsWith('/')) continue;
      if (flags & 1) throw new UnreadableFile(entry, 'the zip entry is encrypted');
      if (method !== 0 && method !== 8) {
        const kind = method === 14 ? 'LZMA' : `method ${method}`;
        throw new UnreadableFile(entry, `zip compression ${kind} is not supported, unpack it first`);
      }
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const data = zip.subarray(start, start + packed);
      entries.push({ name: entry, bytes: method === 8 ? inflated(entry, data, room) : data });
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(name, 'the zip is damaged or cut off');
  }
  return entries;
}

/** The sizes that a zip names are its own word: what comes out is measured while it comes. */
function inflated(name: string, data: Buffer, room: Room): Buffer {
  const tooMuch = () => new UnreadableFile(name, 'the archive opens to more than 512 MiB, unpack it first');
  if (room.left <= 0) throw tooMuch();
  try {
    const bytes = inflateRawSync(data, { maxOutputLength: room.left });
    room.left -= bytes.length;
    return bytes;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooMuch() : error;
  }
}

/** Regular files of a tar; long names by the ustar prefix, GNU and pax headers are stepped over. */
function tarEntries(name: string, tar: Buffer): Entry[] {
  const text = (from: number, length: number): string =>
    tar.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  const entries: Entry[] = [];
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    if (!(size >= 0) || at + 512 + size > tar.length) throw new UnreadableFile(name, 'the tar is damaged or cut off');
    const type = String.fromCharCode(tar[at + 156] ?? 0);
    const prefix = text(at + 345, 155);
    const entry = `${name}!${prefix ? `${prefix}/` : ''}${text(at, 100)}`;
    if ((type === '0' || type === '\0') && size > 0)
      entries.push({ name: entry, bytes: tar.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}
