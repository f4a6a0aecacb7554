import { useEffect, useRef } from 'react';
import { useSlipOf } from '../slip/slip.ts';
import { cx } from '../ui/cx.ts';
import { SlipBox } from '../ui/slip-parts.tsx';
import { SlipForm } from './slip-form.tsx';
import css from '../ui/depth-view.module.css';
import dockCss from './slip-dock.module.css';

/** The slip below a ladder: the ladder gives it the room, its rows stay where they are. `corner`: over the page's lower corner. */
export function SlipDock({ marketId, corner = false }: { marketId: number; corner?: boolean }) {
  const draft = useSlipOf(marketId);
  const box = useRef<HTMLDivElement>(null);
  // The row that was pressed stays in sight when the ladder grows shorter.
  const pressed = draft?.pressed;
  useEffect(() => {
    if (pressed !== undefined)
      box.current?.parentElement?.querySelector('.is-sel')?.scrollIntoView?.({ block: 'nearest' });
  }, [pressed]);
  if (!draft) return null;
  return (
    <div className={cx(css.dock, corner && dockCss.corner)} data-slip ref={box}>
      <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
        <SlipForm compact />
      </SlipBox>
    </div>
  );
}
