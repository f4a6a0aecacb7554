/** Files as one archive (ustar), made while it is read. */

export interface TarEntry {
  /** ASCII, at most 100 letters. */
  name: string;
  size: number;
  changedAt: number;
  bytes: AsyncIterable<Uint8Array>;
}

const BLOCK = 512;

export async function* tar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield headOf(entry);
    yield* entry.bytes;
    yield new Uint8Array((BLOCK - (entry.size % BLOCK)) % BLOCK);
  }
  yield new Uint8Array(2 * BLOCK);
}

function headOf({ name, size, changedAt }: TarEntry): Uint8Array {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    head.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'ascii');
  head.write(name, 0, 100, 'ascii');
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(Math.floor(changedAt / 1000), 136, 11);
  head.write('0', 156, 'ascii');
  head.write('ustar\x0000', 257, 'ascii');
  // Of the head itself, its own place as blanks.
  head.fill(' ', 148, 156);
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return head;
}
