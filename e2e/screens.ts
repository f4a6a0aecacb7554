import { type ListedMatch, listed } from './play.ts';
import type { Site } from './site.ts';

/** A price that shows in a list: the first rows may be suspended or have no draw. */
export const PRICED = '.event-list__event .price__cell:not(.price__noOutcome, .price__empty, .is-veiled *) b';

/** An event that is drawn: its first price may be hidden, being one that is not there. */
export const EVENT = '.market-table__market .market-table__line:has(.price__cell)';

/** Screens as tests walk through them: what to open, and what shows that it is drawn. */
export interface Walk {
  path: string;
  /** Something of the screen itself, beside the shell. */
  ready: string;
}

export const PUBLIC: readonly Walk[] = [
  { path: '/login', ready: 'button[type=submit]' },
  { path: '/terms-and-conditions', ready: 'h1' },
  { path: '/responsible-gaming', ready: 'h1' },
];

/** How much there is to see of a match: at the wanted time, and offers on both sides of every runner before an empty book. */
function worth({ head, inPlay }: ListedMatch, wanted?: boolean): number {
  if (!head) return -1;
  const offered = head.runners.filter(({ back, lay }) => back.length > 0 && lay.length > 0).length;
  return (wanted === undefined || wanted === inPlay ? 1 : 0) + offered / head.runners.length;
}

/** Every kind of signed-in screen once, with events of the running slate. */
export async function signedInScreens(site: Site, token: string): Promise<Walk[]> {
  const matches = await listed(site, token);
  const event = (type: string, inPlay?: boolean) => {
    const found = matches
      .filter((one) => one.matchType === type)
      .toSorted((a, b) => worth(b, inPlay) - worth(a, inPlay))[0];
    if (!found) throw new Error(`The slate has no ${type}.`);
    return found.id;
  };
  const main = '#main > *';
  return [
    { path: '/home', ready: PRICED },
    { path: '/inPlay', ready: PRICED },
    { path: '/game-list/cricket', ready: PRICED },
    { path: '/game-list/horseRacing', ready: '.race-parts__race' },
    { path: '/search?q=ind', ready: '#main form' },
    { path: `/game-detail/cricket/${event('cricket', true)}`, ready: EVENT },
    { path: `/game-detail/football/${event('football')}`, ready: EVENT },
    { path: `/game-detail/tennis/${event('tennis')}`, ready: EVENT },
    { path: `/game-detail/politics/${event('politics')}`, ready: EVENT },
    { path: `/race/${event('horseRacing', false)}`, ready: '.race-page__title' },
    { path: '/account-statement', ready: '#main h1' },
    { path: '/profit-loss', ready: '#main h1' },
    { path: '/bet-history', ready: '#main h1' },
    { path: '/unsettled-bet', ready: '#main h1' },
    { path: '/order-history', ready: '#main h1' },
    { path: '/alerts', ready: '#main h1' },
    { path: '/live-casino-bets', ready: '#main h1' },
    { path: '/change-btn-value', ready: '#main h1' },
    { path: '/secure-auth', ready: '#main h1' },
    { path: '/change-password', ready: '#main h1' },
    { path: '/rules', ready: '#main h1' },
    { path: '/player-protection', ready: main },
    { path: '/contact-admin/98', ready: main },
    { path: '/live-casino', ready: main },
    { path: '/casino', ready: main },
    { path: '/teen20', ready: '.felt__felt' },
    { path: '/casino/tables?with=teen20,dt20', ready: '.side-by-side__side .felt__felt' },
  ];
}

/** Full-screen frames. */
export const FRAMES: readonly Walk[] = [
  { path: '/videoPage/1', ready: 'iframe' },
  { path: '/scoreBoardPage/1/1', ready: 'iframe' },
];
