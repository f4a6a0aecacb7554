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

export interface VoidedRound extends RoundName {
  actor: string;
  key: string;
  payloadHash: string;
  begun: boolean;
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

/** The site's own transaction that takes back a stake. */
const voidOf = (refTx: string): string => `${refTx}#void`;

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

  /**
   * Gives the undecided stakes back and ends the round, under a key of the operator; answers what went back, as often as it is
   * asked. `begun`: it was begun under this key before. Throws as `voidable`.
   */
  async void({ actor, key, payloadHash, begun, ...name }: VoidedRound): Promise<number> {
    const { core } = this.options;
    const { provider, accountId, roundId } = name;
    const known = begun && ((await this.returned(name)) > 0 || (await core.answerOf(actor, key)) !== null);
    const { game, label, bets } = await (known ? this.round(name) : this.abandoned(name));
    const currency = await this.currencyOf(accountId);
    const move: GameMove = { provider, roundId, accountId, game, label, currency };
    for (const [refTx, , state] of bets) {
      if (state !== 'OPEN') continue;
      // Under the provider's name, so that its own late rollback or win meets a bet that was taken back.
      const txId = voidOf(refTx);
      await this.moves.submit(provider, { type: 'game.rollback', ...move, txId, refTx }, txId, ['void', actor, refTx]);
    }
    // Also of a round that is over with its last stake: under its key this was done.
    const world = this.moves.worldOf(accountId);
    await core.submit({ world, actor, key, payloadHash, command: { type: 'game.end', ...move } });
    return this.returned(name);
  }

  /** What voiding gave back of a round. */
  private async returned(name: RoundName): Promise<number> {
    const { bets } = await this.round(name);
    const [row] = await this.options.db.query<{ sum: number }>(
      'SELECT COALESCE(sum(credit), 0)::bigint AS sum FROM provider_txs WHERE provider = $1 AND tx_id = ANY($2::text[])',
      [name.provider, bets.map(([refTx]) => voidOf(refTx))],
    );
    return row!.sum;
  }

  /** A round that is over leaves memory after minutes. Throws BET_UNKNOWN. */
  private async round({ provider, accountId, roundId }: RoundName): Promise<RoundView> {
    const { core, db } = this.options;
    const world = this.moves.worldOf(accountId);
    const round = core.read.round(world, provider, accountId, roundId);
    if (round) return round;
    const [row] = await db.query<{ view: string }>(
      'SELECT view FROM provider_rounds WHERE world = $1 AND provider = $2 AND account_id = $3 AND round_id = $4',
      [world, provider, accountId, roundId],
    );
    if (!row) throw new CodedError('BET_UNKNOWN', { field: 'round' });
    return JSON.parse(row.view) as RoundView;
  }

  /** A round that its provider left open for so long that it may be given back. Throws BET_UNKNOWN, STATE_NOT_FITTING. */
  private async abandoned(name: RoundName): Promise<RoundView> {
    const round = await this.round(name);
    if (round.status !== 'OPEN' || this.options.clock() - round.openedAt < ABANDONED_MS) {
      throw new CodedError('STATE_NOT_FITTING', {
        message: 'The round is over, or it has not been open for 14 days.',
      });
    }
    if ((await this.moves.wins.holds.ofRound(name.provider, name.accountId, name.roundId)).length > 0)
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
