import * as z from 'zod/mini';
import { call, filterText, idText, key, keyword, limit, minor, odds, page, paged, runs, sortText } from './call.ts';

/** One result of a table; `win` is the result code of the rule book (C13), `badge` the letter of the strip. */
export const cardResult = z.object({
  mid: z.string(),
  /** Game code. */
  type: z.string(),
  roundNo: z.int(),
  win: z.string(),
  badge: z.string(),
  /** In words. */
  text: z.string(),
  createdAt: z.string(),
  /** Site codes of the cards in the order of the deal; in the card report only. */
  cards: z.optional(z.array(z.string())),
});
export type CardResult = z.output<typeof cardResult>;

/** A round as the table shows it, and all a browser needs to verify it once the server seed is there. */
export const cardRound = z.object({
  /** Round id. */
  mid: z.string(),
  roundNo: z.int(),
  /** The market of this round: bets name it. */
  betId: z.int(),
  /** IDLE (nobody watches), OPEN, LOCKED, DEALING, RESULT, VOID. */
  phase: z.enum(['IDLE', 'OPEN', 'LOCKED', 'DEALING', 'RESULT', 'VOID']),
  /** Betting window, from 0; a bet names it. */
  window: z.int(),
  /** When the present phase ends, ms; 0 when open-ended. */
  endsAt: z.int(),
  /** How long the present phase lasts in all, ms: for the ring. */
  lastsMs: z.int(),
  /** Hash of the server seed: the server seed of the round before, or the head of a new chain of seeds. */
  commit: z.string(),
  /** The public seed, fixed before betting opens. */
  clientSeed: z.string(),
  /** The round's number. */
  nonce: z.int(),
  /** Words of players that are in the public seed, and what it is without them: that of the round before. */
  words: z.array(z.string()),
  baseSeed: z.string(),
  /** null until the round is over. */
  serverSeed: z.nullable(z.string()),
  /** Hash of the next round's server seed; null while that is this round's own seed, and in history. */
  nextCommit: z.nullable(z.string()),
  /** Dealt so far, in order: site code (C1) per card and the seat it went to; a face-down card has code null. */
  cards: z.array(z.object({ seat: z.string(), code: z.nullable(z.string()) })),
  /** Facts of the round for boards and words (scores, runs, totals); by game. */
  state: z.record(z.string(), z.unknown()),
  odds: z.array(
    z.object({
      runnerId: z.int(),
      /** Selection id of packages/casino. */
      sel: z.string(),
      /** Decimal hundredths, or the rate per 100 of a line; null: not offered. */
      back: z.nullable(odds()),
      lay: z.nullable(odds()),
      /** Of a back (Yes) and of a lay (No). */
      line: z.nullable(runs()),
      noLine: z.nullable(runs()),
      open: z.boolean(),
      minMinor: minor(),
      maxMinor: minor(),
      /** After the result: WIN, LOSE, VOID, HALF, PAY; null before. */
      end: z.nullable(z.string()),
    }),
  ),
  result: z.nullable(cardResult),
});
export type CardRound = z.output<typeof cardRound>;

export const cardTable = z.object({
  code: z.string(),
  name: z.string(),
  /** Client route. */
  url: z.string(),
  /** The table as an event: bets name it as matchId. */
  matchId: z.int(),
  /** The operator's picture of the table; `down` where it did not come when the server looked: draw the table. */
  videoInfo: z.object({ mid: z.string(), url: z.nullable(z.string()), down: z.optional(z.boolean()) }),
  /** What can be bet on, by the `sel` of the odds. */
  selections: z.array(
    z.object({
      sel: z.string(),
      name: z.string(),
      group: z.string(),
      /** What it takes to win; empty where the name says it. */
      hint: z.string(),
      /** Where the winnings depend on how it wins: what each way pays, decimal odds in hundredths. Else it pays its price. */
      pays: z.nullable(z.array(z.object({ when: z.string(), odds: odds() }))),
      /** What `pick` of a bet must hold, where the player chooses ranks (1 to 13) or digits himself; null: no choice. */
      pick: z.nullable(
        z.object({
          of: z.enum(['ranks', 'digits']),
          from: z.int(),
          to: z.int(),
          least: z.int(),
          most: z.int(),
          repeats: z.boolean(),
        }),
      ),
    }),
  ),
  /** Newest first. */
  topTenResult: z.array(cardResult),
  /** Result per selection of this round if it wins, for the player's bets: runnerId to minor units as text. */
  profitLoss: z.record(z.string(), z.string()),
  /** Server time, ms: clocks of browsers differ. */
  now: z.int(),
  round: cardRound,
});
export type CardTable = z.output<typeof cardTable>;

export const cardTile = z.object({
  game_id: z.string(),
  url: z.string(),
  imgSrc: z.string(),
  name: z.string(),
  code: z.string(),
  category: z.string(),
  phase: z.string(),
  endsAt: z.int(),
  lastBadges: z.array(z.string()),
  open: z.boolean(),
});
export type CardTile = z.output<typeof cardTile>;

/** Socket `/card`: emit `joinTable` {code}; listens to `cardData{code}` with this. */
export interface CardData {
  /** Running number of the table; on a gap join again. */
  n: number;
  now: number;
  round: CardRound;
  topTenResult: CardResult[];
}
export const cardEmits = {
  joinTable: z.strictObject({ code: z.string().check(z.maxLength(30)) }),
  leaveTable: z.strictObject({ code: z.optional(z.string().check(z.maxLength(30))) }),
} as const;

/** One round of a player at a provider: all his stakes in it, and what they came to. */
const virtualBet = z.object({
  id: z.int(),
  providerName: z.string(),
  gameName: z.string(),
  gameCode: z.string(),
  round: z.string(),
  stake: minor(),
  /** Won (positive) or lost; 0 while the round is open. */
  result: minor(),
  /** VOID: every stake came back. */
  status: z.enum(['OPEN', 'CLOSED', 'VOID']),
  createdAt: z.string(),
});
/** A movement of money in a round, as our books have it. */
const virtualMovement = z.object({
  kind: z.enum(['debit', 'debitCredit', 'credit', 'rollback', 'promo']),
  /** What left the account, and what came to it. */
  stakeMinor: minor(),
  paidMinor: minor(),
  createdAt: z.string(),
});
const game = z.object({
  game_id: z.string(),
  game_name: z.string(),
  category: z.string(),
  provider_name: z.string(),
  sub_provider_name: z.string(),
  status: z.string(),
  url_thumb: z.string(),
  game_code: z.string(),
  /** What it is, for its icon and the highlights: `crash`, `mines`, `dragon-tiger` ...; beside the eight fields of the record. */
  family: z.optional(z.string()),
});

const tableCode = z.string().check(z.regex(/^[A-Za-z0-9-]{1,30}$/));

/** Table-card games. */
export const casino = {
  tiles: call('card.tiles', {
    method: 'GET',
    path: '/card/tiles',
    who: 'player',
    summary: 'The tiles of the lobby with the live state of each table.',
    reply: z.array(cardTile),
  }),
  table: call('card.table', {
    method: 'GET',
    path: '/match/card',
    who: 'player',
    summary: 'A card table with its present round.',
    query: z.strictObject({ type: tableCode }),
    reply: cardTable,
    errors: ['MATCH_UNKNOWN'],
  }),
  initial: call('card.initial', {
    method: 'GET',
    path: '/match/initial/card',
    who: 'player',
    summary: 'The first state of a card table: the same record as /match/card.',
    query: z.strictObject({ type: tableCode }),
    reply: cardTable,
    errors: ['MATCH_UNKNOWN'],
  }),
  results: call('card.results', {
    method: 'GET',
    path: '/card/result/:id',
    who: 'player',
    summary: 'The last results of a table, newest first.',
    params: z.strictObject({ id: tableCode }),
    reply: z.array(cardResult),
    errors: ['MATCH_UNKNOWN'],
  }),
  resultDetail: call('card.resultDetail', {
    method: 'GET',
    path: '/card/result/detail',
    who: 'player',
    summary: 'One round that is over, with its seeds and cards, to be verified in the browser.',
    query: z.strictObject({ mid: z.string().check(z.maxLength(40)) }),
    reply: z.object({ result: cardResult, round: cardRound }),
    errors: ['NOT_FOUND'],
  }),
  report: call('card.report', {
    method: 'GET',
    path: '/card/report/:type',
    who: 'player',
    summary: 'Results of a table by page, newest first.',
    params: z.strictObject({ type: tableCode }),
    query: z.strictObject({
      page: page(),
      limit: limit(),
      searchBy: z.optional(z.enum(['mid', 'result'])),
      keyword: keyword(),
      sort: sortText(),
      'cardResult.createdAt': filterText(),
    }),
    reply: paged(cardResult),
    errors: ['BAD_FILTER', 'MATCH_UNKNOWN'],
  }),
  myRounds: call('card.myRounds', {
    method: 'GET',
    path: '/card/mine/:type',
    who: 'player',
    summary:
      "The player's own rounds of a table, newest first, with what each brought: those among his last few hundred bets, then `next` asks on.",
    params: z.strictObject({ type: tableCode }),
    query: z.strictObject({
      /** `next` of the page before. */
      before: z.optional(z.string().check(z.regex(/^\d{1,16}$/))),
    }),
    reply: z.object({
      rows: z.array(
        z.object({
          ...cardResult.shape,
          bets: z.int(),
          /** Minor units: the stakes, and what the round brought over them. */
          stake: minor(),
          net: z.int(),
        }),
      ),
      /** Where older rounds go on; null: there are none. */
      next: z.nullable(z.int()),
    }),
    errors: ['MATCH_UNKNOWN'],
  }),
  clientSeed: call('card.clientSeed', {
    method: 'POST',
    path: '/card/clientSeed',
    who: 'player',
    summary:
      "The player's own word in the public seed of the round after the one named; closed before its betting opens.",
    body: z.strictObject({
      type: z.string().check(z.maxLength(20)),
      mid: z.string().check(z.maxLength(20)),
      // One line: the words are joined by line breaks.
      seed: z.string().check(z.minLength(1), z.maxLength(64), z.regex(/^[^\p{Cc}]+$/u)),
    }),
    reply: z.object({ seed: z.string(), roundNo: z.int() }),
    errors: ['MATCH_UNKNOWN', 'MARKET_CLOSED'],
  }),
};

/** Live casino of two providers. Without providers: empty lists, and NOT_OPEN_YET. */
export const provider = {
  games: call('mac88.list', {
    method: 'POST',
    path: '/mac88/casino/list',
    who: 'player',
    summary: 'Games by provider, then category.',
    reply: z.record(z.string(), z.record(z.string(), z.array(game))),
    reads: true,
  }),
  launch: call('mac88.login', {
    method: 'POST',
    path: '/mac88/casino/login',
    who: 'player',
    summary: 'Open a game: the address for its frame. A demo player plays with money of the game itself.',
    body: z.strictObject({
      game_id: z.string().check(z.maxLength(60)),
      provider_name: z.string().check(z.maxLength(60)),
      game_code: z.string().check(z.maxLength(60)),
      platform: z.enum(['desktop', 'mobile']),
      /** How the page begins; dark where not said. */
      theme: z.optional(z.enum(['dark', 'light'])),
    }),
    reply: z.object({ url: z.string() }),
    errors: [
      'NOT_OPEN_YET',
      'GAME_UNKNOWN',
      'GAME_CLOSED',
      'PROVIDER_DOWN',
      'ACCOUNT_BLOCKED',
      'REALITY_CHECK_DUE',
      'SESSION_TIME_LIMIT',
      'STEP_UP_REQUIRED',
    ],
  }),
  providers: call('mac88.providers', {
    method: 'GET',
    path: '/mac88/providers',
    who: 'player',
    summary: 'Names of the providers.',
    reply: z.array(z.string()),
  }),
  bets: call('mac88.bets', {
    method: 'GET',
    path: '/mac88/bets/:id',
    who: 'player',
    summary: 'Live casino bets, a row a round, oldest first.',
    params: z.strictObject({ id: idText() }),
    query: z.strictObject({
      page: page(),
      limit: limit(),
      /** gameName, round, providerName; the first two where not said. */
      searchBy: z.optional(z.string().check(z.maxLength(40))),
      keyword: keyword(),
      /** State of the round: OPEN, CLOSED, VOID, by the grammar of the filters. */
      filter: z.optional(z.string().check(z.maxLength(200))),
      sort: sortText(),
      providerName: filterText(),
      createdAt: filterText(),
    }),
    reply: paged(virtualBet),
    errors: ['NOT_ALLOWED', 'BAD_FILTER'],
  }),
  round: call('mac88.round', {
    method: 'GET',
    path: '/mac88/round/:id',
    who: 'player',
    summary: 'One of the own live casino bets: its movements, and the proof of the round from the provider.',
    params: z.strictObject({ id: idText() }),
    reply: z.object({
      bet: virtualBet,
      endedAt: z.nullable(z.string()),
      movements: z.array(virtualMovement),
      /** false: the provider did not answer; everything else is from our own books. */
      reachable: z.boolean(),
      /** RoundProof of the studio, or a list of them, for the browser to check; null while the round is open. */
      proof: z.unknown(),
    }),
    errors: ['BET_UNKNOWN'],
  }),
  reconcile: call('operator.reconcile', {
    method: 'POST',
    path: '/operator/providers/reconcile',
    who: 'operator',
    right: 'providers',
    summary: "A day of the providers' lists of movements compared with our books.",
    body: z.strictObject({
      /** A day in UTC; yesterday where not said. */
      day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))),
    }),
    reply: z.object({
      day: z.string(),
      /** Both providers answered, and nothing differs. */
      clean: z.boolean(),
      providers: z.array(
        z.object({
          provider: z.string(),
          reachable: z.boolean(),
          theirs: z.int(),
          ours: z.int(),
          pending: z.int(),
          differences: z.array(
            z.object({
              kind: z.enum(['missing', 'extra', 'amount', 'content']),
              txId: z.string(),
              roundId: z.string(),
              what: z.string(),
              theirsMinor: z.nullable(minor()),
              oursMinor: z.nullable(minor()),
            }),
          ),
        }),
      ),
    }),
  }),
  openRounds: call('operator.openRounds', {
    method: 'GET',
    path: '/operator/providers/rounds',
    who: 'operator',
    right: 'providers',
    summary: "Providers' rounds open for longer than so many hours (24), oldest first, at most 1000.",
    query: z.strictObject({ hours: z.optional(z.string().check(z.regex(/^\d{1,5}$/))) }),
    reply: z.array(
      z.object({
        provider: z.string(),
        userId: z.int(),
        userName: z.string(),
        round: z.string(),
        game: z.string(),
        stake: minor(),
        paid: minor(),
        openedAt: z.string(),
      }),
    ),
  }),
  voidRound: call('operator.voidRound', {
    method: 'POST',
    path: '/operator/providers/rounds/void',
    who: 'operator',
    right: 'providers',
    proof: true,
    keyed: true,
    summary:
      'Give back the undecided stakes of a round that its provider left open for 14 days, and end it. Above what a person may move alone a second one has to agree.',
    body: z.strictObject({
      key: key(),
      provider: z.string().check(z.maxLength(30)),
      userId: z.int(),
      round: z.string().check(z.maxLength(128)),
      reason: z.string().check(z.minLength(3), z.maxLength(300)),
    }),
    /** What went back to the player; nothing while it waits for a second person. */
    reply: z.object({ request: z.nullable(z.int()), returned: minor() }),
    errors: ['BET_UNKNOWN', 'STATE_NOT_FITTING'],
  }),
  held: call('operator.held', {
    method: 'GET',
    path: '/operator/providers/held',
    who: 'operator',
    right: 'providers',
    summary:
      'Wins that wait for a person, oldest first: above what a provider pays by itself, or on a round that was over.',
    reply: z.array(
      z.object({
        provider: z.string(),
        txId: z.string(),
        userId: z.int(),
        userName: z.string(),
        round: z.string(),
        game: z.string(),
        amount: minor(),
        /** The round was over; more than a round pays, in all or for its stake; the day is lost. */
        why: z.enum(['closed', 'win', 'times', 'day']),
        at: z.string(),
      }),
    ),
  }),
  decideHeld: call('operator.decideHeld', {
    method: 'POST',
    path: '/operator/providers/held/decide',
    who: 'operator',
    right: 'providers',
    proof: true,
    keyed: true,
    summary: 'Pays a win that waits, or refuses it for good; then the round may be given back. Needs two people.',
    body: z.strictObject({
      key: key(),
      provider: z.string().check(z.maxLength(30)),
      txId: z.string().check(z.maxLength(128)),
      pay: z.boolean(),
      reason: z.string().check(z.minLength(3), z.maxLength(300)),
    }),
    reply: z.object({ request: z.nullable(z.int()), amount: minor() }),
    errors: ['BET_UNKNOWN', 'STATE_NOT_FITTING'],
  }),
};
