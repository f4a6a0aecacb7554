import { describe } from 'vitest';
import { stand } from './a11y-ground.ts';
import { tablesStandWhole } from './languages.ts';

/** The languages that languages.e2e.ts leaves out: it has the one with the longest words. */
stand();

describe('a phone', () => {
  tablesStandWhole(['en', 'hi', 'bn', 'mr', 'te', 'ur', 'es', 'pt-BR']);
});
