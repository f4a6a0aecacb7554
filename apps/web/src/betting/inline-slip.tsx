import { createContext, useCallback, useContext, useRef } from 'react';
import { useKeepsSeveral, useSlipOf } from '../slip/slip.ts';
import { PHONE, useMedia } from '../ui/media.ts';
import { SlipBox } from '../ui/slip-parts.tsx';
import { SlipForm } from './slip-form.tsx';

/** False around markets of a screen where the shell opens the slip as a sheet, so that there are never two. */
export const InlineSlips = createContext(true);

/** On a phone the slip opens under the tapped row, so that the row with its what-if stays in view. */
export function InlineSlip({ marketId, runnerId }: { marketId: number; runnerId: number }) {
  const phone = useMedia(PHONE);
  const draft = useSlipOf(marketId);
  const several = useKeepsSeveral();
  const wanted = useContext(InlineSlips);
  // Several stand in the shell's sheet: they are of many rows.
  const shown = wanted && phone && draft?.runnerId === runnerId && !several;
  const box = useRef<HTMLDivElement>(null);
  // Under the last row in sight it would open below the tab bar: its action is brought above it, once for each press.
  const bring = useCallback(() => {
    box.current?.scrollIntoView?.({ block: 'nearest' });
  }, []);
  if (!shown) return null;
  return (
    <div ref={box}>
      <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
        <SlipForm compact onDrawn={bring} />
      </SlipBox>
    </div>
  );
}
