/** An operator's act about a market whose result is being booked waits for the end of that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@fairgame/contract';
import type { Command, MarketId } from '@fairgame/exchange';
import type { Answer, Core, Request } from '../core/types.ts';

/** Longer than that the caller is told MARKET_SETTLING: its key is free, and the same request may come again. */
const WAIT_MS = 8000;
const LOOK_MS = 50;

export async function onceBooked(core: Pick<Core, 'submit' | 'read'>, request: Request): Promise<Answer> {
  const { command } = request;
  for (let waitedMs = 0; ; ) {
    try {
      return await core.submit(request);
    } catch (error) {
      const isEarly = error instanceof CodedError && error.code === 'MARKET_SETTLING';
      if (!isEarly || waitedMs >= WAIT_MS || !('marketId' in command) || command.marketId === undefined) throw error;
      waitedMs = await waitFor(core, command.marketId, waitedMs);
    }
  }
}

/**
 * The return of a runner, to its end: of a large market it is known only then whether somebody would be short by it. Throws
 * INSUFFICIENT_FUNDS where the runner stays out, MARKET_SETTLING where it is not known yet.
 */
export async function onceBack(
  core: Pick<Core, 'submit' | 'read'>,
  actor: string,
  command: Extract<Command, { type: 'runner.reinstate' }>,
): Promise<void> {
  const { marketId, runnerId } = command;
  await onceBooked(core, { world: 'all', actor, command });
  if (core.read.isSettling(marketId)) await waitFor(core, marketId, 0);
  if (core.read.isSettling(marketId)) throw new CodedError('MARKET_SETTLING', { field: 'betId' });
  const runner = core.read.market(marketId)?.runners.find((one) => one.runnerId === runnerId);
  if (runner?.status === 'REMOVED') throw new CodedError('INSUFFICIENT_FUNDS', { field: 'runnerId' });
}

async function waitFor(core: Pick<Core, 'read'>, marketId: MarketId, before: number): Promise<number> {
  let waitedMs = before;
  do {
    await sleep(LOOK_MS);
    waitedMs += LOOK_MS;
  } while (waitedMs < WAIT_MS && core.read.isSettling(marketId));
  return waitedMs;
}
