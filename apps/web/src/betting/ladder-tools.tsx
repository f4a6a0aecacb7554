import { minorToText } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { formatStake, typedAmount, typedMinor } from '../platform/format.ts';
import { toast } from '../platform/toasts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { CashoutButton } from '../ui/cash-out-face.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { cx } from '../ui/cx.ts';
import { Field, NumberInput } from '../ui/field.tsx';
import { IconAdjustments, IconX } from '../ui/icons.ts';
import { Popover } from '../ui/popover.tsx';
import { StakeButtons } from '../ui/stepper.tsx';
import { Switch } from '../ui/switch.tsx';
import { Segmented } from '../ui/tabs.tsx';
import type { LadderSettings, useArmed } from './ladder-armed.ts';
import type { useHedge } from './use-hedge.ts';
import css from './desk.module.css';

/** The tools above a trader's ladder: what a press bets and whether it does so at once, ways back, ways out. */

/** Seconds until a time of this device. */
function useLeft(until: number | null): number {
  const left = () => (until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  const [, draw] = useState(0);
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => draw((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [until]);
  return left();
}

/** Says in the ladder's own head what a press does, for as long as it does that. */
export function ArmStrip({
  armed,
  settings,
  cap,
  isShut,
}: {
  armed: ReturnType<typeof useArmed>;
  settings: LadderSettings;
  cap: number;
  /** A press does nothing now: why is told over the rows. */
  isShut: boolean;
}) {
  const { until, arm, lostBy } = armed;
  const seconds = useLeft(until);
  const on = until !== null;
  return (
    <div className={cx(css.arm, on && 'is-on')}>
      <Switch after checked={on} onChange={arm}>
        {on ? t`Armed` : t`Not armed`}
      </Switch>
      <span className="fs-12 t2 grow">
        {lostBy
          ? t`Connection lost`
          : isShut
            ? null
            : !on
              ? t`A press fills the slip`
              : settings.stake > cap
                ? t`More than ${{ stake: formatStake(cap) }} is not placed`
                : t`A press places ${{ stake: formatStake(settings.stake) }}`}
      </span>
      {on && (
        <span className="fs-12 num" role="timer">
          {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
        </span>
      )}
    </div>
  );
}

/** The stake of a press: typed, or one of the player's own, which the keys 1 to 9 choose too. */
export function StakeRow({
  settings,
  change,
  presets,
  children,
}: {
  settings: LadderSettings;
  change: (next: Partial<LadderSettings>) => void;
  presets: ReadonlyArray<{ label: string; stakeMinor: number }>;
  children: ReactNode;
}) {
  const [text, setText] = useState<string | null>(null);
  return (
    <div className={css.stake}>
      <div className={css.stakeTyped}>
        <NumberInput
          decimal
          aria-label={t`Stake of a press`}
          value={text ?? typedAmount(settings.stake)}
          onChange={(event) => {
            setText(event.target.value);
            const minor = typedMinor(event.target.value);
            if (minor !== null && minor > 0) change({ stake: minor });
          }}
          onBlur={() => setText(null)}
        />
      </div>
      <StakeButtons
        className={css.presets}
        items={presets.map(({ label, stakeMinor }) => ({ label, value: stakeMinor }))}
        value={settings.stake}
        onPick={(stake) => change({ stake })}
      />
      {children}
    </div>
  );
}

/** What else goes with each bet of the ladder. */
export function MoreSettings({
  settings,
  change,
}: {
  settings: LadderSettings;
  change: (next: Partial<LadderSettings>) => void;
}) {
  const number = (text: string, most: number) => Math.max(0, Math.min(most, Math.trunc(Number(text)) || 0));
  return (
    <Popover
      label={t`More of each bet`}
      title={t`With each bet of this ladder`}
      trigger={<IconButton icon={IconAdjustments} label={t`Settings of the ladder`} small />}
    >
      <div className={css.more}>
        <Field label={t`Most that a press places`} help={t`Empty: the limit of the market`}>
          <NumberInput
            decimal
            defaultValue={settings.cap ? minorToText(settings.cap) : ''}
            onChange={(event) => change({ cap: Math.max(0, typedMinor(event.target.value) ?? 0) })}
          />
        </Field>
        <Field label={t`Offset, ticks`} help={t`Once matched, its other side so many ticks away; 0 for none`}>
          <NumberInput
            defaultValue={String(settings.offset)}
            onChange={(event) => change({ offset: number(event.target.value, 100) })}
          />
        </Field>
        <Field label={t`Ends after, seconds`} help={t`What is unmatched then is cancelled; 0 for never`}>
          <NumberInput
            defaultValue={String(settings.seconds)}
            onChange={(event) => change({ seconds: number(event.target.value, 3600) })}
          />
        </Field>
        <Checkbox
          checked={settings.keep === 'PERSIST'}
          onChange={(keep) => change({ keep: keep ? 'PERSIST' : 'LAPSE' })}
        >
          {t`Keep in-play`}
        </Checkbox>
      </div>
    </Popover>
  );
}

const PARTS = ['25', '50', '75', '100', 'amount'] as const;
type Part = (typeof PARTS)[number];

type Hedge = ReturnType<typeof useHedge>;

/** How much of a position a press closes; an amount that is none yet closes nothing. */
export function useShare() {
  const [part, setPart] = useState<Part>('100');
  const [amount, setAmount] = useState('');
  const minor = typedMinor(amount) ?? 0;
  return {
    part,
    setPart,
    amount,
    setAmount,
    of: part === 'amount' ? { amount: minor } : { percent: Number(part) },
    guard: (hedge: Hedge): Hedge => (part === 'amount' && minor <= 0 ? { ...hedge, press: askForAmount } : hedge),
  };
}

async function askForAmount(): Promise<void> {
  toast.info(t`Enter an amount such as 25 or 2.50.`);
}

/** Closing the runner or the whole market, in part or whole. */
export function Closing({
  share,
  runner,
  all,
  value,
  none,
}: {
  share: ReturnType<typeof useShare>;
  runner: Hedge;
  all: Hedge;
  /** What closing the runner brings at the best price, minor units; null: not known. */
  value: number | null;
  /** Nothing to close, or nothing taken now. */
  none: { runner: boolean; all: boolean };
}) {
  return (
    <div className={css.out}>
      <CloseButton
        label={t({ message: 'Close', context: 'position' })}
        hedge={runner}
        value={none.runner ? null : value}
        none={none.runner}
      />
      <CloseButton label={t`All green`} hedge={all} value={null} none={none.all} />
      <Segmented
        label={t`Part to close, percent`}
        value={share.part}
        onChange={share.setPart}
        items={PARTS.map((part) => ({ id: part, label: part === 'amount' ? t`Amount` : `${part}%` }))}
      />
      {share.part === 'amount' && (
        <div className={css.stakeTyped}>
          <NumberInput
            decimal
            aria-label={t`Exposure to close`}
            title={t`Exposure to close`}
            placeholder={minorToText(0)}
            value={share.amount}
            onChange={(event) => share.setAmount(event.target.value)}
          />
        </div>
      )}
    </div>
  );
}

function CloseButton({
  label,
  hedge: { step, press },
  value,
  none,
}: {
  label: string;
  hedge: Hedge;
  value: number | null;
  none: boolean;
}) {
  // A way out keeps its name while it leads nowhere: two locks that say the same say nothing.
  const state = none && step.at !== 'busy' ? { off: label } : step.at === 'rest' ? 'ready' : step.at;
  return (
    <CashoutButton
      small
      label={label}
      minor={step.at === 'ask' ? step.value : value}
      state={state}
      onPress={() => void press()}
    />
  );
}

/** Cancels by side. */
export function Cancels({
  counts: { back, lay },
  onCancel,
  children,
}: {
  counts: { back: number; lay: number };
  onCancel: (side: 'BACK' | 'LAY' | null) => void;
  /** The button of orders that the server holds. */
  children: ReactNode;
}) {
  return (
    <div className={css.out}>
      <CancelButton of={t`Backs`} count={back} name={t`Cancel backs`} onPress={() => onCancel('BACK')} />
      <CancelButton of={t`All`} count={back + lay} name={t`Cancel all of the runner`} onPress={() => onCancel(null)} />
      <CancelButton of={t`Lays`} count={lay} name={t`Cancel lays`} onPress={() => onCancel('LAY')} />
      <span className="grow" />
      {children}
    </div>
  );
}

function CancelButton({ of, count, name, onPress }: { of: string; count: number; name: string; onPress: () => void }) {
  return (
    <Button size="sm" icon={IconX} disabled={count === 0} onClick={onPress} aria-label={name}>
      {of} {count > 0 && count}
    </Button>
  );
}
