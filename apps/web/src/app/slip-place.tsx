import { msg } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { MyBets, OneClickMark, SlipPanel, SpokenPrice } from '../betting/betting.ts';
import { later } from '../platform/later.tsx';
import { useLocation } from '../platform/routing.tsx';
import { keepsSeveral, leaveSlip, resume, setOneClick, useKeepsSeveral, useSlip } from '../slip/slip.ts';
import { alone } from '../ui/boundary.tsx';
import { Rail, useRail } from '../ui/rail.tsx';

const PhoneSlip = alone(
  msg`The bet slip`,
  later(async () => (await import('./phone-slip.tsx')).PhoneSlip),
);

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
  const several = useKeepsSeveral();
  const { mode, open, setOpen } = useRail();
  const { pathname } = useLocation();
  useEffect(resume, []);
  const phone = mode === 'none';
  // What is armed or begun on a screen ends with it: one-click everywhere, the drawer over it, on a phone the slip, which has
  // no place of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what this follows
  useEffect(
    () => () => {
      setOneClick(null);
      setOpen(false);
      if (phone && !keepsSeveral()) leaveSlip();
    },
    [pathname, phone, setOpen],
  );
  // The drawer opens for a press, not for what the slip holds since another screen; over prices that are gathered it does not.
  const pressed = draft?.pressed ?? 0;
  const known = useRef(pressed);
  useEffect(() => {
    if (mode === 'drawer' && pressed > known.current && !several) setOpen(true);
    known.current = pressed;
  }, [mode, pressed, several, setOpen]);
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
      {mode === 'drawer' && !open && <OneClickMark />}
      {phone && draft && (several || !inline) && <PhoneSlip draft={draft} gathered={several} />}
    </>
  );
}
