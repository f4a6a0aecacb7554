import { cloneElement, type ReactElement, type ReactNode, useId, useRef } from 'react';
import { type Align, useAnchored } from './anchored.ts';
import { cx } from './cx.ts';
import css from './popover.module.css';

/** What a trigger must take: a native button or a component of ours that passes its props to one. */
export type TriggerElement = ReactElement<Record<string, unknown>>;

/** A box beside its trigger. It does not trap focus; Esc and a press outside close it. Its content lives while it is open. */
export function Popover({
  trigger,
  label,
  title,
  end,
  open: wanted,
  onOpenChange,
  className,
  align = 'end',
  children,
}: {
  trigger: TriggerElement;
  label: string;
  title?: ReactNode;
  end?: ReactNode;
  /** Steered from outside, together with `onOpenChange`. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  align?: Align;
  children: ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { open } = useAnchored(button, box, align, { open: wanted, onOpenChange });
  return (
    <>
      {cloneElement(trigger, { ref: button, popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': 'dialog' })}
      <div ref={box} id={id} popover="auto" role="dialog" aria-label={label} className={cx(css.box, className)}>
        {open && title && (
          <div className={css.head}>
            <b>{title}</b>
            {end}
          </div>
        )}
        {open && children}
      </div>
    </>
  );
}
