import { CALLS } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { ApiError, api, errorText } from '../api/api.ts';
import { formatSigned } from '../platform/format.ts';
import { newKey } from '../platform/key.ts';
import { say } from '../platform/language.ts';
import { toast } from '../platform/toasts.ts';
import { sendUnderKey } from './send-together.ts';
import { WHY_NOT } from './use-cash-out.ts';

interface What {
  marketId: number;
  /** Of the one runner; the whole market where it is not said. */
  runnerId?: number;
  share: Share;
}
/** How much of it: a percentage, or so much of its exposure. */
type Share = { percent: number } | { amount: number };

/** `part`: of which the value was read. */
type Step = { at: 'rest' | 'reading' | 'busy' } | { at: 'ask'; value: number; part: string };
const REST: Step = { at: 'rest' };

const NOT_ARRIVED = msg`Nothing was closed: the connection was lost before it arrived.`;
/** A question does not stay open for ever. */
const OPEN_MS = 8000;

/**
 * Closing a position, that on one runner or a part of it, by the server's one command. What it brings is read first; an armed ladder takes
 * it at once, another asks. It is never taken for less than was read.
 */
export function useHedge(what: What, isArmed: boolean) {
  const [last, setStep] = useState<Step>(REST);
  const part = JSON.stringify(what.share);
  // What was shown for another part is no answer to this one.
  const step = last.at === 'ask' && last.part !== part ? REST : last;
  const [password, setPassword] = useState<{ go: () => void } | null>(null);
  useEffect(() => {
    if (step.at !== 'ask') return;
    const timer = setTimeout(() => setStep(REST), OPEN_MS);
    return () => clearTimeout(timer);
  }, [step]);

  const take = async (value: number, key = newKey()) => {
    setStep({ at: 'busy' });
    try {
      await hedged(what, value, key);
      toast.success(t`Closed, worst result ${{ result: formatSigned(value) }}`);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'STEP_UP_REQUIRED')
        setPassword({ go: () => void take(value, key) });
      else toast.error(errorText(error));
    } finally {
      setStep(REST);
    }
  };
  const press = async () => {
    if (step.at === 'ask') return take(step.value);
    if (step.at !== 'rest') return;
    setStep({ at: 'reading' });
    try {
      const { value, reason } = await api(CALLS.bets.cashOutQuote, { query: asked(what) }, { quiet: true });
      if (value === null) {
        toast.info(whyNot(what.share, reason ?? 'NO_POSITION'));
        setStep(REST);
      } else if (isArmed) await take(value);
      else setStep({ at: 'ask', value, part });
    } catch (error) {
      toast.error(errorText(error));
      setStep(REST);
    }
  };
  return { step, press, password, leavePassword: () => setPassword(null) };
}

/** An amount is one of what can be lost: where that is nothing the player is told that, and not that he has no bets. */
const whyNot = (share: Share, reason: keyof typeof WHY_NOT): string =>
  'amount' in share && reason === 'NO_POSITION'
    ? t`Nothing can be lost here: there is no exposure to close.`
    : say(WHY_NOT[reason]);

/** All of it needs no word. */
const some = (share: Share): Share | Record<never, never> => ('percent' in share && share.percent === 100 ? {} : share);

const asked = ({ marketId, runnerId, share }: What) => ({
  betId: String(marketId),
  ...(runnerId === undefined ? {} : { runnerId: String(runnerId) }),
  ...Object.fromEntries(Object.entries(some(share)).map(([name, value]) => [name, String(value)])),
});

/** Bets that wait in the market stay. */
async function hedged({ marketId, runnerId, share }: What, least: number, key: string): Promise<void> {
  const body = {
    key,
    betId: marketId,
    ...(runnerId === undefined ? {} : { runnerId }),
    ...some(share),
    least,
    cancel: false,
  };
  const send = () => api(CALLS.trader.hedge, { body }, { quiet: true });
  await sendUnderKey(key, send, { notArrived: NOT_ARRIVED, delayMs: 0 });
}
