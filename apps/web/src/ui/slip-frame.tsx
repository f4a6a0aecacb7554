import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Note } from './note.tsx';
import { SlipFigures, SlipSum } from './slip-parts.tsx';
import { StakeInput } from './stepper.tsx';
import buttonCss from './button.module.css';
import css from './controls.module.css';
import slipCss from './slip.module.css';

/**
 * What every slip has, at the tables as on the exchange: its stake, what the bet brings and costs, its end, its choices, and
 * the words for an answer that was lost.
 */

/** The stake under its label with the limits; `lead`: the label stands in the box, where there is no room above. */
export function StakeField({
  label = t`Stake`,
  limits,
  lead = false,
  ...input
}: ComponentProps<typeof StakeInput> & { label?: string; limits: string }) {
  return (
    <>
      {!lead && (
        <div className={css.label}>
          {label} <span>{limits}</span>
        </div>
      )}
      <StakeInput lead={lead} {...input} />
    </>
  );
}

/** What the bet brings (left out where that is no single figure) and can cost, both not negative; null: nothing staked yet. */
export function SlipOutcome({
  profitLabel = t`Profit`,
  profitMinor,
  liabilityMinor,
  besideLimits,
}: {
  profitLabel?: string;
  profitMinor?: number | null;
  liabilityMinor: number | null;
  /** Given: all of it side by side, where there is little height. */
  besideLimits?: string | undefined;
}) {
  const costs = liabilityMinor === null ? null : -liabilityMinor;
  if (besideLimits !== undefined) {
    return <SlipFigures profitMinor={profitMinor ?? null} liabilityMinor={costs} limits={besideLimits} />;
  }
  return (
    <SlipSum
      rows={[
        ...(profitMinor === undefined ? [] : [{ label: profitLabel, minor: profitMinor }]),
        { label: t`Liability`, minor: costs },
      ]}
    />
  );
}

/** The way back, where there is one, and the button that places: it submits its form where it is given no press. */
export function PlaceRow({
  className,
  back,
  kind,
  busy,
  off,
  onPress,
  children,
}: {
  className: string;
  back?: { words: string; press: () => void; off?: boolean } | null;
  kind: 'pri' | 'back' | 'lay';
  /** On its way. */
  busy: boolean;
  /** Nothing can be placed now: the words say why. */
  off: boolean;
  onPress?: () => void;
  children: ReactNode;
}) {
  return (
    <div className={className}>
      {back && (
        <Button kind="sec" size="lg" disabled={back.off ?? false} onClick={back.press}>
          {back.words}
        </Button>
      )}
      <Button
        kind={kind}
        size="lg"
        block
        type={onPress ? 'button' : 'submit'}
        busy={busy}
        disabled={!busy && off}
        onClick={(event) => {
          // The second press of a double click does not answer the question the first one asked.
          if (event.detail > 1) event.preventDefault();
          else onPress?.();
        }}
      >
        {children}
      </Button>
    </div>
  );
}

/** Below the slip: whether it asks before it places, and what else is chosen there. */
export function SlipOptions({
  asks,
  onAsks,
  before,
  children,
}: {
  asks: boolean;
  onAsks: (on: boolean) => void;
  before?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={slipCss.options}>
      {before}
      <Checkbox checked={asks} onChange={onAsks}>
        {t`Ask before placing`}
      </Checkbox>
      {children}
    </div>
  );
}

/** An answer was lost: what became of the bet is being asked. `said`: why, in the server's words. */
export function CheckingNote({ said }: { said?: string | null }) {
  return (
    <Note tone="warn" action={<span className={buttonCss.spinner} />}>
      <Trans>
        <b>Checking.</b> {ph({ reason: said ?? t`The answer was lost.` })} We are asking what became of your bet; it is
        never placed twice.
      </Trans>
    </Note>
  );
}
