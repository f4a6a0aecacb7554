// By its path: who reads the configuration knows no TypeScript in packages.
import { ERRORS } from '../../../packages/contract/src/contract.ts';
import { FEED_NAMES } from '../src/platform/feed-names.ts';
import { FEED } from './catalogue.ts';

/** What the server says whole: each text is the key of its own translation, and the client asks by it (`say(text)`, `named(name)`). */
export const SERVER_WORDS: ReadonlyArray<{ text: string; context?: string; origin: string }> = [
  ...[...new Set(Object.values(ERRORS).map(([, text]) => text as string))].map((text) => ({
    text,
    origin: 'packages/contract/src/errors.ts',
  })),
  ...FEED_NAMES.map((text) => ({ text, context: FEED, origin: 'apps/web/src/platform/feed-names.ts' })),
];
