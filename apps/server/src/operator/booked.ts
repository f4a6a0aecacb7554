/** An operator's act about a market whose result is being booked waits for the end of that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@fairgame/contract';
import type { MarketId } from '@fairgame/exchange';
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

/** Waits for the end of what an act only began. @returns whether it has come. */
export async function isBooked(core: Pick<Core, 'read'>, marketId: MarketId): Promise<boolean> {
  if (core.read.isSettling(marketId)) await waitFor(core, marketId, 0);
  return !core.read.isSettling(marketId);
}

async function waitFor(core: Pick<Core, 'read'>, marketId: MarketId, before: number): Promise<number> {
  let waitedMs = before;
  do {
    await sleep(LOOK_MS);
    waitedMs += LOOK_MS;
  } while (waitedMs < WAIT_MS && core.read.isSettling(marketId));
  return waitedMs;
}
