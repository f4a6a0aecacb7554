import type { MatchItem } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import { mergeMatches } from '../src/features/lists/merge.ts';

const item = (id: number, over: Partial<MatchItem> = {}): MatchItem => ({
  id,
  matchType: 'cricket',
  title: `Match ${id}`,
  startAt: '2026-05-01T10:00:00.000Z',
  beventId: null,
  eventId: String(id),
  gmid: null,
  competitionId: '1',
  competitionName: 'Cup',
  countryCode: null,
  inPlay: false,
  stopAt: null,
  isTv: false,
  isBookmaker: false,
  isFancy: false,
  scoreText: '',
  head: null,
  marketCount: 0,
  runnerCount: 0,
  ...over,
});
const list = (...matches: MatchItem[]) => ({ matches });
const ids = (of: { matches: readonly MatchItem[] }) => of.matches.map((match) => match.id);

describe('match lists between refreshes', () => {
  it('[LST-02] keeps only the items of the new result', () => {
    expect(ids(mergeMatches(list(item(1), item(2), item(3)), list(item(1), item(3))))).toEqual([1, 3]);
    expect(ids(mergeMatches(list(item(1)), list()))).toEqual([]);
  });

  it('[LST-03] lays the new data over the kept item: new values win, fields it does not carry stay', () => {
    const held = list({ ...item(1, { title: 'Old', scoreText: '10/0' }), note: 'mine' } as MatchItem);
    const { scoreText: _gone, ...short } = item(1, { title: 'New', inPlay: true });
    expect(mergeMatches(held, list(short as MatchItem)).matches[0]).toMatchObject({
      title: 'New',
      inPlay: true,
      scoreText: '10/0',
      note: 'mine',
    });
    expect(held.matches[0]!.title).toBe('Old');
  });

  it('[LST-04] adds what is new, in the order of the answer', () => {
    expect(ids(mergeMatches(list(item(2), item(1)), list(item(3), item(1), item(2))))).toEqual([3, 1, 2]);
    expect(ids(mergeMatches(undefined, list(item(5))))).toEqual([5]);
  });

  it('[CAR-27] an answer that failed or is not whole changes nothing', () => {
    const held = list(item(1), item(2));
    type Answer = Parameters<typeof mergeMatches>[1];
    for (const broken of [undefined, null, {}, { matches: null }, { matches: [{}] }, { matches: [null] }]) {
      expect(mergeMatches(held, broken as Answer)).toBe(held);
    }
    expect(() => mergeMatches(undefined, null)).toThrow('not readable');
  });

  it('hands out the same objects for what did not change', () => {
    const held = list(item(1), item(2, { title: 'A v B' }));
    expect(mergeMatches(held, list(item(1), item(2, { title: 'A v B' })))).toBe(held);
    const next = mergeMatches(held, list(item(1), item(2, { title: 'A v C' })));
    expect(next.matches[0]).toBe(held.matches[0]);
    expect(next.matches[1]).not.toBe(held.matches[1]);
  });
});
