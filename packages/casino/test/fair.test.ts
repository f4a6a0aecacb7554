import { createHash, createHmac as nodeHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deckOf, siteName, standardName } from '../src/cards.ts';
import { commitOf, createStream, isClientSeed, isServerSeed, type Seeds, shuffle } from '../src/fair.ts';
import { createHmac, sha256, toHex, wordsToHex } from '../src/sha256.ts';

const text = (value: string) => new TextEncoder().encode(value);
const listHash = (cards: readonly string[]) => toHex(sha256(text(cards.join(','))));
const seedOf = (name: string) => toHex(sha256(text(name)));
const deal = (seeds: Seeds, deck: 'D1' | 'D8' | 'DSO', index = 0) =>
  shuffle(deckOf(deck), createStream(seeds, index)).map(standardName);

describe('SHA-256 and HMAC', () => {
  it('answers the known digests', () => {
    expect(toHex(sha256(text('')))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(toHex(sha256(text('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(toHex(sha256(text('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')))).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    );
  });

  it('agrees with the platform for every length around the block ends', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
      expect(toHex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
      const key = bytes.subarray(0, length >> 1);
      expect(wordsToHex(createHmac(key)(bytes))).toBe(nodeHmac('sha256', key).update(bytes).digest('hex'));
    }
  });
});

describe('provably fair shuffle (C11)', () => {
  it('vector 1: one deck', () => {
    const serverSeed = seedOf('casino test vector 1');
    expect(serverSeed).toBe('736f8b5da725b7ed7f5d6f5656330336eb8fe413d66a357a86727cfebc65e2c6');
    expect(commitOf(serverSeed)).toBe('340af8ac6142f61406a6e25919b316d87d7cca8443d22bf501e55ab359028bb3');
    const seeds = { serverSeed, clientSeed: 'player-one', nonce: 0 };
    const block = createHmac(text(serverSeed))(text('player-one:0:0:0'));
    expect(wordsToHex(block)).toBe('1ca63097d23321d83bf78ad3a34e992f2de66addebdfce9ee07612ee75b7f60d');
    const stream = createStream(seeds);
    expect([stream.uint32(), stream.uint32(), stream.uint32(), stream.uint32()]).toEqual([
      480653463, 3526566360, 1006078675, 2739837231,
    ]);
    const cards = deal(seeds, 'D1');
    expect(cards.join()).toBe(
      '3S,6D,6C,9C,2H,4H,7D,QS,6H,KS,10C,5C,8D,JD,5S,8C,3C,8S,2D,7S,QC,7C,10H,10D,AH,9D,3H,2S,QH,JH,JC,AD,4S,10S,8H,2C,3D,KD,QD,JS,6S,5H,9H,9S,7H,4D,KC,4C,AC,KH,AS,5D',
    );
    expect(listHash(cards)).toBe('94b9bc263603115eb90ca795803b05638e031cbabeee7cde34c36c08bcb2b352');
    const site = shuffle(deckOf('D1'), createStream(seeds)).map(siteName);
    expect(site.slice(0, 10).join()).toBe('3HH,6SS,6CC,9CC,2DD,4DD,7SS,QHH,6DD,KHH');
  });

  it('vector 2: eight decks and a client seed in Devanagari', () => {
    const serverSeed = seedOf('casino test vector 2');
    expect(serverSeed).toBe('e86681d4300a88be7df679f3099dd3ed44250bc1318facb3fa28d178e10aa828');
    expect(commitOf(serverSeed)).toBe('7c28b04b720a76a5e88eb37d404848ec1b19836782046a2f2bd0a8fd802d13f4');
    const clientSeed = '\u0928\u092E\u0938\u094D\u0924\u0947';
    const cards = deal({ serverSeed, clientSeed, nonce: 7 }, 'D8');
    expect(cards.slice(0, 16).join()).toBe('KC,7H,8C,10D,AS,9D,KH,9H,2C,9C,2C,AC,8D,6S,7S,4H');
    expect(cards.slice(-3).join()).toBe('6D,5D,6D');
    expect(listHash(cards)).toBe('07ddc8bad2daf999d961b597c03a8b8858b20223e7063c648f1bb2536258a169');
  });

  it('vector 3: the over deck, two innings, and numbers with rejection', () => {
    const serverSeed = seedOf('casino test vector 3');
    expect(serverSeed).toBe('dacec137e866aaba12896a41cf46b5d97df894b053e76d6a7453cf9b9974272f');
    expect(commitOf(serverSeed)).toBe('915f0e401d9f84637ee0dd2118c2e35b20a5ce1c01786b2cdebbfb6c939ddd90');
    const seeds = { serverSeed, clientSeed: 'demo', nonce: 123456 };
    expect(deal(seeds, 'DSO', 0).join()).toBe(
      '3S,10S,10D,3D,AH,AC,3C,2C,2H,4S,KS,4D,AS,AS,6S,10S,3S,2S,6H,10C,4H,4C,AD,2S,6D,KC,KD,KH,10H,4S,6C,KS,6S,2D,3H',
    );
    expect(listHash(deal(seeds, 'DSO', 0))).toBe('ea19a7fe08fc4e51e5e9ff41e85d4dc711f0ff3ec6b51bce1e821e2a6fe8ab46');
    expect(deal(seeds, 'DSO', 1).join()).toBe(
      'AD,6C,AH,6D,6S,10S,2H,KS,KD,AS,2D,6H,2C,3S,3S,10C,3H,10S,4S,KS,4S,2S,10D,4C,6S,4H,10H,3C,3D,AS,4D,KC,KH,2S,AC',
    );
    expect(listHash(deal(seeds, 'DSO', 1))).toBe('98b81b78d0245a5f7dd8df634a948ddae96a9323e4eefaf2ca695bd5588fb702');
    const thousand = createStream(seeds, 2);
    expect([1, 2, 3, 4, 5].map(() => thousand.int(1000))).toEqual([188, 529, 769, 692, 75]);
    const wide = createStream(seeds, 3);
    expect([1, 2, 3, 4].map(() => wide.int(3_000_000_000))).toEqual([457342651, 522658406, 2786936253, 1155505800]);
    const raw = createStream(seeds, 3);
    expect(Array.from({ length: 9 }, () => raw.uint32())).toEqual([
      3521877918, 4244447622, 3498110253, 457342651, 522658406, 3122792242, 3680539848, 2786936253, 1155505800,
    ]);
  });

  it('takes only seeds that the rule allows', () => {
    expect(isServerSeed('A'.repeat(64))).toBe(false);
    expect(isServerSeed('a'.repeat(63))).toBe(false);
    expect(isClientSeed('\u{1F0A1}'.repeat(64))).toBe(true);
    expect(isClientSeed('x'.repeat(65))).toBe(false);
    expect(() => createStream({ serverSeed: 'a'.repeat(64), clientSeed: '', nonce: -1 })).toThrow('nonce');
    expect(() => createStream({ serverSeed: '', clientSeed: '', nonce: 0 })).toThrow('server seed');
  });

  it('places every card everywhere equally often', () => {
    const counts = new Int32Array(52 * 52);
    const rounds = 1500;
    for (let nonce = 0; nonce < rounds; nonce++) {
      const cards = shuffle(deckOf('D1'), createStream({ serverSeed: 'ab'.repeat(32), clientSeed: 'even', nonce }));
      for (let at = 0; at < 52; at++) counts[at * 52 + cards[at]!]! += 1;
    }
    const expected = rounds / 52;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 51 x 51 degrees of freedom: mean 2601, standard deviation 72.
    expect(Math.abs(chiSquare - 2601)).toBeLessThan(4 * 72);
  });
});
