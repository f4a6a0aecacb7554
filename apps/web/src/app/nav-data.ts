import { msg } from '@lingui/core/macro';
import type { Words } from '../platform/language.ts';
import { typePath } from '../platform/links.ts';
import type { IconShape } from '../ui/icon.tsx';
import {
  IconBallFootball,
  IconBallTennis,
  IconBallVolleyball,
  IconBell,
  IconBook2,
  IconBroadcast,
  IconCards,
  IconCategory,
  IconChartBar,
  IconClock,
  IconCricket,
  IconDiamond,
  IconDog,
  IconFileInvoice,
  IconHistory,
  IconHome,
  IconHorse,
  IconKey,
  IconPingPong,
  IconReceipt,
  IconShieldHeart,
  IconShieldLock,
  IconSquareRoundedNumber1,
  IconTicket,
} from '../ui/icons.ts';

export type NavEntry = { label: Words; to: string; icon: IconShape };

/** The top bar (TOP-01..09). */
export const TOP_BAR: readonly NavEntry[] = [
  { label: msg`Home`, to: '/home', icon: IconHome },
  { label: msg`Lottery`, to: typePath('lottery'), icon: IconTicket },
  { label: msg`Cricket`, to: typePath('cricket'), icon: IconCricket },
  { label: msg`Tennis`, to: typePath('tennis'), icon: IconBallTennis },
  { label: msg`Football`, to: typePath('football'), icon: IconBallFootball },
  { label: msg`Table Tennis`, to: typePath('tableTennis'), icon: IconPingPong },
  { label: msg`Volleyball`, to: typePath('volleyball'), icon: IconBallVolleyball },
];

/** The first two groups of the sidebar (SID-01..07); the third is the sport tree. */
export const RACING_SPORTS: readonly NavEntry[] = [
  { label: msg`Horse Racing`, to: typePath('racing'), icon: IconHorse },
  { label: msg`GreyHound Racing`, to: typePath('racing'), icon: IconDog },
];

export const OTHERS: ReadonlyArray<NavEntry & { blink?: boolean }> = [
  { label: msg`Tembo Casino`, to: typePath('tembo'), icon: IconDiamond, blink: true },
  { label: msg`Casino`, to: '/casino', icon: IconCards },
  { label: msg`Live Casino`, to: '/live-casino', icon: IconBroadcast },
];

/** The bottom bar of a phone. */
export const BOTTOM_BAR: readonly NavEntry[] = [
  { label: msg`Home`, to: '/home', icon: IconHome },
  { label: msg`In-Play`, to: '/inPlay', icon: IconBroadcast },
  { label: msg`Sports`, to: '/sports', icon: IconCategory },
  { label: msg`Casino`, to: '/casino', icon: IconCards },
  { label: msg`My bets`, to: '/unsettled-bet', icon: IconReceipt },
];

/** The sidebar of the account screens. */
export const ACCOUNT_NAV: ReadonlyArray<{ group: Words; entries: ReadonlyArray<NavEntry & { demo: boolean }> }> = [
  {
    group: msg`Reports`,
    entries: [
      { label: msg`Account Statement`, to: '/account-statement', icon: IconFileInvoice, demo: true },
      { label: msg`Profit and loss`, to: '/profit-loss', icon: IconChartBar, demo: true },
      { label: msg`Bet history`, to: '/bet-history', icon: IconHistory, demo: true },
      { label: msg`Current Bet`, to: '/unsettled-bet', icon: IconReceipt, demo: true },
      { label: msg`Order history`, to: '/order-history', icon: IconClock, demo: true },
      { label: msg`Live Casino Bets`, to: '/live-casino-bets', icon: IconBroadcast, demo: false },
    ],
  },
  {
    group: msg`Settings`,
    entries: [
      { label: msg`Set Button Values`, to: '/change-btn-value', icon: IconSquareRoundedNumber1, demo: true },
      { label: msg`Security Auth Verification`, to: '/secure-auth', icon: IconShieldLock, demo: false },
      { label: msg`Change Password`, to: '/change-password', icon: IconKey, demo: false },
      { label: msg`Rules`, to: '/rules', icon: IconBook2, demo: true },
    ],
  },
  {
    group: msg`Your play`,
    entries: [
      { label: msg`Alerts`, to: '/alerts', icon: IconBell, demo: false },
      { label: msg`Player protection`, to: '/player-protection', icon: IconShieldHeart, demo: false },
    ],
  },
];
