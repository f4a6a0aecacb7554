import { t } from '@lingui/core/macro';
import { availableOf, useWallet } from '../live/live.ts';
import { formatMoney } from '../platform/format.ts';
import { useProfile } from './profile.ts';

/** What the player may still bet, in the head of a screen that has a window of its own. */
export function Available() {
  // Its reading brings the balance, which events keep fresh from then on.
  const currency = useProfile()?.currency;
  const wallet = useWallet();
  if (!wallet) return null;
  return (
    <span className="fs-12 num">
      <span className="t3">{t`Available`}</span> <b>{formatMoney(Math.max(0, availableOf(wallet)))}</b>{' '}
      <small className="t3">{currency}</small>
    </span>
  );
}
