import { useEffect, useState } from 'react';
import type { SlotStep } from '../rules/slots.ts';
import type { SlotLook, SlotProps } from './slots.tsx';

/** How long a slot shows its steps: all reels turn at one pace and stop at even distances. */

type Phase = 'moves' | 'shows' | 'goes';

const SYMBOL_MS = 46;
const LEAD = 9;
const APART = 4;
const SETTLE_MS = 140;
const FALL_MS = 520;
const GO_MS = 220;
const PAUSE_MS = { wins: 950, none: 260 };
/** A round of many steps goes quicker throughout, so that it is shown in this time: the kit waits 15 seconds for it. */
const MOST_MS = 13_000;

export const turned = (reel: number) => LEAD + APART * reel;
export const rollMs = (reel: number) => (turned(reel) + 3) * SYMBOL_MS;

function movingMs(look: SlotLook): number {
  return look.strips.length > 0 ? rollMs(look.strips.length - 1) + SETTLE_MS : FALL_MS + look.shape.columns * 40;
}

function stepMs(look: SlotLook, step: SlotStep, next: SlotStep | undefined): number {
  const pause = step.wins.length > 0 ? PAUSE_MS.wins : PAUSE_MS.none;
  return movingMs(look) + pause + (next?.kind === 'fall' ? GO_MS : 0);
}

/** 1, or less for rounds of many steps. */
function paceOf(look: SlotLook, steps: readonly SlotStep[]): number {
  const all = steps.reduce((sum, step, at) => sum + stepMs(look, step, steps[at + 1]), 0);
  return Math.min(1, MOST_MS / Math.max(1, all));
}

/** Walks through the steps of a fresh round; at rest it stands on the last one, or the one the player looks at. */
export function useSteps(look: SlotLook, { round, motion, onShown, sound }: SlotProps) {
  const [now, setNow] = useState<{ roundId: string; at: number; phase: Phase } | null>(null);
  const [looked, setLooked] = useState<{ roundId: string; at: number } | null>(null);
  const steps = round?.view.steps ?? [];
  const count = steps.length;
  const winsAt = steps.map((step) => (step.wins.length > 0 ? '1' : '0')).join('');
  const fallsAt = steps.map((step) => (step.kind === 'fall' ? '1' : '0')).join('');
  const roundId = round?.roundId ?? '';
  const fresh = round?.fresh === true;
  const pace = paceOf(look, steps);

  useEffect(() => {
    if (!fresh) return;
    if (!motion) {
      onShown();
      return;
    }
    const timers: ReturnType<typeof setTimeout>[] = [];
    let ms = 0;
    const then = (work: () => void) => timers.push(setTimeout(work, ms * pace));
    for (let at = 0; at < count; at++) {
      then(() => {
        setNow({ roundId, at, phase: 'moves' });
        sound('move');
      });
      ms += movingMs(look);
      then(() => setNow({ roundId, at, phase: 'shows' }));
      ms += winsAt[at] === '1' ? PAUSE_MS.wins : PAUSE_MS.none;
      if (fallsAt[at + 1] !== '1') continue;
      then(() => setNow({ roundId, at, phase: 'goes' }));
      ms += GO_MS;
    }
    then(() => {
      setNow(null);
      onShown();
    });
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [look, fresh, motion, roundId, count, winsAt, fallsAt, pace, onShown, sound]);

  const playing = fresh && motion;
  if (playing) {
    const at = now?.roundId === roundId ? now.at : 0;
    return { playing, at, pace, phase: now?.roundId === roundId ? now.phase : ('moves' as Phase), look: setLooked };
  }
  const at = looked?.roundId === roundId ? looked.at : count - 1;
  return { playing, at, pace, phase: 'shows' as Phase, look: setLooked };
}
