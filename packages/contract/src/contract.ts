import type { AnyCall } from './call.ts';
import { CALLS } from './calls.ts';
import { OPERATOR_CALLS } from './operator-calls.ts';

export * from './account.ts';
export * from './alerts.ts';
export * from './auth.ts';
export * from './bet-words.ts';
export * from './bets.ts';
export * from './calendar.ts';
export * from './call.ts';
export * from './calls.ts';
export * from './casino.ts';
export * from './catalog.ts';
export { type ConditionalOrder, conditionalOrder } from './conditional-order.ts';
export * from './conditional-words.ts';
export * from './csv.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './filter.ts';
export * from './frame.ts';
export * from './judging.ts';
export * from './limits.ts';
export * from './live.ts';
export * from './money.ts';
export * from './operator.ts';
export * from './operator-calls.ts';
export * from './payments.ts';
export * from './programs.ts';
export * from './protection.ts';
export * from './rights.ts';
export * from './schema.ts';
export * from './sockets.ts';
export * from './trader.ts';
export * from './wording.ts';
export { dayNumber, zoneNamed } from './zone.ts';

const { protection, ...areas } = CALLS;
/** Every call there is, by area. */
export const AREAS = { ...areas, operator: OPERATOR_CALLS, protection } as const;

export function allCalls(): AnyCall[] {
  return Object.values(AREAS).flatMap((area) => Object.values(area) as unknown as AnyCall[]);
}
