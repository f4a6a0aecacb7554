import * as z from 'zod/mini';
import { call, id, idText, key, minor, nothing, text } from './call.ts';

const reason = z.string().check(z.minLength(3), z.maxLength(300));
const userName = z.string().check(z.regex(/^[A-Za-z0-9_.-]{3,32}$/));
const result = z.union([
  z.strictObject({ kind: z.literal('winners'), runnerIds: z.array(id()).check(z.minLength(1), z.maxLength(60)) }),
  /** The finish: 1 the best, equal ranks level; at least as many as there are places. */
  z.strictObject({
    kind: z.literal('ranks'),
    ranks: z
      .array(z.strictObject({ runnerId: id(), rank: z.int().check(z.minimum(1), z.maximum(400)) }))
      .check(z.minLength(1), z.maxLength(400)),
  }),
  z.strictObject({ kind: z.literal('score'), score: z.int().check(z.minimum(0), z.maximum(100_000)) }),
  z.strictObject({ kind: z.literal('yes'), yes: z.boolean() }),
  z.strictObject({ kind: z.literal('tie') }),
  z.strictObject({ kind: z.literal('void'), reason }),
]);

const op = <B extends z.ZodMiniType, R extends z.ZodMiniType>(
  name: string,
  path: string,
  summary: string,
  body: B,
  reply: R,
  more: { keyed?: boolean } = {},
) =>
  call(`operator.${name}`, {
    method: 'POST',
    path: `/operator${path}`,
    who: 'operator',
    summary,
    body,
    reply,
    ...more,
  });

/** Moves money: the body has a key made by the caller, and a repeated call acts once. */
const KEYED = { keyed: true } as const;
/** The call was carried out before under this key; nothing happened again. */
const repeated = z.object({ repeated: z.boolean() });

/** The operator's minimum. Every call is in the audit log; a player's token gets 403. */
export const operator = {
  login: call('operator.login', {
    method: 'POST',
    path: '/operator/login',
    who: 'public',
    summary: 'An operator token.',
    body: z.strictObject({ userName: text(64), password: text(1024) }),
    reply: z.object({ token: z.string() }),
    errors: ['LOGIN_FAILED', 'LOGIN_WAIT'],
  }),
  createPlayer: op(
    'createPlayer',
    '/player/create',
    'A new player with a first password that must be changed.',
    z.strictObject({
      userName,
      password: z.optional(text(128)),
      currency: z.optional(z.enum(['EUR', 'BRL', 'USD'])),
      creditMinor: z.optional(minor()),
      forceChangePassword: z.optional(z.boolean()),
      email: z.optional(text(200)),
    }),
    z.object({ userId: z.int(), password: z.string() }),
  ),
  credit: op(
    'credit',
    '/player/credit',
    'Credit (positive) or debit an account.',
    z.strictObject({
      key: key(),
      userName,
      amountMinor: minor(),
      reason,
      kind: z.optional(z.enum(['deposit', 'withdrawal', 'correction', 'creditReference'])),
    }),
    z.object({ balanceMinor: minor(), repeated: z.boolean() }),
    KEYED,
  ),
  block: op(
    'block',
    '/player/block',
    'Block or unblock an account or its betting.',
    z.strictObject({ userName, what: z.enum(['account', 'betting']), on: z.boolean(), reason }),
    nothing,
  ),
  forceLogout: op(
    'forceLogout',
    '/player/logout',
    'End every session of a player, or of all.',
    z.strictObject({ userName: z.optional(userName), reason }),
    z.object({ ended: z.int() }),
  ),
  resetPassword: op(
    'resetPassword',
    '/player/password',
    'A new first password.',
    z.strictObject({ userName, reason }),
    z.object({ password: z.string() }),
  ),
  addMatch: op(
    'addMatch',
    '/match/add',
    'A new event with a match odds market.',
    z.strictObject({
      matchType: z.enum(['cricket', 'football', 'tennis', 'politics']),
      title: text(120),
      competitionName: text(120),
      startAt: text(30),
      teams: z.array(text(60)).check(z.minLength(2), z.maxLength(10)),
    }),
    z.object({ matchId: z.int(), betId: z.int(), runnerIds: z.array(z.int()) }),
  ),
  addSession: op(
    'addSession',
    '/session/add',
    'A session made by hand on an event; it takes bets once it is quoted with a line, and is declared by its score.',
    z.strictObject({
      matchId: id(),
      name: text(80),
      kind: z.optional(z.enum(['session', 'overByover', 'ballByBall', 'fancy1'])),
    }),
    z.object({ matchId: z.int(), betId: z.int(), runnerIds: z.array(z.int()) }),
  ),
  quote: op(
    'quote',
    '/market/quote',
    'House prices of a runner: pairs of [price, sizeMinor].',
    z.strictObject({
      betId: id(),
      runnerId: id(),
      back: z.array(z.tuple([z.int(), z.int()])).check(z.maxLength(20)),
      lay: z.array(z.tuple([z.int(), z.int()])).check(z.maxLength(20)),
      line: z.optional(z.int()),
    }),
    nothing,
  ),
  suspend: op(
    'suspend',
    '/market/suspend',
    'Suspend a market, or every market of an event. The feed does not reopen it.',
    z.strictObject({ betId: z.optional(id()), matchId: z.optional(id()), reason }),
    nothing,
  ),
  resume: op(
    'resume',
    '/market/resume',
    'Give a suspended market back to its feed.',
    z.strictObject({ betId: z.optional(id()), matchId: z.optional(id()), reason }),
    nothing,
  ),
  declare: op(
    'declare',
    '/market/declare',
    'Declare a result.',
    z.strictObject({ key: key(), betId: id(), result, reason: z.optional(reason) }),
    repeated,
    KEYED,
  ),
  undeclare: op(
    'undeclare',
    '/market/undeclare',
    'Take a result back, exactly.',
    z.strictObject({ key: key(), betId: id(), reason }),
    repeated,
    KEYED,
  ),
  deleteBet: op(
    'deleteBet',
    '/bet/delete',
    'Take bets out with a reason; they stay visible.',
    z.strictObject({ key: key(), ids: z.array(id()).check(z.minLength(1), z.maxLength(200)), reason }),
    repeated,
    KEYED,
  ),
  deleteReason: op(
    'deleteReason',
    '/bet/reason',
    'Change the text of a delete reason.',
    z.strictObject({ ids: z.array(id()).check(z.minLength(1), z.maxLength(200)), reason }),
    nothing,
  ),
  marquee: op(
    'marquee',
    '/marquee',
    'Set the marquee text or a banner.',
    z.strictObject({ value: text(500), type: z.optional(z.string().check(z.regex(/^banner\d{1,2}$/))) }),
    nothing,
  ),
  rules: op(
    'rules',
    '/rules',
    'Replace the rules texts of a sport.',
    z.strictObject({
      sportName: text(60),
      rules: z
        .array(
          z.strictObject({
            category: text(60),
            description: z
              .array(z.strictObject({ text: text(1000), color: z.enum(['red', 'black', 'none']) }))
              .check(z.maxLength(100)),
          }),
        )
        .check(z.maxLength(30)),
    }),
    nothing,
  ),
  refreshAll: op(
    'refreshAll',
    '/refresh',
    'Ask every client to reload, spread over 30 s.',
    z.strictObject({ reason }),
    nothing,
  ),
  feed: call('operator.feed', {
    method: 'GET',
    path: '/operator/feed',
    who: 'operator',
    summary: 'How the feed is, and which of its markets wait for a person.',
    reply: z.object({
      /** Null without a feed. */
      lastHeardAt: z.nullable(z.string()),
      connected: z.boolean(),
      /** Troubles with its source since the start. */
      troubles: z.int(),
      /** Commands taken, and what waits to be handed in. */
      commands: z.int(),
      waiting: z.int(),
      refused: z.array(z.object({ what: z.string(), times: z.int() })),
      attention: z.array(
        z.object({
          betId: z.int(),
          matchId: z.int(),
          match: z.string(),
          market: z.string(),
          /** Its feed does not name it any more; its price jumped; its source told a finish that cannot be paid on. */
          why: z.enum(['forsaken', 'jump', 'result']),
          since: z.string(),
          status: z.string(),
        }),
      ),
    }),
  }),
  confirmPrice: op(
    'confirmPrice',
    '/feed/confirm',
    'Vouch for a price that jumped: its market opens.',
    z.strictObject({ betId: id(), reason }),
    nothing,
  ),
  voidForsaken: op(
    'voidForsaken',
    '/feed/void',
    'Void markets whose feed does not name them any more: stakes are returned.',
    z.strictObject({ key: key(), betIds: z.array(id()).check(z.minLength(1), z.maxLength(200)), reason }),
    z.object({ voided: z.int(), repeated: z.boolean() }),
    KEYED,
  ),
  quarantine: call('operator.quarantine', {
    method: 'GET',
    path: '/operator/quarantine',
    who: 'operator',
    summary: 'Commands on which the core failed; they had no effect, and betting stopped where they happened.',
    query: z.strictObject({ limit: z.optional(idText()) }),
    reply: z.array(
      z.object({ id: z.int(), at: z.string(), actor: z.string(), command: z.string(), error: z.string() }),
    ),
  }),
  player: call('operator.player', {
    method: 'GET',
    path: '/operator/player/:userName',
    who: 'operator',
    summary: 'One account record.',
    params: z.strictObject({ userName }),
    reply: z.object({
      id: z.int(),
      userName: z.string(),
      status: z.string(),
      betBlocked: z.boolean(),
      currency: z.string(),
      balanceMinor: minor(),
      exposureMinor: minor(),
      createdAt: z.string(),
    }),
    errors: ['ACCOUNT_UNKNOWN'],
  }),
  audit: call('operator.audit', {
    method: 'GET',
    path: '/operator/audit',
    who: 'operator',
    summary: 'The newest audit records.',
    query: z.strictObject({ limit: z.optional(idText()) }),
    reply: z.array(
      z.object({
        n: z.int(),
        at: z.string(),
        actor: z.string(),
        action: z.string(),
        object: z.string(),
        reason: z.nullable(z.string()),
        detail: z.unknown(),
        hash: z.string(),
      }),
    ),
  }),
};
