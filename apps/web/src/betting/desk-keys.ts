import { plural, t } from '@lingui/core/macro';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { formatOdds } from '../platform/format.ts';
import { meaningOf } from '../platform/hotkeys.ts';
import { announce } from '../ui/live-region.tsx';
import type { Legend } from './ladder-keys.tsx';
import { type Asked, askedAt } from './ladder-menu.tsx';
import type { ExitKind } from './ladder-stops.tsx';
import { sideOf } from './positions.ts';
import type { Desk } from './use-desk.ts';

/** What every tool of a trader's ladder is by keyboard. */
export const deskLegend = (): Legend => [
  [t`To the next ladder, to the one before`, ['Shift+J', 'Shift+K']],
  [t`Mark a row, move one tick`, ['↑', '↓']],
  [t`Back or lay at the marked row`, ['B', 'L']],
  [t`The same with a choice: keep, lapse, fill or kill`, ['Shift+B', 'Shift+L']],
  [t`Stake`, ['1', '…', '9']],
  [t`Arm the ladder, or end that`, ['A']],
  [t`Take up own orders of the row; put them down`, ['M', 'Enter']],
  [t`Cancel own orders of the row`, ['Delete']],
  [t`Cancel backs, lays, all of the market`, ['[', ']', 'Esc']],
  [t`Stop-loss, take profit, trailing stop`, ['S', 'P', 'T']],
  [t`Close the runner; the whole market`, ['H', 'G']],
  [t`Centre`, ['C']],
];

const EXITS: Readonly<Record<string, ExitKind>> = { s: 'STOP', p: 'PROFIT', t: 'TRAIL' };

interface Deeds {
  desk: Desk;
  box: RefObject<HTMLDivElement | null>;
  openExit: (kind: ExitKind, price: number | null) => void;
  openMenu: (asked: Asked) => void;
  hedge: () => void;
  hedgeAll: () => void;
}

/** Keys of the ladder that has the focus; `carried`: orders taken up by a key, until they are put down. */
export function useDeskKeys(deeds: Deeds) {
  const [carried, setCarried] = useState<readonly number[] | null>(null);
  const { desk } = deeds;
  const say = (ids: readonly number[] | null, words: string) => {
    setCarried(ids);
    announce(words);
  };
  const atRow = (price: number | null) => desk.waiting.filter(({ odds }) => odds === price).map(({ id }) => id);
  const carry = (key: string, price: number | null): boolean => {
    if (carried && (key === 'enter' || key === 'm') && price !== null) {
      desk.drop(carried, price);
      say(null, t`Put down at ${{ odds: formatOdds(price) }}`);
      return true;
    }
    if (carried && key === 'escape') {
      say(null, t`Left where they were`);
      return true;
    }
    const ids = atRow(price);
    if (ids.length === 0) return key === 'm';
    if (key === 'm') say(ids, plural({ count: ids.length }, { one: '# order taken up', other: '# orders taken up' }));
    else if (key === 'delete') desk.cancelEach(ids);
    else return false;
    return true;
  };
  const onKey = (event: KeyboardEvent, price: number | null): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = meaningOf(event.key);
    if (key === 'm' || key === 'enter' || key === 'delete' || (key === 'escape' && carried)) return carry(key, price);
    if (event.repeat) return false;
    return plainKey(key, event, price, deeds);
  };
  return { carried, onKey };
}

function plainKey(key: string, event: KeyboardEvent, price: number | null, deeds: Deeds): boolean {
  const { desk, box, openExit, openMenu, hedge, hedgeAll } = deeds;
  if (/^[1-9]$/.test(key)) {
    const preset = desk.presets[Number(key) - 1];
    if (preset) desk.change({ stake: preset.stakeMinor });
    if (preset) announce(t`Stake ${{ stake: preset.label }}`);
  } else if (key === 'a') {
    desk.armed.arm(desk.armed.until === null);
    announce(desk.armed.until === null ? t`Armed` : t`Not armed`);
  } else if (key === '[' || key === ']') desk.cancelSide(key === '[' ? 'BACK' : 'LAY');
  else if (EXITS[key]) openExit(EXITS[key], price);
  else if (key === 'h') hedge();
  else if (key === 'g') hedgeAll();
  else if ((key === 'b' || key === 'l') && event.shiftKey && price !== null) {
    const side = key === 'b' ? 'BACK' : 'LAY';
    const cell = box.current?.querySelector(`[data-price="${price}"] [data-side="${side}"]`);
    const at = cell && askedAt(cell);
    if (at) openMenu(at);
  } else return false;
  return true;
}

/** Counts of what waits, for the buttons that cancel it. */
export const countsOf = ({ waiting }: Desk) => ({
  back: waiting.filter((one) => sideOf(one) === 'BACK').length,
  lay: waiting.filter((one) => sideOf(one) === 'LAY').length,
});
