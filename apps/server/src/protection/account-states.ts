/** The state of each account, by the clock and by what is done to it: core and tables are brought to it. Rules in rules.ts. */
import { type AccountStanding, CodedError } from '@fairgame/contract';
import { cancelAll } from '../core/core.ts';
import { inTurn } from '../in-turn.ts';
import { type Aside, submitRestriction } from './core-limits.ts';
import { firstDeposit } from './figures.ts';
import type { Parts } from './parts.ts';
import type { AccountState } from './profiles.ts';
import { profileOf, type Record } from './records.ts';
import { type BaseState, combine, type Restriction, revocableFrom, runs, stateAt } from './rules.ts';
import { standingOf } from './words.ts';

const DAY_MS = 86_400_000;
/** These take no money in (INV-18). */
const NO_DEPOSITS: ReadonlySet<AccountState> = new Set(['self-excluded', 'cooling off', 'frozen', 'closed']);

export class AccountStates {
  private readonly parts: Parts;
  /** Within the acts of an account, and beside them: what brings core and tables to its state. */
  private readonly settling = inTurn<number>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Brings the state to the clock; answers it. */
  async settle(record: Record, actor = 'core'): Promise<AccountState> {
    const state = await this.stateNow(record);
    return state === record.announced ? state : this.settling(record.userId, () => this.change(record, actor));
  }

  standingOf(record: Record, state: AccountState): AccountStanding | null {
    return standingOf(state, record.restriction, record.betBlocked, profileOf(record));
  }

  /** Throws ACCOUNT_BLOCKED with the reason when betting is off. */
  async mustBeActive(record: Record): Promise<void> {
    const standing = this.standingOf(record, await this.settle(record));
    if (standing) throw new CodedError('ACCOUNT_BLOCKED', { message: standing.text });
  }

  /** Throws ACCOUNT_BLOCKED where the state takes no money in. */
  async mustTakeDeposits(record: Record): Promise<void> {
    const state = await this.settle(record);
    if (NO_DEPOSITS.has(state)) throw new CodedError('ACCOUNT_BLOCKED', { message: `The account is ${state}.` });
  }

  /** Whether betting is on by all that is known here, so that nothing has to be asked, brought to the clock or told. */
  isOpen(record: Record): boolean {
    if (!this.isDated(record)) return false;
    const state = this.stateKnown(record);
    return state === record.announced && this.standingOf(record, state) === null;
  }

  async restrict(record: Record, asked: Restriction, actor: string): Promise<void> {
    await this.parts.records.change(record, () => {
      record.restriction = combine(this.running(record), asked);
    });
    await this.settle(record, actor);
    this.parts.profileChanged(record.userId);
  }

  /** The restriction that the clock has not ended. */
  running(record: Record): Restriction | null {
    const { restriction } = record;
    return restriction && runs(restriction, this.parts.clock(), profileOf(record)) ? restriction : null;
  }

  /** What a revocation would end, and from when; throws REVOCATION_EARLY, STATE_NOT_FITTING. */
  mayRevoke(record: Record): { restriction: Restriction; from: number } {
    const now = this.parts.clock();
    const profile = profileOf(record);
    const restriction = this.running(record);
    if (!restriction) throw new CodedError('STATE_NOT_FITTING');
    if (now < revocableFrom(restriction, profile)) throw new CodedError('REVOCATION_EARLY');
    return { restriction, from: (restriction.revokeAskedAt ?? now) + profile.revocationDays * DAY_MS };
  }

  /** From when a revocation counts; throws as `mayRevoke`. */
  async revoke(record: Record, actor: string): Promise<number> {
    const { restriction } = this.mayRevoke(record);
    await this.parts.record(actor, 'protection.revoke', record.userId, { state: restriction.state });
    const now = this.parts.clock();
    await this.parts.records.change(record, () => {
      const running = this.running(record);
      if (running) running.revokeAskedAt ??= now;
    });
    this.parts.profileChanged(record.userId);
    return (record.restriction?.revokeAskedAt ?? now) + profileOf(record).revocationDays * DAY_MS;
  }

  async setBase(record: Record, base: BaseState, actor: string): Promise<void> {
    await this.parts.records.change(record, () => {
      record.base = base;
      if (base === 'active') record.lastAccessAt = this.parts.clock();
    });
    await this.settle(record, actor);
  }

  /** After a limit or a block changed. The core hears of the restriction as it is when its turn comes, so that an older one never comes last. */
  async limitsChanged(record: Record): Promise<void> {
    await this.bringCore(record);
    this.parts.profileChanged(record.userId);
  }

  /** Before a bet: the core hears of the restriction where it may not know it, or a floor has run out. */
  async keepCore(record: Record): Promise<void> {
    if (this.isCoreBehind(record)) await this.bringCore(record);
  }

  /** The core hears that so much of a turnover limit is not there for what it places itself; of 0, that all of it is again. */
  setAside(record: Record, amountMinor: number): Promise<void> {
    return this.bringCore(record, amountMinor);
  }

  isCoreBehind(record: Record): boolean {
    return record.coreStale || this.parts.clock() >= record.floorUntil;
  }

  /** In the account's own turn alone, in which nobody else has set anything aside. */
  bringCore(record: Record, asideMinor = 0): Promise<void> {
    record.coreStale = true;
    return this.settling(record.userId, async () => this.submit(record, await this.stateNow(record), asideMinor));
  }

  private submit(record: Record, state: AccountState, aside: Aside): Promise<void> {
    return submitRestriction(this.parts, record, state === 'active', this.parts.clock(), aside);
  }

  private async stateNow(record: Record): Promise<AccountState> {
    if (!this.isDated(record)) Object.assign(record, await firstDeposit(this.parts.db, record, record.undatedTo));
    return this.stateKnown(record);
  }

  /** Whether the first deposit is known that an age must be verified for; asked for until there is one. */
  private isDated({ ageVerified, firstDepositAt: at }: Record): boolean {
    return ageVerified || at !== null;
  }

  private stateKnown(record: Record): AccountState {
    const { base, restriction, ageVerified, lastAccessAt } = record;
    const { core, clock } = this.parts;
    return stateAt(
      {
        base,
        restriction,
        ageVerified,
        lastAccessAt,
        firstDepositAt: ageVerified ? null : record.firstDepositAt,
        balanceMinor: core.read.wallet(record.world, record.userId).balanceMinor,
      },
      clock(),
      profileOf(record),
    );
  }

  /**
   * The core first: from that command on no bet is accepted. Then unmatched bets leave the books, the tables follow, and
   * the player's sockets are told.
   */
  private async change(record: Record, actor: string): Promise<AccountState> {
    const { records, auth } = this.parts;
    // Somebody may have been faster, here or at another gateway.
    await records.refresh(record);
    const state = await this.stateNow(record);
    if (state === record.announced) return state;
    const detail = { before: record.announced, after: state };
    await this.parts.record(actor, 'protection.state', record.userId, detail);
    // A bet may be under way beside it, here or at another gateway.
    await this.submit(record, state, 'kept');
    if (state !== 'active') await this.cancelAll(record.userId, actor);
    await auth.setState(record.userId, state);
    // Whoever reads it again because of this change finds the state that was told.
    await records.change(record, () => {
      record.restriction = this.running(record);
      if (state === 'inactive' || state === 'dormant') record.base = state;
      record.announced = state;
    });
    this.parts.profileChanged(record.userId);
    return state;
  }

  private async cancelAll(accountId: number, actor: string): Promise<void> {
    const { core } = this.parts;
    const world = core.read.worldOf(accountId);
    if (!world || core.read.openBets(world, accountId).length === 0) return;
    await cancelAll(core, { type: 'order.cancelAll', accountId }, { world, actor });
  }
}
