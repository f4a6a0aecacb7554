import { type BetAnswer, type BodyOf, CALLS, type MarketImage, type PlacedBet, TIME } from '@fairgame/contract';
import { msg } from '@lingui/core/macro';
import { ApiError, api, refreshBets } from '../api/api.ts';
import { knowBets, takeWallet } from '../live/live.ts';
import { say, type Words } from '../platform/language.ts';
import { holdReload } from '../platform/reload.ts';
import { readSession } from '../session/session.ts';
import { answerOf } from '../slip/slip.ts';

const LOST = msg`The answer was lost. Asking what became of it.`;

interface Answer {
  bets: PlacedBet[];
  cancelled?: PlacedBet[];
  wallet: BetAnswer['wallet'];
}
interface Following {
  /** What a refusal says where nothing arrived. */
  notArrived: Words;
  /** Told that the answer is being asked for. */
  onLost?: (words: string) => void;
}

/** Bets of a market by the server's one command, all of them whole or none. */
export function sendTogether(
  body: BodyOf<typeof CALLS.bets.cashOut>,
  { inPlay, betDelayMs }: Pick<MarketImage, 'inPlay' | 'betDelayMs'>,
  following: Following,
): Promise<PlacedBet> {
  const delayMs = inPlay ? betDelayMs : 0;
  const timeoutMs = TIME.placeTimeoutMs + delayMs;
  return sendUnderKey(body.key, () => api(CALLS.bets.cashOut, { body }, { quiet: true, timeoutMs }), {
    ...following,
    delayMs,
  });
}

/**
 * Sends bets under one key once; a lost answer is asked for by it, and all of them share the fate of the one that is told.
 * Wallet and bets are taken in. Rejects with what a player is told of a refusal.
 */
export async function sendUnderKey(
  key: string,
  send: () => Promise<Answer>,
  { delayMs, notArrived, onLost }: Following & { delayMs: number },
): Promise<PlacedBet> {
  const release = holdReload();
  try {
    const once = async (): Promise<BetAnswer> => {
      const { bets, cancelled = [], wallet } = await send();
      knowBets([...bets, ...cancelled]);
      return { bet: bets.at(-1)!, wallet };
    };
    const gaveUp = () => readSession() === null;
    const { bet, wallet } = await answerOf(key, once, { delayMs, onLost: () => onLost?.(say(LOST)), gaveUp });
    takeWallet(wallet);
    knowBets([bet]);
    return bet;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'KEY_UNKNOWN') throw error;
    throw new ApiError(error.status, error.code, say(notArrived));
  } finally {
    release();
    refreshBets();
  }
}
