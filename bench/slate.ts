/** Matches and their order books, as a feed tells them to the benches of the whole server. */
import type { RunnerDef } from '@fairgame/exchange';
import type { FeedOutput } from '../apps/server/src/feed/feed.ts';
import { marketDef } from '../apps/server/test/fixture.ts';

/** A football match and its match odds. */
export function openMatch(eventId: number, marketId: number, runners: RunnerDef[]): FeedOutput[] {
  return [
    {
      type: 'event',
      event: {
        eventId,
        matchType: 'football',
        title: `Home ${eventId} v Away ${eventId}`,
        competitionId: 1,
        competitionName: 'League',
        startAt: Date.now(),
        teamA: 'Home',
        teamB: 'Away',
        isTv: false,
        beventId: `b${eventId}`,
        gmid: `g${eventId}`,
      },
    },
    {
      type: 'command',
      info: { sno: 1, marketType: 'matchOdd' },
      command: { type: 'market.create', market: marketDef(marketId, eventId, { runners }) },
    },
  ];
}
