/**
 * The neutral wallet over the single writer (trust reference 4.2): see movement.ts for what the dialects call. What acted
 * once acts never again: the answers stand under the provider's own transaction ids among the writer's keys, where an id
 * that was rolled back before it came is burnt. Nothing money depends on is kept here: after a restart all goes on.
 *
 * Demo players get no wallet at all: no token is issued to them, and every movement is of a world of real money, where
 * their accounts do not exist.
 */
import { CodedError } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import type { PayoutBounds, Request } from '../core/types.ts';
import { createRoundPace } from '../round-pace.ts';
import type { Credit, HeldWin, ProviderHolds } from './holds.ts';
import { hashOf, LedgerMoves, type MoveTerms, movementOf } from './ledger-moves.ts';
import type { Movement, ProviderWallet, WalletAnswer } from './movement.ts';
import { type OpenRound, OpenRounds, type RoundName, type VoidedRound } from './open-rounds.ts';
import { createSessions, type Launch, type LaunchToken, type Sessions } from './sessions.ts';
import { codeOf } from './wallet-codes.ts';
import type { WalletOptions } from './wallet-options.ts';
import { actorOf, Refused } from './wins.ts';

/** The player of a call; he may become known on the way. */
interface Who {
  userId: number | null;
  currency?: string;
}
type Told = Omit<WalletAnswer, 'balanceMinor'>;

export class Wallet implements ProviderWallet {
  private readonly options: WalletOptions;
  private readonly sessions: Sessions;
  private readonly pace: ReturnType<typeof createRoundPace>;
  private readonly moves: LedgerMoves;
  private readonly rounds: OpenRounds;

  constructor(options: WalletOptions) {
    this.options = options;
    this.sessions = createSessions(options);
    this.pace = createRoundPace(options.steady);
    this.moves = new LedgerMoves(options);
    this.rounds = new OpenRounds(options, this.moves);
    // Begun at another gateway as well.
    options.core.onCommitted(({ items }) => {
      for (const { command, events } of items) {
        if (command.type !== 'game.debit' && command.type !== 'game.debitCredit') continue;
        const isFirst = events.some((event) => event.type === 'round' && event.round.bets.length === 1);
        if (isFirst) this.pace.started(command.accountId, roundName(command));
      }
    });
  }

  // ------------------------------------------------------------------------------------------- for the site itself

  /**
   * A token for a launch by a real player. `switching`: the session may play every game of the provider (a lobby), else only
   * this one. Throws DEMO_NOT_ALLOWED (demo players get no wallet), ACCOUNT_UNKNOWN, NOT_FOUND (no such game), ACCOUNT_BLOCKED,
   * REALITY_CHECK_DUE, SESSION_TIME_LIMIT.
   */
  issueToken(launch: Launch): Promise<LaunchToken> {
    return this.sessions.issue(launch);
  }

  /** Ends the games that were opened in these sessions of the site, at all providers: debits need a new launch then. */
  endSessions(userId: number, siteSessions: readonly string[]): Promise<void> {
    return this.sessions.endAll(userId, siteSessions);
  }

  /** Rounds that are open since before a moment, oldest first, at most 1000: after a day somebody has to look at them. */
  openRounds(before: number): Promise<OpenRound[]> {
    return this.rounds.since(before);
  }

  /** What giving a round back would return. Throws as `voidRound`. */
  voidable(name: RoundName): Promise<{ label: string; currency: string; stakeMinor: number }> {
    return this.rounds.voidable(name);
  }

  /**
   * Gives the undecided stakes of a round back that its provider left open for 14 days, and ends it; answers what went back,
   * again under the same key. Throws BET_UNKNOWN, and STATE_NOT_FITTING where the round is over or too young.
   */
  voidRound(round: VoidedRound): Promise<number> {
    return this.moves.alone(round.accountId, () => this.rounds.void(round));
  }

  get holds(): Pick<ProviderHolds, 'of' | 'waiting' | 'mustWait'> {
    return this.moves.wins.holds;
  }

  /** Pays a win that waits, or not, for good. Throws BET_UNKNOWN, STATE_NOT_FITTING, and what the core refuses it for. */
  async decideHeld(decision: { provider: string; txId: string; pay: boolean; actor: string }): Promise<HeldWin> {
    const { command } = await this.holds.mustWait(decision.provider, decision.txId);
    return this.moves.alone(command.accountId, () => this.moves.wins.decide(decision));
  }

  // ----------------------------------------------------------------------------------------------- for providers

  async authenticate(provider: string, token: string): ReturnType<ProviderWallet['authenticate']> {
    let started: Awaited<ReturnType<Sessions['start']>> | undefined;
    const answer = await this.answering('authenticate', async (who) => {
      started = await this.sessions.start(provider, token);
      if (typeof started === 'string') return { code: started };
      who.userId = started.session.userId;
      who.currency = started.session.currency;
      return { code: 'OK' };
    });
    if (answer.code !== 'OK' || typeof started !== 'object') return answer;
    return { ...answer, session: started.session, nickname: started.nickname };
  }

  balance(provider: string, sessionId: string): Promise<WalletAnswer> {
    return this.answering('balance', async (who) => {
      const session = await this.sessions.live(provider, sessionId);
      if (typeof session === 'string') return { code: session };
      who.userId = session.userId;
      who.currency = session.currency;
      return { code: 'OK' };
    });
  }

  debit(m: Movement): Promise<WalletAnswer> {
    return this.stake(m, null);
  }

  debitCredit({ creditMinor, roundClosed, ...m }: Parameters<ProviderWallet['debitCredit']>[0]): Promise<WalletAnswer> {
    return this.stake(m, { creditMinor, roundClosed });
  }

  credit(m: Parameters<ProviderWallet['credit']>[0]): Promise<WalletAnswer> {
    const { moves } = this;
    return this.answering('credit', async (who) => {
      mustBeShaped(m);
      mustBeAmount(m.amountMinor, 0);
      const userId = await this.playerOf(m, who);
      if (userId === null) throw new Refused('BET_NOT_FOUND');
      const { txId, amountMinor, roundClosed, refTx } = m;
      return moves.alone(userId, async () => {
        const command: Credit = { type: 'game.credit', ...moves.gameMove(m, userId), txId, amountMinor, roundClosed };
        if (refTx !== undefined) command.refTx = refTx;
        const payloadHash = hashOf([...contentOf('credit', m, userId, 0, amountMinor), refTx ?? null]);
        try {
          const before = await moves.wins.heldBefore(m, payloadHash);
          return before ?? (await moves.wins.pay(m, command, payloadHash, who.currency));
        } catch (error) {
          const unknown = error instanceof CodedError && error.code === 'BET_UNKNOWN';
          if (unknown && refTx !== undefined && (await this.options.core.isBurnt(actorOf(m.provider), refTx)))
            throw new Refused('ALREADY_ROLLED_BACK');
          throw error;
        }
      });
    });
  }

  rollback(m: Parameters<ProviderWallet['rollback']>[0]): Promise<WalletAnswer> {
    return this.answering('rollback', async (who) => {
      mustBeShaped(m);
      mustBeShaped({ ...m, txId: m.refTx });
      const userId = await this.playerOf(m, who);
      return this.moves.alone(userId ?? 0, () => this.takeBack(m, userId, who.currency ?? m.currency));
    });
  }

  promoCredit(m: Parameters<ProviderWallet['promoCredit']>[0]): Promise<WalletAnswer> {
    const { moves } = this;
    return this.answering('promo credit', async (who) => {
      mustBeShaped(m);
      mustBeAmount(m.amountMinor, 1);
      const userId = await this.playerOf(m, who);
      if (userId === null) throw new Refused('INVALID_TOKEN');
      const { txId, amountMinor, reason } = m;
      const command = { type: 'game.promo', ...moves.gameMove(m, userId), txId, amountMinor, reason } as const;
      const content = contentOf('promo', m, userId, 0, amountMinor);
      return moves.alone(userId, async () => {
        const give = (bounds?: PayoutBounds) =>
          moves.submit(m.provider, command, txId, content, bounds && { within: bounds });
        await moves.wins.heldBefore(m, hashOf(content));
        if (await this.options.core.answerOf(actorOf(m.provider), txId)) return give();
        return moves.wins.give(m, give);
      });
    });
  }

  roundEnd(m: Omit<Movement, 'amountMinor' | 'txId'>): Promise<WalletAnswer> {
    const { moves } = this;
    return this.answering('round end', async (who) => {
      mustBeShaped({ ...m, txId: 'none' });
      const userId = await this.playerOf(m, who);
      if (userId === null) throw new Refused('BET_NOT_FOUND');
      return moves.alone(userId, async () => {
        // The state of the round is its own key: ending it again changes nothing.
        const command: Command = { type: 'game.end', ...moves.gameMove(m, userId) };
        const world = moves.worldOf(userId);
        const { events } = await this.options.core.submit({ world, actor: actorOf(m.provider), command });
        return { code: 'OK', walletTx: `end:${m.roundId}`, repeated: events.length === 0 };
      });
    });
  }

  sessionEnd(provider: string, sessionId: string): Promise<WalletAnswer> {
    return this.answering('session end', async () => ({
      code: (await this.sessions.end(provider, sessionId)) ? 'OK' : 'INVALID_TOKEN',
    }));
  }

  // ------------------------------------------------------------------------------------------------------- parts

  /** Every call ends with a code, and with the balance of the player where he is known. */
  private async answering(what: string, work: (who: Who) => Promise<Told>): Promise<WalletAnswer> {
    const { core, log } = this.options;
    const who: Who = { userId: null };
    const answer = await work(who).catch((error: unknown): Told => {
      const code = codeOf(error);
      if (!(error instanceof Refused) && (code === 'RETRY' || code === 'UNKNOWN'))
        log.warn({ err: error }, `wallet: ${what} failed`);
      return { code };
    });
    const { userId, currency } = who;
    return {
      ...answer,
      ...(userId === null ? {} : { balanceMinor: core.read.wallet(this.moves.worldOf(userId), userId).availableMinor }),
      ...(currency === undefined ? {} : { currency }),
    };
  }

  /** The player a provider means; credits and rollbacks need no session. */
  private async playerOf(m: Pick<Movement, 'provider' | 'playerRef'>, who: Who): Promise<number | null> {
    const player = await this.sessions.player(m.provider, m.playerRef);
    if (!player) return null;
    who.userId = player.userId;
    who.currency = player.currency;
    return player.userId;
  }

  /** Only debits ask for session, game and pace; one that was taken before is told again whatever has changed since. */
  private stake(m: Movement, credit: { creditMinor: number; roundClosed: boolean } | null): Promise<WalletAnswer> {
    const { moves } = this;
    return this.answering('debit', async (who) => {
      mustBeShaped(m);
      mustBeAmount(m.amountMinor, 1);
      if (credit) mustBeAmount(credit.creditMinor, 0);
      const userId = await this.playerOf(m, who);
      if (userId === null) throw new Refused('INVALID_TOKEN');
      return moves.alone(userId, async () => {
        const move = { ...moves.gameMove(m, userId), txId: m.txId, amountMinor: m.amountMinor };
        const command = credit
          ? ({ type: 'game.debitCredit', ...move, ...credit } as const)
          : ({ type: 'game.debit', ...move } as const);
        const won = credit?.creditMinor ?? 0;
        const content = contentOf(credit ? 'debitCredit' : 'debit', m, userId, m.amountMinor, won);
        const submit = (terms?: MoveTerms) => moves.submit(m.provider, command, m.txId, content, terms);
        if (await this.options.core.answerOf(actorOf(m.provider), m.txId)) return submit();
        await moves.wins.heldBefore(m, hashOf(content));
        const begins = await this.mustMayStake(m, userId);
        const take = (within?: PayoutBounds) => submit({ ...(within && { within }), ...(begins && { begins }) });
        const answer = await (won > 0 ? moves.wins.withStake(m, won, take) : take());
        this.pace.started(userId, roundName(m));
        return answer;
      });
    });
  }

  /** Answers the round that it begins. Throws INVALID_TOKEN, TOKEN_EXPIRED, WRONG_CURRENCY, INVALID_GAME, LIMIT_REACHED, TOO_FAST. */
  private async mustMayStake(m: Movement, userId: number): Promise<Request['begins']> {
    const session = await this.sessions.live(m.provider, m.sessionId);
    if (typeof session === 'string') throw new Refused(session);
    if (session.userId !== userId) throw new Refused('INVALID_TOKEN');
    if (m.currency !== session.currency) throw new Refused('WRONG_CURRENCY');
    const terms = this.options.gameOf(m.provider, m.game);
    if (!terms || (m.game !== session.game && !session.switching)) throw new Refused('INVALID_GAME');
    const slot = terms.slots ? await this.options.slotRules(userId) : null;
    const round = this.options.core.read.round(this.moves.worldOf(userId), m.provider, userId, m.roundId);
    const begun = round?.status === 'OPEN' ? round.stakedMinor : 0;
    if (slot && slot.stakeMinor !== null && begun + m.amountMinor > slot.stakeMinor) throw new Refused('LIMIT_REACHED');
    const minRoundMs = Math.max(terms.minRoundMs, slot?.roundMs ?? 0);
    if (round?.status === 'OPEN') return undefined;
    const begins = { accountId: userId, round: roundName(m), minRoundMs };
    if (!this.pace.mayStart(userId, begins.round, minRoundMs)) throw new Refused('TOO_FAST');
    return begins;
  }

  private async takeBack(
    m: Parameters<ProviderWallet['rollback']>[0],
    userId: number | null,
    currency: string,
  ): Promise<Told> {
    const { core } = this.options;
    const { moves } = this;
    const actor = actorOf(m.provider);
    // Some dialects take back under the debit's own id.
    const key = m.txId === m.refTx ? `${m.refTx}#rollback` : m.txId;
    const before = await core.answerOf(actor, key);
    const waits = await moves.wins.holds.ofRound(m.provider, userId ?? 0, m.roundId);
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
    const move = moves.gameMove({ ...m, roundId, game, currency }, debit.accountId);
    const command = { type: 'game.rollback', ...move, txId: key, refTx: m.refTx } as const;
    const content = ['rollback', userId, m.roundId, m.game, m.currency, m.refTx];
    return moves.submit(m.provider, command, key, content);
  }
}

const roundName = (m: Pick<Movement, 'provider' | 'roundId'>): string => `${m.provider} ${m.roundId}`;

function mustBeShaped(m: { txId: string; roundId: string; game: string }): void {
  for (const text of [m.txId, m.roundId, m.game])
    if (typeof text !== 'string' || text.length === 0 || text.length > 120) throw new Refused('UNKNOWN');
}

function mustBeAmount(amountMinor: number, least: 0 | 1): void {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < least) throw new Refused('INVALID_AMOUNT');
}

/** What makes a repeated id the same movement. */
function contentOf(kind: string, m: Movement, userId: number, amountMinor: number, creditMinor: number): unknown[] {
  return [kind, userId, m.roundId, m.game, m.currency, amountMinor, creditMinor];
}
