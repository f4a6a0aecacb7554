import type { MatchDetails, ProtectionStatus, TransactionRow } from '@fairgame/contract';
import type { ComponentType, ReactNode } from 'react';
import { Screen as CurrentBet } from '../../src/features/account/current-bet.tsx';
import { Screen as Statement } from '../../src/features/account/statement.tsx';
import { Screen as EventPage } from '../../src/features/event/event-page.tsx';
import { Screen as GameList } from '../../src/features/lists/game-list.tsx';
import { Screen as Login } from '../../src/features/login/login.tsx';
import { Screen as Protection } from '../../src/features/protection/protection.tsx';
import { memoryHistory, Router } from '../../src/platform/router.ts';
import { RouterProvider } from '../../src/platform/routing.tsx';
import { MATCH_ID, matchItem } from '../../test/samples.ts';
import type { Part } from '../parts.ts';
import { OnSite, PLAYER_ID, reply } from '../site.tsx';
import { NOW_MS } from '../still.ts';
import { site } from './trading.tsx';
import shellCss from '../../src/ui/shell.module.css';

/** Whole screens in the scripts that are drawn otherwise than Latin, and from right to left. */
const HOUR_MS = 3_600_000;
const at = (hours: number): string => new Date(NOW_MS + hours * HOUR_MS).toISOString();

const match: Partial<MatchDetails> = {
  id: MATCH_ID,
  title: 'India v Australia',
  matchType: 'cricket',
  competitionName: 'Border-Gavaskar Trophy',
  teamA: 'India',
  teamB: 'Australia',
  startAt: at(-2),
  stopAt: null,
  isTv: false,
  scoreBoard: null,
  inPlay: true,
  markets: [...site.markets],
};

const entry = (uniqueId: number, more: Partial<TransactionRow>): TransactionRow => ({
  id: uniqueId,
  uniqueId,
  createdAt: at(-uniqueId),
  transType: 'win',
  type: 1,
  amount: 0,
  closingBalance: 1_000_000,
  description: '',
  matchId: MATCH_ID,
  betId: [11],
  runnerId: 1,
  ...more,
});
const rows = [
  entry(1, { amount: 275_046, description: 'India v Australia / Match Odds: India' }),
  entry(2, { amount: -86_000, transType: 'loss', description: 'India v Australia / 6 over runs, IND: 42' }),
  entry(3, { amount: -5_000, transType: 'loss', type: 2, description: '20-20 Teenpatti / stake, round 1042' }),
  entry(4, { amount: 1_000_000, transType: 'add', type: 0, betId: [], description: 'First balance' }),
];

const protection: ProtectionStatus = {
  state: 'active',
  standing: null,
  jurisdiction: 'INT',
  raiseDays: 7,
  limits: [
    {
      kind: 'deposit',
      span: 'day',
      amountMinor: 1_000_000,
      usedMinor: 910_000,
      resetsAt: at(12),
      pending: { amountMinor: 1_500_000, at: at(96) },
    },
    { kind: 'loss', span: 'week', amountMinor: 1_000_000, usedMinor: 214_000, resetsAt: at(72), pending: null },
    { kind: 'stake', span: 'bet', amountMinor: 50_000, usedMinor: 0, resetsAt: null, pending: null },
  ],
  coolOffs: [{ length: '24h', until: at(24) }],
  exclusions: [{ months: 6, until: at(24 * 181) }],
  exclusionEndsItself: true,
  restriction: null,
  reality: { minutes: 60, choices: [60, 30, 15], dueAt: at(0.5), due: false },
  session: { startedAt: at(-0.7), elapsedMs: 0.7 * HOUR_MS, netMinor: -2140, stakedMinor: 5000 },
  today: { playedMs: 1.4 * HOUR_MS, limitMinutes: 180 },
  weekNetMinor: -214_000,
  monthDepositsMinor: 2_500_000,
};

reply({
  [`/match/${MATCH_ID}`]: match,
  '/match/list': {
    matches: [
      matchItem(21, { inPlay: true, startAt: at(-1), scoreText: '1-0' }),
      matchItem(22, { startAt: at(5) }),
      matchItem(23, { startAt: at(30), competitionName: 'League', isTv: true }),
    ],
  },
  [`/transaction/get/${PLAYER_ID}`]: {
    rows,
    total: rows.length,
    page: 1,
    limit: 15,
    totals: { credit: 1_275_046, debit: 91_000, opening: 0, closing: 1_184_046 },
  },
  [`/transaction/curve/${PLAYER_ID}`]: { points: [] },
  '/protection': protection,
});

/** A screen at its address, with nothing around it. */
const screen = (path: string, address: string, Component: ComponentType) => (): ReactNode => {
  const router = new Router([{ path, Component }], memoryHistory(address));
  return (
    <OnSite site={site}>
      <div className={shellCss.main}>
        <RouterProvider router={router} />
      </div>
    </OnSite>
  );
};
const part = (name: string, draw: () => ReactNode): Part => ({
  name: `screen-${name}`,
  states: { '': draw },
  wide: true,
  looks: ['hi', 'bn', 'ta', 'ur'],
});

export const SCREENS: readonly Part[] = [
  part('sign-in', screen('/login', '/login', Login)),
  part('event', screen('/game-detail/:type/:id', `/game-detail/cricket/${MATCH_ID}`, EventPage)),
  part('list', screen('/game-list/:type', '/game-list/football', GameList)),
  part('statement', screen('/account-statement', '/account-statement', Statement)),
  part('current-bets', screen('/unsettled-bet', '/unsettled-bet', CurrentBet)),
  part('protection', screen('/player-protection', '/player-protection', Protection)),
];
