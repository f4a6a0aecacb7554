import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useRef, useState } from 'react';
import { onLineLost } from '../live/live.ts';
import { device } from '../platform/storage.ts';
import type { After } from '../slip/slip.ts';
import { announce } from '../ui/live-region.tsx';
import type { Keep } from './ladder-placing.ts';

/** What a ladder bets with, and whether a press on it places at once. */

/** Not used for so long it is off again. */
export const ARMED_MS = 120_000;

/**
 * Off at first, by itself after a while, once its market is over, where the ladder leaves the screen, and when the line is lost: who sees
 * neither prices nor what became of his bets looks again before a press places. Each bet gives it its whole time again.
 */
export function useArmed(isOver: boolean) {
  const [until, setUntil] = useState<number | null>(null);
  const [lostBy, setLostBy] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const deeds = useMemo(() => {
    const arm = (on: boolean) => {
      clearTimeout(timer.current);
      setLostBy(false);
      setUntil(on ? Date.now() + ARMED_MS : null);
      if (on) timer.current = setTimeout(() => setUntil(null), ARMED_MS);
    };
    return { arm, used: () => arm(true) };
  }, []);
  const armed = until !== null;
  useEffect(() => {
    if (isOver && armed) deeds.arm(false);
  }, [isOver, armed, deeds]);
  useEffect(() => {
    if (!armed) return;
    return onLineLost(() => {
      deeds.arm(false);
      setLostBy(true);
      announce(t`Not armed: the connection was lost`, 'assertive');
    });
  }, [armed, deeds]);
  return { until, lostBy, ...deeds };
}

export interface LadderSettings extends After {
  /** Minor units; 0 until the player has chosen one. */
  stake: number;
  /** The most that a press places, minor units; 0: the market's own limit. */
  cap: number;
  keep: Exclude<Keep, 'KILL'>;
}

const STORE = 'fg.ladder';
const amount = (value: unknown, most: number): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most ? value : 0;

function load(): LadderSettings {
  const kept = Object(device.value(STORE)) as Record<keyof LadderSettings, unknown>;
  return {
    stake: amount(kept.stake, 1e12),
    cap: amount(kept.cap, 1e12),
    offset: amount(kept.offset, 100),
    seconds: amount(kept.seconds, 3600),
    keep: kept.keep === 'PERSIST' ? 'PERSIST' : 'LAPSE',
  };
}

/** Each ladder has its own; the last ones chosen are where the next ladder begins. */
export function useLadderSettings() {
  const [settings, setSettings] = useState(load);
  const change = (next: Partial<LadderSettings>) => {
    const all = { ...settings, ...next };
    setSettings(all);
    device.keep(STORE, all);
  };
  return [settings, change] as const;
}
