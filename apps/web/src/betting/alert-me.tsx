import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { later } from '../platform/later.tsx';
import { named } from '../platform/named.ts';
import { IconButton } from '../ui/button.tsx';
import { IconBell } from '../ui/icons.ts';

const AlertForm = later(async () => (await import('./alert-form.tsx')).AlertForm);

/** The button that sets an alert on a market, or on one runner of it. */
export function AlertMe({ market, runnerId }: { market: MarketImage; runnerId?: number }) {
  const [open, setOpen] = useState(false);
  const name = named(market.runners.find(({ id }) => id === runnerId)?.name ?? market.name);
  if (market.status === 'CLOSED') return null;
  return (
    <>
      <IconButton icon={IconBell} size={17} label={t`Alert me: ${name}`} onClick={() => setOpen(true)} />
      {open && <AlertForm market={market} runnerId={runnerId} onClose={() => setOpen(false)} />}
    </>
  );
}
