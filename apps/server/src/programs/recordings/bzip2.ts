/**
 * Packs by bzip2, the form in which recordings of exchanges are sold and which programs open. Block sort, move to front, runs of zeros,
 * Huffman codes. There is no kept library that packs, and a recording is small: what is simple comes before what is fast.
 */

/** Bytes of a block before they are sorted. A block holds the process up for some milliseconds; the file then says `1`: up to 100 kB. */
const BLOCK = 25_000;
/** Codes are chosen anew for each group of so many symbols. */
const GROUP = 50;
/** The format knows 20 bits; short ones are nearly as good, and their lengths need no second look. */
const MOST_BITS = 17;
const ROUNDS = 3;
const [RUN_A, RUN_B] = [0, 1];

/** The packed file, block by block. */
export function* bzip2(data: Uint8Array): Generator<Uint8Array> {
  const bits = new Bits();
  for (const byte of 'BZh1') bits.put(8, byte.charCodeAt(0));
  let whole = 0;
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + BLOCK);
    const sum = checksum(data, at, end);
    whole = ((whole << 1) | (whole >>> 31)) ^ sum;
    putBlock(bits, runsShortened(data, at, end), sum);
    at = end;
    yield bits.taken();
  }
  // The square root of pi, then the sum over all blocks.
  bits.put(24, 0x177245);
  bits.put(24, 0x385090);
  bits.put32(whole);
  yield bits.ended();
}

/** Bits, the highest of a byte first. */
class Bits {
  private bytes = new Uint8Array(64 * 1024);
  private length = 0;
  private rest = 0;
  private count = 0;

  /** At most 24 of them. */
  put(bits: number, value: number): void {
    this.rest = (this.rest << bits) | value;
    this.count += bits;
    while (this.count >= 8) {
      this.count -= 8;
      if (this.length === this.bytes.length) this.grow();
      this.bytes[this.length++] = this.rest >>> this.count;
      this.rest &= (1 << this.count) - 1;
    }
  }

  put32(value: number): void {
    this.put(16, value >>> 16);
    this.put(16, value & 0xffff);
  }

  /** What is whole by now. */
  taken(): Uint8Array {
    const part = this.bytes.slice(0, this.length);
    this.length = 0;
    return part;
  }

  ended(): Uint8Array {
    if (this.count > 0) this.put(8 - this.count, 0);
    return this.taken();
  }

  private grow(): void {
    const wider = new Uint8Array(this.bytes.length * 2);
    wider.set(this.bytes);
    this.bytes = wider;
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum;
});

function checksum(data: Uint8Array, from: number, to: number): number {
  let sum = -1;
  for (let at = from; at < to; at++) sum = (sum << 8) ^ CRC[(sum >>> 24) ^ data[at]!]!;
  return ~sum;
}

/** Four alike are followed by how many more there are: at most a quarter longer than it was. */
function runsShortened(data: Uint8Array, from: number, to: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(((to - from) * 5) / 4) + 1);
  let length = 0;
  for (let at = from; at < to; ) {
    const byte = data[at]!;
    let run = 1;
    while (run < 259 && at + run < to && data[at + run] === byte) run++;
    for (let n = 0; n < Math.min(run, 4); n++) out[length++] = byte;
    if (run >= 4) out[length++] = run - 4;
    at += run;
  }
  return out.subarray(0, length);
}

function putBlock(bits: Bits, block: Uint8Array, sum: number): void {
  const { last, origin } = sorted(block);
  // Pi, in digits.
  bits.put(24, 0x314159);
  bits.put(24, 0x265359);
  bits.put32(sum);
  bits.put(1, 0);
  bits.put(24, origin);
  const used = [...new Set(block)].sort((a, b) => a - b);
  putUsed(bits, used);
  putSymbols(bits, symbolsOf(last, used), used.length + 2);
}

/**
 * The last letters of all rotations in their order, and where the block itself is among them. Ranks by ever twice as many letters,
 * so that repetitions, of which recordings are full, cost no more than anything else.
 */
function sorted(block: Uint8Array): { last: Uint8Array; origin: number } {
  const n = block.length;
  let rank = Int32Array.from(block);
  let next = new Int32Array(n);
  const order = new Int32Array(n);
  const moved = new Int32Array(n);
  const counts = new Int32Array(Math.max(256, n) + 1);
  // By a rank, without changing the order of those alike.
  const place = (from: ArrayLike<number>, classes: number) => {
    counts.fill(0, 0, classes + 1);
    for (let at = 0; at < n; at++) counts[rank[at]! + 1]!++;
    for (let at = 0; at < classes; at++) counts[at + 1]! += counts[at]!;
    for (let at = 0; at < n; at++) order[counts[rank[from[at]!]!]!++] = from[at]!;
  };
  place(
    Int32Array.from(block, (_, at) => at),
    256,
  );
  let classes = 0;
  for (let width = 0; classes < n; width = width === 0 ? 1 : width * 2) {
    if (width > 0) {
      for (let at = 0; at < n; at++) moved[at] = order[at]! >= width ? order[at]! - width : order[at]! - width + n;
      place(moved, classes);
    }
    let known = 0;
    next[order[0]!] = 0;
    for (let at = 1; at < n; at++) {
      const [one, other] = [order[at]!, order[at - 1]!];
      const isOther = rank[one] !== rank[other] || (width > 0 && rank[(one + width) % n] !== rank[(other + width) % n]);
      if (isOther) known++;
      next[one] = known;
    }
    [rank, next] = [next, rank];
    classes = known + 1;
    // A block that repeats itself whole: its rotations are alike, and any order of them will do.
    if (width >= n) break;
  }
  return {
    last: Uint8Array.from(order, (at) => block[at === 0 ? n - 1 : at - 1]!),
    origin: order.indexOf(0),
  };
}

/** Which bytes there are: which sixteens, then which of each. */
function putUsed(bits: Bits, used: readonly number[]): void {
  const of = (sixteen: number) =>
    used.reduce((map, byte) => (byte >>> 4 === sixteen ? map | (0x8000 >>> (byte & 15)) : map), 0);
  const maps = Array.from({ length: 16 }, (_, sixteen) => of(sixteen));
  bits.put(
    16,
    maps.reduce((all, map, sixteen) => (map ? all | (0x8000 >>> sixteen) : all), 0),
  );
  for (const map of maps) if (map) bits.put(16, map);
}

/** Places of a list whose letter moves to its front; runs of zeros as numbers of two digits, 1 and 2; then the end. */
function symbolsOf(last: Uint8Array, used: readonly number[]): Uint16Array {
  const list = Uint8Array.from(used);
  const out = new Uint16Array(last.length + 1);
  let length = 0;
  let zeros = 0;
  const putZeros = () => {
    for (; zeros > 0; zeros = (zeros - 1) >> 1) out[length++] = zeros & 1 ? RUN_A : RUN_B;
  };
  for (const byte of last) {
    if (list[0] === byte) {
      zeros++;
      continue;
    }
    putZeros();
    const at = list.indexOf(byte);
    list.copyWithin(1, 0, at);
    list[0] = byte;
    out[length++] = at + 1;
  }
  putZeros();
  out[length++] = used.length + 1;
  return out.subarray(0, length);
}

function putSymbols(bits: Bits, symbols: Uint16Array, alphabet: number): void {
  const groups = Math.ceil(symbols.length / GROUP);
  const tables = symbols.length < 200 ? 2 : symbols.length < 1200 ? 4 : 6;
  const { lengths, chosen } = fitted(symbols, alphabet, groups, tables);
  bits.put(3, tables);
  bits.put(15, groups);
  const list = Array.from({ length: tables }, (_, table) => table);
  for (const table of chosen) {
    const at = list.indexOf(table);
    for (let n = 0; n < at; n++) bits.put(1, 1);
    bits.put(1, 0);
    list.splice(at, 1);
    list.unshift(table);
  }
  for (const of of lengths) {
    let now = of[0]!;
    bits.put(5, now);
    for (const length of of) {
      for (; now < length; now++) bits.put(2, 0b10);
      for (; now > length; now--) bits.put(2, 0b11);
      bits.put(1, 0);
    }
  }
  const codes = lengths.map(codesOf);
  for (const [group, table] of chosen.entries())
    for (const symbol of symbols.subarray(group * GROUP, (group + 1) * GROUP))
      bits.put(lengths[table]![symbol]!, codes[table]![symbol]!);
}

/** Lengths of the codes of each table, and which table each group of symbols is written by: both made better in turns. */
function fitted(symbols: Uint16Array, alphabet: number, groups: number, tables: number) {
  // At first each table is good for a range of symbols that come equally often.
  const often = new Int32Array(alphabet);
  for (const symbol of symbols) often[symbol]!++;
  let seen = 0;
  const bestOf = Array.from(often, (count) => {
    seen += count;
    return Math.min(tables - 1, Math.floor(((seen - count / 2) * tables) / symbols.length));
  });
  let lengths: number[][] = Array.from({ length: tables }, (_, table) =>
    bestOf.map((best) => (best === table ? 0 : 15)),
  );
  const chosen = new Uint8Array(groups);
  for (let round = 0; round < ROUNDS; round++) {
    const counts = Array.from({ length: tables }, () => new Int32Array(alphabet));
    for (let group = 0; group < groups; group++) {
      const part = symbols.subarray(group * GROUP, (group + 1) * GROUP);
      const costs = lengths.map((of) => part.reduce((sum, symbol) => sum + of[symbol]!, 0));
      const table = costs.indexOf(Math.min(...costs));
      chosen[group] = table;
      for (const symbol of part) counts[table]![symbol]!++;
    }
    lengths = counts.map(lengthsOf);
  }
  return { lengths, chosen };
}

/** Huffman's lengths by how often each symbol comes; rare ones count as more until none is too long. Each has a code. */
function lengthsOf(counts: ArrayLike<number>): number[] {
  for (let least = 1; ; least *= 2) {
    const lengths = Array.from(counts, () => 0);
    let trees = Array.from(counts, (count, symbol) => ({ weight: Math.max(count, least), symbols: [symbol] }));
    while (trees.length > 1) {
      trees = trees.sort((a, b) => b.weight - a.weight);
      const [one, other] = [trees.pop()!, trees.pop()!];
      const symbols = [...one.symbols, ...other.symbols];
      for (const symbol of symbols) lengths[symbol]!++;
      trees.push({ weight: one.weight + other.weight, symbols });
    }
    if (Math.max(...lengths) <= MOST_BITS) return lengths;
  }
}

/** Shorter ones first, those of a length by their symbols. */
function codesOf(lengths: readonly number[]): number[] {
  const codes = lengths.map(() => 0);
  let code = 0;
  for (let length = 1; length <= MOST_BITS; length++) {
    for (const [symbol, of] of lengths.entries()) if (of === length) codes[symbol] = code++;
    code <<= 1;
  }
  return codes;
}
