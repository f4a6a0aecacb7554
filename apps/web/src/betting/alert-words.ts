import type { Alert, AlertKind, AlertNews } from '@fairgame/contract';
import { msg, plural, t } from '@lingui/core/macro';
import { formatOdds, formatStake, listed } from '../platform/format.ts';
import type { Words } from '../platform/language.ts';
import { eventPath } from '../platform/links.ts';
import { named } from '../platform/named.ts';

/** What can be waited for, in the order of the form. */
export const KIND_WORDS: Readonly<Record<AlertKind, Words>> = {
  PRICE: msg`A price`,
  SIZE: msg`Money on offer`,
  MATCHED: msg`Money matched`,
  IN_PLAY: msg`In-play`,
  OFF: msg`The off`,
  SUSPENDED: msg`Suspended for a while`,
  SCORE: msg`A goal or a wicket`,
  RESULT: msg`The result`,
  BET: msg`My bets matched or lapsed`,
};

export const FIGURE_WORDS = { BACK: msg`to back`, LAY: msg`to lay`, LAST: msg`last matched` } as const;

/** What an alert waits for, without its event. */
export function alertText({ kind, teamName, figure, when, price, amountMinor, seconds }: Alert): string {
  const runner = teamName;
  const amount = formatStake(amountMinor ?? 0);
  switch (kind) {
    case 'PRICE':
      return priceText(runner, formatOdds(price ?? 0), figure ?? 'LAST', when === 'DOWN');
    case 'SIZE':
      return figure === 'LAY' ? t`${runner}: ${amount} or more to lay` : t`${runner}: ${amount} or more to back`;
    case 'MATCHED':
      return t`${amount} matched in the market`;
    case 'SUSPENDED':
      return t`Suspended for ${{ seconds: seconds ?? 0 }} s`;
    case 'IN_PLAY':
      return t`The market goes in play`;
    case 'OFF':
      return t`The race is off`;
    case 'SCORE':
      return t`A goal or a wicket`;
    case 'RESULT':
      return t`The market has its result`;
    default:
      return t`A bet of mine is matched by another, or lapses`;
  }
}

function priceText(runner: string, odds: string, figure: keyof typeof FIGURE_WORDS, less: boolean): string {
  if (figure === 'BACK') return less ? t`${runner}: ${odds} or less to back` : t`${runner}: ${odds} or more to back`;
  if (figure === 'LAY') return less ? t`${runner}: ${odds} or less to lay` : t`${runner}: ${odds} or more to lay`;
  return less ? t`${runner}: ${odds} or less last matched` : t`${runner}: ${odds} or more last matched`;
}

/** "Rovers v United: Rovers 2.24 to back". */
export function newsText({ alert, seen }: AlertNews): string {
  const what = seenText(alert, seen);
  return alert.eventName === '' ? t`Alert: ${what}` : `${alert.eventName}: ${what}`;
}

/** Why an alert is over; its list says it, too. */
export const endText = ({ ended }: Alert): string =>
  ended === 'CLOSED' ? t`Its market has closed.` : t`Its market has gone.`;

/** A sentence for each market, however many waited for something there. */
export function overTexts(alerts: readonly Alert[]): string[] {
  const ofMarkets = new Map<number | null, Alert[]>();
  for (const one of alerts) ofMarkets.set(one.betId, [...(ofMarkets.get(one.betId) ?? []), one]);
  return Array.from(ofMarkets.values(), (some) => {
    const { eventName, bettingName, ended } = some[0]!;
    const market = listed(eventName, named(bettingName));
    return ended === 'CLOSED'
      ? plural(some.length, {
          one: `${market} has closed: an alert there is over`,
          other: `${market} has closed: # alerts there are over`,
        })
      : plural(some.length, {
          one: `${market} is not there any more: an alert there is over`,
          other: `${market} is not there any more: # alerts there are over`,
        });
  });
}

function seenText(alert: Alert, seen: number | null): string {
  const { kind, teamName: runner, figure } = alert;
  if (kind === 'BET') return t`a bet of yours was matched or lapsed`;
  if (seen === null || (kind !== 'PRICE' && kind !== 'SIZE')) return alertText(alert);
  const value = kind === 'PRICE' ? formatOdds(seen) : formatStake(seen);
  const of = figure ?? (kind === 'PRICE' ? 'LAST' : 'BACK');
  if (of === 'LAST') return t`${runner} ${value} last matched`;
  return of === 'BACK' ? t`${runner} ${value} to back` : t`${runner} ${value} to lay`;
}

/** Where an alert leads: its event, or the open bets. */
export const alertPath = ({ matchId, matchType, beventId, kind }: Alert): string =>
  matchId === null || matchType === null || kind === 'BET'
    ? '/unsettled-bet'
    : eventPath({ matchType, id: matchId, beventId });
