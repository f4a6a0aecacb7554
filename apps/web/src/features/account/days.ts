import { dayNumber } from '@fairgame/contract';
import { timeZone } from '../../platform/zone.ts';

const DAY_MS = 86_400_000;
const text = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A day of the player's own calendar as YYYY-MM-DD, `offset` days from today. */
export const localDay = (offset: number): string => text(dayNumber(Date.now(), timeZone()) + offset);

export const dayAfter = (day: string): string => text(Date.parse(day) / DAY_MS + 1);
