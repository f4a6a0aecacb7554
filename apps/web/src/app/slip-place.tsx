import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useRef } from 'react';
import { MyBets, OneClickMark, SlipForm, SlipPanel, SpokenPrice } from '../betting/betting.ts';
import { useLocation } from '../platform/routing.tsx';
import { clearSlip, type Draft, leaveSlip, resume, setOneClick, useSlip } from '../slip/slip.ts';
import { Rail, useRail } from '../ui/rail.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { SlipBox } from '../ui/slip-parts.tsx';
import eventListCss from '../ui/event-list.module.css';
import fancyMarketCss from '../ui/fancy-market.module.css';
import marketTableCss from '../ui/market-table.module.css';

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
      if (phone) leaveSlip();
    },
    [pathname, phone, setOpen],
  );
  // The drawer opens for a press, not for what the slip holds since another screen.
  const pressed = draft?.pressed ?? 0;
  const known = useRef(pressed);
  useEffect(() => {
    if (mode === 'drawer' && pressed > known.current) setOpen(true);
    known.current = pressed;
  }, [mode, pressed, setOpen]);
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
      {phone && !inline && draft && <SlipSheet draft={draft} />}
    </>
  );
}

/** The slip of a phone's list; the row it came from stays in sight above it. */
function SlipSheet({ draft }: { draft: Draft }) {
  const box = useRef<HTMLDivElement>(null);
  // The form may come later than the sheet, and is drawn before the sheet is open: how high both are says the next frame.
  const bring = useCallback(() => {
    requestAnimationFrame(() => {
      const row = document
        .querySelector('.is-sel')
        ?.closest(`.${eventListCss.event}, .${marketTableCss.line}, .${fancyMarketCss.line}`);
      const sheet = box.current?.closest('dialog');
      if (!row || !sheet) return;
      const hidden = row.getBoundingClientRect().bottom - (window.innerHeight - sheet.offsetHeight);
      if (hidden > 0) window.scrollBy({ top: hidden + 8 });
    });
  }, []);
  return (
    <Sheet open onClose={clearSlip} label={t`Bet slip`} clear>
      <div ref={box}>
        <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
          <SlipForm compact onDrawn={bring} />
        </SlipBox>
      </div>
    </Sheet>
  );
}
