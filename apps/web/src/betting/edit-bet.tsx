import { CALLS, minorToText, moveTicks, type PlacedBet, parseMinor, parseOdds, tickInFavour } from '@fairgame/contract';
import { useState } from 'react';
import { ApiError, api } from '../api/api.ts';
import { newKey } from '../api/key.ts';
import { refreshBets } from '../api/refresh.ts';
import { takeWallet } from '../live/wallet.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { formatOdds } from '../ui/format.ts';
import { StakeInput, Stepper } from '../ui/stepper.tsx';
import { toast } from '../ui/toasts.ts';
import { sideOf } from './positions.ts';

/** Price, size and keep of an unmatched bet. A smaller size at the same price keeps its place in the queue. */
export function EditBet({ bet, onDone }: { bet: PlacedBet; onDone: () => void }) {
  const [odds, setOdds] = useState(formatOdds(bet.odds));
  const [stake, setStake] = useState(minorToText(bet.remaining));
  const [keep, setKeep] = useState(bet.persistence === 'PERSIST');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const price = parseOdds(odds);
  const size = parseMinor(stake);

  const save = async () => {
    if (busy) return;
    if (price === null || size === null || size <= 0) {
      setError('Enter odds and a stake.');
      return;
    }
    setBusy(true);
    setError(null);
    const persistence = keep ? 'PERSIST' : 'LAPSE';
    try {
      const at = tickInFavour(price, sideOf(bet));
      const onlyKeep = at === bet.odds && size === bet.remaining;
      const { wallet } = onlyKeep
        ? await api(CALLS.bets.persistence, { body: { key: newKey(), id: bet.id, persistence } }, { quiet: true })
        : await api(
            CALLS.bets.replace,
            { body: { key: newKey(), id: bet.id, odd: at, stake: size, persistence } },
            { quiet: true },
          );
      takeWallet(wallet);
      toast.success('Bet changed');
      onDone();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : 'The bet was not changed.');
    } finally {
      setBusy(false);
      refreshBets();
    }
  };
  return (
    <div className="bet__edit">
      <Stepper
        label="Odds"
        value={odds}
        onChange={setOdds}
        onStep={(ticks) => setOdds(formatOdds(moveTicks(price ?? bet.odds, ticks)))}
        invalid={price === null}
      />
      <StakeInput value={stake} onChange={setStake} onEnter={() => void save()} error={error} disabled={busy} />
      <Checkbox checked={keep} onChange={setKeep}>
        Keep in-play
      </Checkbox>
      <div className="row g-4">
        <Button size="sm" disabled={busy} onClick={onDone}>
          Leave as it is
        </Button>
        <Button size="sm" kind="pri" busy={busy} onClick={() => void save()}>
          Change bet
        </Button>
      </div>
    </div>
  );
}
