/** Figures of the specification, section 9, that both sides know. */
export const WIDTH = { mobileMax: 768, tabletMin: 768, tabletMax: 1599, narrowHeaderMax: 1199 } as const;
export const TIME = {
  requestTimeoutMs: 100_000,
  toastMs: 1500,
  searchDebounceMs: 500,
  /** The server keeps a connection between two requests. */
  keepAliveMs: 65_000,
  idleMs: 21_600_000,
  logoutCountdownS: 5,
  tabElectionMs: 100,
  tabFallbackMs: 2000,
  /** Placing gives up waiting after this plus the bet delay, then asks by key (decisions.md). */
  placeTimeoutMs: 10_000,
  /** Right to bet without the password again (trust SEC-S5). */
  stepUpMs: 3_600_000,
  sessionMs: 86_400_000,
} as const;
/**
 * Header of a call that a client makes by itself while nobody is at it (polling, reading again after an event): such a call
 * does not prolong the six idle hours.
 */
export const UNATTENDED = 'x-unattended';

/**
 * An answer says how far the site's log was known where it was made (`seen` over the socket); a request that says so is answered where
 * it is known as far: of what its asker was told nothing is missing, whichever gateway he comes to.
 */
export const SEEN_HEADER = 'x-seen';

export const PAGE = { first: 1, statement: 15, cardReport: 15, casinoBets: 15, currentBets: 10 } as const;
export const COUNT = {
  searchChars: 3,
  codeDigits: 6,
  buttonRows: 8,
  runTrimAbove: 8,
  runTrimBy: 4,
  marqueeMarginPx: 300,
} as const;

/** Default stake buttons: label to whole units of the currency (decisions.md). */
export const DEFAULT_BUTTONS: Readonly<Record<string, number>> = {
  '5': 5,
  '10': 10,
  '25': 25,
  '50': 50,
  '100': 100,
  '250': 250,
  '500': 500,
  '1k': 1000,
};

/** The second factor of a player. */
export const AUTH_TYPE = { none: 0, message: 1, app: 2 } as const;

export const SPORT_KEYS = ['cricket', 'football', 'tennis', 'horseRacing', 'greyHound', 'politics'] as const;
export type SportKey = (typeof SPORT_KEYS)[number];

/** So many card tables one socket follows at a time, and a player sees side by side. */
export const CARD_TABLES_AT_ONCE = 4;
