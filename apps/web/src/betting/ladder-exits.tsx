import { t } from '@lingui/core/macro';
import { Button, IconButton } from '../ui/button.tsx';
import { IconX } from '../ui/icons.ts';
import { Popover } from '../ui/popover.tsx';
import { releaseHeld } from './held-orders.ts';
import { heldWords, whenHeld } from './held-words.ts';
import { HeldOrder } from './ladder-orders.tsx';
import { ExitForm, type ExitKind } from './ladder-stops.tsx';
import type { Desk } from './use-desk.ts';
import css from './desk.module.css';

/** What is asked for: a kind, the price the player was at, and whether a key asked for it. */
export interface AskedExit {
  kind: ExitKind;
  price: number | null;
  isKeyed: boolean;
}

/** What the server holds for the runner, and a new one. */
export function Exits({
  desk,
  marketId,
  runnerId,
  open,
  onOpen,
}: {
  desk: Desk;
  marketId: number;
  runnerId: number;
  open: AskedExit | null;
  onOpen: (open: AskedExit | null) => void;
}) {
  const { all } = desk.held;
  return (
    <Popover
      label={t`Orders that the server holds`}
      title={t`Held by the server`}
      open={open !== null}
      onOpenChange={(next) => onOpen(next ? (open ?? { kind: 'STOP', price: null, isKeyed: false }) : null)}
      trigger={
        <Button size="sm">
          {t`Stops`} {all.length > 0 && all.length}
        </Button>
      }
    >
      <div className={css.exits}>
        {all.length > 0 && (
          <ul>
            {all.map((order) => (
              <li key={order.id}>
                <HeldOrder of={order} />
                <IconButton
                  icon={IconX}
                  small
                  label={t`Take back: ${{ order: `${heldWords(order.kind)} ${whenHeld(order)}` }}`}
                  onClick={() => void releaseHeld({ id: order.id })}
                />
              </li>
            ))}
          </ul>
        )}
        <ExitForm
          key={`${open?.kind}.${open?.price}`}
          marketId={marketId}
          runnerId={runnerId}
          standing={desk.standing?.win === desk.standing?.lose ? null : desk.standing}
          kind={open?.kind ?? 'STOP'}
          price={open?.price ?? null}
          isKeyed={open?.isKeyed ?? false}
          held={all.filter(({ kind }) => kind === 'STOP' || kind === 'PROFIT' || kind === 'TRAIL')}
          onDone={() => onOpen(null)}
        />
        <a className="link" href="/order-history" target="_blank" rel="noopener">
          {t`Order history`}
        </a>
      </div>
    </Popover>
  );
}
