// By its path: who reads the configuration knows no TypeScript in packages.
import { ERRORS } from '../../../packages/contract/src/contract.ts';

/** Markets and runners of the kinds that every feed names alike; other names stay as they came. */
const NAMES = [
  'Match Odds',
  'Bookmaker',
  'The Draw',
  'Win',
  'Winner',
  'To Be Placed',
  'Correct Score',
  'Both Teams To Score',
  'Tied Match',
  'Completed Match',
  'Odd',
  'Even',
];

/** What the server says whole: each text is the key of its own translation, and the client asks by it (`say(text)`). */
export const SERVER_WORDS: ReadonlyArray<{ text: string; origin: string }> = [
  ...new Set(Object.values(ERRORS).map(([, text]) => text)),
]
  .map((text) => ({ text: text as string, origin: 'packages/contract/src/errors.ts' }))
  .concat(NAMES.map((text) => ({ text, origin: 'apps/web/build/server-words.ts' })));
