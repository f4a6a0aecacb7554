/** A provider's movements as commands of the core: under its own transaction ids, for accounts of real money alone. */
import { createHash } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import type { Command, GameMove, MovementView } from '@fairgame/exchange';
import type { Answer, Request, World } from '../core/types.ts';
import { inTurn } from '../in-turn.ts';
import type { Movement, WalletAnswer } from './movement.ts';
import type { WalletOptions } from './wallet-options.ts';
import { actorOf, createWins, type Wins } from './wins.ts';

/** On what terms a movement is taken. */
export type MoveTerms = Pick<Request, 'within' | 'begins'>;

export class LedgerMoves {
  private readonly options: WalletOptions;
  readonly wins: Wins;
  /** Movements of one player go one after the other; other players' beside them. */
  readonly alone = inTurn<number>();

  constructor(options: WalletOptions) {
    this.options = options;
    this.wins = createWins({
      ...options,
      worldOf: (accountId) => this.worldOf(accountId),
      submit: (...move) => this.submitHashed(...move),
    });
  }

  /** Of a player's account: play money never comes here. Throws ACCOUNT_UNKNOWN. */
  worldOf(accountId: number): World {
    const world = this.options.core.read.worldOf(accountId);
    if (world === undefined || world === 'demo') throw new CodedError('ACCOUNT_UNKNOWN');
    return world;
  }

  gameMove(m: Omit<Movement, 'amountMinor' | 'txId'>, accountId: number): GameMove {
    const terms = this.options.gameOf(m.provider, m.game);
    const label = terms ? `${terms.providerName} / ${terms.gameName}` : `${m.provider} / ${m.game}`;
    return { provider: m.provider, roundId: m.roundId, accountId, game: m.game, currency: m.currency, label };
  }

  submit(
    provider: string,
    command: Command & GameMove,
    key: string,
    content: readonly unknown[],
    terms?: MoveTerms,
  ): Promise<WalletAnswer> {
    return this.submitHashed(provider, command, key, hashOf(content), terms);
  }

  private async submitHashed(
    provider: string,
    command: Command & GameMove,
    key: string,
    payloadHash: string,
    terms?: MoveTerms,
  ): Promise<WalletAnswer> {
    const world = this.worldOf(command.accountId);
    const asked = { world, actor: actorOf(provider), command, key, payloadHash, ...terms };
    const answer = await this.options.core.submit(asked);
    return { code: 'OK', walletTx: String(answer.seq), repeated: answer.replayed };
  }
}

export const hashOf = (content: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

export function movementOf(answer: Answer): MovementView | undefined {
  const event = answer.events.find((one) => one.type === 'movement');
  return event?.type === 'movement' ? event.movement : undefined;
}
