/**
 * What providers say was won: paid at once where it is within their bounds, else kept until a person decides. What acted once
 * acts never again here too: a win that waits is known by the provider's own transaction id.
 */
import { CodedError } from '@fairgame/contract';
import type { RoundView } from '@fairgame/exchange';
import type { PayoutWhy } from '../core/core.ts';
import type { Core, PayoutBounds, Request, World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import { type Credit, createProviderHolds, type HeldWhy, type HeldWin, type ProviderHolds } from './holds.ts';
import type { Movement, WalletAnswer, WalletCode } from './movement.ts';

/** A refusal of the wallet itself. */
export class Refused extends Error {
  readonly code: WalletCode;
  constructor(code: WalletCode) {
    super(code);
    this.code = code;
  }
}

/** Under this name a provider's transaction ids stand among the writer's keys. */
export const actorOf = (provider: string) => `provider:${provider}`;

type Bounded<T> = (bounds: PayoutBounds) => Promise<T>;

/** What `createWins` is given. */
interface WinParts {
  db: Db;
  core: Core;
  clock: () => number;
  log: Log;
  limitsOf: (provider: string) => PayoutBounds;
  /** Throws ACCOUNT_UNKNOWN. */
  worldOf: (accountId: number) => World;
  submit: (
    provider: string,
    command: Credit,
    key: string,
    payloadHash: string,
    terms?: Pick<Request, 'within'>,
  ) => Promise<WalletAnswer>;
}

export interface Wins {
  holds: ProviderHolds;
  /** The answer to an id that waits, or was refused; null for others. Throws DUPLICATE_MISMATCH where the contents differ. */
  heldBefore(m: { provider: string; txId: string }, payloadHash: string): Promise<WalletAnswer | null>;
  /** Pays a win, or keeps it for a person. What the core would refuse is refused by it. Throws RETRY. */
  pay(m: Movement, command: Credit, payloadHash: string, currency: string | undefined): Promise<WalletAnswer>;
  /** A stake with its win in one: both or neither, so one whose win would wait is refused. Throws LIMIT_REACHED. */
  withStake<T>(m: Movement, wonMinor: number, work: Bounded<T>): Promise<T>;
  /** A promotion. Throws LIMIT_REACHED above the budget. */
  give<T>(m: Movement, work: Bounded<T>): Promise<T>;
  /** Throws BET_UNKNOWN, STATE_NOT_FITTING, and what the core refuses the payment for. */
  decide(decision: { provider: string; txId: string; pay: boolean; actor: string }): Promise<HeldWin>;
}

/** More wins of one round than these do not wait at a time: a flood of them would be a fault or an attack. */
const MOST_HELD = 10;

export function createWins(parts: WinParts): Wins {
  return new ProviderWins(parts);
}

class ProviderWins implements Wins {
  private readonly parts: WinParts;
  readonly holds: ProviderHolds;

  constructor(parts: WinParts) {
    this.parts = parts;
    this.holds = createProviderHolds(parts.db);
  }

  async heldBefore(m: { provider: string; txId: string }, payloadHash: string): Promise<WalletAnswer | null> {
    const held = await this.holds.of(m.provider, m.txId);
    if (!held || held.state === 'PAID') return null;
    if (held.payloadHash !== payloadHash) throw new Refused('DUPLICATE_MISMATCH');
    return { code: 'OK', walletTx: `held:${m.txId}`, repeated: true };
  }

  async pay(m: Movement, command: Credit, payloadHash: string, currency: string | undefined): Promise<WalletAnswer> {
    const { provider, txId, amountMinor } = m;
    const { accountId, refTx } = command;
    const { core, clock, limitsOf } = this.parts;
    const pay = (bounds?: PayoutBounds) =>
      this.parts.submit(provider, command, txId, payloadHash, bounds && { within: bounds });
    if (amountMinor === 0 || m.currency !== currency || (await core.answerOf(actorOf(provider), txId))) return pay();
    const round = await this.roundOf(m, accountId);
    const named = round?.bets.filter(([id]) => refTx === undefined || refTx === id) ?? [];
    if (!round || named.every(([, , state]) => state === 'ROLLED_BACK')) return pay();
    const paid = await within(() => pay(limitsOf(provider)));
    if ('done' in paid) return paid.done;
    // What is of no promotion is refused for none.
    const why = paid.why as HeldWhy;
    if ((await this.holds.ofRound(provider, accountId, m.roundId)).length >= MOST_HELD) throw new Refused('RETRY');
    await this.holds.hold({ provider, txId, command, payloadHash, why, at: clock() });
    this.alarm(m, amountMinor, why, 'a win waits for a person');
    return { code: 'OK', walletTx: `held:${txId}` };
  }

  async withStake<T>(m: Movement, wonMinor: number, work: Bounded<T>): Promise<T> {
    const taken = await within(() => work(this.parts.limitsOf(m.provider)));
    if ('done' in taken) return taken.done;
    this.alarm(m, wonMinor, taken.why, 'a stake with its win was refused');
    throw new Refused('LIMIT_REACHED');
  }

  async give<T>(m: Movement, work: Bounded<T>): Promise<T> {
    const given = await within(() => work(this.parts.limitsOf(m.provider)));
    if ('done' in given) return given.done;
    this.alarm(m, m.amountMinor, given.why, 'a promotion above its budget was refused');
    throw new Refused('LIMIT_REACHED');
  }

  async decide({
    provider,
    txId,
    pay,
    actor,
  }: {
    provider: string;
    txId: string;
    pay: boolean;
    actor: string;
  }): Promise<HeldWin> {
    const held = await this.holds.mustWait(provider, txId);
    // Under the provider's own id, so that a repeated call meets the answer.
    if (pay) await this.parts.submit(provider, held.command, txId, held.payloadHash);
    await this.holds.decided(held, pay ? 'PAID' : 'REFUSED', actor, this.parts.clock());
    return held;
  }

  /** The round as it is, also where the core keeps it in the database only. */
  private async roundOf(m: Movement, userId: number): Promise<RoundView | undefined> {
    const round = this.parts.core.read.round(this.parts.worldOf(userId), m.provider, userId, m.roundId);
    if (round) return round;
    const [row] = await this.parts.db.query<{ view: string }>(
      'SELECT view FROM provider_rounds WHERE provider = $1 AND account_id = $2 AND round_id = $3',
      [m.provider, userId, m.roundId],
    );
    return row && (JSON.parse(row.view) as RoundView);
  }

  private alarm({ provider, txId }: Movement, amountMinor: number, why: PayoutWhy, text: string): void {
    this.parts.log.error({ security: 'provider-money', provider, txId, amountMinor, why }, text);
  }
}

/** Does what who leads bounds, or tells why it does not. */
async function within<T>(work: () => Promise<T>): Promise<{ done: T } | { why: PayoutWhy }> {
  try {
    return { done: await work() };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'HOUSE_LIMIT') throw error;
    return { why: error.field as PayoutWhy };
  }
}
