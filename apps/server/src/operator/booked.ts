/** An operator's act about a market whose result is being booked waits for the end of that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@fairgame/contract';
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
      do {
        await sleep(LOOK_MS);
        waitedMs += LOOK_MS;
      } while (waitedMs < WAIT_MS && core.read.isSettling(command.marketId));
    }
  }
}
