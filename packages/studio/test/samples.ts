/**
 * Legal wagers of every game for the tests that treat all games alike, and moves to try in an open round (one that the
 * rules refuse at that moment is passed over). A game without a line here fails the tests.
 */
export interface Sample {
  readonly wagers: readonly unknown[];
  readonly moves?: readonly unknown[];
}

export const SAMPLES: Readonly<Record<string, Sample>> = {
  dice: {
    wagers: [
      { stakeMinor: 100, side: 'under', mark: 5000 },
      { stakeMinor: 2500, side: 'over', mark: 9000 },
      { stakeMinor: 50_000, side: 'under', mark: 200 },
    ],
  },
};
