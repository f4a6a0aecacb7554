import type { RaceDetails } from '@fairgame/contract';
import { Screen } from '../src/features/race/race-page.tsx';
import { MATCH_ID, market, runner } from './samples.ts';
import { showAt } from './show-at.tsx';

/** A race of three with its market, 4.00 / 4.10 and up, and its page. */
export const horses = ['Aster', 'Borage', 'Clover'];
export const win = market({
  name: 'To Be Placed',
  runners: horses.map((name, at) =>
    runner(at + 1, name, { back: [[400 + at * 100, 100_000]], lay: [[410 + at * 100, 100_000]] }),
  ),
});
export const race: RaceDetails = {
  id: MATCH_ID,
  matchType: 'horseRacing',
  title: '15:10 Handicap',
  venue: 'Ripon',
  countryCode: 'GB',
  startAt: new Date(Date.now() + 600_000).toISOString(),
  stopAt: null,
  eventId: '7.1',
  competitionName: 'Ripon',
  distance: '1m',
  going: null,
  raceClass: null,
  raceType: null,
  prize: null,
  progress: 'DORMANT',
  betPlaceStartBefore: null,
  runners: horses.map((name, at) => ({
    selectionId: at + 1,
    clothNumber: at + 1,
    draw: null,
    name,
    jockey: null,
    trainer: null,
    age: null,
    weight: null,
    form: null,
    officialRating: null,
    silks: null,
    status: 'ACTIVE',
    adjustmentFactor: 0,
    removedAt: null,
  })),
  matchOdd: null,
  profitLossDataMatch: {},
  markets: [win],
  scoreBoard: null,
};

/** The page of the race, by what `serve` answers for it. */
export const showRace = () => showAt(`/race/${MATCH_ID}`, [{ path: '/race/:id', element: <Screen /> }]);
