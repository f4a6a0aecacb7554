import type { Alert, AlertKind, AlertNews } from '@fairgame/contract';
import { formatOdds, formatStake } from '../platform/format.ts';
import { eventPath } from '../platform/links.ts';

/** What can be waited for, in the order of the form. */
export const KIND_WORDS: Readonly<Record<AlertKind, string>> = {
  PRICE: 'A price',
  SIZE: 'Money on offer',
  MATCHED: 'Money matched',
  IN_PLAY: 'In play',
  OFF: 'The off',
  SUSPENDED: 'Suspended for a while',
  SCORE: 'A goal or a wicket',
  RESULT: 'The result',
  BET: 'My bets matched or lapsed',
};

export const FIGURE_WORDS = { BACK: 'to back', LAY: 'to lay', LAST: 'last matched' } as const;

/** What an alert waits for, without its event. */
export function alertText({ kind, teamName, figure, when, price, amountMinor, seconds }: Alert): string {
  switch (kind) {
    case 'PRICE':
      return `${teamName}: ${formatOdds(price ?? 0)} or ${when === 'DOWN' ? 'less' : 'more'} ${FIGURE_WORDS[figure ?? 'LAST']}`;
    case 'SIZE':
      return `${teamName}: ${formatStake(amountMinor ?? 0)} or more ${FIGURE_WORDS[figure ?? 'BACK']}`;
    case 'MATCHED':
      return `${formatStake(amountMinor ?? 0)} matched in the market`;
    case 'SUSPENDED':
      return `Suspended for ${seconds} s`;
    case 'IN_PLAY':
      return 'The market goes in play';
    case 'OFF':
      return 'The race is off';
    case 'SCORE':
      return 'A goal or a wicket';
    case 'RESULT':
      return 'The market has its result';
    default:
      return 'A bet of mine is matched by another, or lapses';
  }
}

/** "Rovers v United: Rovers 2.24 to back". */
export function newsText({ alert, seen }: AlertNews): string {
  const { kind, teamName, figure } = alert;
  const what =
    kind === 'PRICE' && seen !== null
      ? `${teamName} ${formatOdds(seen)} ${FIGURE_WORDS[figure ?? 'LAST']}`
      : kind === 'SIZE' && seen !== null
        ? `${teamName} ${formatStake(seen)} ${FIGURE_WORDS[figure ?? 'BACK']}`
        : kind === 'BET'
          ? 'a bet of yours was matched or lapsed'
          : alertText(alert);
  return alert.eventName === '' ? `Alert: ${what}` : `${alert.eventName}: ${what}`;
}

/** Where an alert leads: its event, or the open bets. */
export const alertPath = ({ matchId, matchType, beventId, kind }: Alert): string =>
  matchId === null || matchType === null || kind === 'BET'
    ? '/unsettled-bet'
    : eventPath({ matchType, id: matchId, beventId });
