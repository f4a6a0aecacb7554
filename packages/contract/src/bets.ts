import * as z from 'zod/mini';
import {
  CSV,
  call,
  filterText,
  id,
  idText,
  key,
  keyword,
  languageTag,
  limit,
  minor,
  nothing,
  odds,
  page,
  paged,
  runs,
  sortText,
  stakeMinor,
  timeZone,
} from './call.ts';
import { conditionalOrder, lifeSeconds, ticks } from './conditional-order.ts';
import type { ErrorCode } from './errors.ts';

/** A bet as the player sees it. Money in minor units; `odds` in hundredths, or a rate per 100 with `line` beside it. */
export const placedBet = z.object({
  id: z.int(),
  /** The market. */
  betId: z.int(),
  matchId: z.int(),
  /** Kind of the market as in the images: book, bookmaker, session ... */
  kind: z.string(),
  marketType: z.string(),
  marketBetType: z.enum(['SESSION', 'MATCHBETTING', 'RACING', 'CARD']),
  betType: z.enum(['BACK', 'LAY', 'YES', 'NO']),
  eventName: z.string(),
  eventType: z.string(),
  bettingName: z.string(),
  teamName: z.string(),
  runnerId: z.int(),
  odds: odds(),
  line: z.nullable(runs()),
  box: z.nullable(z.int()),
  /** Average price of the matched part, hundredths rounded; 0 while nothing is matched. */
  oddsMatched: odds(),
  /** The asked size. amount = matched + remaining + cancelled + lapsed + voided. */
  amount: minor(),
  matched: minor(),
  remaining: minor(),
  cancelled: minor(),
  lapsed: minor(),
  voided: minor(),
  winAmount: minor(),
  lossAmount: minor(),
  /** PENDING waits for its delay, EXECUTABLE has an unmatched rest, COMPLETE has none. */
  status: z.enum(['PENDING', 'EXECUTABLE', 'COMPLETE']),
  endCode: z.nullable(z.string()),
  persistence: z.enum(['LAPSE', 'PERSIST']),
  result: z.enum(['PENDING', 'WIN', 'LOSS', 'TIE', 'VOID', 'UNDECLARE']),
  profitLoss: minor(),
  deleteReason: z.nullable(z.string()),
  createdAt: z.string(),
  dueAt: z.nullable(z.string()),
  settledAt: z.nullable(z.string()),
  version: z.int(),
  beventId: z.nullable(z.string()),
});
export type PlacedBet = z.output<typeof placedBet>;

/** What placing, cancelling and editing answer: the bet and the wallet of the same moment. */
export const betAnswer = z.object({
  bet: placedBet,
  wallet: z.object({
    currentBalance: minor(),
    exposure: minor(),
    /** Winnings held back until somebody else has covered what he owes. */
    held: minor(),
    /** currentBalance - exposure - held. */
    available: minor(),
    version: z.int(),
  }),
  /** The orders that wait for the bet, as this left them: made with it, met by it or ended. Absent where it changed none. */
  orders: z.optional(z.array(conditionalOrder)),
});
export type BetAnswer = z.output<typeof betAnswer>;

export const orderErrors = [
  'ACCOUNT_BLOCKED',
  'INSUFFICIENT_FUNDS',
  'EXPOSURE_LIMIT',
  'MARKET_EXPOSURE_LIMIT',
  'BET_LIMIT',
  'HOUSE_LIMIT',
  'MARKET_UNKNOWN',
  'MARKET_SUSPENDED',
  'MARKET_SETTLING',
  'MARKET_CLOSED',
  'MARKET_VERSION',
  'RUNNER_UNKNOWN',
  'RUNNER_REMOVED',
  'RUNNER_SUSPENDED',
  'PRICE_INVALID',
  'PRICE_CHANGED',
  'LINE_CHANGED',
  'STAKE_INVALID',
  'STAKE_TOO_SMALL',
  'STAKE_TOO_LARGE',
  'PROFIT_RATIO',
  'NOT_FILLED',
  'CONDITIONAL_LIMIT',
  'TOO_FAST',
  'WRONG_KIND',
  'KEY_REUSED',
  'STEP_UP_REQUIRED',
  'BUSY',
  'UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** The one payload of all placing calls. No payout, liability or balance is ever taken from the client. */
export const placeBody = z.strictObject({
  key: key(),
  /** The market and its event. */
  betId: id(),
  matchId: id(),
  runnerId: id(),
  bettingType: z.enum(['BACK', 'LAY', 'YES', 'NO']),
  /** Hundredths, or a rate per 100. */
  odd: odds().check(z.minimum(1), z.maximum(1_000_000)),
  stake: stakeMinor(),
  line: z.optional(runs().check(z.minimum(0), z.maximum(100_000))),
  placeIndex: z.optional(z.int().check(z.minimum(0), z.maximum(2))),
  persistence: z.optional(z.enum(['LAPSE', 'PERSIST'])),
  /** Fill or kill: the least to be matched at once. */
  minFill: z.optional(stakeMinor()),
  /**
   * In a book: once nothing of the bet is left unmatched its other side is placed for what was matched, so many ticks from its
   * price; `level` chooses the stake that brings the same whatever wins. Made with the bet, or the bet is refused.
   */
  offset: z.optional(
    z.strictObject({
      ticks: ticks().check(z.minimum(1)),
      level: z.boolean(),
      persistence: z.optional(z.enum(['LAPSE', 'PERSIST'])),
    }),
  ),
  /** In a book: what is unmatched ends after so long. */
  seconds: z.optional(lifeSeconds()),
  marketVersion: z.optional(z.int().check(z.minimum(0))),
  /** Card tables: the betting window the player saw. */
  window: z.optional(z.int().check(z.minimum(0), z.maximum(1000))),
  /** Card tables: the digits or ranks of a selection that asks for them. */
  pick: z.optional(z.array(z.int().check(z.minimum(0), z.maximum(18))).check(z.maxLength(9))),
});
export type PlaceBody = z.output<typeof placeBody>;

/** One bet of several: its runner, the worst price it may be matched at (the rate at a bookmaker's), its whole stake. */
const hedgeLeg = z.strictObject({
  runnerId: id(),
  bettingType: z.enum(['BACK', 'LAY']),
  odd: odds().check(z.minimum(1), z.maximum(1_000_000)),
  stake: stakeMinor(),
  placeIndex: z.optional(z.int().check(z.minimum(0), z.maximum(2))),
});

const placing = (name: string, path: string, summary: string, aliases?: readonly string[]) =>
  call(name, {
    method: 'POST',
    path,
    who: 'player',
    summary,
    body: placeBody,
    reply: betAnswer,
    errors: orderErrors,
    keyed: true,
    line: true,
    ...(aliases ? { aliases } : {}),
  });

/** At most this many instructions in one call. */
export const MOST_AT_ONCE = 50;

const envelope = z.object({ statusCode: z.literal(200), message: z.string(), data: betAnswer });
const refusal = z.object({
  statusCode: z.int(),
  message: z.string(),
  code: z.string(),
  field: z.optional(z.string()),
  current: z.optional(
    z.object({
      price: z.optional(odds()),
      line: z.optional(runs()),
      version: z.optional(z.int()),
      sizeMinor: z.optional(minor()),
    }),
  ),
  requestId: z.optional(z.string()),
});

/** Groups of a bet's market, as the reports name them. */
export const betFilters = {
  betId: filterText(),
  runnerId: filterText(),
  'betPlaced.matchId': filterText(),
  'betPlaced.createdAt': filterText(),
  'betPlaced.runnerId': filterText(),
  'betPlaced.eventType': filterText(),
  result: filterText(),
  status: filterText(),
  createBy: filterText(),
};

export const betPage = z.object({
  ...paged(placedBet).def.shape,
  /** Over all pages of the filter: asked, matched, and result before commission. */
  totals: z.object({ stake: minor(), matched: minor(), profitLoss: minor() }),
});
/** The bodies of `bet/session` and its kin differ in name only: each takes the one placing payload. */
export const bets = {
  place: placing('bet.place', '/placeBet', 'Place a bet of any kind; dispatches on the kind of the market.'),
  session: placing('bet.session', '/bet/session', 'Place a bet in a session or other number market.'),
  match: placing('bet.match', '/bet/matchBetting', 'Place a bet in a match market.'),
  otherMatch: placing('bet.otherMatch', '/bet/other/matchBetting', 'Place a bet in a market of the other events.'),
  race: placing('bet.race', '/bet/raceBetting', 'Place a bet in a race market.'),
  tournament: placing('bet.tournament', '/bet/tournament', 'Place a bet in a tournament market.'),
  card: placing('bet.card', '/bet/cardBetting', 'Place a bet at a card table.'),
  placeMany: call('bet.placeMany', {
    method: 'POST',
    path: '/bet/placeMany',
    who: 'player',
    summary: `Place up to ${MOST_AT_ONCE} bets of any kind. Each has its own key and its own answer, in their order: what placing it alone would answer. One that is refused takes none of the others with it. Each counts for the pace of calls.`,
    body: z.strictObject({ bets: z.array(placeBody).check(z.minLength(1), z.maxLength(MOST_AT_ONCE)) }),
    reply: z.object({ answers: z.array(z.union([envelope, refusal])) }),
    errors: ['STEP_UP_REQUIRED', 'BUSY', 'UNAVAILABLE'],
    line: true,
    many: 'bets',
  }),
  byKey: call('bet.byKey', {
    method: 'GET',
    path: '/bet/key/:key',
    who: 'player',
    summary:
      'What became of a key whose answer was lost: the first answer again, or KEY_UNKNOWN when nothing was taken.',
    params: z.strictObject({ key: key() }),
    reply: betAnswer,
    errors: ['KEY_UNKNOWN'],
  }),
  settleKey: call('bet.settleKey', {
    method: 'POST',
    path: '/bet/key/settle',
    who: 'player',
    summary:
      'Settles the fate of a placing key whose answer was lost: the first answer when a bet was taken under it, else KEY_UNKNOWN and the key is burnt, so that a late arrival of the lost request is refused.',
    body: z.strictObject({ key: key() }),
    reply: betAnswer,
    errors: ['KEY_UNKNOWN', 'BUSY', 'UNAVAILABLE'],
    reads: true,
    line: true,
  }),
  cancel: call('bet.cancel', {
    method: 'POST',
    path: '/bet/cancel',
    who: 'player',
    summary: 'Cancel the unmatched rest of a bet, or part of it.',
    body: z.strictObject({ key: key(), id: id(), by: z.optional(stakeMinor()) }),
    reply: betAnswer,
    errors: ['BET_UNKNOWN', 'BET_NOT_OPEN', 'MARKET_SETTLING', 'AMOUNT_INVALID', 'BUSY', 'UNAVAILABLE'],
    keyed: true,
    line: true,
  }),
  cancelAll: call('bet.cancelAll', {
    method: 'POST',
    path: '/bet/cancelAll',
    who: 'player',
    summary:
      'Cancel all unmatched bets, of one market or of all; of a market also those of one runner, and of one side.',
    body: z.strictObject({
      key: key(),
      betId: z.optional(id()),
      runnerId: z.optional(id()),
      side: z.optional(z.enum(['BACK', 'LAY'])),
    }),
    reply: z.object({ cancelled: z.int(), wallet: betAnswer.def.shape.wallet }),
    errors: ['MARKET_UNKNOWN', 'RUNNER_UNKNOWN', 'BUSY', 'UNAVAILABLE'],
    keyed: true,
    line: true,
  }),
  replace: call('bet.replace', {
    method: 'POST',
    path: '/bet/replace',
    who: 'player',
    summary: 'Change price or size of the unmatched rest. A lower size at the same price keeps its place in the queue.',
    body: z.strictObject({
      key: key(),
      id: id(),
      odd: odds().check(z.minimum(101), z.maximum(100_000)),
      stake: stakeMinor(),
      persistence: z.optional(z.enum(['LAPSE', 'PERSIST'])),
      /** What was unmatched when the player asked; refused as BET_CHANGED where that is not so any more. */
      remaining: z.optional(stakeMinor()),
    }),
    reply: betAnswer,
    errors: [...orderErrors, 'BET_UNKNOWN', 'BET_NOT_OPEN', 'BET_CHANGED'],
    keyed: true,
    line: true,
  }),
  cashOutQuote: call('bet.cashOutQuote', {
    method: 'GET',
    path: '/bet/cashOut',
    who: 'player',
    summary: 'What leaving a market, or one runner of it, would bring at the prices of this moment.',
    query: z.strictObject({
      betId: idText(),
      runnerId: z.optional(idText()),
      /** How much of the position; all where it is not said. */
      percent: z.optional(z.string().check(z.regex(/^([1-9]\d?|100)$/))),
      /** Instead: the part with so much of its exposure (what it loses at worst), minor units. */
      amount: z.optional(z.string().check(z.regex(/^[1-9]\d{0,10}$/))),
    }),
    reply: z.object({
      /** The worst result after it, less commission; null where there is nothing to be had, `reason` says why. */
      value: z.nullable(minor()),
      reason: z.nullable(
        z.enum([
          'CLOSED',
          'SUSPENDED',
          'RUNNER_SUSPENDED',
          'WRONG_MARKET',
          'NO_POSITION',
          'NO_DEPTH',
          'STAKE_TOO_SMALL',
          'STAKE_TOO_LARGE',
        ]),
      ),
      legs: z.array(hedgeLeg),
      /** Results after it; runner 0 is "any other". */
      results: z.array(z.object({ runnerId: z.int(), net: minor() })),
      /** Waiting bets in the market, which go with it. */
      cancels: z.array(z.int()),
      marketVersion: z.int(),
    }),
    errors: ['MARKET_UNKNOWN', 'WRONG_KIND'],
  }),
  cashOut: call('bet.cashOut', {
    method: 'POST',
    path: '/bet/cashOut',
    who: 'player',
    summary:
      'Several bets in one market as one, such as a cash out: all are taken whole or none is, judged by what they leave together.',
    body: z.strictObject({
      key: key(),
      betId: id(),
      legs: z.array(hedgeLeg).check(z.minLength(1), z.maxLength(200)),
      /** Waiting bets in the market go with it; they stay when it is refused. */
      cancel: z.boolean(),
      marketVersion: z.optional(z.int().check(z.minimum(0))),
    }),
    reply: z.object({
      /** The bets placed, then those cancelled. */
      bets: z.array(placedBet),
      cancelled: z.array(placedBet),
      wallet: betAnswer.def.shape.wallet,
    }),
    errors: [...orderErrors, 'HEDGE_WAITING'],
    keyed: true,
    line: true,
  }),
  persistence: call('bet.persistence', {
    method: 'POST',
    path: '/bet/persistence',
    who: 'player',
    summary: 'Keep the unmatched rest when the market turns in-play, or let it lapse.',
    body: z.strictObject({ key: key(), id: id(), persistence: z.enum(['LAPSE', 'PERSIST']) }),
    reply: betAnswer,
    errors: ['BET_UNKNOWN', 'BET_NOT_OPEN', 'MARKET_SETTLING'],
    keyed: true,
    line: true,
  }),
  list: call('bet.list', {
    method: 'GET',
    path: '/bet',
    who: 'player',
    summary:
      'Placed bets by filter: open bets, current bets, bets behind a statement row. Newest first where no sort is given; open ones those that wait first.',
    query: z.strictObject({
      ...betFilters,
      isCurrentBets: z.optional(z.enum(['true', 'false'])),
      page: page(),
      limit: limit(),
      sort: sortText(),
      searchBy: z.optional(z.string().check(z.maxLength(40))),
      keyword: keyword(),
    }),
    reply: betPage,
    errors: ['BAD_FILTER', 'NOT_ALLOWED', 'TIME_TOO_LONG'],
  }),
  file: call('bet.file', {
    method: 'GET',
    path: '/bet/file',
    who: 'player',
    summary:
      'The same as a CSV file, newest first, times by the clock of the zone, words in the language (by default the one kept with the account); at most 50,000 rows. A cell is never a formula.',
    query: z.strictObject({
      ...betFilters,
      isCurrentBets: z.optional(z.enum(['true', 'false'])),
      keyword: keyword(),
      timeZone: timeZone(),
      language: z.optional(languageTag),
    }),
    file: CSV,
    reply: z.string(),
    errors: ['BAD_FILTER', 'NOT_ALLOWED', 'TIME_TOO_LONG'],
  }),
  runAmount: call('bet.runAmount', {
    method: 'GET',
    path: '/bet/session/profitLoss/:id',
    who: 'player',
    summary: "The run ladder of a number market for the player's bets.",
    params: z.strictObject({ id: idText() }),
    query: z.strictObject({ matchId: idText() }),
    reply: z.object({
      profitLoss: z.object({
        betPlaced: z.array(z.object({ odds: runs(), profitLoss: minor() })),
        maxLoss: minor(),
        totalBet: z.int(),
      }),
    }),
    errors: ['MARKET_UNKNOWN', 'WRONG_KIND'],
    aliases: ['/run-amount/:id'],
  }),
  profitLoss: call('bet.profitLoss', {
    method: 'POST',
    path: '/bet/profitLoss',
    who: 'player',
    summary: 'Profit and loss by sport, match, market; each level opens the next.',
    body: z.strictObject({
      level: z.enum(['sport', 'match', 'market']),
      eventType: z.optional(z.string().check(z.maxLength(40))),
      matchId: z.optional(id()),
      /** Moments, or bare dates in the time zone below: then `to` means its whole day. */
      from: z.optional(z.string().check(z.maxLength(30))),
      to: z.optional(z.string().check(z.maxLength(30))),
      /** Whose days the result is told by, as Europe/Berlin; the player’s own where not said. */
      timeZone: z.optional(z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,59}$/))),
    }),
    reply: z.object({
      rows: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          eventType: z.string(),
          matchId: z.nullable(z.int()),
          betId: z.nullable(z.int()),
          profitLoss: minor(),
          commission: minor(),
          totalBet: z.int(),
          settledAt: z.nullable(z.string()),
        }),
      ),
      /** Net per day of the time zone asked for, for the chart. */
      days: z.array(z.object({ day: z.string(), profitLoss: minor() })),
      total: minor(),
    }),
    reads: true,
  }),
  myMarket: call('bet.myMarket', {
    method: 'GET',
    path: '/bet/myMarket',
    who: 'player',
    summary: 'Markets in which the player has open bets.',
    reply: z.array(
      z.object({
        eventType: z.string(),
        eventName: z.string(),
        matchId: z.int(),
        beventId: z.nullable(z.string()),
        groupedmarkettype: z.nullable(z.string()),
        marketType: z.string(),
        trade: z.int(),
        betId: z.int(),
        exposure: minor(),
      }),
    ),
  }),
  positions: call('bet.positions', {
    method: 'GET',
    path: '/bet/positions',
    who: 'player',
    summary:
      "The player's standing in every market of a match, matched bets only; and what its closed markets paid, for half an hour after the result.",
    query: z.strictObject({ matchId: idText() }),
    reply: z.array(
      z.object({
        betId: z.int(),
        exposure: minor(),
        betCount: z.int(),
        /** Runner markets: result if the runner wins or loses; `net` is the whole result where one runner wins. */
        runners: z.array(z.object({ runnerId: z.int(), win: minor(), lose: minor(), net: minor() })),
        /** Number markets: the ladder, untrimmed. */
        runs: z.array(z.object({ odds: runs(), profitLoss: minor() })),
        /** Of a market with a result: what it paid, and the commission taken from that. Null while it is open. */
        paid: z.nullable(z.object({ gross: minor(), commission: minor() })),
      }),
    ),
  }),
  deleteRaceBets: call('bet.deleteMultipleBetForRace', {
    method: 'POST',
    path: '/bet/deleteMultipleBetForRace',
    who: 'operator',
    right: 'results',
    proof: true,
    summary: 'Delete bets of a race with a reason. No player may.',
    body: z.strictObject({
      data: z.strictObject({
        matchId: id(),
        betIds: z.array(id()).check(z.minLength(1), z.maxLength(200)),
        deleteReason: z.string().check(z.minLength(3), z.maxLength(300)),
      }),
    }),
    reply: nothing,
    errors: ['BET_UNKNOWN'],
  }),
};
