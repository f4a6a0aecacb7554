import { createContext, useContext } from 'react';
import { useSlipOf } from '../slip/hooks.ts';
import { PHONE, useMedia } from '../ui/media.ts';
import { SlipBox } from '../ui/slip-parts.tsx';
import { SlipForm } from './slip-form.tsx';

/** False around markets of a screen where the shell opens the slip as a sheet, so that there are never two. */
export const InlineSlips = createContext(true);

/** On a phone the slip opens under the tapped row, so that the row with its what-if stays in view. */
export function InlineSlip({ marketId, runnerId }: { marketId: number; runnerId: number }) {
  const phone = useMedia(PHONE);
  const draft = useSlipOf(marketId);
  const wanted = useContext(InlineSlips);
  if (!wanted || !phone || !draft || draft.runnerId !== runnerId) return null;
  return (
    <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
      <SlipForm compact />
    </SlipBox>
  );
}
