/** What the panel of a game keeps beside its rounds: stake, balance, what was paid, and what the panel says. */
import { useMemo, useRef, useState } from 'react';
import type { AnyGame, AnyShared } from '../game.ts';
import type { Panel } from './board.ts';
import type { Note, Play } from './play.ts';
import { presetsOf, within } from './stake.ts';

export interface Paid {
  readonly stakeMinor: number;
  readonly paidMinor: number;
}

const RECENT = 8;

export type Till = ReturnType<typeof useTill>;
/** What changes the till; the same object in every drawing. */
export type Keep = Till['keep'];

export function useTill({ session }: Play, rules: Pick<AnyGame | AnyShared, 'minStakeMinor' | 'maxStakeMinor'>) {
  const [balanceMinor, setBalance] = useState(session.balanceMinor);
  const [last, setLast] = useState<Paid | null>(null);
  const [recent, setRecent] = useState<readonly Paid[]>([]);
  const [note, setNote] = useState<Note | null>(null);
  const [panel, setPanel] = useState<Panel>({ actions: [] });
  const says = useRef<string | undefined>(undefined);
  says.current = panel.says;

  const limits = { minMinor: rules.minStakeMinor, maxMinor: Math.min(rules.maxStakeMinor, session.maxStakeMinor) };
  const [wish, setWish] = useState(() => presetsOf(limits)[1] ?? limits.minMinor);

  const keep = useMemo(
    () => ({
      balance: setBalance,
      last: setLast,
      note: setNote,
      paid(one: Paid) {
        setLast(one);
        setRecent((held) => [one, ...held].slice(0, RECENT));
      },
      /** The board's sentence about what was drawn. */
      says: () => says.current,
    }),
    [],
  );
  return { balanceMinor, last, recent, note, panel, setPanel, limits, stakeMinor: within(wish, limits), setWish, keep };
}
