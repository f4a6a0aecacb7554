import type { BodyOf, CALLS, MarketImage } from '@fairgame/contract';
import { msg, plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { ApiError, errorText } from '../api/api.ts';
import { newKey } from '../platform/key.ts';
import { toast } from '../platform/toasts.ts';
import { readSession } from '../session/session.ts';
import { sendTogether } from './send-together.ts';
import { useHere } from './use-cash-out.ts';

type Legs = BodyOf<typeof CALLS.bets.cashOut>['legs'];
type Step = { at: 'rest' | 'acting'; said: string | null } | { at: 'password'; said: null; go: () => void };

const NOT_ARRIVED = msg`Nothing was placed: the connection was lost before it arrived.`;

/**
 * Several bets of a market by the server's one command, all of them whole or none. A lost answer is asked for by its key; what
 * was refused is told in place, or as a message where nobody looks at it any more.
 */
export function useTogether(market: MarketImage, onPlaced: () => void) {
  const { id, version } = market;
  const [step, setStep] = useState<Step>({ at: 'rest', said: null });
  const here = useHere();
  const place = async (legs: Legs, key = newKey()) => {
    setStep({ at: 'acting', said: null });
    try {
      const bet = await sendTogether({ key, betId: id, legs, cancel: false, marketVersion: version }, market, {
        notArrived: NOT_ARRIVED,
        onLost: (said) => setStep({ at: 'acting', said }),
      });
      if (bet.status === 'PENDING') toast.info(t`In-play bets wait before they are taken. Your stake is held.`);
      else toast.success(plural({ count: legs.length }, { one: 'Bet placed.', other: '# bets placed.' }));
      onPlaced();
    } catch (error) {
      if (readSession() === null) return;
      if (error instanceof ApiError && error.code === 'STEP_UP_REQUIRED' && here.current)
        return setStep({ at: 'password', said: null, go: () => void place(legs, key) });
      const said = errorText(error);
      if (here.current) setStep({ at: 'rest', said });
      else toast.error(said);
    }
  };
  return { step, place: (legs: Legs) => void place(legs), leave: () => setStep({ at: 'rest', said: null }) };
}
