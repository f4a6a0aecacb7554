import { typePath } from '../platform/links.ts';
import type { IconShape } from '../ui/icon.tsx';
import {
  IconBallFootball,
  IconBallTennis,
  IconBallVolleyball,
  IconBook2,
  IconBroadcast,
  IconCards,
  IconCategory,
  IconChartBar,
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

export type NavEntry = { label: string; to: string; icon: IconShape };

/** The top bar (TOP-01..09). */
export const TOP_BAR: readonly NavEntry[] = [
  { label: 'Home', to: '/home', icon: IconHome },
  { label: 'Lottery', to: typePath('lottery'), icon: IconTicket },
  { label: 'Cricket', to: typePath('cricket'), icon: IconCricket },
  { label: 'Tennis', to: typePath('tennis'), icon: IconBallTennis },
  { label: 'Football', to: typePath('football'), icon: IconBallFootball },
  { label: 'Table Tennis', to: typePath('tableTennis'), icon: IconPingPong },
  { label: 'Volleyball', to: typePath('volleyball'), icon: IconBallVolleyball },
];

/** The first two groups of the sidebar (SID-01..07); the third is the sport tree. */
export const RACING_SPORTS: readonly NavEntry[] = [
  { label: 'Horse Racing', to: typePath('racing'), icon: IconHorse },
  { label: 'GreyHound Racing', to: typePath('racing'), icon: IconDog },
];

export const OTHERS: ReadonlyArray<NavEntry & { blink?: boolean }> = [
  { label: 'Tembo Casino', to: typePath('tembo'), icon: IconDiamond, blink: true },
  { label: 'Casino', to: '/casino', icon: IconCards },
  { label: 'Live Casino', to: '/live-casino', icon: IconBroadcast },
];

/** The bottom bar of a phone. */
export const BOTTOM_BAR: readonly NavEntry[] = [
  { label: 'Home', to: '/home', icon: IconHome },
  { label: 'In-Play', to: '/inPlay', icon: IconBroadcast },
  { label: 'Sports', to: '/sports', icon: IconCategory },
  { label: 'Casino', to: '/casino', icon: IconCards },
  { label: 'My bets', to: '/unsettled-bet', icon: IconReceipt },
];

/** The sidebar of the account screens. */
export const ACCOUNT_NAV: ReadonlyArray<{ group: string; entries: ReadonlyArray<NavEntry & { demo: boolean }> }> = [
  {
    group: 'Reports',
    entries: [
      { label: 'Account Statement', to: '/account-statement', icon: IconFileInvoice, demo: true },
      { label: 'Profit and loss', to: '/profit-loss', icon: IconChartBar, demo: true },
      { label: 'Bet history', to: '/bet-history', icon: IconHistory, demo: true },
      { label: 'Current Bet', to: '/unsettled-bet', icon: IconReceipt, demo: true },
      { label: 'Live Casino Bets', to: '/live-casino-bets', icon: IconBroadcast, demo: false },
    ],
  },
  {
    group: 'Settings',
    entries: [
      { label: 'Set Button Values', to: '/change-btn-value', icon: IconSquareRoundedNumber1, demo: true },
      { label: 'Security Auth Verification', to: '/secure-auth', icon: IconShieldLock, demo: false },
      { label: 'Change Password', to: '/change-password', icon: IconKey, demo: false },
      { label: 'Rules', to: '/rules', icon: IconBook2, demo: true },
    ],
  },
  {
    group: 'Your play',
    entries: [{ label: 'Player protection', to: '/player-protection', icon: IconShieldHeart, demo: false }],
  },
];
