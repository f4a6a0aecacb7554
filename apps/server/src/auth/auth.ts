import type { AccountStanding } from '@fairgame/contract';
import type { Bus } from '../bus/bus.ts';
import type { Config } from '../config.ts';
import { cancelAll } from '../core/core.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http, Session, Sessions } from '../http/http.ts';
import { inTurn } from '../in-turn.ts';
import type { Audit } from '../ops/ops.ts';
import { Deeds, openNoteBook } from './alike.ts';
import { Challenges, CODE_DEEDS } from './codes.ts';
import { createDemoAccounts } from './demo-accounts.ts';
import { Enrolling } from './enrolling.ts';
import { forgottenRoutes } from './forgotten.ts';
import { createJudge } from './judge.ts';
import { createMailer, type Deliver } from './mailer.ts';
import { createOperatorAuth, type OperatorAuth } from './operators.ts';
import type { Parts } from './parts.ts';
import { Passwords } from './passwords.ts';
import { type PlayerAccounts, playerAccounts } from './player-accounts.ts';
import { type Proven, proveProgram } from './program-sign-in.ts';
import { SecondFactor } from './second-factor.ts';
import { SessionRows } from './session-rows.ts';
import { type EndListener, SessionBook } from './sessions.ts';
import { signInRoutes } from './sign-in.ts';
import { TRY_DEEDS, Tries } from './tries.ts';
import { type User, Users } from './users.ts';

export { appCode } from './codes.ts';
export type { Deliver, Message } from './mailer.ts';
export { firstPassword } from './player-accounts.ts';
export { isShut, ProgramShutOut } from './program-sign-in.ts';
export type { User } from './users.ts';

const DAY_MS = 86_400_000;
const TICK_MS = 30_000;
/** Tries that may wait for one another. */
const MOST_AT_ONCE = 20;

export interface Auth extends Sessions, PlayerAccounts {
  /** Told at once when sessions end, whatever the reason; sockets of those sessions must close. Gives the way to stop listening. */
  onEnded(listener: EndListener): () => void;
  routes(http: Http): void;
  user(id: number): Promise<User | undefined>;
  /** Checks what a program signs in with for a player: his name, and his password with the code of his app behind it. */
  proveProgram(given: { userName: string; password: string; ip: string }): Promise<Proven>;
  players(): Promise<number>;
  /** How people behind the site sign in. */
  operators: OperatorAuth;
  /** Asked at each sign-in of a player, before it counts as access: why betting is off, or null. */
  useStanding(ask: (userId: number) => Promise<AccountStanding | null>): void;
  /** Asked at each sign-out: whether the browser of the session keeps something that the player wants to outlast it. */
  useKept(ask: (sessionId: string) => Promise<boolean>): void;
  /** What the timer does: ends expired sessions, saves idle clocks, and where only one does: removes day-old demo players and then their accounts, what is old, and seals anew. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export interface AuthOptions {
  db: Db;
  bus: Bus;
  core: Core;
  config: Config;
  log: Log;
  clock: () => number;
  audit: Audit;
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
  /** Tests read the messages here. */
  deliver?: Deliver;
}

/** Users, sessions, passwords and second factors. The server's word on who is asking (spec 4 and 6, trust 1.2). */
export async function createAuth(opts: AuthOptions): Promise<Auth> {
  const { db, bus, core, config, log, clock, isAlone } = opts;
  const users = new Users(db, core, clock);
  const sessions = new SessionBook({ rows: new SessionRows(db, users), log, clock, bus });
  const judge = createJudge();
  const deeds = new Deeds({ db, bus, log, clock });
  const parts = openParts(opts, deeds, { users, sessions, judge: judge.isCommon });
  const secondFactor = new SecondFactor(parts);
  const enrolling = new Enrolling(parts, secondFactor);
  const demoAccounts = createDemoAccounts({ db, core, clock });
  await sessions.load();
  await deeds.start();
  sessions.onEnded((ids, userId, reason, elsewhere) => {
    parts.challenges.forget(ids);
    enrolling.forget(ids);
    if (elsewhere) return;
    parts.security('session.end', { userId, sessions: ids, reason });
    leaveAtLast(parts, core, userId);
  });

  async function tick(): Promise<void> {
    await sessions.tick();
    await deeds.tick(isAlone());
    if (!isAlone()) return;
    await sessions.forgetOld();
    await secondFactor.sealAnew();
    await leaveDemos(users, core, await oldDemos(users, sessions, clock()));
    await demoAccounts.closeEnded();
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => log.error({ err: error }, 'session upkeep failed'));
  }, TICK_MS);
  timer.unref();

  return {
    look: (token) => sessions.look(token),
    sessionOf: (token) => sessions.sessionOf(token),
    touch: (session: Session, attended?: boolean) => sessions.touch(session, attended),
    onEnded: (listener) => sessions.onEnded(listener),
    routes(http) {
      http.useSessions(sessions);
      signInRoutes(parts, secondFactor, http);
      forgottenRoutes(parts, config.keyring.purpose('codes for new passwords').keys[0]!, http);
      enrolling.routes(http);
    },
    user: (id) => users.byId(id),
    proveProgram: (given) => proveProgram(parts, secondFactor, given),
    players: () => users.count(),
    operators: createOperatorAuth(parts, secondFactor),
    ...playerAccounts(parts, secondFactor),
    useKept: (keepsBrowser) => Object.assign(parts, { keepsBrowser }),
    useStanding: (standing) => Object.assign(parts, { standing }),
    tick,
    async stop() {
      clearInterval(timer);
      await judge.stop();
      await sessions.tick();
      await deeds.tick(false).catch(() => undefined);
      deeds.stop();
      sessions.stop();
    },
  };
}

function openParts(
  opts: AuthOptions,
  deeds: Deeds,
  { users, sessions, judge }: Pick<Parts, 'users' | 'sessions' | 'judge'>,
): Parts {
  const { bus, config, log, clock, audit } = opts;
  const isFirst = (name: string) => deeds.isFirst(name);
  const codeKey = config.keyring.purpose('codes by message').keys[0]!;
  return {
    config,
    log,
    clock,
    users,
    sessions,
    passwords: new Passwords(),
    tries: deeds.alike('tries', new Tries(config.limitFactor), TRY_DEEDS),
    notes: openNoteBook(deeds, bus.alone, config.keyring),
    isFirst,
    judge,
    tryInTurn: inTurn<string>(MOST_AT_ONCE),
    proveInTurn: inTurn<number>(MOST_AT_ONCE),
    challenges: deeds.alike('codes', new Challenges(codeKey, clock, isFirst), CODE_DEEDS),
    thrownOut: new Set(),
    deliver: opts.deliver ?? createMailer(config, log),
    record: (record) => audit.record(record),
    standing: () => Promise.resolve(null),
    keepsBrowser: () => Promise.resolve(false),
    security: (event, fields) => log.info({ security: event, ...fields }, 'security'),
  };
}

/** Nobody ever signs in to a demo account again: its visit ends with its last session. */
function leaveAtLast({ users, sessions, log }: Parts, core: Core, userId: number): void {
  sessions
    .ofUser(userId)
    .then(({ length }) => (length === 0 ? leaveDemos(users, core, [userId]) : undefined))
    .catch((error: unknown) => log.warn({ err: error }, 'a demo visit could not be cleared up'));
}

/** The end of demo visits: nothing of them waits in the books, and what was kept for them goes. */
async function leaveDemos(users: Users, core: Core, userIds: readonly number[]): Promise<void> {
  for (const accountId of await users.removeDemos(userIds)) {
    const world = core.read.worldOf(accountId);
    if (!world || core.read.openBets(world, accountId).length === 0) continue;
    await cancelAll(core, { type: 'order.cancelAll', accountId }, { world, actor: 'core' });
  }
}

/** Demo players of yesterday, whose sessions end here. */
async function oldDemos(users: Users, sessions: SessionBook, now: number): Promise<number[]> {
  const old = await users.demosBefore(now - DAY_MS);
  for (const id of old) await sessions.end(await sessions.ofUser(id), 'removed');
  return old;
}
