import { CALLS, eq, type PlacedBet } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { api, refreshBets } from '../api/api.ts';
import { knowBets } from '../live/live.ts';
import { serverNow } from '../platform/clock.ts';
import css from '../ui/slip.module.css';

/** The wait is over when an event says so. Where none has come by this long after it, the bet is asked for. */
const ASK_AFTER_MS = 1500;
const ASK_EVERY_MS = 3000;

/** The in-play delay of a bet as it runs down, and the question for its end where no event tells it. */
export function useDelay(bet: PlacedBet): { leftMs: number; totalMs: number; seconds: number } {
  const endsAt = Date.parse(bet.dueAt ?? bet.createdAt);
  const totalMs = Math.max(0, endsAt - Date.parse(bet.createdAt));
  const leftNow = () => Math.min(totalMs, Math.max(0, endsAt - serverNow()));
  const [left, setLeft] = useState(leftNow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time left follows from its end
  useEffect(() => {
    const tick = setInterval(() => setLeft(leftNow()), 200);
    return () => clearInterval(tick);
  }, [endsAt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the bet its id and end count
  useEffect(() => {
    let timer = setTimeout(ask, leftNow() + ASK_AFTER_MS);
    function ask() {
      timer = setTimeout(ask, ASK_EVERY_MS);
      void askFor(bet).catch(() => undefined);
    }
    return () => clearTimeout(timer);
  }, [bet.id, endsAt]);
  return { leftMs: left, totalMs, seconds: Math.ceil(left / 1000) };
}

export function BetDelay({ bet }: { bet: PlacedBet }) {
  const { leftMs, totalMs, seconds } = useDelay(bet);
  return (
    <div className={css.wait} role="timer">
      <b className="num">
        {seconds > 0 ? plural(seconds, { one: 'Waiting # second', other: 'Waiting # seconds' }) : t`Being taken`}
      </b>
      <span>{t`In-play bets wait before they are taken. Your stake is held.`}</span>
      <progress max={totalMs || 1} value={totalMs - leftMs} aria-hidden="true" />
    </div>
  );
}

/** The lists of open bets leave out what ended unmatched: here the newest bets of the market are read, whatever their state. */
async function askFor(bet: PlacedBet): Promise<void> {
  const { rows } = await api(CALLS.bets.list, { query: { betId: eq(bet.betId), limit: '20' } }, { quiet: true });
  knowBets(rows);
  if (rows.some((row) => row.id === bet.id && row.status !== 'PENDING')) refreshBets();
}
