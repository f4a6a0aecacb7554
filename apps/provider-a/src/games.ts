import type { Provider } from '@fairgame/studio/host';

/** Alder Games: the table room, with its own slots. */
export const alder: Provider = {
  code: 'a',
  name: 'Alder Games',
  look: 'a',
  subProvider: 'Alder Originals',
  games: [
    'roulette',
    'blackjack',
    'video-poker',
    'hi-lo',
    'baccarat',
    'dragon-tiger',
    'lucky7',
    'andar-bahar',
    'teenpatti',
    'slots-ways',
    'slots-lines',
    'slots-cluster',
  ],
};
