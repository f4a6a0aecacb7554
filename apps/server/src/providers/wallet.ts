/**
 * The neutral wallet over the single writer (trust reference 4.2): see movement.ts for what the dialects call. What acted
 * once acts never again: the answers stand under the provider's own transaction ids among the writer's keys, where an id
 * that was rolled back before it came is burnt. Nothing money depends on is kept here: after a restart all goes on.
 *
 * Demo players get no wallet at all: no token is issued to them, and every movement is of a world of real money, where
 * their accounts do not exist.
 */
import { createHash } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import type { Command, GameMove, MovementView, RoundView } from '@fairgame/exchange';
import type { Answer, Core, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { WinLimits } from '../provider-settings.ts';
import { createRoundPace } from '../round-pace.ts';
import type { Credit, HeldWin, ProviderHolds } from './holds.ts';
import type { Movement, ProviderWallet, WalletAnswer, WalletCode } from './movement.ts';
import { createSessions, type Launch, type LaunchToken } from './sessions.ts';
import { actorOf, createWins, Refused } from './wins.ts';

/** What the wallet must know of a game: from the provider's list. */
export interface GameTerms {
  /** For statement and reports. */
  providerName: string;
  gameName: string;
  /** Least time between two rounds of a player: 2500 for slots, 5000 for all others (trust PP-12). */
  minRoundMs: number;
  /** Slots have a cap and a pace of their own by jurisdiction (PP-12, PP-15). */
  slots: boolean;
}

export interface WalletOptions {
  db: Db;
  /** With player protection in front (`protection.guarded`). */
  core: Core;
  /** Throws ACCOUNT_BLOCKED, REALITY_CHECK_DUE, SESSION_TIME_LIMIT (`protection.mayPlay`). */
  mayPlay: (userId: number) => Promise<void>;
  /** `protection.slotRules`. */
  slotRules: (userId: number) => Promise<{ stakeMinor: number | null; roundMs: number }>;
  clock: () => number;
  log: Log;
  /** Undefined: the provider has no such game; debits and launches are refused then. */
  gameOf: (provider: string, game: string) => GameTerms | undefined;
  limitsOf: (provider: string) => WinLimits;
}

export interface Wallet extends ProviderWallet {
  /**
   * A token for a launch by a real player. `switching`: the session may play every game of the provider (a lobby), else only
   * this one. Throws DEMO_NOT_ALLOWED (demo players get no wallet), ACCOUNT_UNKNOWN, NOT_FOUND (no such game), ACCOUNT_BLOCKED,
   * REALITY_CHECK_DUE, SESSION_TIME_LIMIT.
   */
  issueToken(launch: Launch): Promise<LaunchToken>;
  /** Rounds that are open since before a moment, oldest first, at most 1000: after a day somebody has to look at them. */
  openRounds(before: number): Promise<OpenRound[]>;
  /**
   * Gives the undecided stakes of a round back that its provider left open for 14 days, and ends it; answers what went back.
   * Throws BET_UNKNOWN, and STATE_NOT_FITTING where the round is over or too young.
   */
  voidRound(round: RoundName & { actor: string }): Promise<number>;
  /** What that would give back. Throws what it throws. */
  voidable(round: RoundName): Promise<{ label: string; currency: string; stakeMinor: number }>;
  holds: Pick<ProviderHolds, 'of' | 'waiting' | 'mustWait'>;
  /** Pays a win that waits, or not, for good. Throws BET_UNKNOWN, STATE_NOT_FITTING, and what the core refuses it for. */
  decideHeld(decision: { provider: string; txId: string; pay: boolean; actor: string }): Promise<HeldWin>;
  /** Ends the games that were opened in these sessions of the site, at all providers: debits need a new launch then. */
  endSessions(userId: number, siteSessions: readonly string[]): Promise<void>;
}

export interface RoundName {
  provider: string;
  accountId: number;
  roundId: string;
}

export interface OpenRound {
  provider: string;
  accountId: number;
  userName: string;
  roundId: string;
  /** Provider and game by name. */
  label: string;
  stakeMinor: number;
  paidMinor: number;
  openedAt: number;
}

/** A provider that has not decided a round by then never will (trust 4.1). */
const ABANDONED_MS = 14 * 86_400_000;

/** The codes of trust 4.2 for ours. What is not here is UNKNOWN. */
const CODES: Record<string, WalletCode> = {
  ACCOUNT_BLOCKED: 'USER_DISABLED',
  ACCOUNT_UNKNOWN: 'USER_DISABLED',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  LOSS_LIMIT: 'LIMIT_REACHED',
  EXPOSURE_LIMIT: 'LIMIT_REACHED',
  STAKE_LIMIT: 'LIMIT_REACHED',
  WAGER_LIMIT: 'LIMIT_REACHED',
  BET_LIMIT: 'LIMIT_REACHED',
  SESSION_TIME_LIMIT: 'LIMIT_REACHED',
  REALITY_CHECK_DUE: 'REALITY_CHECK_DUE',
  AMOUNT_INVALID: 'INVALID_AMOUNT',
  WRONG_CURRENCY: 'WRONG_CURRENCY',
  WRONG_GAME: 'INVALID_GAME',
  KEY_REUSED: 'DUPLICATE_MISMATCH',
  DUPLICATE_BET: 'DUPLICATE_MISMATCH',
  KEY_BURNT: 'ALREADY_ROLLED_BACK',
  BET_UNKNOWN: 'BET_NOT_FOUND',
  BET_SETTLED: 'ALREADY_SETTLED',
  ROUND_CLOSED: 'ALREADY_SETTLED',
  BET_ROLLED_BACK: 'ALREADY_ROLLED_BACK',
  BUSY: 'RETRY',
  UNAVAILABLE: 'RETRY',
  INTERNAL: 'RETRY',
};

export function createWallet(options: WalletOptions): Wallet {
  const { db, core, clock, log } = options;
  const sessions = createSessions(options);
  const pace = createRoundPace(clock);
  const alone = inTurn();
  const wins = createWins({ ...options, worldOf, submit: submitHashed });
  const { holds } = wins;

  /** Every call ends with a code. `userId` may become known on the way. */
  async function answering(
    what: string,
    work: (who: { userId: number | null; currency?: string }) => Promise<Omit<WalletAnswer, 'balanceMinor'>>,
  ): Promise<WalletAnswer> {
    const who: { userId: number | null; currency?: string } = { userId: null };
    const answer = await work(who).catch((error: unknown): Omit<WalletAnswer, 'balanceMinor'> => {
      if (error instanceof Refused) return { code: error.code };
      const code = error instanceof CodedError ? (CODES[error.code] ?? 'UNKNOWN') : 'RETRY';
      if (code === 'RETRY' || code === 'UNKNOWN') log.warn({ err: error }, `wallet: ${what} failed`);
      return { code };
    });
    return {
      ...answer,
      ...(who.userId === null
        ? {}
        : { balanceMinor: core.read.wallet(worldOf(who.userId), who.userId).availableMinor }),
      ...(who.currency === undefined ? {} : { currency: who.currency }),
    };
  }

  /** The player a provider means; credits and rollbacks need no session. */
  async function playerOf(
    m: Pick<Movement, 'provider' | 'playerRef'>,
    who: { userId: number | null; currency?: string },
  ): Promise<number | null> {
    const player = await sessions.player(m.provider, m.playerRef);
    if (!player) return null;
    who.userId = player.userId;
    who.currency = player.currency;
    return player.userId;
  }

  function gameMove(m: Omit<Movement, 'amountMinor' | 'txId'>, accountId: number): GameMove {
    const terms = options.gameOf(m.provider, m.game);
    const label = terms ? `${terms.providerName} / ${terms.gameName}` : `${m.provider} / ${m.game}`;
    return { provider: m.provider, roundId: m.roundId, accountId, game: m.game, currency: m.currency, label };
  }

  /** Of a player's account: play money never comes here. */
  function worldOf(accountId: number): World {
    const world = core.read.worldOf(accountId);
    if (world === undefined || world === 'demo') throw new CodedError('ACCOUNT_UNKNOWN');
    return world;
  }

  async function submit(
    provider: string,
    command: Command & GameMove,
    key: string,
    content: unknown[],
  ): Promise<WalletAnswer> {
    return submitHashed(provider, command, key, hashOf(content));
  }

  async function submitHashed(
    provider: string,
    command: Command & GameMove,
    key: string,
    payloadHash: string,
  ): Promise<WalletAnswer> {
    const world = worldOf(command.accountId);
    const answer = await core.submit({ world, actor: actorOf(provider), command, key, payloadHash });
    const movement = movementOf(answer);
    if (movement && !answer.replayed) wins.count({ provider, world }, movement);
    return { code: 'OK', walletTx: String(answer.seq), repeated: answer.replayed };
  }

  /** Only debits ask for session, game and pace; one that was taken before is told again whatever has changed since. */
  function stake(m: Movement, credit: { creditMinor: number; roundClosed: boolean } | null): Promise<WalletAnswer> {
    return answering('debit', async (who) => {
      mustBeShaped(m);
      if (!Number.isSafeInteger(m.amountMinor) || m.amountMinor <= 0) throw new Refused('INVALID_AMOUNT');
      if (credit && (!Number.isSafeInteger(credit.creditMinor) || credit.creditMinor < 0))
        throw new Refused('INVALID_AMOUNT');
      const userId = await playerOf(m, who);
      if (userId === null) throw new Refused('INVALID_TOKEN');
      return alone(userId, async () => {
        const move = { ...gameMove(m, userId), txId: m.txId, amountMinor: m.amountMinor };
        const command: Command = credit
          ? { type: 'game.debitCredit', ...move, ...credit }
          : { type: 'game.debit', ...move };
        const content = contentOf(credit ? 'debitCredit' : 'debit', m, userId, m.amountMinor, credit?.creditMinor ?? 0);
        if (await core.answerOf(actorOf(m.provider), m.txId)) return submit(m.provider, command, m.txId, content);
        await wins.heldBefore(m, hashOf(content));
        const session = await sessions.live(m.provider, m.sessionId);
        if (typeof session === 'string') throw new Refused(session);
        if (session.userId !== userId) throw new Refused('INVALID_TOKEN');
        if (m.currency !== session.currency) throw new Refused('WRONG_CURRENCY');
        const terms = options.gameOf(m.provider, m.game);
        if (!terms || (m.game !== session.game && !session.switching)) throw new Refused('INVALID_GAME');
        const round = core.read.round(worldOf(userId), m.provider, userId, m.roundId);
        const name = `${m.provider} ${m.roundId}`;
        const slot = terms.slots ? await options.slotRules(userId) : null;
        const begun = round?.status === 'OPEN' ? round.stakedMinor : 0;
        if (slot && slot.stakeMinor !== null && begun + m.amountMinor > slot.stakeMinor)
          throw new Refused('LIMIT_REACHED');
        const minRoundMs = Math.max(terms.minRoundMs, slot?.roundMs ?? 0);
        if (round?.status !== 'OPEN' && !pace.mayStart(userId, name, minRoundMs)) throw new Refused('TOO_FAST');
        const take = () => submit(m.provider, command, m.txId, content);
        const won = credit?.creditMinor ?? 0;
        const answer = await (won > 0 ? wins.withStake(m, userId, round, won, take) : take());
        pace.started(userId, name);
        return answer;
      });
    });
  }

  /** A round that its provider left open for so long that it may be given back. Throws BET_UNKNOWN, STATE_NOT_FITTING. */
  async function abandoned({ provider, accountId, roundId }: RoundName): Promise<RoundView> {
    const round = core.read.round(worldOf(accountId), provider, accountId, roundId);
    if (!round) throw new CodedError('BET_UNKNOWN', { field: 'round' });
    if (round.status !== 'OPEN' || clock() - round.openedAt < ABANDONED_MS) {
      throw new CodedError('STATE_NOT_FITTING', {
        message: 'The round is over, or it has not been open for 14 days.',
      });
    }
    if ((await holds.ofRound(provider, accountId, roundId)).length > 0)
      throw new CodedError('STATE_NOT_FITTING', { message: 'A win of this round waits: decide on it first.' });
    return round;
  }

  async function currencyOf(accountId: number): Promise<string> {
    const [user] = await db.query<{ currency: string }>('SELECT currency FROM users WHERE id = $1', [accountId]);
    return user?.currency ?? '';
  }

  return {
    holds,
    async decideHeld(decision) {
      const { command } = await holds.mustWait(decision.provider, decision.txId);
      return alone(command.accountId, () => wins.decide(decision));
    },
    issueToken: (launch) => sessions.issue(launch),
    endSessions: (userId, siteSessions) => sessions.endAll(userId, siteSessions),

    openRounds: (before) =>
      db.query<OpenRound>(
        `SELECT r.provider, r.account_id AS "accountId", COALESCE(u.user_name, '') AS "userName", r.round_id AS "roundId",
                r.label, r.staked - r.refunded AS "stakeMinor", r.paid AS "paidMinor", r.opened_at AS "openedAt"
           FROM provider_rounds r LEFT JOIN users u ON u.id = r.account_id
          WHERE r.status = 'OPEN' AND r.opened_at < $1 ORDER BY r.opened_at, r.round_id LIMIT 1000`,
        [before],
      ),

    async voidable(name) {
      const { label, bets } = await abandoned(name);
      const stakeMinor = bets.reduce((sum, [, amountMinor, state]) => sum + (state === 'OPEN' ? amountMinor : 0), 0);
      return { label, currency: await currencyOf(name.accountId), stakeMinor };
    },

    voidRound: ({ provider, accountId, roundId, actor }) =>
      alone(accountId, async () => {
        const world = worldOf(accountId);
        const round = await abandoned({ provider, accountId, roundId });
        const { game, label } = round;
        const move: GameMove = {
          provider,
          roundId,
          accountId,
          game,
          label,
          currency: await currencyOf(accountId),
        };
        let returned = 0;
        for (const [refTx, amountMinor, state] of round.bets) {
          if (state !== 'OPEN') continue;
          // Under the provider's name, so that its own late rollback or win meets a bet that was taken back.
          const key = `${refTx}#void`;
          await submit(provider, { type: 'game.rollback', ...move, txId: key, refTx }, key, ['void', actor, refTx]);
          returned += amountMinor;
        }
        if (core.read.round(world, provider, accountId, roundId)?.status === 'OPEN')
          await core.submit({ world, actor, command: { type: 'game.end', ...move } });
        return returned;
      }),

    async authenticate(provider, token) {
      let started: Awaited<ReturnType<typeof sessions.start>> | undefined;
      const answer = await answering('authenticate', async (who) => {
        started = await sessions.start(provider, token);
        if (typeof started === 'string') return { code: started };
        who.userId = started.session.userId;
        who.currency = started.session.currency;
        return { code: 'OK' };
      });
      if (answer.code !== 'OK' || typeof started !== 'object') return answer;
      return { ...answer, session: started.session, nickname: started.nickname };
    },

    balance: (provider, sessionId) =>
      answering('balance', async (who) => {
        const session = await sessions.live(provider, sessionId);
        if (typeof session === 'string') return { code: session };
        who.userId = session.userId;
        who.currency = session.currency;
        return { code: 'OK' };
      }),

    debit: (m) => stake(m, null),
    debitCredit: ({ creditMinor, roundClosed, ...m }) => stake(m, { creditMinor, roundClosed }),

    credit: (m) =>
      answering('credit', async (who) => {
        mustBeShaped(m);
        if (!Number.isSafeInteger(m.amountMinor) || m.amountMinor < 0) throw new Refused('INVALID_AMOUNT');
        const userId = await playerOf(m, who);
        if (userId === null) throw new Refused('BET_NOT_FOUND');
        const { txId, amountMinor, roundClosed, refTx } = m;
        return alone(userId, async () => {
          const command: Credit = { type: 'game.credit', ...gameMove(m, userId), txId, amountMinor, roundClosed };
          if (refTx !== undefined) command.refTx = refTx;
          const payloadHash = hashOf([...contentOf('credit', m, userId, 0, amountMinor), refTx ?? null]);
          try {
            return (await wins.heldBefore(m, payloadHash)) ?? (await wins.pay(m, command, payloadHash, who.currency));
          } catch (error) {
            const unknown = error instanceof CodedError && error.code === 'BET_UNKNOWN';
            if (unknown && refTx !== undefined && (await core.isBurnt(actorOf(m.provider), refTx)))
              throw new Refused('ALREADY_ROLLED_BACK');
            throw error;
          }
        });
      }),

    rollback: (m) =>
      answering('rollback', async (who) => {
        mustBeShaped(m);
        mustBeShaped({ ...m, txId: m.refTx });
        const userId = await playerOf(m, who);
        const actor = actorOf(m.provider);
        // Some dialects take back under the debit's own id.
        const key = m.txId === m.refTx ? `${m.refTx}#rollback` : m.txId;
        return alone(userId ?? 0, async () => {
          const content = ['rollback', userId, m.roundId, m.game, m.currency, m.refTx];
          const before = await core.answerOf(actor, key);
          const waits = await holds.ofRound(m.provider, userId ?? 0, m.roundId);
          // A bet whose win waits is decided, as one whose win was paid; so is the win itself.
          if (waits.some(({ txId, command }) => [txId, command.refTx ?? m.refTx].includes(m.refTx)))
            throw new Refused('ALREADY_SETTLED');
          // From here on the debit was taken or never will be.
          const original = before ? null : await core.burn(actor, m.refTx);
          if (!before && !original) {
            if (key === m.txId) await core.burn(actor, key);
            return { code: 'OK', walletTx: `tombstone:${m.refTx}`, tombstone: true };
          }
          const debit = movementOf(before ?? original!);
          if (!debit) throw new Refused('UNKNOWN');
          if (!before && debit.kind !== 'debit') throw new Refused('ALREADY_SETTLED');
          if (debit.accountId !== userId) throw new Refused('DUPLICATE_MISMATCH');
          const { roundId, game } = debit;
          const currency = who.currency ?? m.currency;
          const command: Command = {
            type: 'game.rollback',
            ...gameMove({ ...m, roundId, game, currency }, debit.accountId),
            txId: key,
            refTx: m.refTx,
          };
          return submit(m.provider, command, key, content);
        });
      }),

    promoCredit: (m) =>
      answering('promo credit', async (who) => {
        mustBeShaped(m);
        if (!Number.isSafeInteger(m.amountMinor) || m.amountMinor <= 0) throw new Refused('INVALID_AMOUNT');
        const userId = await playerOf(m, who);
        if (userId === null) throw new Refused('INVALID_TOKEN');
        const { txId, amountMinor, reason } = m;
        const command: Command = { type: 'game.promo', ...gameMove(m, userId), txId, amountMinor, reason };
        const content = contentOf('promo', m, userId, 0, amountMinor);
        return alone(userId, async () => {
          const give = () => submit(m.provider, command, txId, content);
          await wins.heldBefore(m, hashOf(content));
          if (await core.answerOf(actorOf(m.provider), txId)) return give();
          return wins.give(m, userId, give);
        });
      }),

    roundEnd: (m) =>
      answering('round end', async (who) => {
        mustBeShaped({ ...m, txId: 'none' });
        const userId = await playerOf(m, who);
        if (userId === null) throw new Refused('BET_NOT_FOUND');
        return alone(userId, async () => {
          // The state of the round is its own key: ending it again changes nothing.
          const command: Command = { type: 'game.end', ...gameMove(m, userId) };
          const { events } = await core.submit({ world: worldOf(userId), actor: actorOf(m.provider), command });
          return { code: 'OK', walletTx: `end:${m.roundId}`, repeated: events.length === 0 };
        });
      }),

    sessionEnd: (provider, sessionId) =>
      answering('session end', async () => ({
        code: (await sessions.end(provider, sessionId)) ? 'OK' : 'INVALID_TOKEN',
      })),
  };

  function mustBeShaped(m: { txId: string; roundId: string; game: string }): void {
    for (const text of [m.txId, m.roundId, m.game])
      if (typeof text !== 'string' || text.length === 0 || text.length > 120) throw new Refused('UNKNOWN');
  }
}

/** What makes a repeated id the same movement. */
function contentOf(kind: string, m: Movement, userId: number, amountMinor: number, creditMinor: number): unknown[] {
  return [kind, userId, m.roundId, m.game, m.currency, amountMinor, creditMinor];
}

const hashOf = (content: unknown[]): string => createHash('sha256').update(JSON.stringify(content)).digest('hex');

function movementOf(answer: Answer): MovementView | undefined {
  const event = answer.events.find((one) => one.type === 'movement');
  return event?.type === 'movement' ? event.movement : undefined;
}

/** Movements of one player, one after the other; other players' go beside them. */
function inTurn(): <T>(userId: number, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<number, Promise<unknown>>();
  return (userId, work) => {
    const run = (queues.get(userId) ?? Promise.resolve()).then(work);
    const last = run.catch(() => undefined);
    queues.set(userId, last);
    void last.then(() => {
      if (queues.get(userId) === last) queues.delete(userId);
    });
    return run;
  };
}
