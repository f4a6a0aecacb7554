import type { PlayLimit, ProtectionStatus } from '@fairgame/contract';

export type LimitKind = PlayLimit['kind'];
export type LimitSpan = PlayLimit['span'];

const KINDS: Record<LimitKind, string> = {
  deposit: 'Deposit',
  loss: 'Loss',
  wager: 'Stakes',
  stake: 'Stake',
  exposure: 'Exposure',
};
const SPANS: Record<LimitSpan, string> = {
  bet: 'per bet',
  always: 'at any time',
  day: 'per day',
  week: 'per week',
  month: 'per month',
};

/** What a limit bounds, in the list of the dialog. */
export const KIND_CHOICES: ReadonlyArray<{ value: LimitKind; label: string }> = [
  { value: 'deposit', label: 'Deposits' },
  { value: 'loss', label: 'Losses' },
  { value: 'wager', label: 'Stakes together' },
  { value: 'stake', label: 'Stake of one bet' },
  { value: 'exposure', label: 'Exposure' },
];
export const SPAN_CHOICES: ReadonlyArray<{ value: LimitSpan; label: string }> = [
  { value: 'day', label: 'A day' },
  { value: 'week', label: 'A week, from Monday' },
  { value: 'month', label: 'A month' },
];

/** The only span of a kind, or null where the player chooses one. */
export function spanOf(kind: LimitKind): LimitSpan | null {
  return kind === 'stake' ? 'bet' : kind === 'exposure' ? 'always' : null;
}

export function limitName(kind: LimitKind, span: LimitSpan): string {
  return `${KINDS[kind]}, ${SPANS[span]}`;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** "Sat 21 Nov 2026", local. */
export const dayText = (iso: string): string => dayFormat.format(new Date(iso)).replace(',', '');
/** "Sat 21 Nov 2026, 19:42", local. */
export const momentText = (iso: string): string => `${dayText(iso)}, ${timeFormat.format(new Date(iso))}`;

export const COOL_OFF_NAMES: Record<ProtectionStatus['coolOffs'][number]['length'], { name: string; verb: string }> = {
  '24h': { name: '24 hours', verb: 'a 24-hour cool-off' },
  '1w': { name: '1 week', verb: 'a 1-week cool-off' },
  '3w': { name: '3 weeks', verb: 'a 3-week cool-off' },
  '1m': { name: '1 month', verb: 'a 1-month cool-off' },
  '6w': { name: '6 weeks', verb: 'a 6-week cool-off' },
};

export function monthsText(months: number): string {
  if (months === 0) return 'No end';
  if (months % 12 !== 0) return `${months} months`;
  return months === 12 ? '1 year' : `${months / 12} years`;
}

export function minutesText(minutes: number): string {
  if (minutes === 0) return 'Off';
  if (minutes % 60 !== 0) return `${minutes} min`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}
