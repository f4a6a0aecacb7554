import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { later } from '../platform/later.tsx';
import { IconButton } from '../ui/button.tsx';
import { IconEqual } from '../ui/icons.ts';

const Dutching = later(async () => (await import('./dutching.tsx')).Dutching);

/** The button that backs several runners for one profit; where there are two of them that is never to be had. */
export function DutchMe({ market }: { market: MarketImage }) {
  const [open, setOpen] = useState(false);
  if (market.kind !== 'book' || market.winners !== 1 || market.runners.length < 3 || market.status === 'CLOSED')
    return null;
  return (
    <>
      <IconButton icon={IconEqual} size={17} label={t`Dutching`} onClick={() => setOpen(true)} />
      {open && <Dutching market={market} onClose={() => setOpen(false)} />}
    </>
  );
}
