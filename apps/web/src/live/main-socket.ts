import {
  type AlertNews,
  type AlertsOver,
  type AnyCall,
  CALLS,
  MAIN_EVENTS,
  type MainEvent,
  ORDER_EVENTS,
  type OrderEvent,
  type PrivateEvent,
} from '@fairgame/contract';
import { BET_READINGS, offerLine, refreshAfterEvent } from '../api/api.ts';
import { perPlayer } from '../platform/per-player.ts';
import { reloadOnce } from '../platform/reload.ts';
import { type EndReason, endSession } from '../session/session.ts';
import { hearAlert, hearAlertsOver } from './alert-news.ts';
import { type Channel, openChannel } from './line.ts';
import { hearBets, hearHeld } from './own-bets.ts';
import { takeWallet } from './wallet.ts';

/**
 * The main socket: the player's private events. Each carries a running number; on a gap, as after a reconnect, balance and
 * open bets are read again, so a lost event never leaves an old figure on the screen.
 */
let channel: Channel | null = null;
let last = 0;
/** Matches on the screen: their rooms are joined again by every new connection. */
const rooms = new Map<number, number>();

/** What everyone hears of in one moment is read again spread over this time. */
const CROWD_MS = 5000;
/** Lines come back spread already. */
const RETURN_MS = 1000;

const { catalog, racing } = CALLS;
const LISTS: readonly AnyCall[] = [
  catalog.list,
  catalog.tabs,
  catalog.competitions,
  catalog.dates,
  catalog.matchesOn,
  racing.countries,
  racing.list,
];
/** Orders that the server holds. */
const HELD: readonly AnyCall[] = [CALLS.trader.conditionals];
const EVENT: readonly AnyCall[] = [catalog.match, catalog.other, racing.race];

export function openMainSocket(): () => void {
  if (channel) return () => undefined;
  const opened = openChannel('/', {
    up() {
      last = 0;
      for (const id of rooms.keys()) opened?.emit('matchRoom', { id });
      // Also at the first time: what happened between the first readings and this moment came with no event.
      rereadAll();
    },
  });
  if (!opened) return () => undefined;
  channel = opened;
  offerLine((message, ms) => opened.ask('call', message, ms));
  for (const event of [...MAIN_EVENTS, ...ORDER_EVENTS])
    opened.on<PrivateEvent | undefined>(event, (message) => take(event, message ?? { n: 0 }));
  return () => {
    opened.close();
    if (channel !== opened) return;
    channel = null;
    offerLine(null);
  };
}

/** Joins the room of a match while it is on the screen. */
export function joinMatchRoom(matchId: number): () => void {
  const held = rooms.get(matchId) ?? 0;
  rooms.set(matchId, held + 1);
  if (held === 0) channel?.emit('matchRoom', { id: matchId });
  return () => {
    const left = (rooms.get(matchId) ?? 1) - 1;
    if (left > 0) rooms.set(matchId, left);
    else rooms.delete(matchId);
  };
}

/** The server's reasons that the sign-in screen has its own words for. */
const END_REASONS: Readonly<Record<string, EndReason>> = {
  forced: 'forced',
  password: 'passwordChanged',
  logout: 'signedOut',
};

function take(event: MainEvent | OrderEvent, message: PrivateEvent): void {
  if (message.n > 0) {
    if (last > 0 && message.n > last + 1) rereadAll();
    last = Math.max(last, message.n);
  }
  if (message.currentBalance !== undefined || message.exposure !== undefined) {
    takeWallet({
      currentBalance: message.currentBalance,
      exposure: message.exposure,
      held: message.held,
      profitLoss: message.profitLoss,
      version: message.walletVersion,
    });
  }
  switch (event) {
    // The bet it became is told by an event of its own.
    case 'userConditional':
      hearHeld(message);
      refreshAfterEvent(HELD);
      return;
    case 'userAlert':
      hearAlert(message as PrivateEvent & AlertNews);
      refreshAfterEvent([CALLS.alerts.list]);
      return;
    case 'userAlertsOver':
      hearAlertsOver(message as PrivateEvent & AlertsOver);
      refreshAfterEvent([CALLS.alerts.list]);
      return;
    case 'logoutUserForce':
      // A proven security code gives a new token: the session goes on, only its old name ends.
      if (message.reason !== 'renewed') endSession(END_REASONS[String(message.reason)] ?? 'ended');
      return;
    case 'hardRefreshAll':
      // Everyone gets this at once: spread over half a minute (decisions.md).
      reloadOnce('hardRefreshAll', { spreadMs: 30_000 });
      return;
    case 'addMatch':
      refreshAfterEvent(LISTS, CROWD_MS);
      return;
    case 'updateUserBalance':
      refreshAfterEvent([
        CALLS.account.profile,
        CALLS.account.transactions,
        CALLS.account.withdrawals,
        CALLS.protection.status,
      ]);
      return;
    case 'matchResultDeclareAllUser':
    case 'matchResultUnDeclareAllUser':
      if (message.matchId !== undefined && rooms.has(message.matchId)) {
        refreshAfterEvent([...EVENT, ...BET_READINGS], CROWD_MS);
      }
      return;
    default:
  }
  hearBets(event, message);
  refreshAfterEvent(BET_READINGS);
}

function rereadAll(): void {
  refreshAfterEvent([CALLS.account.profile, CALLS.alerts.list, ...HELD, ...BET_READINGS], RETURN_MS);
}

perPlayer(() => {
  channel = null;
  offerLine(null);
  last = 0;
});
