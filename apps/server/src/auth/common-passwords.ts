import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Fewer guesses than this and a stolen hash is found within hours; eight random characters are just enough. */
const LEAST_GUESSES = 1e8;
/** As much as is judged: the time of judging grows with the length, and a good beginning is a good password. */
const JUDGED = 24;
const SITE_WORDS = ['fairgame', 'exchange', 'sportsbook', 'bookmaker'];

let judge: ZxcvbnFactory | undefined;

/**
 * Whether a password is soon guessed (SEC-A2): by the lists of fifty thousand passwords that leaked most often and of common
 * words, also with digits for letters; by keyboard walks, sequences, repetitions and dates; by the player's name or the
 * site's. Nothing leaves the server. Takes the normalised password. A repeated pattern costs a tenth of a second: what
 * players choose is judged in a thread (`judge.ts`).
 */
export function isCommon(password: string, userName: string): boolean {
  judge ??= new ZxcvbnFactory({
    dictionary: { ...dictionary, 'site-words': SITE_WORDS },
    graphs: adjacencyGraphs,
  });
  return judge.check(password.slice(0, JUDGED), [userName]).guesses < LEAST_GUESSES;
}
