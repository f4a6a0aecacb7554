import { msg } from '@lingui/core/macro';
import type { Words } from '../platform/language.ts';
import type { IconShape } from '../ui/icon.tsx';
import {
  IconBell,
  IconBook2,
  IconBroadcast,
  IconChartBar,
  IconClock,
  IconFileInvoice,
  IconHistory,
  IconKey,
  IconReceipt,
  IconShieldHeart,
  IconShieldLock,
  IconSquareRoundedNumber1,
} from '../ui/icons.ts';

export type ModalId = 'buttons' | 'rules' | 'market';

export type AccountEntry = {
  id: string;
  label: Words;
  icon?: IconShape;
  /** A place, a modal, or a figure that is only shown. */
  to?: string;
  modal?: ModalId;
  figure?: 'balance' | 'exposure';
  /** Allowed in demo mode (DEM-03). */
  demo: boolean;
  /** Only at 768 px or less. */
  mobileOnly: boolean;
  /** Not of the specification's menu: stands after it. */
  beside?: true;
};

/** The account menu in its order (MNU-01..10). */
export const ACCOUNT_MENU: readonly AccountEntry[] = [
  {
    id: 'statement',
    label: msg`Account Statement`,
    icon: IconFileInvoice,
    to: '/account-statement',
    demo: true,
    mobileOnly: false,
  },
  { id: 'bets', label: msg`Current Bet`, icon: IconReceipt, to: '/unsettled-bet', demo: true, mobileOnly: false },
  {
    id: 'casino',
    label: msg`Live Casino Bets`,
    icon: IconBroadcast,
    to: '/live-casino-bets',
    demo: false,
    mobileOnly: false,
  },
  {
    id: 'buttons',
    label: msg`Set Button Values`,
    icon: IconSquareRoundedNumber1,
    modal: 'buttons',
    demo: true,
    mobileOnly: false,
  },
  {
    id: 'secure',
    label: msg`Security Auth Verification`,
    icon: IconShieldLock,
    to: '/secure-auth',
    demo: false,
    mobileOnly: false,
  },
  {
    id: 'password',
    label: msg`Change Password`,
    icon: IconKey,
    to: '/change-password',
    demo: false,
    mobileOnly: false,
  },
  { id: 'rules', label: msg`Rules`, icon: IconBook2, modal: 'rules', demo: true, mobileOnly: true },
  { id: 'balance', label: msg`Balance`, figure: 'balance', demo: true, mobileOnly: true },
  { id: 'exposure', label: msg`Exposure`, figure: 'exposure', demo: true, mobileOnly: true },
];

/**
 * Beside the menu of the specification: the reports it leaves out, and the way to limits, breaks and self-exclusion (OPN-17).
 * Not for play money, whose menu has six entries (DEM-03).
 */
const BESIDE: readonly AccountEntry[] = [
  { id: 'profit', label: msg`Profit and loss`, icon: IconChartBar, to: '/profit-loss' },
  { id: 'history', label: msg`Bet history`, icon: IconHistory, to: '/bet-history' },
  { id: 'orders', label: msg`Order history`, icon: IconClock, to: '/order-history' },
  { id: 'alerts', label: msg`Alerts`, icon: IconBell, to: '/alerts' },
  { id: 'protection', label: msg`Player protection`, icon: IconShieldHeart, to: '/player-protection' },
].map((entry) => ({ ...entry, demo: false, mobileOnly: false, beside: true }));

/** What a player sees of the menu. */
export function accountEntries({ demo, mobile }: { demo: boolean; mobile: boolean }): AccountEntry[] {
  return [...ACCOUNT_MENU, ...BESIDE].filter((entry) => (entry.demo || !demo) && (mobile || !entry.mobileOnly));
}
