import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react';
import { COLUMNS, type Shown } from './arrangement.ts';

export interface Deeds {
  move: (id: number, place: number) => void;
  size: (id: number, width: number, height: number) => void;
  remove: (id: number) => void;
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const isRtl = (): boolean => document.documentElement.dir === 'rtl';

/** Keys of a part's grip: arrows move it, with Shift they make it wider, narrower, higher or lower, Delete takes it away, Escape leaves it where it was. */
export function gripKeys(pane: Shown, place: number, { move, size, remove }: Deeds, leave: () => void) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    if (event.key === 'Delete') remove(pane.id);
    else if (event.key === 'Escape') leave();
    else if (!way) return;
    else {
      const across = isRtl() ? -way[0] : way[0];
      if (event.shiftKey) size(pane.id, pane.width + across, pane.height + way[1]);
      else move(pane.id, Math.max(0, place + across + way[1]));
    }
    event.preventDefault();
  };
}

/** Under a pointer: the part that is dragged, and the one whose place it would take. Nothing moves before it is put down. */
interface Carried {
  id: number;
  over: number;
}

/** `leave` breaks the drag off. */
export function useCarry(order: readonly number[], move: Deeds['move']) {
  const [carried, setCarried] = useState<Carried | null>(null);
  const handlers = (id: number) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setCarried({ id, over: id });
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (carried?.id !== id) return;
      const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-pane]');
      const over = under ? Number(under.dataset.pane) : id;
      if (over !== carried.over) setCarried({ id, over });
    },
    onPointerUp: () => {
      if (carried?.id === id && carried.over !== id) move(id, order.indexOf(carried.over));
      setCarried(null);
    },
    onPointerCancel: () => setCarried(null),
  });
  return { carried, handlers, leave: () => setCarried(null) };
}

/** The corner of a part under a pointer: it is as large as it is drawn to, in whole cells. */
export function useCorner(grid: RefObject<HTMLElement | null>, pane: Shown, size: Deeds['size']) {
  const [drawn, setDrawn] = useState(false);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrawn(true);
    },
    onPointerMove: (event: PointerEvent) => {
      const box = event.currentTarget.closest('[data-pane]')?.getBoundingClientRect();
      if (!drawn || !box || !grid.current) return;
      const { width: cell, height: row } = cellOf(grid.current);
      const across = isRtl() ? box.right - event.clientX : event.clientX - box.left;
      const [width, height] = [Math.round(across / cell), Math.round((event.clientY - box.top) / row)];
      if (width !== pane.width || height !== pane.height) size(pane.id, width, height);
    },
    onPointerUp: () => setDrawn(false),
    onPointerCancel: () => setDrawn(false),
  };
}

/** Of the grid as it is laid out, with the gap behind it. */
function cellOf(grid: HTMLElement): { width: number; height: number } {
  const { columnGap, rowGap, gridAutoRows } = getComputedStyle(grid);
  return {
    width: (grid.clientWidth + Number.parseFloat(columnGap)) / COLUMNS,
    height: Number.parseFloat(gridAutoRows) + Number.parseFloat(rowGap),
  };
}
