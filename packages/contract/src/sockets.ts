import * as z from 'zod/mini';
import { ALERT_WAYS, alert } from './alerts.ts';
import { placedBet } from './bets.ts';
import { minor } from './call.ts';
import { cardEmits } from './casino.ts';
import { conditionalOrder } from './conditional-order.ts';
import { LINE_EVENTS, type LineEvent, MAIN_EVENTS, type MainEvent, ORDER_EVENTS, type OrderEvent } from './events.ts';
import { feedEmits, mainEmits, matchEmits } from './live.ts';

/** What the sockets say and understand, for documents and for the tests that hold the server to it. */

/** Sockets of one account in a namespace, connections of one address, events a second, bytes of one message. */
export const SOCKET_LIMITS = { perAccount: 5, perAddress: 20, eventsPerSecond: 20, messageBytes: 32 * 1024 } as const;

type Shape = z.ZodMiniType;

/** The player's running number; 0 where the event is not one of his own. */
const n = z.int();
/** Of the same moment; absent where the money did not move. */
const wallet = {
  currentBalance: z.optional(minor()),
  exposure: z.optional(minor()),
  /** Winnings that are held back. */
  held: z.optional(minor()),
  available: z.optional(minor()),
  walletVersion: z.optional(z.int()),
};
const about = { matchId: z.int(), betId: z.int(), betType: z.string() };
const list = z.array(placedBet);

const placed = z.strictObject({ n, ...about, ...wallet, bet: placedBet, bets: list, own: z.boolean() });
const result = z.strictObject({
  n,
  ...about,
  ...wallet,
  result: z.string(),
  resultText: z.string(),
  marketName: z.string(),
  eventName: z.string(),
  bets: list,
  profitMinor: minor(),
  grossMinor: minor(),
  commissionMinor: minor(),
  isMatchDeclare: z.boolean(),
  text: z.string(),
});
const takenBack = z.strictObject({ n, ...about, ...wallet, text: z.string() });
const deleted = z.strictObject({
  n,
  ...about,
  ...wallet,
  betPlacedId: z.array(z.int()),
  bets: list,
  deleteReason: z.string(),
});
const forAll = z.strictObject({ n, ...about, gameType: z.string(), isMatchDeclare: z.boolean() });

const PLACED =
  'Bets of the player changed: placed, matched, cancelled, lapsed. `bets` are at most the last 50, `bet` the newest; `own` says whether his own command did it.';
const DECLARED =
  'A market with bets of the player has its result; `profitMinor` is that of `bets` as booked, before commission.';

/** The eighteen events of `/`: what each says, and its shape. Fields named Minor, balances and exposure are minor units. */
export const PRIVATE_EVENTS: Readonly<Record<MainEvent, { says: string; shape: Shape }>> = {
  userMatchBetPlaced: { says: `${PLACED} On odds and bookmaker markets.`, shape: placed },
  userSessionBetPlaced: { says: `${PLACED} On markets of numbers and of yes and no.`, shape: placed },
  userCardBetPlaced: { says: `${PLACED} At a card table.`, shape: placed },
  matchResult: { says: `${DECLARED} Odds and bookmaker markets.`, shape: result },
  sessionResult: { says: `${DECLARED} Markets of numbers and of yes and no.`, shape: result },
  sessionNoResult: { says: 'Such a market was void or tied: stakes are free again.', shape: result },
  cardResult: { says: `${DECLARED} A round of a card table.`, shape: result },
  matchResultUnDeclare: { says: 'The result of a market was taken back, and its money with it.', shape: takenBack },
  sessionResultUnDeclare: { says: 'The same of a market of numbers or of yes and no.', shape: takenBack },
  matchDeleteBet: { says: 'Bets were taken out by the operator, with the reason.', shape: deleted },
  sessionDeleteBet: { says: 'The same on a market of numbers or of yes and no.', shape: deleted },
  updateDeleteReason: {
    says: 'The reason why bets were taken out has new words.',
    shape: z.strictObject({ n, matchId: z.int(), betId: z.int(), betIds: z.array(z.int()), deleteReason: z.string() }),
  },
  updateUserBalance: {
    says: 'The balance moved. Without figures: the account changed in another way, read the profile again.',
    shape: z.strictObject({ n, ...wallet }),
  },
  matchResultDeclareAllUser: {
    says: 'A market was declared. To everyone; of number markets to those alone who are in the room of the match.',
    shape: forAll,
  },
  matchResultUnDeclareAllUser: { says: 'A result was taken back; told to the same.', shape: forAll },
  addMatch: {
    says: 'New events are open, at most 100 of them named. Spread what you read then over some seconds.',
    shape: z.strictObject({ n, matchIds: z.array(z.int()) }),
  },
  hardRefreshAll: {
    says: 'Load the client anew within half a minute, at a moment of chance.',
    shape: z.strictObject({ n }),
  },
  logoutUserForce: {
    says: 'The session is over; the socket is closed right after.',
    shape: z.strictObject({ n, message: z.string(), reason: z.string() }),
  },
};

/** What else is the player's own, on `/`. */
const ORDER_WORDS: Readonly<Record<OrderEvent, { says: string; shape: Shape }>> = {
  userConditional: {
    says: 'An order that the server holds for the player was made, fired, failed or is over; `reason` says why it failed. The bet it became is told by an event of its own.',
    shape: z.strictObject({ n, order: conditionalOrder, reason: z.nullable(z.string()) }),
  },
  userAlert: {
    says: 'An alert of the player came true. `seen` is the figure it was set for as it was then; `silent` names the ways in whose quiet hours it came: it may not be told by them. Told at most once: what came true while nobody listened stands in the list of alerts.',
    shape: z.strictObject({ n, alert, seen: z.nullable(z.int()), silent: z.array(z.enum(ALERT_WAYS)) }),
  },
  userAlertsOver: {
    says: 'Alerts of the player wait no more: their market has closed, or is not there any more (`ended` of each). It is told in the page alone.',
    shape: z.strictObject({ n, alerts: z.array(alert) }),
  },
};

/** Words about the connection itself, on `/`. */
const LINE_WORDS: Readonly<Record<LineEvent, { says: string; shape: Shape }>> = {
  reconnectSoon: {
    says: 'This server is about to end. Come back after so many milliseconds, which differ from client to client.',
    shape: z.strictObject({ afterMs: z.int() }),
  },
  replaced: {
    says: 'Another tab of the player took the place of this one. Do not come back by yourself.',
    shape: z.strictObject({}),
  },
};

export interface SocketEvent {
  event: string;
  says: string;
  /** Absent: told in words. */
  shape?: Shape;
}
export interface SocketSpace {
  namespace: string;
  says: string;
  /** The handshake beside the token. */
  query: ReadonlyArray<[name: string, says: string]>;
  emits: Readonly<Record<string, { says: string; shape: Shape }>>;
  hears: readonly SocketEvent[];
}

const of = (event: string, { says, shape }: { says: string; shape: Shape }): SocketEvent => ({ event, says, shape });

/** Every namespace there is. */
export const SOCKETS: readonly SocketSpace[] = [
  {
    namespace: '/',
    says: "The player's own events. Each of his own carries `n`, his running number: on a gap read balance and open bets again.",
    query: [],
    emits: {
      matchRoom: {
        says: 'Also hears the results of number markets of this match. At most 60 rooms; the one joined longest ago goes first.',
        shape: mainEmits.matchRoom,
      },
    },
    hears: [
      ...MAIN_EVENTS.map((event) => of(event, PRIVATE_EVENTS[event])),
      ...ORDER_EVENTS.map((event) => of(event, ORDER_WORDS[event])),
      ...LINE_EVENTS.map((event) => of(event, LINE_WORDS[event])),
    ],
  },
  {
    namespace: '/match',
    says: 'Prices and scores. Asked for in the handshake, or afterwards by `watch`.',
    query: [
      [
        'matchIdArray',
        'Up to 60 match ids with commas between them. May stand in `auth` where namespaces share a connection.',
      ],
      ['roleName', '`user`'],
      ['frames', '`1` for images and deltas; without it whole records, at most twice a second a match'],
    ],
    emits: {
      watch: {
        says: 'Watches other matches: `full` all their markets, `head` their main one. Replaces what was watched.',
        shape: matchEmits.watch,
      },
      resync: { says: 'Sends the images of watched matches again.', shape: matchEmits.resync },
      depth: { says: 'Begins or ends the full ladder of a runner, told in frames as `x`.', shape: matchEmits.depth },
      leaveAll: { says: 'Watches nothing any more.', shape: z.optional(z.unknown()) },
      disconnectCricketData: { says: 'Stops watching one match.', shape: matchEmits.disconnectCricketData },
    },
    hears: [
      {
        event: 'liveData{matchId}',
        says: 'With frames: {e: epoch of the sequences, of this server alone, t: server time in ms, id, full, s: sequence of each market, images, score, scoreSeq, stopAt}. Another epoch makes all that is held void. Without frames: the full record of the match on each change.',
      },
      {
        event: 'frame',
        says: '{e, t, m: [{id, s, b, d?: changes, i?: a whole market, gone?}], sc?: scores, x?: ladders, h?: "late" when prices are known to be old}. Apply `d` only where `b` is the sequence held, else `resync`. At most one each 100 ms; suspensions leave at once.',
      },
      {
        event: 'refused',
        says: 'This connection gets no prices: no matchIdArray came with it.',
        shape: z.strictObject({ code: z.string(), message: z.string(), field: z.optional(z.string()) }),
      },
    ],
  },
  {
    namespace: '/card',
    says: 'Rounds of the card tables, up to four at a time.',
    query: [],
    emits: {
      joinTable: {
        says: 'Follows a table by its code, beside those it follows already; of more than four the one it joined first is left. Joined again, a table sends its image again, numbered from 1.',
        shape: cardEmits.joinTable,
      },
      leaveTable: { says: 'Leaves a table; without a code all of them.', shape: cardEmits.leaveTable },
    },
    hears: [{ event: 'cardData{code}', says: 'The table as GET /match/card/{code} answers it, on each change.' }],
  },
  {
    namespace: '/expert',
    says: 'Which events are open.',
    query: [],
    emits: {},
    hears: [
      of('snapshot', {
        says: 'On connecting: all open events.',
        shape: z.strictObject({ n: z.int(), matches: z.array(z.strictObject({ id: z.int(), matchType: z.string() })) }),
      }),
      of('change', {
        says: 'One of them came, changed or went. On a gap of `n` connect anew.',
        shape: z.strictObject({ n: z.int(), type: z.string(), matchId: z.int() }),
      }),
    ],
  },
  {
    namespace: '/third-party',
    says: 'First prices and scores of a sport, for programs that show no markets of their own.',
    query: [],
    emits: {
      joinFeed: { says: 'The whole sport, then what changed. Leaves the one before.', shape: feedEmits.joinFeed },
      leaveFeed: { says: 'Follows none.', shape: z.optional(z.unknown()) },
    },
    hears: [
      {
        event: 'feedData{type}',
        says: '{n, rows: [{id, title, startAt, inPlay, stopAt, score, head}]}: `n` 1 with all rows, then one more with each message of the rows that changed, at most twice a second. On a gap join again.',
      },
    ],
  },
];
