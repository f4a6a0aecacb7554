import { type BetAnswer, CALLS } from '@fairgame/contract';
import { ApiError, api } from '../api/api.ts';

/**
 * What became of a placing key whose answer was lost: asked until there is an answer. A key nothing was taken under is given
 * up by the server, so that it never will be: then this rejects with KEY_UNKNOWN.
 */
export async function fateOf(key: string, delayMs: number, gaveUp: () => boolean = () => false): Promise<BetAnswer> {
  for (let round = 0; ; round++) {
    try {
      return await api(CALLS.bets.settleKey, { body: { key } }, { quiet: true, timeoutMs: 8000 + delayMs });
    } catch (error) {
      if (!(error instanceof ApiError) || gaveUp()) throw error;
      if (!error.unknown && error.status < 500 && error.status !== 429) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** round, 5000)));
  }
}

interface Asking {
  /** The market's delay, which an answer waits for. */
  delayMs?: number;
  onLost?: () => void;
  gaveUp?: () => boolean;
}

/** The answer to what is sent once under a key; one that is lost is asked for by the key. */
export async function answerOf(
  key: string,
  send: () => Promise<BetAnswer>,
  { delayMs = 0, onLost, gaveUp }: Asking = {},
): Promise<BetAnswer> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.unknown) throw error;
    onLost?.();
    return fateOf(key, delayMs, gaveUp);
  }
}
