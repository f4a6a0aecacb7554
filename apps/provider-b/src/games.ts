import type { Provider } from '@fairgame/studio/host';

/** Beacon Live: shared rounds and quick games. */
export const beacon: Provider = {
  code: 'b',
  name: 'Beacon Live',
  look: 'b',
  subProvider: 'Beacon Studio',
  games: ['skyward', 'comet', 'mines', 'plinko', 'dice', 'wheel-show', 'keno', 'colour', 'chicken-road', 'number-drop'],
};
