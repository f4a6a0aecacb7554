/** Figures of player protection by jurisdiction: data, so that a stricter rule is a change of a row (trust 3.1, CAR-51). */

export const STATES = [
  'active',
  'frozen',
  'blocked',
  'closed',
  'self-excluded',
  'cooling off',
  'inactive',
  'dormant',
] as const;
export type AccountState = (typeof STATES)[number];

export const COOL_OFFS = ['24h', '1w', '3w', '1m', '6w'] as const;
export type CoolOff = (typeof COOL_OFFS)[number];
export const JURISDICTIONS = ['INT', 'GB', 'MT', 'SE'] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

export interface Profile {
  jurisdiction: Jurisdiction;
  /** Calendar of its days, weeks and months. */
  timeZone: string;
  /** A raised limit waits this long; the stricter of this site's 7 days and the regulator's rule. */
  raiseDays: number;
  /** A raise waits for the end of the running window too. */
  raiseAfterWindow: boolean;
  coolOffs: readonly CoolOff[];
  /** Months of self-exclusion to choose from; 0 is without an end. */
  exclusionMonths: readonly number[];
  /** Self-exclusion ends by itself. */
  exclusionEndsItself: boolean;
  /** Only support ends it. */
  exclusionNeedsSupport: boolean;
  revocationDays: number;
  /** Minutes between reality checks; 0 for off. The first is the default. */
  realityMinutes: readonly number[];
  ageCheckHours: number;
  inactiveMonths: number;
  dormantMonths: number;
  /** Most a slot may take a round (PP-15; null: none), and the least time between two (PP-12). */
  slotStakeMinor: number | null;
  slotRoundMs: number;
  /** Whether the house may lend money to play with (PP-22). */
  credit: boolean;
  /** Printed in the terms; nothing takes it by itself (CAR-48). */
  inactiveFeeMinor: number;
}

const INT: Profile = {
  jurisdiction: 'INT',
  timeZone: 'UTC',
  raiseDays: 7,
  raiseAfterWindow: false,
  coolOffs: ['24h', '1w', '3w', '1m', '6w'],
  exclusionMonths: [6, 12, 24, 60, 0],
  exclusionEndsItself: true,
  exclusionNeedsSupport: false,
  revocationDays: 7,
  realityMinutes: [60, 30, 15],
  ageCheckHours: 72,
  inactiveMonths: 12,
  dormantMonths: 30,
  slotStakeMinor: null,
  slotRoundMs: 2500,
  credit: true,
  inactiveFeeMinor: 500,
};

export const PROFILES: Readonly<Record<Jurisdiction, Profile>> = {
  INT,
  GB: {
    ...INT,
    jurisdiction: 'GB',
    timeZone: 'Europe/London',
    coolOffs: ['24h', '1w', '3w', '6w'],
    exclusionEndsItself: false,
    exclusionNeedsSupport: true,
    // The hourly check is for players outside the UK (LGL-23); inside, the player sets his own.
    realityMinutes: [0, 60, 30, 15],
    ageCheckHours: 0,
    // 5 from the age of 25, 2 below: no date of birth is kept, so everyone has the lower one.
    slotStakeMinor: 200,
    credit: false,
  },
  MT: { ...INT, jurisdiction: 'MT', timeZone: 'Europe/Malta' },
  SE: {
    ...INT,
    jurisdiction: 'SE',
    timeZone: 'Europe/Stockholm',
    raiseAfterWindow: true,
    ageCheckHours: 0,
    slotRoundMs: 3000,
    credit: false,
  },
};
