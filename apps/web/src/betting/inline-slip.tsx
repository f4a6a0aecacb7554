import { useSlip } from '../slip/hooks.ts';
import { PHONE, useMedia } from '../ui/media.ts';
import { SlipBox } from '../ui/slip-parts.tsx';
import { SlipForm } from './slip-form.tsx';

/** On a phone the slip opens under the tapped row, so that the row with its what-if stays in view. */
export function InlineSlip({ marketId, runnerId }: { marketId: number; runnerId: number }) {
  const phone = useMedia(PHONE);
  const draft = useSlip();
  if (!phone || !draft || draft.marketId !== marketId || draft.runnerId !== runnerId) return null;
  return (
    <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
      <SlipForm compact />
    </SlipBox>
  );
}
