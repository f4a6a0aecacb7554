/** The chips on the roulette table, and the steps that laid them. */
import { useEffect, useState } from 'react';

export interface Laid {
  readonly spot: string;
  readonly stakeMinor: number;
}

/** So many steps can be taken back. */
const STEPS = 40;

export interface Chips {
  readonly chips: readonly Laid[];
  readonly undo: (() => void) | null;
  /** Puts these in the place of what lies there: a step that can be taken back. */
  readonly change: (to: readonly Laid[]) => void;
  readonly lay: (spot: string, stakeMinor: number) => void;
}

/** A round that is told anew takes the chips: what is laid then is for the next one. */
export function useChips(fresh: boolean, roundId: string | null): Chips {
  const [chips, setChips] = useState<readonly Laid[]>([]);
  const [before, setBefore] = useState<readonly (readonly Laid[])[]>([]);
  useEffect(() => {
    if (!fresh || roundId === null) return;
    setChips([]);
    setBefore([]);
  }, [fresh, roundId]);

  const change = (to: readonly Laid[]) => {
    setBefore((held) => [...held, chips].slice(-STEPS));
    setChips(to);
  };
  return {
    chips,
    change,
    lay(spot, stakeMinor) {
      const there = chips.find((chip) => chip.spot === spot);
      change(
        there
          ? chips.map((chip) => (chip === there ? { spot, stakeMinor: chip.stakeMinor + stakeMinor } : chip))
          : [...chips, { spot, stakeMinor }],
      );
    },
    undo:
      before.length === 0
        ? null
        : () => {
            setChips(before[before.length - 1] ?? []);
            setBefore(before.slice(0, -1));
          },
  };
}
