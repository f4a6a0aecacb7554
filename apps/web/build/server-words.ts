// By its path: who reads the configuration knows no TypeScript in packages.
import { ERRORS } from '../../../packages/contract/src/contract.ts';
import { FEED_NAMES } from '../src/platform/feed-names.ts';

/** What the server says whole: each text is the key of its own translation, and the client asks by it (`say(text)`). */
export const SERVER_WORDS: ReadonlyArray<{ text: string; origin: string }> = [
  ...new Set(Object.values(ERRORS).map(([, text]) => text)),
]
  .map((text) => ({ text: text as string, origin: 'packages/contract/src/errors.ts' }))
  .concat(FEED_NAMES.map((text) => ({ text, origin: 'apps/web/src/platform/feed-names.ts' })));
