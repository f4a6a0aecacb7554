import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { BetPanel, MainButton, saidWords } from './bet-panel.tsx';
import type { Betting } from './betting.ts';
import type { Scope } from './fields.tsx';
import { IconArrowBackUp, IconChevronUp, IconRepeat } from './icons.ts';
import { Rack } from './rack.tsx';
import buttonCss from '../../ui/button.module.css';
import css from './bet-bar.module.css';

interface BetBarProps {
  scope: Scope;
  betting: Betting;
  label: string;
  /** The bets of the round that were placed, below the chips in the sheet. */
  own: ReactNode;
}

/** The bets of a table in two lines: chips, then undo, double or repeat and the button that places them. */
export function BetBar({ scope, betting, label, own }: BetBarProps) {
  const [open, setOpen] = useState(false);
  const { chips, rows } = betting;
  const said = useBriefly(chips.said);
  return (
    <section className={css.bar} aria-label={label}>
      {said && (
        <p className={cx(css.said, said.tone === 'err' && css.saidError, said.tone === 'warn' && css.saidWarning)}>
          {saidWords(scope, said)}
        </p>
      )}
      <div className={css.chips}>
        <Rack now={scope.now} />
        <IconButton icon={IconChevronUp} label={t`Chips and bets in full`} onClick={() => setOpen(true)} />
      </div>
      <div className={css.actions}>
        <IconButton icon={IconArrowBackUp} label={t`Undo`} disabled={!betting.canUndo} onClick={betting.undo} />
        {betting.canRepeat ? (
          <IconButton icon={IconRepeat} label={t`Repeat the last bets`} onClick={betting.repeat} />
        ) : (
          <button
            type="button"
            className={cx(buttonCss.icon, css.clear)}
            aria-label={t`Double all chips`}
            disabled={rows.length === 0}
            onClick={betting.double}
          >
            2 ×
          </button>
        )}
        <MainButton betting={betting} />
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} label={t`Chips and bets`}>
        <BetPanel scope={scope} betting={betting} />
        {scope.bets.rows.length > 0 && own}
      </Sheet>
    </section>
  );
}

/** How long good news stand over the fields; what went wrong stays until the next press. */
const SAID_MS = 4000;

function useBriefly(said: Betting['chips']['said']): Betting['chips']['said'] {
  const [gone, setGone] = useState<Betting['chips']['said']>(null);
  useEffect(() => {
    if (!said || said.tone === 'err') return;
    const timer = setTimeout(() => setGone(said), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return said === gone ? null : said;
}
