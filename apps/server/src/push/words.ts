import type { AlertKind } from '@fairgame/contract';
import type { Word } from '../words.ts';

/** What is pushed of each kind of alert. */
export const PUSH_WORDS: Readonly<Record<AlertKind, Word>> = {
  PRICE: 'The price is there',
  SIZE: 'The money is on offer',
  MATCHED: 'So much is matched',
  IN_PLAY: 'In play',
  SUSPENDED: 'Suspended for a while',
  SCORE: 'A goal or a wicket',
  OFF: 'The race is off',
  RESULT: 'There is a result',
  BET: 'Something happened to a bet of yours',
};
