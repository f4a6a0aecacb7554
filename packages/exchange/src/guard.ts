/** Refusals, checks of plain values, and the stop when an invariant is broken. */
import type { Event, RefusalCode } from './types.ts';

export type Refused = Extract<Event, { type: 'refused' }>;

export function refuse(code: RefusalCode, field?: string, current?: Refused['current']): Refused {
  const refused: Refused = { type: 'refused', code };
  if (field !== undefined) refused.field = field;
  if (current !== undefined) refused.current = current;
  return refused;
}

export function isRefused(value: object): value is Refused {
  return 'type' in value && value.type === 'refused';
}

/** An amount of money a player can name: a positive safe integer of minor units. */
export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Stops the writer: the state is not to be trusted any more. `id` is of the invariants in the reference. */
export function assert(holds: boolean, id: string, what: string): asserts holds {
  if (!holds) throw new Error(`${id} broken: ${what}`);
}
