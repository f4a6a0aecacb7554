import { describe } from 'vitest';
import { stand } from './a11y-ground.ts';
import { tablesStandWhole } from './languages.ts';

/** The languages that languages.e2e.ts leaves out: it has the site's own, the one with the longest words and the one from right to left. */
stand();

describe('a phone', () => {
  tablesStandWhole(['hi', 'bn', 'mr', 'te', 'es', 'pt-BR']);
});
