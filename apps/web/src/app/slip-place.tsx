import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { MyBets } from '../betting/my-bets.tsx';
import { SlipForm } from '../betting/slip-form.tsx';
import { SlipPanel } from '../betting/slip-panel.tsx';
import { SpokenPrice } from '../betting/spoken-price.tsx';
import { useSlip } from '../slip/hooks.ts';
import { clearSlip, resume, setOneClick } from '../slip/slip.ts';
import { Rail, useRail } from '../ui/rail.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { SlipBox } from '../ui/slip-parts.tsx';

/**
 * Where the slip stands: in the rail or its drawer; on a phone under the tapped row where the screen has rows for it, else
 * as a sheet from the bottom. A bet whose answer was lost with the last page is asked for first of all.
 */
export function SlipPlace({
  inline,
  ownBets,
  onEditStakes,
}: {
  inline: boolean;
  ownBets: boolean;
  onEditStakes: () => void;
}) {
  const draft = useSlip();
  const { mode, setOpen } = useRail();
  const { pathname } = useLocation();
  useEffect(resume, []);
  // One-click is armed for the screen the player looks at, and off when he leaves it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what this follows
  useEffect(() => () => setOneClick(null), [pathname]);
  const chosen = draft?.phase === 'editing' ? `${draft.marketId}.${draft.runnerId}.${draft.side}` : null;
  useEffect(() => {
    if (mode === 'drawer' && chosen !== null) setOpen(true);
  }, [mode, chosen, setOpen]);
  return (
    <>
      <SpokenPrice />
      <Rail slot="slip">
        <SlipPanel onEditStakes={onEditStakes} />
      </Rail>
      {!ownBets && (
        <Rail slot="bets">
          <MyBets />
        </Rail>
      )}
      {mode === 'none' && !inline && (
        <Sheet open={draft !== null} onClose={clearSlip} label="Bet slip">
          {draft && (
            <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
              <SlipForm compact />
            </SlipBox>
          )}
        </Sheet>
      )}
    </>
  );
}
