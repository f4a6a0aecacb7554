import { cloneElement, Fragment, type ReactNode, useId, useRef } from 'react';
import { useAnchored } from './anchored.ts';
import { cx } from './cx.ts';
import type { TriggerElement } from './popover.tsx';
import css from './popover.module.css';

/** A menu under its trigger, a `MenuList`, which may come late. Esc closes. */
export function Menu({ trigger, children }: { trigger: TriggerElement; children: (close: () => void) => ReactNode }) {
  const id = useId();
  const button = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { open, opened, close } = useAnchored(button, box, 'end');
  return (
    <>
      {cloneElement(trigger, { ref: button, popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': 'menu' })}
      <div ref={box} id={id} popover="auto" className={cx(css.box, css.menu)}>
        {open && <Fragment key={opened}>{children(close)}</Fragment>}
      </div>
    </>
  );
}
