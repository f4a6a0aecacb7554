/** Rounds that their provider left open: for whoever looks after them, and to be given back in the end. */
import { CodedError } from '@fairgame/contract';
import type { GameMove, RoundView } from '@fairgame/exchange';
import type { LedgerMoves } from './ledger-moves.ts';
import type { WalletOptions } from './wallet-options.ts';

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

export class OpenRounds {
  private readonly options: Pick<WalletOptions, 'db' | 'core' | 'clock'>;
  private readonly moves: LedgerMoves;

  constructor(options: Pick<WalletOptions, 'db' | 'core' | 'clock'>, moves: LedgerMoves) {
    this.options = options;
    this.moves = moves;
  }

  /** Open since before a moment, oldest first, at most 1000. */
  since(before: number): Promise<OpenRound[]> {
    return this.options.db.query<OpenRound>(
      `SELECT r.provider, r.account_id AS "accountId", COALESCE(u.user_name, '') AS "userName", r.round_id AS "roundId",
              r.label, r.staked - r.refunded AS "stakeMinor", r.paid AS "paidMinor", r.opened_at AS "openedAt"
         FROM provider_rounds r LEFT JOIN users u ON u.id = r.account_id
        WHERE r.status = 'OPEN' AND r.opened_at < $1 ORDER BY r.opened_at, r.round_id LIMIT 1000`,
      [before],
    );
  }

  /** What giving the round back would return. Throws BET_UNKNOWN, STATE_NOT_FITTING. */
  async voidable(name: RoundName): Promise<{ label: string; currency: string; stakeMinor: number }> {
    const { label, bets } = await this.abandoned(name);
    const stakeMinor = bets.reduce((sum, [, amountMinor, state]) => sum + (state === 'OPEN' ? amountMinor : 0), 0);
    return { label, currency: await this.currencyOf(name.accountId), stakeMinor };
  }

  /** Gives the undecided stakes back and ends the round; answers what went back. Throws as `voidable`. */
  async void({ provider, accountId, roundId, actor }: RoundName & { actor: string }): Promise<number> {
    const { core } = this.options;
    const world = this.moves.worldOf(accountId);
    const { game, label, bets } = await this.abandoned({ provider, accountId, roundId });
    const currency = await this.currencyOf(accountId);
    const move: GameMove = { provider, roundId, accountId, game, label, currency };
    let returned = 0;
    for (const [refTx, amountMinor, state] of bets) {
      if (state !== 'OPEN') continue;
      // Under the provider's name, so that its own late rollback or win meets a bet that was taken back.
      const key = `${refTx}#void`;
      const command = { type: 'game.rollback', ...move, txId: key, refTx } as const;
      await this.moves.submit(provider, command, key, ['void', actor, refTx]);
      returned += amountMinor;
    }
    if (core.read.round(world, provider, accountId, roundId)?.status === 'OPEN')
      await core.submit({ world, actor, command: { type: 'game.end', ...move } });
    return returned;
  }

  /** A round that its provider left open for so long that it may be given back. Throws BET_UNKNOWN, STATE_NOT_FITTING. */
  private async abandoned({ provider, accountId, roundId }: RoundName): Promise<RoundView> {
    const { core, clock } = this.options;
    const round = core.read.round(this.moves.worldOf(accountId), provider, accountId, roundId);
    if (!round) throw new CodedError('BET_UNKNOWN', { field: 'round' });
    if (round.status !== 'OPEN' || clock() - round.openedAt < ABANDONED_MS) {
      throw new CodedError('STATE_NOT_FITTING', {
        message: 'The round is over, or it has not been open for 14 days.',
      });
    }
    if ((await this.moves.wins.holds.ofRound(provider, accountId, roundId)).length > 0)
      throw new CodedError('STATE_NOT_FITTING', { message: 'A win of this round waits: decide on it first.' });
    return round;
  }

  private async currencyOf(accountId: number): Promise<string> {
    const [user] = await this.options.db.query<{ currency: string }>('SELECT currency FROM users WHERE id = $1', [
      accountId,
    ]);
    return user?.currency ?? '';
  }
}
