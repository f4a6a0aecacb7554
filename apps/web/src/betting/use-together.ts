import type { BodyOf, CALLS, MarketImage } from '@fairgame/contract';
import { msg, plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { ApiError, errorText, refreshBets } from '../api/api.ts';
import { takeWallet } from '../live/live.ts';
import { newKey } from '../platform/key.ts';
import { say } from '../platform/language.ts';
import { holdReload } from '../platform/reload.ts';
import { toast } from '../platform/toasts.ts';
import { readSession } from '../session/session.ts';
import { LOST, sendTogether, useHere } from './use-cash-out.ts';

type Legs = BodyOf<typeof CALLS.bets.cashOut>['legs'];
type Step = { at: 'rest' | 'acting'; said: string | null } | { at: 'password'; said: null; go: () => void };

const NOT_ARRIVED = msg`Nothing was placed: the connection was lost before it arrived.`;

/**
 * Several bets of a market by the server's one command, all of them whole or none. A lost answer is asked for by its key; what
 * was refused is told in place, or as a message where nobody looks at it any more.
 */
export function useTogether({ id, version, inPlay, betDelayMs }: MarketImage, onPlaced: () => void) {
  const [step, setStep] = useState<Step>({ at: 'rest', said: null });
  const here = useHere();
  const place = async (legs: Legs, key = newKey()) => {
    setStep({ at: 'acting', said: null });
    const release = holdReload();
    try {
      const body = { key, betId: id, legs, cancel: false, marketVersion: version };
      const { bet, wallet } = await sendTogether(body, inPlay ? betDelayMs : 0, () =>
        setStep({ at: 'acting', said: say(LOST) }),
      );
      takeWallet(wallet);
      if (bet.status === 'PENDING') toast.info(t`In-play bets wait before they are taken. Your stake is held.`);
      else toast.success(plural({ count: legs.length }, { one: 'Bet placed.', other: '# bets placed.' }));
      onPlaced();
    } catch (error) {
      if (readSession() === null) return;
      if (error instanceof ApiError && error.code === 'STEP_UP_REQUIRED' && here.current)
        return setStep({ at: 'password', said: null, go: () => void place(legs, key) });
      const said = error instanceof ApiError && error.code === 'KEY_UNKNOWN' ? say(NOT_ARRIVED) : errorText(error);
      if (here.current) setStep({ at: 'rest', said });
      else toast.error(said);
    } finally {
      release();
      refreshBets();
    }
  };
  return { step, place: (legs: Legs) => void place(legs), leave: () => setStep({ at: 'rest', said: null }) };
}
