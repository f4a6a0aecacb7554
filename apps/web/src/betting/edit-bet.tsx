import { minorToText, moveTicks, type PlacedBet, tickInFavour } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { ApiError, refreshBets } from '../api/api.ts';
import { takeWallet } from '../live/live.ts';
import { formatMoney, formatOdds, typedMinor, typedOdds } from '../platform/format.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { StakeInput, Stepper } from '../ui/stepper.tsx';
import { keepBet, replaceBet, whyNotChanged } from './change-bet.ts';
import { sideOf } from './positions.ts';
import css from './betting.module.css';

/** Price, size and keep of an unmatched bet. A smaller size at the same price keeps its place in the queue. */
export function EditBet({ bet, onDone }: { bet: PlacedBet; onDone: () => void }) {
  const { odds, setOdds, price, stake, setStake, keep, setKeep, error, busy, save } = useChange(bet, onDone);
  return (
    <div className={css.edit}>
      <Stepper
        label={t`Odds`}
        value={odds}
        onChange={setOdds}
        onStep={(ticks) => setOdds(formatOdds(moveTicks(price ?? bet.odds, ticks)))}
        invalid={price === null}
      />
      <StakeInput value={stake} onChange={setStake} onEnter={() => void save()} error={error} disabled={busy} />
      <Checkbox checked={keep} onChange={setKeep}>
        {t`Keep in-play`}
      </Checkbox>
      <div className="row g-4">
        <Button size="sm" disabled={busy} onClick={onDone}>
          {t`Leave as it is`}
        </Button>
        <Button size="sm" kind="pri" busy={busy} onClick={() => void save()}>
          {t`Change bet`}
        </Button>
      </div>
    </div>
  );
}

/** What the bet is to become, and its way to the server. */
function useChange(bet: PlacedBet, onDone: () => void) {
  const [odds, setOdds] = useState(formatOdds(bet.odds));
  const [stake, setStake] = useState(minorToText(bet.remaining));
  const [keep, setKeep] = useState(bet.persistence === 'PERSIST');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** What was left of the bet when the form opened, or when the player was last asked again: the change holds for that alone. */
  const [shown, setShown] = useState(bet.remaining);
  const price = typedOdds(odds);
  const size = typedMinor(stake);

  /** The bet is another one than the player decided about: he sees what is left and decides again. */
  const askAgain = (remaining: number) => {
    if (size === shown) setStake(minorToText(remaining));
    setShown(remaining);
    setError(
      t`${{ gone: formatMoney(shown - remaining) }} of it was matched or ended meanwhile: ${{ left: formatMoney(remaining) }} is left.`,
    );
  };

  const save = async () => {
    if (busy) return;
    if (price === null || size === null || size <= 0) {
      setError(t`Enter odds and a stake.`);
      return;
    }
    const at = tickInFavour(price, sideOf(bet));
    const onlyKeep = at === bet.odds && size === shown;
    if (!onlyKeep && bet.remaining < shown) {
      askAgain(bet.remaining);
      return;
    }
    setBusy(true);
    setError(null);
    const persistence = keep ? 'PERSIST' : 'LAPSE';
    try {
      const { wallet } = await (onlyKeep
        ? keepBet(bet.id, persistence)
        : replaceBet(bet.id, { odd: at, stake: size, persistence }, shown));
      takeWallet(wallet);
      toast.success(t`Bet changed`);
      onDone();
    } catch (failure) {
      const left = failure instanceof ApiError ? failure.current?.remainingMinor : undefined;
      if (left !== undefined) askAgain(left);
      else setError(whyNotChanged(failure));
    } finally {
      setBusy(false);
      refreshBets();
    }
  };
  return { odds, setOdds, price, stake, setStake, keep, setKeep, error, busy, save };
}
