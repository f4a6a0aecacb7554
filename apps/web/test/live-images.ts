import type { Frame, LiveImages, MarketDelta, MarketImage } from '@fairgame/contract';

/** Images and frames as the server makes them, for tests of what the client does with them. */
export const imageOf = (id: number, over: Partial<MarketImage> = {}): MarketImage => ({
  id,
  matchId: 7,
  kind: 'book',
  name: `Market ${id}`,
  status: 'OPEN',
  reason: '',
  inPlay: false,
  betDelayMs: 0,
  version: 1,
  winners: 1,
  commissionBps: 200,
  minStakeMinor: 100,
  maxStakeMinor: 500_000,
  tradedMinor: 0,
  sno: id,
  resultText: '',
  runners: [
    { id: 1, name: 'A', status: 'ACTIVE', factor: 0, last: 0, tradedMinor: 0, back: [[200, 100]], lay: [[202, 100]] },
    { id: 2, name: 'B', status: 'ACTIVE', factor: 0, last: 0, tradedMinor: 0, back: [[198, 100]], lay: [[200, 100]] },
  ],
  ...over,
});

export const imagesOf = (list: MarketImage[], s: number, over: Partial<LiveImages> = {}): LiveImages => ({
  e: 1,
  t: 0,
  id: list[0]?.matchId ?? 7,
  full: true,
  s: Object.fromEntries(list.map((one) => [one.id, s])),
  images: list,
  score: null,
  scoreSeq: 0,
  stopAt: null,
  ...over,
});

export const frameOf = (m: Frame['m'], e = 1): Frame => ({ e, t: 0, m });

/** One runner's best price to back. */
export const priceOf = (id: number, base: number, price: number, runner = 1): Frame['m'][number] => ({
  id,
  s: base + 1,
  b: base,
  d: { runners: [{ id: runner, back: [[price, 100]] }] } satisfies MarketDelta,
});
