import { CALLS, MAIN_EVENTS, type MainEvent, type PrivateEvent, RECONNECT } from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { socketBase } from '../api/hosts.ts';
import { queryClient, refresh, refreshBets } from '../api/queries.ts';
import { type EndReason, endSession, readSession } from '../session/session.ts';
import { reloadOnce } from '../ui/reload.ts';
import { toast } from '../ui/toasts.ts';
import { takeWallet } from './wallet.ts';

/**
 * The main socket: the player's private events. Each carries a running number; on a gap, as after a reconnect, balance and
 * open bets are read again, so a lost event never leaves an old figure on the screen.
 */
let socket: Socket | null = null;
let last = 0;

export function openMainSocket(): () => void {
  const token = readSession()?.token;
  if (!token || socket) return () => undefined;
  const opened = io(`${socketBase()}/`, {
    ...RECONNECT,
    transports: ['websocket', 'polling'],
    auth: (give) => give({ token: readSession()?.token ?? token }),
    forceNew: true,
  });
  socket = opened;
  last = 0;
  let first = true;
  opened.on('connect', () => {
    if (!first) rereadAll();
    first = false;
    last = 0;
  });
  opened.on('connect_error', (error: Error & { data?: { code?: string } }) => {
    if (error.data?.code === 'NOT_SIGNED_IN' || error.data?.code === 'SESSION_ENDED') endSession('ended');
  });
  for (const event of MAIN_EVENTS)
    opened.on(event, (message: PrivateEvent | undefined) => take(event, message ?? { n: 0 }));
  return () => {
    opened.disconnect();
    if (socket === opened) socket = null;
  };
}

/** Joins the room of a match, as the specification's client does. */
export function joinMatchRoom(matchId: number): void {
  socket?.emit('matchRoom', { id: matchId });
}

/** The server's reasons that the sign-in screen has its own words for. */
const END_REASONS: Readonly<Record<string, EndReason>> = {
  forced: 'forced',
  password: 'passwordChanged',
  logout: 'signedOut',
};

function take(event: MainEvent, message: PrivateEvent): void {
  if (message.n > 0) {
    if (last > 0 && message.n > last + 1) rereadAll();
    last = Math.max(last, message.n);
  }
  if (message.currentBalance !== undefined || message.exposure !== undefined) {
    takeWallet({
      currentBalance: message.currentBalance,
      exposure: message.exposure,
      profitLoss: message.profitLoss,
      version: message.walletVersion,
    });
  }
  switch (event) {
    case 'logoutUserForce':
      // A proven security code gives a new token: the session goes on, only its old name ends.
      if (message.reason !== 'renewed') endSession(END_REASONS[String(message.reason)] ?? 'ended');
      return;
    case 'hardRefreshAll':
      // Everyone gets this at once: spread over half a minute (decisions.md).
      reloadOnce('hardRefreshAll', { spreadMs: 30_000 });
      return;
    case 'addMatch':
      refresh(
        CALLS.catalog.list,
        CALLS.catalog.tabs,
        CALLS.catalog.competitions,
        CALLS.catalog.dates,
        CALLS.catalog.matchesOn,
        CALLS.racing.countries,
        CALLS.racing.list,
      );
      return;
    case 'updateUserBalance':
      refresh(CALLS.account.profile, CALLS.account.transactions, CALLS.protection.status);
      return;
    case 'matchResult':
    case 'sessionResult':
    case 'sessionNoResult':
      if (typeof message.text === 'string') toast.info(message.text);
      break;
    default:
  }
  refreshBets();
}

function rereadAll(): void {
  void queryClient.invalidateQueries({ queryKey: [CALLS.account.profile.name] });
  refreshBets();
}
