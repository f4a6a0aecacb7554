import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useAnchored } from '../ui/anchored.ts';
import css from '../ui/popover.module.css';

/** What a right press, or a long one, asks of a cell or a chip of a ladder. */

export interface Asked {
  element: HTMLElement;
  price: number;
  side: 'BACK' | 'LAY';
  /** A chip's orders; none: the cell of a side. */
  ids: readonly number[];
  /** What presses it still. */
  pointerId?: number | undefined;
}

const LONG_MS = 500;
/** A finger that goes farther than this scrolls or drags. */
const STILL_PX = 8;

/** What was pressed, by what the rows say of themselves. */
export function askedAt(target: Element): Asked | null {
  const element = target.closest<HTMLElement>('[data-side], [data-orders]');
  const row = element?.closest<HTMLElement>('[data-price]');
  if (!element || !row) return null;
  const cells = [...row.querySelectorAll('[data-side]')];
  const ids = element.dataset.orders?.split(',').map(Number) ?? [];
  // Chips stand outside the cell of their side.
  const before = cells[0] && element.compareDocumentPosition(cells[0]) & Node.DOCUMENT_POSITION_FOLLOWING;
  const side = (element.dataset.side as Asked['side'] | undefined) ?? (before ? 'BACK' : 'LAY');
  return { element, price: Number(row.dataset.price), side, ids };
}

/** Handlers for what holds the rows; `asked` until the menu is closed. `onAsk`: what was pressed is no drag any more. */
export function usePressMenu(onAsk: () => void) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const down = useRef<number>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ask = (at: Asked) => {
    onAsk();
    setAsked({ ...at, pointerId: down.current });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    asked,
    ask,
    close: () => setAsked(null),
    handlers: {
      onContextMenu: (event: MouseEvent) => {
        const at = askedAt(event.target as Element);
        if (!at) return;
        event.preventDefault();
        ask(at);
      },
      onPointerDown: ({ pointerId, pointerType, target, clientX, clientY }: PointerEvent) => {
        down.current = pointerId;
        const stop = () => clearTimeout(timer.current);
        stop();
        const move = (event: globalThis.PointerEvent) => {
          if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > STILL_PX) stop();
        };
        const over = new AbortController();
        const { signal } = over;
        const end = () => {
          stop();
          over.abort();
          down.current = undefined;
        };
        for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, end, { signal });
        // Browsers of some phones make no right press of a long one.
        const at = pointerType === 'touch' ? askedAt(target as Element) : null;
        if (!at) return;
        window.addEventListener('pointermove', move, { signal });
        timer.current = setTimeout(() => {
          noPressAfter(at.element);
          ask(at);
        }, LONG_MS);
      },
    },
  };
}

/** Some make a press of a long one when the finger goes: what it is on must not be bet at before a choice. */
function noPressAfter(element: HTMLElement): void {
  const over = new AbortController();
  const options = { capture: true, signal: over.signal };
  window.addEventListener('pointerdown', () => over.abort(), options);
  window.addEventListener(
    'click',
    (event) => {
      if (element.contains(event.target as Node)) event.stopPropagation();
    },
    options,
  );
}

export interface Choice {
  label: string;
  onPress: () => void;
}

/** The choices, beside what was pressed. */
export function PressMenu({
  asked,
  title,
  choices,
  onClose,
}: {
  asked: Asked;
  title: string;
  choices: readonly Choice[];
  onClose: () => void;
}) {
  const trigger: RefObject<HTMLElement | null> = useRef(asked.element);
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    trigger.current = asked.element;
    setOpen(true);
  }, [asked]);
  useAnchored(trigger, box, 'center', {
    open,
    onOpenChange: (next) => {
      setOpen(next);
      if (!next) onClose();
    },
  });
  const { pointerId } = asked;
  useEffect(() => {
    if (!open) return;
    box.current?.querySelector('button')?.focus();
    if (pointerId === undefined) return;
    try {
      // To the browser the end of the press would be one beside the menu, and close it.
      box.current?.setPointerCapture(pointerId);
    } catch {
      // It has ended already.
    }
  }, [open, pointerId]);
  return (
    <div ref={box} popover="auto" role="dialog" aria-label={title} className={css.box}>
      <div className={css.head}>
        <b>{title}</b>
      </div>
      {choices.map(({ label, onPress }) => (
        <button
          key={label}
          type="button"
          className={css.choice}
          onClick={() => {
            box.current?.togglePopover(false);
            onPress();
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
