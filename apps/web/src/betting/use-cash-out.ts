import { CALLS, type MarketImage, type PlacedBet, type ReplyOf } from '@fairgame/contract';
import { msg, plural, t } from '@lingui/core/macro';
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { ApiError, api, errorText, refreshBets } from '../api/api.ts';
import { formatSigned } from '../platform/format.ts';
import { newKey } from '../platform/key.ts';
import { say, type Words } from '../platform/language.ts';
import { toast } from '../platform/toasts.ts';
import { readSession } from '../session/session.ts';
import { endOf } from './bet-state.ts';
import { sendTogether } from './send-together.ts';

type Quote = ReplyOf<typeof CALLS.bets.cashOutQuote>;
type Offered = Quote & { value: number };

/** `said`: what the player is told beside the button. */
export type Step = { said: string | null } & (
  | { at: 'rest' }
  | { at: 'reading' }
  /** The quote stands there for the player's yes; `moved`: it is another one than he last pressed at. */
  | { at: 'ask'; quote: Offered; moved: boolean }
  | { at: 'acting' }
  | { at: 'password'; quote: Offered; key: string }
  /** Taken after the in-play delay, whole or not at all: this bet of it tells which. */
  | { at: 'waiting'; quote: Offered; bet: PlacedBet }
);

const REST: Step = { at: 'rest', said: null };
/** A question does not stay open for ever; words take longer to read. */
const OPEN_MS = 8000;
const READ_MS = 15_000;
/** While the question is open and the market moves, the quote is read anew no oftener than this. */
const AGAIN_MS = 500;
const NOT_ARRIVED = msg`Nothing was cashed out: the connection was lost before it arrived.`;

export const WHY_NOT: Readonly<Record<NonNullable<Quote['reason']>, Words>> = {
  CLOSED: msg`The market is closed`,
  WRONG_MARKET: msg`This market cannot be cashed out`,
  NO_POSITION: msg`There is nothing to cash out`,
  SUSPENDED: msg`Cash out is off while suspended`,
  RUNNER_SUSPENDED: msg`Cash out is off while suspended`,
  NO_DEPTH: msg`Not enough money on offer`,
  STAKE_TOO_SMALL: msg`Too small to cash out`,
  STAKE_TOO_LARGE: msg`Too large to cash out at once`,
};

function cashedOut({ value, cancels }: Offered): string {
  const result = formatSigned(value);
  return plural(
    { count: cancels.length },
    {
      0: `Cashed out ${result}`,
      one: `Cashed out ${result}; your waiting bet cancelled`,
      other: `Cashed out ${result}; your waiting bets cancelled`,
    },
  );
}

/**
 * Leaving a market by the server's one command. The first press reads the quote, the second takes it as it was shown: all of
 * it or nothing. A refusal is told in place, with the quote of now. `picture` is whatever moves the quote.
 */
export function useCashOut(market: MarketImage, picture: string) {
  const { id } = market;
  const [step, setStep] = useState<Step>(REST);
  const here = useHere();
  useQuestion(id, step, setStep, picture);

  /** Reads the quote and asks; `words`: why the player is asked once more. */
  const ask = async (words: string | null = null) => {
    if (!here.current) {
      if (words) toast.error(words);
      return;
    }
    setStep({ at: 'reading', said: words });
    try {
      setStep(follow(null, await readQuote(id), words));
    } catch (error) {
      setStep({ at: 'rest', said: sentences(words, errorText(error)) });
    }
  };
  const done = (quote: Offered) => {
    toast.success(cashedOut(quote));
    setStep(REST);
  };
  const act = async (quote: Offered, key: string) => {
    const { legs, cancels, marketVersion } = quote;
    setStep({ at: 'acting', said: null });
    try {
      const body = { key, betId: id, legs, cancel: cancels.length > 0, marketVersion };
      const bet = await sendTogether(body, market, {
        notArrived: NOT_ARRIVED,
        onLost: (said) => setStep({ at: 'acting', said }),
      });
      if (bet.status !== 'PENDING') done(quote);
      else if (here.current) setStep({ at: 'waiting', quote, bet, said: null });
    } catch (error) {
      if (readSession() === null) return;
      if (error instanceof ApiError && error.code === 'STEP_UP_REQUIRED' && here.current)
        setStep({ at: 'password', quote, key, said: null });
      else void ask(errorText(error));
    }
  };
  return {
    step,
    press: () => {
      if (step.at === 'rest') void ask();
      else if (step.at === 'ask' && step.moved) setStep({ ...step, moved: false });
      else if (step.at === 'ask') void act(step.quote, newKey());
    },
    /** The password was given, for the same act under the same key; or it was not. */
    proven: () => step.at === 'password' && void act(step.quote, step.key),
    leave: () => setStep(REST),
    /** The delay is over. */
    decided: (bet: PlacedBet) => {
      if (step.at !== 'waiting') return;
      refreshBets();
      if (bet.matched === bet.amount) done(step.quote);
      else
        void ask(sentences(notTaken(bet), step.quote.cancels.length > 0 ? t`Your waiting bets stay cancelled` : null));
    },
  };
}

const readQuote = (id: number): Promise<Quote> =>
  api(CALLS.bets.cashOutQuote, { query: { betId: String(id) } }, { quiet: true });

/** The question after a new quote: `before` it another one may have stood there. */
function follow(before: (Step & { at: 'ask' }) | null, quote: Quote, words = before?.said ?? null): Step {
  const { value } = quote;
  if (value === null) return { at: 'rest', said: sentences(words, say(WHY_NOT[quote.reason ?? 'NO_POSITION'])) };
  const asOf = ({ legs, cancels }: Quote) => JSON.stringify([legs, cancels]);
  const moved = before !== null && (before.moved || asOf(before.quote) !== asOf(quote));
  return { at: 'ask', quote: { ...quote, value }, moved, said: words };
}

function notTaken(bet: PlacedBet): string {
  const why = endOf(bet)?.why;
  return why ? t`Nothing was cashed out: ${why}` : t`Nothing was cashed out`;
}

export function sentences(...parts: Array<string | null>): string | null {
  const said = parts.filter(Boolean).map((part) => (part!.endsWith('.') ? part : `${part}.`));
  return said.length > 0 ? said.join(' ') : null;
}

/** Whether the button is still on the screen when an answer comes. */
export function useHere() {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}

/** An open question follows the market, and ends by itself. */
function useQuestion(id: number, step: Step, setStep: Dispatch<SetStateAction<Step>>, picture: string): void {
  const { at, said } = step;
  const latest = useRef(picture);
  useEffect(() => {
    latest.current = picture;
  });
  useEffect(() => {
    if (at !== 'ask') return;
    let basis = latest.current;
    const timer = setInterval(() => {
      if (latest.current === basis) return;
      basis = latest.current;
      readQuote(id).then(
        (quote) => setStep((now) => (now.at === 'ask' ? follow(now, quote) : now)),
        // The figure stays as it was asked; the server decides by its own prices.
        () => undefined,
      );
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [id, at, setStep]);

  const moved = at === 'ask' && step.moved;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press at a moved figure gives the question its time again
  useEffect(() => {
    if (at !== 'ask' && !(at === 'rest' && said)) return;
    const timer = setTimeout(() => setStep(REST), said ? READ_MS : OPEN_MS);
    return () => clearTimeout(timer);
  }, [at, said, moved, setStep]);
}
