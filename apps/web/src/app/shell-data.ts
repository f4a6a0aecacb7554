import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useSyncExternalStore } from 'react';
import { api, useCall } from '../api/api.ts';
import { availableOf, takeWallet, useWallet } from '../live/live.ts';
import { Signal } from '../platform/listeners.ts';
import { device } from '../platform/storage.ts';
import { setTimeZone } from '../platform/zone.ts';
import { useSession } from '../session/session.ts';
import { useOwnLanguage } from './own-language.ts';

/** What the chrome shows of the player. */
export type ShellData = {
  /** 'Demo' for demo players (DEM-04). */
  name: string;
  isDemo: boolean;
  /** Minor units; null until the first reading. */
  balanceMinor: number | null;
  /** At least 0: what open bets may cost at worst. */
  exposureMinor: number | null;
  /** Winnings held back until somebody else has covered what he owes. */
  heldMinor: number;
  /** What there is for a new bet; null until the first reading, at least 0. */
  availableMinor: number | null;
  notices: readonly string[];
  openBets: number;
  support: string;
  /** Of all amounts: EUR, BRL or USD; empty until the first reading. */
  currency: string;
};

export function useShellData(): ShellData {
  const session = useSession();
  const profile = useCall(CALLS.account.profile, {}, { enabled: session !== null }).data;
  // The text of the profile is there first; a change of it comes by its own call.
  const marquee = useCall(CALLS.account.marquee, { query: {} }, { enabled: session !== null, refetchMs: 60_000 }).data;
  const wallet = useWallet();
  // Read again after the line was down: what was settled meanwhile came with no event. An older reading changes nothing.
  useEffect(() => {
    if (!profile) return;
    takeWallet(profile.userBal);
    // The clock of the account counts wherever the player signs in.
    setTimeZone(profile.timeZone);
  }, [profile]);
  useOwnLanguage(profile?.language);
  const isDemo = session?.isDemo ?? false;
  const exposure = wallet?.exposureMinor ?? profile?.userBal.exposure;
  return {
    name: isDemo ? t`Demo` : (profile?.userName ?? ''),
    isDemo,
    balanceMinor: wallet?.balanceMinor ?? profile?.userBal.currentBalance ?? null,
    exposureMinor: exposure === undefined ? null : Math.abs(exposure),
    heldMinor: wallet?.heldMinor ?? profile?.userBal.held ?? 0,
    availableMinor: wallet ? Math.max(0, availableOf(wallet)) : (profile?.userBal.available ?? null),
    notices: splitNotices(marquee?.value || profile?.marqueeNotification.value || ''),
    openBets: profile?.openBets ?? 0,
    support: profile?.supportText ?? '',
    currency: profile?.currency ?? '',
  };
}

/** The marquee text as given; each of its lines runs as one notice. */
export function splitNotices(value: string): string[] {
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Events for the search box of the header. Without toasts: the box shows the outcome. */
export async function searchEvents(keyword: string, signal: AbortSignal) {
  return api(CALLS.catalog.searchList, { query: { searchBy: 'title', keyword } }, { quiet: true, signal });
}
export type SearchHit = Awaited<ReturnType<typeof searchEvents>>[number];

/** Which figures the compact header shows. Kept for this browser; both until told otherwise. */
const SHOWN = { balance: 'showBalance', exposure: 'showExposure' } as const;
const shown = new Signal();

export function useShown(what: keyof typeof SHOWN): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(shown.on, () => device.text(SHOWN[what]) !== '0');
  const set = (next: boolean) => {
    device.keepText(SHOWN[what], next ? '1' : '0');
    shown.tell();
  };
  return [on, set];
}

/** What stands for a player in a round mark. */
export const initial = (name: string): string => (name[0] ?? '?').toUpperCase();
