import { t } from '@lingui/core/macro';
import { useCallback, useRef, useState } from 'react';
import { SlipForm } from '../betting/betting.ts';
import { clearSlip, type Draft, useBets } from '../slip/slip.ts';
import { Count } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { IconReceipt } from '../ui/icons.ts';
import { Sheet } from '../ui/sheet.tsx';
import { SlipBox } from '../ui/slip-parts.tsx';
import eventListCss from '../ui/event-list.module.css';
import fancyMarketCss from '../ui/fancy-market.module.css';
import marketTableCss from '../ui/market-table.module.css';
import shellCss from '../ui/shell.module.css';

/** The slip of a phone where no row has it: as a sheet; several bets behind a button while prices are pressed. */
export function PhoneSlip({ draft, gathered }: { draft: Draft; gathered: boolean }) {
  return gathered ? <Gathered draft={draft} /> : <SlipSheet draft={draft} onClose={() => clearSlip()} />;
}

/** Several follow the player over the screens, and the sheet opens when he wants it. */
function Gathered({ draft }: { draft: Draft }) {
  const [open, setOpen] = useState(false);
  const count = useBets().length;
  if (open) return <SlipSheet draft={draft} onClose={() => setOpen(false)} />;
  return (
    <Button className={shellCss.railOpen} kind="pri" icon={IconReceipt} onClick={() => setOpen(true)}>
      {t`Bet slip`} <Count n={count} />
    </Button>
  );
}

/** The slip of a phone's list; the row it came from stays in sight above it. */
function SlipSheet({ draft, onClose }: { draft: Draft; onClose: () => void }) {
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
    <Sheet open onClose={onClose} label={t`Bet slip`} clear>
      <div ref={box}>
        <SlipBox inline side={draft.side === 'LAY' ? 'lay' : 'back'}>
          <SlipForm compact onDrawn={bring} />
        </SlipBox>
      </div>
    </Sheet>
  );
}
