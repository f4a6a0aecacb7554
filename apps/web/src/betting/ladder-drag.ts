import { type PointerEvent as Press, type RefObject, useEffect, useRef, useState } from 'react';
import { PRICES, withinLadder } from './ladder-book.ts';
import css from '../ui/ladder.module.css';

/**
 * Own orders under a finger or a pointer: taken at their chip, put down at another row, or beside the ladder to cancel them. Nothing
 * is sent before they are put down, so that whatever breaks a drag off leaves them where they were.
 */

export interface Drag {
  ids: readonly number[];
  /** The price under the pointer; null: beside the ladder, where they are cancelled. */
  over: number | null;
  x: number;
  y: number;
  text: string;
}

interface Deeds {
  drop: (ids: readonly number[], price: number) => void;
  cancel: (ids: readonly number[]) => void;
}

/** A press becomes a drag after so many pixels. */
const FAR_PX = 6;
/** Above and below the rows so much still belongs to them. */
const EDGE_PX = 40;
/** This near to an end of the rows they scroll. */
const NEAR_PX = 22;

export function useDrag(box: RefObject<HTMLDivElement | null>, deeds: Deeds) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const latest = useRef(deeds);
  const end = useRef<(() => void) | null>(null);
  useEffect(() => {
    latest.current = deeds;
  });
  useEffect(() => () => end.current?.(), []);

  const onPointerDown = (event: Press) => {
    const chip = (event.target as Element).closest<HTMLElement>('[data-orders]');
    if (!chip || event.button !== 0 || chip.ariaBusy === 'true' || !box.current) return;
    end.current?.();
    end.current = follow(box.current, chip, event.nativeEvent, setDrag, latest);
  };
  return { drag, onPointerDown, leave: () => end.current?.() };
}

/** Follows one pointer from its press on a chip to its end; what it answers breaks it off. */
function follow(
  box: HTMLElement,
  chip: HTMLElement,
  first: PointerEvent,
  show: (drag: Drag | null) => void,
  deeds: RefObject<Deeds>,
): () => void {
  const ids = chip.dataset.orders!.split(',').map(Number);
  const text = chip.textContent ?? '';
  let drag: Drag | null = null;
  const move = (event: PointerEvent) => {
    if (event.pointerId !== first.pointerId) return;
    const far = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY);
    if (!drag && far < FAR_PX) return;
    event.preventDefault();
    scrollNear(box, event.clientY);
    drag = { ids, text, x: event.clientX, y: event.clientY, over: priceUnder(box, event) };
    show(drag);
  };
  const stop = () => {
    for (const [name, listener] of listeners) window.removeEventListener(name, listener, true);
    if (drag) show(null);
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== first.pointerId) return;
    const last = drag;
    stop();
    if (!last) return;
    swallowClick();
    if (last.over === null) deeds.current.cancel(ids);
    else deeds.current.drop(ids, last.over);
  };
  const key = (event: KeyboardEvent) => {
    if (!drag || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    stop();
    swallowClick();
  };
  // Parts of the page blur, too: a press takes the focus out of a field.
  const left = (event: Event) => {
    if (event.target === window) stop();
  };
  const listeners = [
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', stop],
    ['blur', left],
    ['keydown', key],
  ] as Array<[string, EventListener]>;
  for (const [name, listener] of listeners) window.addEventListener(name, listener, { capture: true, passive: false });
  return stop;
}

/** The chip's own press would cancel the order that was just put down. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  // A pointer that was let go over something else makes no click.
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
}

function priceUnder(box: HTMLElement, { clientX, clientY }: PointerEvent): number | null {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  if (clientX < left || clientX > right || clientY < top - EDGE_PX || clientY > bottom + EDGE_PX) return null;
  const y = Math.max(top, Math.min(bottom - 1, clientY));
  const row = box.querySelector<HTMLElement>(`.${css.rung}`)?.offsetHeight || 25;
  return PRICES[withinLadder(Math.floor((y - top + box.scrollTop) / row))]!;
}

function scrollNear(box: HTMLElement, y: number): void {
  const { top, bottom } = box.getBoundingClientRect();
  if (y < top + NEAR_PX) box.scrollTop -= 12;
  else if (y > bottom - NEAR_PX) box.scrollTop += 12;
}
