/**
 * SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104), synchronous and without any platform module: Web Crypto answers
 * later, and a browser that verifies a round needs thousands of blocks at once.
 */

const K = new Int32Array(64);
const START = new Int32Array(8);
fillConstants();

const words = new Int32Array(64);

/** SHA-256 of the bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = START.slice();
  absorb(state, bytes, 0);
  return toBytes(state);
}

/** A function from message to the eight big-endian words of its HMAC. The key's two blocks are hashed only once. */
export function createHmac(key: Uint8Array): (message: Uint8Array) => Uint32Array {
  const short = key.length > 64 ? sha256(key) : key;
  const pad = (filler: number) => {
    const block = new Uint8Array(64).fill(filler);
    for (let i = 0; i < short.length; i++) block[i]! ^= short[i]!;
    const state = START.slice();
    compress(state, block, 0);
    return state;
  };
  const inner = pad(0x36);
  const outer = pad(0x5c);
  return (message) => {
    const state = inner.slice();
    absorb(state, message, 64);
    const last = outer.slice();
    absorb(last, toBytes(state), 64);
    return new Uint32Array(last.buffer);
  };
}

/** Lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

export function wordsToHex(values: Uint32Array): string {
  let text = '';
  for (const word of values) text += word.toString(16).padStart(8, '0');
  return text;
}

/** Hashes all of `bytes` and the closing padding into the state; `before` bytes were hashed already. */
function absorb(state: Int32Array, bytes: Uint8Array, before: number): void {
  const whole = bytes.length - (bytes.length % 64);
  for (let at = 0; at < whole; at += 64) compress(state, bytes, at);
  const rest = bytes.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[rest] = 0x80;
  const bits = (before + bytes.length) * 8;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(bits / 0x1_0000_0000));
  view.setUint32(tail.length - 4, bits >>> 0);
  for (let at = 0; at < tail.length; at += 64) compress(state, tail, at);
}

function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const j = at + i * 4;
    words[i] = (bytes[j]! << 24) | (bytes[j + 1]! << 16) | (bytes[j + 2]! << 8) | bytes[j + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const w15 = words[i - 15]!;
    const w2 = words[i - 2]!;
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0]! + a) | 0;
  state[1] = (state[1]! + b) | 0;
  state[2] = (state[2]! + c) | 0;
  state[3] = (state[3]! + d) | 0;
  state[4] = (state[4]! + e) | 0;
  state[5] = (state[5]! + f) | 0;
  state[6] = (state[6]! + g) | 0;
  state[7] = (state[7]! + h) | 0;
}

function toBytes(state: Int32Array): Uint8Array {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 8; i++) view.setInt32(i * 4, state[i]!);
  return bytes;
}

/** The standard's constants are the first 32 bits of the fractions of roots of the first 64 primes. */
function fillConstants(): void {
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (found < 8) START[found] = fraction(BigInt(n), 2n);
    K[found] = fraction(BigInt(n), 3n);
    found += 1;
  }
}

/** First 32 fractional bits of the square or cube root, by whole numbers: no rounding of floats is trusted here. */
function fraction(n: bigint, power: bigint): number {
  const target = n << (32n * power);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffff_ffffn) | 0;
}
