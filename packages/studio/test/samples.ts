/**
 * Legal wagers of every game for the tests that treat all games alike, and moves to try in an open round (one that the
 * rules refuse at that moment is passed over). A game without a line here fails the tests.
 */
export interface Sample {
  readonly wagers: readonly unknown[];
  readonly moves?: readonly unknown[];
}

export const SAMPLES: Readonly<Record<string, Sample>> = {
  mines: {
    wagers: [
      { stakeMinor: 100, mines: 3 },
      { stakeMinor: 2500, mines: 24 },
    ],
    moves: [{ do: 'open', tile: 0 }, { do: 'open', tile: 12 }, { do: 'open', tile: 24 }, { do: 'cash' }],
  },
  plinko: {
    wagers: [
      { stakeMinor: 100, rows: 8, risk: 'low' },
      { stakeMinor: 1500, rows: 16, risk: 'high' },
    ],
  },
  keno: {
    wagers: [
      { stakeMinor: 100, picks: [7] },
      { stakeMinor: 700, picks: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    ],
  },
  'hi-lo': {
    wagers: [{ stakeMinor: 100 }, { stakeMinor: 5000 }],
    moves: [{ do: 'skip' }, { do: 'higher' }, { do: 'lower' }, { do: 'higher' }, { do: 'cash' }],
  },
  'chicken-road': {
    wagers: [
      { stakeMinor: 100, road: 'village' },
      { stakeMinor: 1000, road: 'motorway' },
    ],
    moves: [{ do: 'go' }, { do: 'go' }, { do: 'go' }, { do: 'cash' }],
  },
  dice: {
    wagers: [
      { stakeMinor: 100, side: 'under', mark: 5000 },
      { stakeMinor: 2500, side: 'over', mark: 9000 },
      { stakeMinor: 50_000, side: 'under', mark: 200 },
    ],
  },
  roulette: {
    wagers: [
      { chips: [{ spot: 'straight-17', stakeMinor: 100 }] },
      {
        chips: [
          { spot: 'red', stakeMinor: 1000 },
          { spot: 'split-0-2', stakeMinor: 200 },
          { spot: 'corner-16-17-19-20', stakeMinor: 300 },
          { spot: 'column-3', stakeMinor: 500 },
        ],
      },
    ],
  },
  blackjack: {
    wagers: [{ stakeMinor: 100 }, { stakeMinor: 2500 }],
    moves: [{ act: 'split' }, { act: 'double' }, { act: 'hit' }, { act: 'stand' }, { act: 'surrender' }],
  },
  'video-poker': {
    wagers: [{ stakeMinor: 100 }, { stakeMinor: 2000 }],
    moves: [{ hold: [0, 2] }, { hold: [] }, { hold: [0, 1, 2, 3, 4] }],
  },
  skyward: {
    wagers: [
      { stakeMinor: 100, autoTimes: null },
      { stakeMinor: 2500, autoTimes: 150 },
    ],
  },
  comet: {
    wagers: [
      { stakeMinor: 100, autoTimes: null },
      { stakeMinor: 1000, autoTimes: 1000 },
    ],
  },
  'wheel-show': {
    wagers: [
      { stakeMinor: 100, spot: 'x2' },
      { stakeMinor: 500, spot: 'lighthouse' },
    ],
  },
  colour: {
    wagers: [
      { stakeMinor: 100, spot: 'green' },
      { stakeMinor: 300, spot: 'violet' },
      { stakeMinor: 200, spot: '7' },
    ],
  },
  'number-drop': {
    wagers: [
      { stakeMinor: 100, spot: 'pot-3' },
      { stakeMinor: 200, spot: 'low' },
    ],
  },
  'slots-ways': { wagers: [{ stakeMinor: 100 }, { stakeMinor: 10_000 }] },
  'slots-lines': { wagers: [{ stakeMinor: 100 }, { stakeMinor: 10_000 }] },
  'slots-cluster': { wagers: [{ stakeMinor: 100 }, { stakeMinor: 10_000 }] },
  baccarat: {
    wagers: [{ bets: [{ id: 1, stakeMinor: 100 }] }, { bets: [2, 3, 4, 8].map((id) => ({ id, stakeMinor: 500 })) }],
  },
  'dragon-tiger': {
    wagers: [{ bets: [{ id: 1, stakeMinor: 100 }] }, { bets: [2, 3, 4, 9, 38].map((id) => ({ id, stakeMinor: 500 })) }],
  },
  lucky7: {
    wagers: [{ bets: [{ id: 1, stakeMinor: 100 }] }, { bets: [2, 4, 13, 21].map((id) => ({ id, stakeMinor: 500 })) }],
  },
  'andar-bahar': {
    wagers: [{ bets: [{ id: 2, stakeMinor: 100 }] }, { bets: [5, 1, 4, 15].map((id) => ({ id, stakeMinor: 500 })) }],
  },
  teenpatti: {
    wagers: [{ bets: [{ id: 1, stakeMinor: 100 }] }, { bets: [3, 2, 4, 7].map((id) => ({ id, stakeMinor: 500 })) }],
  },
};
