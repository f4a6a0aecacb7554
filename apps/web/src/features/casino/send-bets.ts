import { type BetAnswer, CALLS, type PlaceBody, TIME } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { ApiError, api, refreshBets } from '../../api/api.ts';
import { takeWallet } from '../../live/live.ts';
import { holdReload } from '../../platform/reload.ts';
import { fateOf } from '../../slip/slip.ts';

/** What became of a bet that was sent. `checking`: the answer was lost, and is being asked for by the bet's key. */
export type Fate =
  | { readonly is: 'checking' }
  | { readonly is: 'placed'; readonly answer: BetAnswer }
  | { readonly is: 'refused'; readonly code: string; readonly message: string };

/** So many are on their way at once. */
const AT_ONCE = 4;

/**
 * Sends bets that were stored under their keys and follows each to its end; `tell` is called with every step of a bet. A
 * lost answer never makes a second bet: the key is asked for what became of it. `known` are bets of an earlier page, of
 * which only that is asked.
 */
export async function sendBets(
  bodies: readonly PlaceBody[],
  tell: (key: string, fate: Fate) => void,
  known = false,
): Promise<void> {
  const release = holdReload();
  const waiting = [...bodies];
  const worker = async () => {
    for (let body = waiting.shift(); body; body = waiting.shift()) tell(body.key, await sendOne(body, tell, known));
  };
  try {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, bodies.length) }, worker));
  } finally {
    release();
    refreshBets();
  }
}

async function sendOne(body: PlaceBody, tell: (key: string, fate: Fate) => void, known: boolean): Promise<Fate> {
  try {
    if (!known) return placed(await api(CALLS.bets.card, { body }, { quiet: true, timeoutMs: TIME.placeTimeoutMs }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!error.unknown) return refused(error);
  }
  tell(body.key, { is: 'checking' });
  try {
    return placed(await fateOf(body.key, 0));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 'KEY_UNKNOWN' ? { is: 'refused', code: error.code, message: notArrived() } : refused(error);
  }
}

const notArrived = (): string =>
  t({
    message: 'the connection was lost before it arrived. Nothing was taken.',
    comment: 'After the name of a bet and a colon.',
  });

function placed(answer: BetAnswer): Fate {
  takeWallet(answer.wallet);
  return { is: 'placed', answer };
}

const refused = ({ code, message }: ApiError): Fate => ({ is: 'refused', code, message });
