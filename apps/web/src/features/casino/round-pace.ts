import { useEffect, useState } from 'react';
import { Signal } from '../../platform/listeners.ts';
import { perPlayer } from '../../platform/per-player.ts';
import type { TableChips } from './chips.ts';

/** At least this long between two rounds a player starts (player protection PP-12); the server keeps it too. */
const PACE_MS = 5000;
let lastStart = Number.NEGATIVE_INFINITY;
/** Rounds this player has begun, the last few of all tables: a further bet in one of them begins none. */
let begun: readonly number[] = [];
const MOST_BEGUN = 8;
const roundBegun = new Signal();
perPlayer(() => {
  lastStart = Number.NEGATIVE_INFINITY;
  begun = [];
});

function begin(marketId: number): void {
  if (begun.includes(marketId)) return;
  begun = [...begun, marketId].slice(-MOST_BEGUN);
  lastStart = performance.now();
  roundBegun.tell();
}

const secondsLeft = (marketId: number): number =>
  begun.includes(marketId) ? 0 : Math.max(0, Math.ceil((lastStart + PACE_MS - performance.now()) / 1000));

/** Seconds until the player may bet in this round; 0: now. A round begun at one table counts at once for all of them. */
export function useRoundPace(marketId: number, { sent, marketId: of }: TableChips): number {
  const started = sent.some(({ fate, body }) => fate === 'placed' && body.betId === of);
  useEffect(() => {
    if (started) begin(of);
  }, [started, of]);
  const [wait, setWait] = useState(() => secondsLeft(marketId));
  useEffect(() => {
    const read = () => setWait(secondsLeft(marketId));
    read();
    const off = roundBegun.on(read);
    const timer = setInterval(read, 500);
    return () => {
      off();
      clearInterval(timer);
    };
  }, [marketId]);
  return wait;
}
