import * as z from 'zod/mini';
import { call, idText, limit, page, paged } from './call.ts';
import { filterText, keyword, sortText } from './filter.ts';

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
  commit: z.string(),
  clientSeed: z.string(),
  nonce: z.int(),
  /** null until the round is over. */
  serverSeed: z.nullable(z.string()),
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
      back: z.nullable(z.int()),
      lay: z.nullable(z.int()),
      line: z.nullable(z.int()),
      open: z.boolean(),
      minMinor: z.int(),
      maxMinor: z.int(),
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
  videoInfo: z.object({ mid: z.string(), url: z.nullable(z.string()) }),
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

/** Socket `/card`: emit `joinTable` {code} (joins one table, leaves the others); listens to `cardData{code}` with this. */
export interface CardData {
  /** Running number of the table; on a gap join again. */
  n: number;
  now: number;
  round: CardRound;
  topTenResult: CardResult[];
}
export const cardEmits = {
  joinTable: z.strictObject({ code: z.string().check(z.maxLength(30)) }),
  leaveTable: z.strictObject({}),
} as const;
export const cardDataEvent = (code: string): string => `cardData${code}`;

const virtualBet = z.object({
  id: z.int(),
  providerName: z.string(),
  gameName: z.string(),
  round: z.string(),
  stake: z.int(),
  result: z.int(),
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
  clientSeed: call('card.clientSeed', {
    method: 'POST',
    path: '/card/clientSeed',
    who: 'player',
    summary: "The player's own seed for tables dealt to one player; shared tables use the table's public seed.",
    body: z.strictObject({ seed: z.string().check(z.minLength(1), z.maxLength(64)) }),
    reply: z.object({ seed: z.string() }),
  }),
};

/** Live casino of the providers. Not open yet: empty lists. */
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
    who: 'real',
    summary: 'Open a game.',
    body: z.strictObject({
      game_id: z.string().check(z.maxLength(60)),
      provider_name: z.string().check(z.maxLength(60)),
      game_code: z.string().check(z.maxLength(60)),
      platform: z.enum(['desktop', 'mobile']),
    }),
    reply: z.object({ url: z.string() }),
    errors: ['NOT_OPEN_YET'],
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
    summary: 'Live casino bets, oldest first.',
    params: z.strictObject({ id: idText() }),
    query: z.strictObject({
      page: page(),
      limit: limit(),
      searchBy: z.optional(z.string().check(z.maxLength(40))),
      keyword: keyword(),
      filter: z.optional(z.string().check(z.maxLength(200))),
      sort: sortText(),
      providerName: filterText(),
      createdAt: filterText(),
    }),
    reply: paged(virtualBet),
    errors: ['NOT_ALLOWED', 'BAD_FILTER'],
  }),
};
