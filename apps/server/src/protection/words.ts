import type { AccountStanding } from '@fairgame/contract';
import type { AccountState, Profile } from './profiles.ts';
import { endsAt, type Restriction } from './rules.ts';

/** Why betting is off, in a sentence for banner, bet slip and refusals; null when it is not. */
export function standingOf(
  state: AccountState,
  restriction: Restriction | null,
  betBlocked: boolean,
  profile: Profile,
): AccountStanding | null {
  if (state === 'active') {
    return betBlocked
      ? { state, text: 'Betting is switched off for this account. Please contact support.', until: null }
      : null;
  }
  const ends = restriction ? endsAt(restriction, profile) : null;
  const until = ends === null ? null : new Date(ends).toISOString();
  return {
    state,
    text: text(state, ends, profile),
    until: state === 'self-excluded' || state === 'cooling off' ? until : null,
  };
}

function text(state: AccountState, ends: number | null, profile: Profile): string {
  const until = ends === null ? '' : ` until ${dateText(ends, profile.timeZone)}`;
  switch (state) {
    case 'frozen':
      return 'Your account is frozen until your age is verified. Please contact support.';
    case 'blocked':
      return 'Your account is blocked. Please contact support.';
    case 'closed':
      return 'Your account is closed. Please contact support.';
    case 'self-excluded':
      return ends === null
        ? 'You have excluded yourself from betting. It does not end by itself.'
        : `You have excluded yourself from betting${until}.`;
    case 'cooling off':
      return `You are taking a break from betting${until}.`;
    case 'inactive':
      return 'Your account is inactive after a long absence. Use it again in Player protection.';
    case 'dormant':
      return 'Your account is dormant after a long absence. Please contact support.';
    case 'active':
      return '';
  }
}

function dateText(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(at);
}
