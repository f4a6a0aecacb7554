import { FEED_NAMES } from './feed-names.ts';
import { say } from './language.ts';

const KNOWN = new Set<string>(FEED_NAMES);

/** A market or runner as it is shown. */
export const named = (name: string): string => (KNOWN.has(name) ? say(name) : name);
