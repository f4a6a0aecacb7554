import type { PlayLimit, ProtectionStatus } from '@fairgame/contract';
import { msg, plural, t } from '@lingui/core/macro';
import { formatTime, formatWeekdayDate, listed } from '../../platform/format.ts';
import { say, type Words } from '../../platform/language.ts';

export type LimitKind = PlayLimit['kind'];
export type LimitSpan = PlayLimit['span'];

const KINDS: Record<LimitKind, Words> = {
  deposit: msg({ message: 'Deposit', context: 'a limit' }),
  loss: msg({ message: 'Loss', context: 'a limit' }),
  wager: msg({ message: 'Stakes', context: 'a limit' }),
  stake: msg({ message: 'Stake', context: 'a limit' }),
  exposure: msg({ message: 'Exposure', context: 'a limit' }),
};
const SPANS: Record<LimitSpan, Words> = {
  bet: msg`per bet`,
  always: msg`at any time`,
  day: msg`per day`,
  week: msg`per week`,
  month: msg`per month`,
};

/** What a limit bounds, in the list of the dialog. */
export const kindChoices = (): ReadonlyArray<{ value: LimitKind; label: string }> => [
  { value: 'deposit', label: t`Deposits` },
  { value: 'loss', label: t`Losses` },
  { value: 'wager', label: t`Stakes together` },
  { value: 'stake', label: t`Stake of one bet` },
  { value: 'exposure', label: t`Exposure` },
];
export const spanChoices = (): ReadonlyArray<{ value: LimitSpan; label: string }> => [
  { value: 'day', label: t`A day` },
  { value: 'week', label: t`A week, from Monday` },
  { value: 'month', label: t`A month` },
];

/** The only span of a kind, or null where the player chooses one. */
export function spanOf(kind: LimitKind): LimitSpan | null {
  return kind === 'stake' ? 'bet' : kind === 'exposure' ? 'always' : null;
}

export function limitName(kind: LimitKind, span: LimitSpan): string {
  const what = say(KINDS[kind]);
  const how = say(SPANS[span]);
  return t`${what}, ${how}`;
}

/** "Sat 21 Nov 2026", local. */
export const dayText = (iso: string): string => formatWeekdayDate(Date.parse(iso));
/** "Sat 21 Nov 2026, 19:42", local. */
export const momentText = (iso: string): string => listed(dayText(iso), formatTime(Date.parse(iso)));

export const COOL_OFF_NAMES: Record<ProtectionStatus['coolOffs'][number]['length'], { name: Words; start: Words }> = {
  '24h': { name: msg`24 hours`, start: msg`Start a 24-hour cool-off` },
  '1w': { name: msg`1 week`, start: msg`Start a 1-week cool-off` },
  '3w': { name: msg`3 weeks`, start: msg`Start a 3-week cool-off` },
  '1m': { name: msg`1 month`, start: msg`Start a 1-month cool-off` },
  '6w': { name: msg`6 weeks`, start: msg`Start a 6-week cool-off` },
};

export function monthsText(months: number): string {
  if (months === 0) return t`No end`;
  if (months % 12 !== 0) return plural(months, { one: '# month', other: '# months' });
  return plural({ count: months / 12 }, { one: '# year', other: '# years' });
}

export function minutesText(minutes: number): string {
  if (minutes === 0) return t({ message: 'Off', context: 'reality check' });
  if (minutes % 60 !== 0) return t`${minutes} min`;
  return plural({ count: minutes / 60 }, { one: '# hour', other: '# hours' });
}
