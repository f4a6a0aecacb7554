import { t } from '@lingui/core/macro';
import { Fragment, type KeyboardEvent, useState } from 'react';
import { formatOdds } from '../platform/format.ts';
import { keyNow, meaningOf, useHotkeys } from '../platform/hotkeys.ts';
import { isAnyOpen } from '../ui/anchored.ts';
import { announce } from '../ui/live-region.tsx';
import { Panel } from '../ui/panel.tsx';
import { PRICES, withinLadder } from './ladder-book.ts';
import type { useView } from './ladder-view.ts';
import css from './betting.module.css';

/** What a key asks of the ladder that has the focus: to move the mark by rows, to bet at it, or one of its buttons. */
type LadderAct = { move: number } | { bet: 'BACK' | 'LAY' } | 'centre' | 'cancelAll';

const MOVES: Readonly<Record<string, number>> = {
  arrowup: -1,
  arrowdown: 1,
  k: -1,
  j: 1,
  pageup: -10,
  pagedown: 10,
};

/** Keys of the lists of own orders, and of fields, are theirs; so is the Escape that closes one, pressed at what opened it. */
const isOurs = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !(event.target as Element).closest('[popover], input, select') &&
  !(event.key === 'Escape' && isAnyOpen());

/** Null: the key is not the ladder's. */
function actOf(event: KeyboardEvent): LadderAct | null {
  if (!isOurs(event)) return null;
  const key = meaningOf(event.key);
  // The page's: to the next ladder.
  if (event.shiftKey && (key === 'j' || key === 'k')) return null;
  const move = MOVES[key];
  if (move !== undefined) return { move };
  if (key === 'escape') return 'cancelAll';
  if (event.ctrlKey || event.metaKey) return null;
  if (key === 'c') return 'centre';
  // A held key is one press.
  if ((key !== 'b' && key !== 'l') || event.repeat || event.altKey) return null;
  return { bet: key === 'b' ? 'BACK' : 'LAY' };
}

interface Deeds {
  /** Null: closed now. */
  bet: ((side: 'BACK' | 'LAY', price: number) => void) | null;
  /** Null: nothing waits. */
  cancelAll: (() => void) | null;
  /** Keys of a trader's ladder, before the others; true where it took one. `price` is that of the marked row in sight. */
  more?: (event: KeyboardEvent, price: number | null) => boolean;
}

/** The row the keys have marked, and what they do there; the first one marks the middle of the market, `begin`. */
export function useMarkedRow(view: ReturnType<typeof useView>, begin: number, { bet, cancelAll, more }: Deeds) {
  const [marked, setMarked] = useState<number | null>(null);
  const centre = () => {
    setMarked(null);
    view.centre();
  };
  const mark = (row: number) => {
    const next = withinLadder(row);
    setMarked(next);
    view.show(next);
    announce(formatOdds(PRICES[next]!));
  };
  const onKey = (event: KeyboardEvent) => {
    if (isOurs(event) && more?.(event, marked !== null && view.shows(marked) ? PRICES[marked]! : null)) {
      event.preventDefault();
      return;
    }
    const act = actOf(event);
    if (act === null || (act === 'cancelAll' && !cancelAll)) return;
    event.preventDefault();
    if (act === 'centre') centre();
    else if (act === 'cancelAll') cancelAll?.();
    else if ('move' in act) mark(marked === null ? begin : marked + act.move);
    // Nothing is done at a row that is not marked in sight.
    else if (marked === null || !view.shows(marked)) mark(marked ?? begin);
    else bet?.(act.bet, PRICES[marked]!);
  };
  return { marked, centre, onKey };
}

export type Legend = ReadonlyArray<readonly [words: string, keys: readonly string[]]>;

const legend = (): Legend => [
  [t`Mark a row, move one tick`, ['↑', '↓']],
  [t`Back or lay at the marked row`, ['B', 'L']],
  [t`Centre`, ['C']],
  [t`Cancel all unmatched`, ['Esc']],
];

/** The keys in words. */
export function LadderKeys() {
  return (
    <Panel title={t`Keys`} small flush={false}>
      <KeyList of={legend()} />
    </Panel>
  );
}

export function KeyList({ of }: { of: Legend }) {
  // The player's own.
  useHotkeys();
  return (
    <dl className={css.keys}>
      {of.map(([words, keys]) => (
        <Fragment key={words}>
          <dt>{words}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{keyNow(key)}</kbd>
            ))}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
