import * as z from 'zod/mini';
import { call, id, idText, key, minor, nothing, odds, runs, text } from './call.ts';
import type { ErrorCode } from './errors.ts';
import { type Right, ROLES } from './rights.ts';

const role = z.enum(ROLES);
/** Six digits of the authenticator, or one of the recovery codes. */
const code = z.string().check(z.regex(/^(\d{6}|[A-Z2-9]{5}-[A-Z2-9]{5})$/));
/** Set: a second person has to agree before anything happens. The number of the request. */
const request = z.nullable(z.int());
const acted = z.object({ request });
const requestRow = z.object({
  id: z.int(),
  /** Name of the call: `operator.credit`. */
  call: z.string(),
  object: z.string(),
  reason: z.string(),
  askedBy: z.string(),
  askedAt: z.string(),
  expiresAt: z.string(),
  state: z.enum(['OPEN', 'DONE', 'REFUSED', 'WITHDRAWN', 'FAILED', 'EXPIRED']),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  /** Whether the asking person may agree to it. */
  mayDecide: z.boolean(),
});
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

interface More {
  right: Right | 'any' | 'entering';
  keyed?: boolean;
  proof?: boolean;
  errors?: readonly ErrorCode[];
}

const op = <B extends z.ZodMiniType, R extends z.ZodMiniType>(
  name: string,
  path: string,
  summary: string,
  body: B,
  reply: R,
  more: More,
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
const moves = (right: Right) => ({ right, keyed: true, proof: true }) as const;
/** The call was carried out before under this key; nothing happened again. */
const repeated = z.object({ request, repeated: z.boolean() });

/** The operator's minimum. Every call is in the audit log; a player's token gets 403. */
export const operator = {
  login: call('operator.login', {
    method: 'POST',
    path: '/operator/login',
    who: 'public',
    summary:
      'A token for twelve hours, at most half an hour idle. Without an authenticator yet (`enrol`) it only sets one up.',
    body: z.strictObject({ userName: text(64), password: text(1024), code: z.optional(code) }),
    reply: z.object({ token: z.string(), enrol: z.boolean() }),
    errors: ['LOGIN_FAILED', 'LOGIN_WAIT', 'ACCOUNT_LOCKED', 'CODE_REQUIRED', 'CODE_WRONG', 'CODE_TRIES'],
  }),
  enrol: op(
    'enrol',
    '/factor/new',
    'A secret for the authenticator, until `confirm`.',
    z.strictObject({}),
    z.object({ secret: z.string(), uri: z.string() }),
    { right: 'entering' },
  ),
  confirm: op(
    'confirm',
    '/factor/confirm',
    'Switches the authenticator on with its first code, with a new password where the present one was made by somebody else. Every earlier token ends.',
    z.strictObject({ code, newPassword: z.optional(text(1024)) }),
    z.object({ token: z.string(), recoveryCodes: z.array(z.string()) }),
    { right: 'entering' },
  ),
  prove: op(
    'prove',
    '/prove',
    'Password and a code again: for a quarter of an hour, calls with money and results are taken.',
    z.strictObject({ password: text(1024), code }),
    nothing,
    { right: 'any' },
  ),
  me: call('operator.me', {
    method: 'GET',
    path: '/operator/me',
    who: 'operator',
    right: 'any',
    summary: 'Who is signed in, with what rights, until when.',
    reply: z.object({
      userName: z.string(),
      roles: z.array(role),
      rights: z.array(z.string()),
      /** Calls that need a fresh proof are taken until then. */
      provedUntil: z.string(),
      sessionEnds: z.string(),
    }),
  }),
  changePassword: op(
    'changePassword',
    '/password',
    'A new password of the own; every other session ends.',
    z.strictObject({ oldPassword: text(1024), newPassword: text(1024), code }),
    nothing,
    { right: 'any' },
  ),
  signOut: op('signOut', '/signout', 'Ends this session.', z.strictObject({}), nothing, { right: 'entering' }),
  people: call('operator.people', {
    method: 'GET',
    path: '/operator/people',
    who: 'operator',
    right: 'people',
    summary: 'Everybody behind the site.',
    reply: z.array(
      z.object({
        userName: z.string(),
        roles: z.array(role),
        active: z.boolean(),
        factor: z.boolean(),
        madeBy: z.string(),
        lastLoginAt: z.nullable(z.string()),
      }),
    ),
  }),
  addPerson: op(
    'addPerson',
    '/person/add',
    'A new person without a role, with a first password. Roles are given by another call, with two people.',
    z.strictObject({ userName, reason }),
    z.object({ password: z.string() }),
    { right: 'people', proof: true },
  ),
  setRoles: op(
    'setRoles',
    '/person/roles',
    'The roles of a person, all of them. Needs two people; sessions of the person end.',
    z.strictObject({ key: key(), userName, roles: z.array(role).check(z.maxLength(7)), reason }),
    acted,
    { right: 'people', keyed: true, proof: true },
  ),
  setPerson: op(
    'setPerson',
    '/person/state',
    'Shuts a person out at once, or (with two people) lets in again.',
    z.strictObject({ key: key(), userName, active: z.boolean(), reason }),
    acted,
    { right: 'people', keyed: true, proof: true },
  ),
  resetPerson: op(
    'resetPerson',
    '/person/reset',
    'A new first password and no authenticator, for a person who lost them. Needs two people.',
    z.strictObject({ key: key(), userName, reason }),
    z.object({ request, password: z.nullable(z.string()) }),
    { right: 'people', keyed: true, proof: true },
  ),
  requests: call('operator.requests', {
    method: 'GET',
    path: '/operator/requests',
    who: 'operator',
    right: 'any',
    summary: 'Acts that wait for a second person, and the last hundred that were decided.',
    reply: z.array(requestRow),
  }),
  request: call('operator.request', {
    method: 'GET',
    path: '/operator/request/:id',
    who: 'operator',
    right: 'any',
    summary: 'One request with what it would change now.',
    params: z.strictObject({ id: idText() }),
    reply: z.object({
      row: requestRow,
      body: z.unknown(),
      effect: z.array(z.object({ what: z.string(), before: z.string(), after: z.string() })),
      /** Names this effect: whoever agrees sends it, and agrees to nothing else. */
      seen: z.string(),
    }),
    errors: ['REQUEST_UNKNOWN'],
  }),
  approve: op(
    'approve',
    '/request/approve',
    'The second person agrees: the act is carried out at once. Needs the right of the act; nobody agrees to his own.',
    z.strictObject({ id: id(), seen: text(64) }),
    z.object({ outcome: z.unknown() }),
    { right: 'any', proof: true },
  ),
  refuse: op(
    'refuse',
    '/request/refuse',
    'The second person says no, or the first takes the request back.',
    z.strictObject({ id: id(), reason }),
    nothing,
    { right: 'any' },
  ),
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
      /** Somebody saw that the player is old enough; else the account freezes after its first deposit (LGL-05). */
      ageVerified: z.optional(z.boolean()),
    }),
    z.object({ userId: z.int(), password: z.string() }),
    { right: 'players' },
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
    z.object({ request, balanceMinor: minor(), repeated: z.boolean() }),
    moves('money'),
  ),
  block: op(
    'block',
    '/player/block',
    'Block or unblock an account or its betting.',
    z.strictObject({ userName, what: z.enum(['account', 'betting']), on: z.boolean(), reason }),
    nothing,
    { right: 'players' },
  ),
  forceLogout: op(
    'forceLogout',
    '/player/logout',
    'End every session of a player, or of all.',
    z.strictObject({ userName: z.optional(userName), reason }),
    z.object({ ended: z.int() }),
    { right: 'players' },
  ),
  resetPassword: op(
    'resetPassword',
    '/player/password',
    'A new first password.',
    z.strictObject({ userName, reason }),
    z.object({ password: z.string() }),
    { right: 'players' },
  ),
  unlock: op(
    'unlock',
    '/name/unlock',
    'End the waits and locks of too many wrong passwords or codes on a name, a player’s or an operator’s.',
    z.strictObject({ userName, reason }),
    nothing,
    { right: 'players' },
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
    { right: 'markets' },
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
    { right: 'markets' },
  ),
  quote: op(
    'quote',
    '/market/quote',
    'House prices of a runner: pairs of [price, sizeMinor]. A quote takes so much of all bets together; told again it is whole.',
    z.strictObject({
      betId: id(),
      runnerId: id(),
      back: z.array(z.tuple([odds(), minor()])).check(z.maxLength(20)),
      lay: z.array(z.tuple([odds(), minor()])).check(z.maxLength(20)),
      line: z.optional(runs()),
    }),
    nothing,
    { right: 'markets' },
  ),
  suspend: op(
    'suspend',
    '/market/suspend',
    'Suspend a market, or every market of an event. The feed does not reopen it.',
    z.strictObject({ betId: z.optional(id()), matchId: z.optional(id()), reason }),
    nothing,
    { right: 'markets' },
  ),
  resume: op(
    'resume',
    '/market/resume',
    'Give a suspended market back to its feed.',
    z.strictObject({ betId: z.optional(id()), matchId: z.optional(id()), reason }),
    nothing,
    { right: 'markets' },
  ),
  declare: op(
    'declare',
    '/market/declare',
    'Declare a result.',
    z.strictObject({ key: key(), betId: id(), result, reason: z.optional(reason) }),
    repeated,
    moves('results'),
  ),
  undeclare: op(
    'undeclare',
    '/market/undeclare',
    'Take a result back, exactly.',
    z.strictObject({ key: key(), betId: id(), reason }),
    repeated,
    moves('results'),
  ),
  removeRunner: op(
    'removeRunner',
    '/market/runner/remove',
    'Take a runner out: its bets are void, prices of the others are reduced by its factor (percent in hundredths). Markets whose runners may not be removed ask for force, since it may leave players short.',
    z.strictObject({
      betId: id(),
      runnerId: id(),
      factor: z.int().check(z.minimum(0), z.maximum(9999), z.meta({ unit: 'hundredths of a percent' })),
      force: z.optional(z.boolean()),
      reason,
    }),
    nothing,
    {
      right: 'results',
      errors: ['MARKET_UNKNOWN', 'MARKET_SETTLING', 'MARKET_CLOSED', 'RUNNER_UNKNOWN', 'RUNNER_REMOVED', 'WRONG_KIND'],
    },
  ),
  reinstateRunner: op(
    'reinstateRunner',
    '/market/runner/reinstate',
    'Put a removed runner back: bets stand as before it was removed. Refused with INSUFFICIENT_FUNDS while that would leave a player short, unless forced: then what is won of him is held.',
    z.strictObject({
      betId: id(),
      runnerId: id(),
      factor: z.int().check(z.minimum(0), z.maximum(9999), z.meta({ unit: 'hundredths of a percent' })),
      force: z.optional(z.boolean()),
      reason,
    }),
    nothing,
    {
      right: 'results',
      errors: [
        'MARKET_UNKNOWN',
        'MARKET_SETTLING',
        'MARKET_CLOSED',
        'RUNNER_UNKNOWN',
        'INSUFFICIENT_FUNDS',
        'WRONG_KIND',
      ],
    },
  ),
  shorts: call('operator.shorts', {
    method: 'GET',
    path: '/operator/shorts',
    who: 'operator',
    right: 'look',
    summary: "Players left short by others' acts, and winnings held back from others because of them.",
    reply: z.object({
      shorts: z.array(
        z.object({
          userName: z.string(),
          userId: z.int(),
          /** Markets in which it happened. */
          betIds: z.array(z.int()),
          lackingMinor: minor(),
          owedMinor: minor(),
        }),
      ),
      holds: z.array(z.object({ betId: z.int(), debtor: z.string(), creditor: z.string(), amountMinor: minor() })),
    }),
  }),
  releaseHold: op(
    'releaseHold',
    '/player/hold/release',
    'Pay out what is held back for what a player owes, in one market or in all: the site takes the risk of the debt.',
    z.strictObject({ key: key(), userName, betId: z.optional(id()), reason }),
    z.object({ repeated: z.boolean() }),
    { ...moves('money'), errors: ['ACCOUNT_UNKNOWN', 'NOTHING_HELD'] },
  ),
  writeOff: op(
    'writeOff',
    '/player/debt/writeOff',
    'Cover what a short player lacks, or a part of it, by the site; what is held back for it is released.',
    z.strictObject({ key: key(), userName, amountMinor: minor(), reason }),
    z.object({ balanceMinor: minor(), repeated: z.boolean() }),
    { ...moves('money'), errors: ['ACCOUNT_UNKNOWN', 'AMOUNT_INVALID'] },
  ),
  deleteBet: op(
    'deleteBet',
    '/bet/delete',
    'Take bets out with a reason; they stay visible.',
    z.strictObject({ key: key(), ids: z.array(id()).check(z.minLength(1), z.maxLength(200)), reason }),
    repeated,
    moves('results'),
  ),
  deleteReason: op(
    'deleteReason',
    '/bet/reason',
    'Change the text of a delete reason.',
    z.strictObject({ ids: z.array(id()).check(z.minLength(1), z.maxLength(200)), reason }),
    nothing,
    { right: 'results' },
  ),
  marquee: op(
    'marquee',
    '/marquee',
    'Set the marquee text or a banner.',
    z.strictObject({ value: text(500), type: z.optional(z.string().check(z.regex(/^banner\d{1,2}$/))) }),
    nothing,
    { right: 'texts' },
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
    { right: 'texts' },
  ),
  refreshAll: op(
    'refreshAll',
    '/refresh',
    'Ask every client to reload, spread over 30 s.',
    z.strictObject({ reason }),
    nothing,
    { right: 'system' },
  ),
  feed: call('operator.feed', {
    method: 'GET',
    path: '/operator/feed',
    who: 'operator',
    right: 'markets',
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
    { right: 'markets' },
  ),
  voidForsaken: op(
    'voidForsaken',
    '/feed/void',
    'Void markets whose feed does not name them any more: stakes are returned. Needs two people.',
    z.strictObject({ key: key(), betIds: z.array(id()).check(z.minLength(1), z.maxLength(200)), reason }),
    z.object({ request, voided: z.int(), repeated: z.boolean() }),
    moves('results'),
  ),
  quarantine: call('operator.quarantine', {
    method: 'GET',
    path: '/operator/quarantine',
    who: 'operator',
    right: 'system',
    summary: 'Commands on which the core failed; they had no effect, and betting stopped where they happened.',
    query: z.strictObject({ limit: z.optional(idText()) }),
    reply: z.array(
      z.object({ id: z.int(), at: z.string(), actor: z.string(), command: z.string(), error: z.string() }),
    ),
  }),
  copyDatabase: op(
    'copyDatabase',
    '/backup/copy',
    'Copy the embedded database as it is now, for npm run backup on the same machine; the next copy takes its place.',
    z.strictObject({}),
    /** Below the data folder of the site. */
    z.object({ folder: z.string() }),
    { right: 'system' },
  ),
  backupMade: op(
    'backupMade',
    '/backup/made',
    'Note a backup that is whole and stored: the age of the newest one is a metric.',
    z.strictObject({ at: z.iso.datetime(), seq: z.int().check(z.minimum(0)) }),
    nothing,
    { right: 'system' },
  ),
  player: call('operator.player', {
    method: 'GET',
    path: '/operator/player/:userName',
    who: 'operator',
    right: 'look',
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
      heldMinor: minor(),
      createdAt: z.string(),
    }),
    errors: ['ACCOUNT_UNKNOWN'],
  }),
  audit: call('operator.audit', {
    method: 'GET',
    path: '/operator/audit',
    who: 'operator',
    right: 'audit',
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
