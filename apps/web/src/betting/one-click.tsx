import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { formatMoney, formatStake } from '../platform/format.ts';
import { oneClickEndsAt, setOneClick, useOneClick } from '../slip/slip.ts';
import { cx } from '../ui/cx.ts';
import { StakeButtons } from '../ui/stepper.tsx';
import { Switch } from '../ui/switch.tsx';
import { useStakeButtons } from './profile.ts';
import css from '../ui/depth-view.module.css';

/** The stake one-click begins with: the player's first button. */
export function useFirstStake(): number {
  return useStakeButtons('Match')[0]?.stakeMinor ?? 100;
}

/** "Off in 1:52": how long one-click stays armed when it is not used. */
export function OneClickEnds() {
  const left = () => Math.max(0, Math.ceil((oneClickEndsAt() - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is left is read anew each time
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="num" role="timer">
      {t`Off in ${{ minutes: Math.floor(seconds / 60) }}:${{ seconds: String(seconds % 60).padStart(2, '0') }}`}
    </span>
  );
}

/** The stakes a press may place while one-click is on. */
export function OneClickStakes({ most = 8 }: { most?: number }) {
  const armed = useOneClick();
  const buttons = useStakeButtons('Match');
  if (armed === null) return null;
  return (
    <StakeButtons
      items={buttons.slice(0, most).map((button) => ({ label: button.label, value: button.stakeMinor }))}
      value={armed}
      onPick={setOneClick}
    />
  );
}

/** The strip above ladders: the switch, what a press does now, the stakes. It stays in sight. */
export function OneClickStrip() {
  const armed = useOneClick();
  const first = useFirstStake();
  return (
    <div className={cx(css.armed, !(armed === null) && 'is-on')}>
      <Switch after checked={armed !== null} onChange={(on) => setOneClick(on ? first : null)}>
        {armed === null ? t`One-click is off` : t`One-click is on`}
      </Switch>
      <span className="t2 fs-12 grow">
        {armed === null ? (
          t`A press in Back or Lay puts the price into the slip.`
        ) : (
          <>
            {t`A press in Back or Lay places ${{ stake: formatStake(armed) }} at that price at once.`} <OneClickEnds />
          </>
        )}
      </span>
      <OneClickStakes most={5} />
    </div>
  );
}

/** Where slip and strip are out of sight: that one-click is on, and the way to end it. */
export function OneClickMark() {
  const armed = useOneClick();
  if (armed === null) return null;
  return (
    <div className={cx(css.armed, css.armedMark, 'is-on')} role="status">
      <Switch after checked onChange={() => setOneClick(null)}>
        {t`One-click ${{ stake: formatMoney(armed, 0) }}`}
      </Switch>
      <OneClickEnds />
    </div>
  );
}
