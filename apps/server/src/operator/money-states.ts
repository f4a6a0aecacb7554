/**
 * States of bonuses and withdrawals, and payment in parts, as the terms state them. People carry them out (payments.ts, OPN-18);
 * nothing here posts money by itself (CAR-48).
 */

export const BONUS_STATES = {
  claimed: ['wagering', 'forfeited', 'cancelled'],
  wagering: ['forfeited', 'cancelled'],
  forfeited: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;
export type BonusState = keyof typeof BONUS_STATES;

export const WITHDRAWAL_STATES = {
  requested: { to: ['approved', 'denied', 'cancelled'], fundsReturn: false },
  approved: { to: [], fundsReturn: false },
  denied: { to: [], fundsReturn: true },
  cancelled: { to: [], fundsReturn: true },
} as const satisfies Record<string, { to: readonly string[]; fundsReturn: boolean }>;
export type WithdrawalState = keyof typeof WITHDRAWAL_STATES;
export const FIRST_WITHDRAWAL_STATE: WithdrawalState = 'requested';

export function bonusMay(from: BonusState, to: BonusState): boolean {
  return (BONUS_STATES[from] as readonly string[]).includes(to);
}

/** Throws when the step is not one of the table. `returnMinor` is what goes back to the balance. */
export function withdrawalStep(
  from: WithdrawalState,
  to: WithdrawalState,
  amountMinor: number,
): { state: WithdrawalState; returnMinor: number } {
  if (!(WITHDRAWAL_STATES[from].to as readonly string[]).includes(to))
    throw new Error(`a withdrawal does not go from ${from} to ${to}`);
  return { state: to, returnMinor: WITHDRAWAL_STATES[to].fundsReturn ? amountMinor : 0 };
}

const INSTALLMENTS = 10;
/** Winnings from here on may be paid in parts: EUR 20,000 (LGL-14). */
export const INSTALLMENTS_FROM_MINOR = 2_000_000;

/** Ten parts of 10 % that add up to the winnings to the last cent; the last takes the rest (CAR-54). */
export function installments(winningsMinor: number): number[] {
  const part = Math.floor(winningsMinor / INSTALLMENTS);
  return Array.from({ length: INSTALLMENTS }, (_, i) =>
    i < INSTALLMENTS - 1 ? part : winningsMinor - part * (INSTALLMENTS - 1),
  );
}

/** From this sum of approved withdrawals on, somebody has to have seen who the player is: EUR 2,000 (LGL-12). */
export const EVIDENCE_ABOVE_MINOR = 200_000;
/** What somebody may withdraw of a bonus before he ever paid in: EUR 100 (LGL-19). */
export const UNPAID_BONUS_MINOR = 10_000;

const DAY_MS = 86_400_000;
const DECIDED_WITHIN_DAYS = 3;

/** The end of the third business day (Monday to Friday, UTC) after the day a withdrawal was asked for (LGL-13). */
export function decideBy(at: number): number {
  let day = Math.floor(at / DAY_MS);
  for (let left = DECIDED_WITHIN_DAYS; left > 0; ) {
    day += 1;
    const weekday = new Date(day * DAY_MS).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return (day + 1) * DAY_MS - 1;
}
