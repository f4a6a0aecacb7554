import * as z from 'zod/mini';
import { minor, odds } from './call.ts';

export const ticks = () => z.int().check(z.minimum(0), z.maximum(100), z.meta({ unit: 'ticks of the ladder' }));
/** How long what is unmatched of a bet may wait. */
export const lifeSeconds = () => z.int().check(z.minimum(1), z.maximum(3600), z.meta({ unit: 'seconds' }));

/** A conditional order as its owner sees it; null is what its kind has not. */
export const conditionalOrder = z.object({
  id: z.int(),
  /** The market. */
  betId: z.int(),
  matchId: z.int(),
  eventName: z.string(),
  eventType: z.string(),
  bettingName: z.string(),
  runnerId: z.int(),
  teamName: z.string(),
  kind: z.enum(['STOP', 'PROFIT', 'TRAIL', 'OFFSET', 'EXPIRE']),
  /** Of the bet to come; of EXPIRE that of the bet it ends. */
  bettingType: z.enum(['BACK', 'LAY']),
  /** The price that meets it; of a trailing stop as it stands now, null before it saw a price. */
  trigger: z.nullable(odds()),
  /** The limit of the bet to come. */
  odd: z.nullable(odds()),
  ticks: z.nullable(ticks()),
  slip: z.nullable(ticks()),
  stake: z.nullable(minor()),
  level: z.nullable(z.boolean()),
  persistence: z.enum(['LAPSE', 'PERSIST']),
  /** The bet that it waits for. */
  forBet: z.nullable(z.int()),
  dueAt: z.nullable(z.string()),
  /** Orders of one number go with the first of them that fires. */
  link: z.nullable(z.int()),
  createdAt: z.string(),
  status: z.enum(['WAITING', 'FIRED', 'FAILED', 'ENDED']),
  /** FIRED: the bet it became. */
  placed: z.nullable(z.int()),
  /** FAILED: the code a bet would have been refused with. ENDED: why it is over. */
  code: z.nullable(z.string()),
});
export type ConditionalOrder = z.output<typeof conditionalOrder>;
