import type { CALLS, DepthImage, MarketImage, PlacedBet, ReplyOf } from '@fairgame/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { queryClient } from '../src/api/queries.ts';
import * as store from '../src/live/store.ts';
import { takeWallet } from '../src/live/wallet.ts';
import { startSession } from '../src/session/session.ts';
import { imagesOf } from '../test/live-images.ts';
import { betPage, MATCH_ID, PROFILE } from '../test/samples.ts';

/** A site for parts that read: its markets, its player and what it answers never change, and nothing leaves the page. */
export interface Site {
  readonly markets: readonly MarketImage[];
  readonly depths: readonly DepthImage[];
  readonly bets: readonly PlacedBet[];
  /** Prices over time by runner, as candles. */
  readonly history: Readonly<Record<number, ReplyOf<typeof CALLS.catalog.history>['runners'][number]['candles']>>;
  readonly marks: ReplyOf<typeof CALLS.catalog.history>['marks'];
  readonly trades: ReplyOf<typeof CALLS.catalog.trades>['trades'];
}

export const PLAYER_ID = 101;
const replies: Record<string, unknown> = {};
/** What screens ask beside, by path. */
export const reply = (more: Readonly<Record<string, unknown>>): void => void Object.assign(replies, more);

function answerOf(site: Site, { pathname, searchParams }: URL): unknown {
  const path = pathname.slice('/api'.length);
  if (Object.hasOwn(replies, path)) return replies[path];
  if (path === '/user/profile') return PROFILE;
  if (path === '/bet') return betPage(site.bets);
  if (path.startsWith('/market/trades/')) return { trades: site.trades };
  if (path.startsWith('/market/history/')) {
    const ids = (searchParams.get('runners') ?? '').split(',').map(Number);
    const runners = ids.map((id) => ({ id, name: '', stepMs: 60_000, candles: site.history[id] ?? [] }));
    return { runners, marks: site.marks };
  }
  return [];
}

/** Signs its player in and answers for the server, from now on. */
export function open(site: Site): void {
  startSession({
    token: 't',
    userId: PLAYER_ID,
    forceChangePassword: false,
    isAuthenticator: true,
    authType: 0,
    isDemo: false,
  });
  globalThis.fetch = async (address) => {
    const url = new URL(address instanceof Request ? address.url : address, location.href);
    return Response.json({ statusCode: 200, data: answerOf(site, url) });
  };
  takeWallet(PROFILE.userBal);
  store.follow(MATCH_ID);
  store.takeImages(imagesOf([...site.markets], 1));
}

/** Around a part: its readings, and the whole books of the runners once it watches them. */
export function OnSite({ site, children }: { site: Site; children: ReactNode }) {
  useEffect(() => {
    store.takeFrame({ e: 1, t: 0, m: [], x: [...site.depths] });
  }, [site]);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
