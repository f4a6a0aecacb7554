import * as z from 'zod/mini';
import { call, idText, limit, page, paged } from './call.ts';
import { filterText, keyword, sortText } from './filter.ts';

const cardResult = z.object({
  id: z.string(),
  mid: z.string(),
  type: z.string(),
  result: z.string(),
  createdAt: z.string(),
  detail: z.unknown(),
});
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
});

/** Table-card games. The tables are not open yet: their calls answer empty lists or NOT_OPEN_YET. */
export const casino = {
  table: call('card.table', {
    method: 'GET',
    path: '/match/card',
    who: 'player',
    summary: 'A card table.',
    query: z.strictObject({ type: z.optional(z.string().check(z.maxLength(30))) }),
    reply: z.array(z.unknown()),
  }),
  initial: call('card.initial', {
    method: 'GET',
    path: '/match/initial/card',
    who: 'player',
    summary: 'The first state of a card table.',
    query: z.strictObject({ type: z.optional(z.string().check(z.maxLength(30))) }),
    reply: z.nullable(z.unknown()),
  }),
  results: call('card.results', {
    method: 'GET',
    path: '/card/result/:id',
    who: 'player',
    summary: 'Results of a table.',
    params: z.strictObject({ id: z.string().check(z.maxLength(40)) }),
    reply: z.array(cardResult),
  }),
  resultDetail: call('card.resultDetail', {
    method: 'GET',
    path: '/card/result/detail',
    who: 'player',
    summary: 'One result.',
    query: z.strictObject({ mid: z.string().check(z.maxLength(40)) }),
    reply: cardResult,
    errors: ['NOT_FOUND'],
  }),
  report: call('card.report', {
    method: 'GET',
    path: '/card/report/:type',
    who: 'player',
    summary: 'Results of a table by page.',
    params: z.strictObject({ type: z.string().check(z.maxLength(30)) }),
    query: z.strictObject({
      page: page(),
      limit: limit(),
      searchBy: z.optional(z.string().check(z.maxLength(40))),
      keyword: keyword(),
      sort: sortText(),
      'cardResult.createdAt': filterText(),
    }),
    reply: paged(cardResult),
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
