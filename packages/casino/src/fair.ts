import { createHmac, sha256, toHex } from './sha256.ts';

/**
 * Provably fair shuffling, rule book C11. The same file deals on the server and verifies in the browser.
 * The secret is the server seed; its commitment is shown before the first bet, the seed itself after the round.
 */
export interface Seeds {
  /** 64 lowercase hexadecimal characters. */
  readonly serverSeed: string;
  /** Any text of at most 64 code points, used exactly as entered. */
  readonly clientSeed: string;
  /** 0, 1, 2 ... per round and per server seed. */
  readonly nonce: number;
}

export interface RandomStream {
  /** The next big-endian 32-bit number of the stream. */
  uint32(): number;
  /** A whole number from 0 to n - 1, every one equally likely; n at most 2^32. */
  int(n: number): number;
}

const utf8 = new TextEncoder();

/** SHA-256 of the 64 characters of the seed's text (not of its 32 bytes), lowercase hexadecimal. */
export function commitOf(serverSeed: string): string {
  return toHex(sha256(utf8.encode(serverSeed)));
}

/**
 * The public seed of a table that many play at: the one of the round before, and the words that players put in after the
 * commitment was shown and before betting opened. In hexadecimal SHA-256 of all of them, a line each; without words the seed
 * itself.
 */
export function sharedSeed(base: string, words: readonly string[]): string {
  return words.length === 0 ? base : toHex(sha256(utf8.encode([base, ...words].join('\n'))));
}

export function isServerSeed(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

export function isClientSeed(text: string): boolean {
  return Array.from(text).length <= 64;
}

/** Fails on a seed or nonce that the rule does not allow. */
export function checkSeeds(seeds: Seeds): void {
  if (!isServerSeed(seeds.serverSeed)) throw new Error('A server seed is 64 lowercase hexadecimal characters.');
  if (!isClientSeed(seeds.clientSeed)) throw new Error('A client seed has at most 64 characters.');
  if (!Number.isSafeInteger(seeds.nonce) || seeds.nonce < 0) throw new Error('A nonce is a whole number from 0.');
}

/** The random stream of one shuffle of one round. Values that would bias `int` are consumed and thrown away. */
export function createStream(seeds: Seeds, shuffle = 0): RandomStream {
  checkSeeds(seeds);
  const hmac = createHmac(utf8.encode(seeds.serverSeed));
  const prefix = `${seeds.clientSeed}:${seeds.nonce}:${shuffle}:`;
  let block = hmac(utf8.encode(`${prefix}0`));
  let blocks = 1;
  let at = 0;
  const uint32 = () => {
    if (at === 8) {
      block = hmac(utf8.encode(`${prefix}${blocks}`));
      blocks += 1;
      at = 0;
    }
    return block[at++]!;
  };
  const int = (n: number) => {
    if (!Number.isInteger(n) || n < 1 || n > 0x1_0000_0000) throw new Error('The range is 1 to 2^32.');
    const limit = Math.floor(0x1_0000_0000 / n) * n;
    let value = uint32();
    while (value >= limit) value = uint32();
    return value % n;
  };
  return { uint32, int };
}

/** Shuffles in place, last position first (Fisher-Yates), and returns the same list. */
export function shuffle<T>(list: T[], stream: Pick<RandomStream, 'int'>): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = stream.int(i + 1);
    const held = list[i]!;
    list[i] = list[j]!;
    list[j] = held;
  }
  return list;
}
