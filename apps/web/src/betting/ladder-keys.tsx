import type { KeyboardEvent } from 'react';
import { Panel } from '../ui/panel.tsx';

/** What a key asks of the ladder that has the focus: to move the mark by rows, to bet at it, or one of its buttons. */
export type LadderAct = { move: number } | { bet: 'BACK' | 'LAY' } | 'centre' | 'cancelAll';

const MOVES: Readonly<Record<string, number>> = { arrowup: -1, arrowdown: 1, pageup: -10, pagedown: 10 };

/** Null: the key is not the ladder's. */
export function actOf(event: KeyboardEvent): LadderAct | null {
  // Keys of the lists of own orders are theirs.
  if (event.defaultPrevented || (event.target as Element).closest('[popover]')) return null;
  const key = event.key.toLowerCase();
  const move = MOVES[key];
  if (move !== undefined) return { move };
  if (key === 'escape') return 'cancelAll';
  if (event.ctrlKey || event.metaKey) return null;
  if (key === 'c') return 'centre';
  // A held key is one press.
  if ((key !== 'b' && key !== 'l') || event.repeat || event.altKey) return null;
  return { bet: key === 'b' ? 'BACK' : 'LAY' };
}

/** The keys in words. */
export function LadderKeys() {
  return (
    <Panel title="Keys" small flush={false}>
      <dl className="keys">
        <dt>Mark a row, move one tick</dt>
        <dd>
          <kbd>↑</kbd> <kbd>↓</kbd>
        </dd>
        <dt>Back or lay at the marked row</dt>
        <dd>
          <kbd>B</kbd> <kbd>L</kbd>
        </dd>
        <dt>Centre</dt>
        <dd>
          <kbd>C</kbd>
        </dd>
        <dt>Cancel all unmatched</dt>
        <dd>
          <kbd>Esc</kbd>
        </dd>
      </dl>
    </Panel>
  );
}
