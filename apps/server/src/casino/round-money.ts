/** The market of a table's round: made before its first window opens, declared with its last card. All money is the core's. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  describe,
  gameOf,
  type Offer,
  openSelections,
  type Round,
  rankName,
  resultOf,
  type TableCode,
} from '@fairgame/casino';
import { CodedError } from '@fairgame/contract';
import type { CardPay, Command, RunnerDef } from '@fairgame/exchange';
import type { Core } from '../core/types.ts';
import { NEW_MARKET } from '../new-market.ts';
import { boundsOf, paysOf, rowsOf, runnerIdOf, runnersOf } from './selections.ts';

export const INTERRUPTED = 'The round was interrupted. Stakes are returned.';
/** A window takes so many of the largest bets on each selection, of all players together. */
const TABLE_BETS = 100;
/** Between two tries of what was not taken. */
const AGAIN_MS = 250;
/** What nobody knows the fate of is said again so often; each time may take as long as a change of leaders. */
const MOST_UNKNOWN = 20;

type Game = ReturnType<typeof gameOf>;

export class RoundMoney {
  private readonly core: Core;
  private readonly code: TableCode;
  private readonly eventId: number;
  private readonly game: Game;
  private readonly grouped: ReadonlySet<number>;
  /** The stakes of each selection. */
  readonly limits: ReadonlyMap<number, { min: number; max: number }>;
  /** Another process may decide: then it may stay unknown whether a command was taken. */
  private readonly decidedElsewhere: boolean;
  private stopped = false;

  constructor(core: Core, code: TableCode, eventId: number, decidedElsewhere = false) {
    this.decidedElsewhere = decidedElsewhere;
    this.core = core;
    this.code = code;
    this.eventId = eventId;
    this.game = gameOf(code);
    this.limits = new Map(describe(code).selections.map((selection) => [selection.id, selection.limits]));
    this.grouped = new Set(runnersOf(code).flatMap((runner) => (runner.group ? [runner.runnerId] : [])));
  }

  /** The runners of the round's market if it still waits for a result, else null: one that is settling has it. */
  unsettled(marketId: number): number[] | null {
    const market = this.core.read.market(marketId);
    if (market === undefined || market.status === 'CLOSED' || market.status === 'SETTLING') return null;
    return market.runners.map((runner) => runner.runnerId);
  }

  /** Makes the market of a round with the prices of its first window; answers its runners. */
  async open(marketId: number, roundNo: number, round: Round): Promise<number[]> {
    const runners = runnersOf(this.code).filter((runner) => !this.asksForChoice(runner.runnerId));
    await this.submit(this.marketOf(marketId, roundNo, runners), this.quotes(marketId, round));
    return runners.map((runner) => runner.runnerId);
  }

  async closeWindow(marketId: number): Promise<void> {
    await this.submit({ type: 'market.state', marketId, status: 'SUSPENDED', reason: 'Bets are closed' });
  }

  /** The prices of the new window stand before it opens. */
  async openWindow(marketId: number, round: Round): Promise<void> {
    const opened: Command = { type: 'market.state', marketId, status: 'OPEN', reason: '' };
    await this.submit(this.quotes(marketId, round), opened);
  }

  /** Makes the runner of a choice of digits or ranks bettable. */
  async offer(marketId: number, selectionId: number, pick: readonly number[], { back, lay }: Offer): Promise<void> {
    const selection = this.game.selections.find((one) => one.id === selectionId)!;
    const runnerId = runnerIdOf(selectionId, pick);
    const sizeMinor = this.sizeOf(selectionId);
    const row = {
      runnerId,
      // "None of them comes" is a lay alone.
      back: back === null ? null : { price: back, sizeMinor },
      lay: lay === null ? null : { price: lay, sizeMinor },
      status: 'ACTIVE' as const,
    };
    await this.submit({
      type: 'house.quotes',
      marketId,
      rows: [row],
      names: { [runnerId]: `${selection.name} ${named(selection.pick!.of, pick).join(', ')}` },
      bounds: { [runnerId]: boundsOf(selection, pick) },
    });
  }

  /** Settles the round by its cards; answers what each runner pays. */
  async declare(marketId: number, round: Round, runnerIds: readonly number[]): Promise<CardPay[]> {
    const pays = paysOf(this.code, round, runnerIds, this.grouped);
    const text = resultOf(round)!.words;
    await this.submit({ type: 'market.declare', marketId, result: { kind: 'cards', pays, text } });
    return pays;
  }

  /** Every stake goes back. */
  async refund(marketId: number): Promise<void> {
    await this.submit({ type: 'market.declare', marketId, result: { kind: 'void', reason: INTERRUPTED } });
  }

  async archive(marketId: number): Promise<void> {
    await this.submit({ type: 'market.archive', marketId }).catch((error: unknown) => {
      // So many bets that they are still being booked: it leaves memory with all other closed markets.
      // Or it is gone, by what nobody knew the fate of.
      const isGone = this.decidedElsewhere && codeOf(error) === 'MARKET_UNKNOWN';
      if (codeOf(error) !== 'MARKET_SETTLING' && !isGone) throw error;
    });
  }

  /** What is not taken from now on is not tried again. */
  stop(): void {
    this.stopped = true;
  }

  /**
   * Stakes hang on these commands, so they pass load shedding, and are tried until they are taken or refused; of what became of one
   * that has no answer its key says more when it is said again.
   */
  private async submit(...commands: Command[]): Promise<void> {
    let unknown = 0;
    for (let left = commands; left.length > 0; ) {
      const answers = await this.core.submitAll(
        left.map((command) => ({
          world: 'all',
          actor: `table:${this.code}`,
          command,
          urgent: true,
          ...(this.decidedElsewhere ? nameOf(command) : {}),
        })),
      );
      const failed = answers.findIndex((answer) => answer instanceof Error);
      if (failed < 0) return;
      const isUnknown = this.decidedElsewhere && codeOf(answers[failed]) === 'INTERNAL' && unknown++ < MOST_UNKNOWN;
      if (this.stopped || !(isUnknown || notTaken(answers[failed]))) throw answers[failed] as Error;
      left = left.slice(failed);
      await sleep(AGAIN_MS);
    }
  }

  private marketOf(marketId: number, roundNo: number, runners: RunnerDef[]): Command {
    const every = [...this.limits.values()];
    return {
      type: 'market.create',
      market: {
        marketId,
        eventId: this.eventId,
        kind: 'card',
        // Beside the name of the event, which is the table's.
        name: `Round ${roundNo}`,
        runners,
        ...NEW_MARKET,
        commissionBps: 0,
        minStakeMinor: Math.min(...every.map((one) => one.min)),
        maxStakeMinor: Math.max(...every.map((one) => one.max)),
      },
    };
  }

  private quotes(marketId: number, round: Round): Command {
    const every = rowsOf(openSelections(round), (selectionId) => this.sizeOf(selectionId));
    return { type: 'house.quotes', marketId, rows: every.filter((row) => !this.asksForChoice(row.runnerId)) };
  }

  /** What all players together may stake on a selection in a window; the largest bet of one is held at the door of the bets. */
  private sizeOf(selectionId: number): number {
    return (this.limits.get(selectionId)?.max ?? 0) * TABLE_BETS;
  }

  private asksForChoice(runnerId: number): boolean {
    return this.game.selections.find((one) => one.id === runnerId)?.pick != null;
  }
}

/** What must be done once has a name. Prices, states and the end of a round say what stands: twice it is the same. */
function nameOf(command: Command): { key?: string } {
  if (command.type === 'market.create') return { key: `card-create-${command.market.marketId}` };
  if (command.type === 'market.declare') return { key: `card-${command.result.kind}-${command.marketId}` };
  return {};
}

const codeOf = (error: unknown): string => (error instanceof CodedError ? error.code : 'INTERNAL');

/** Nothing was taken and the same may be sent again. */
const notTaken = (error: unknown): boolean => ['BUSY', 'UNAVAILABLE'].includes(codeOf(error));

/** What was chosen, as players read it: the ranks of cards by their letters. */
const named = (of: 'ranks' | 'digits', pick: readonly number[]): Array<string | number> =>
  of === 'ranks' ? pick.map(rankName) : [...pick];
