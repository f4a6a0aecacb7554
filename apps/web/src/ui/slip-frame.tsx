import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Note } from './note.tsx';

/** What every slip has, at the tables as on the exchange: its end, its choices, and the words for an answer that was lost. */

/** The way back, where there is one, and the button that places: it submits its form where it is given no press. */
export function PlaceRow({
  className,
  back,
  kind,
  busy,
  off,
  onPress,
  children,
}: {
  className: string;
  back?: { words: string; press: () => void; off?: boolean } | null;
  kind: 'pri' | 'back' | 'lay';
  /** On its way. */
  busy: boolean;
  /** Nothing can be placed now: the words say why. */
  off: boolean;
  onPress?: () => void;
  children: ReactNode;
}) {
  return (
    <div className={className}>
      {back && (
        <Button kind="sec" size="lg" disabled={back.off ?? false} onClick={back.press}>
          {back.words}
        </Button>
      )}
      <Button
        kind={kind}
        size="lg"
        block
        type={onPress ? 'button' : 'submit'}
        busy={busy}
        disabled={!busy && off}
        onClick={(event) => {
          // The second press of a double click does not answer the question the first one asked.
          if (event.detail > 1) event.preventDefault();
          else onPress?.();
        }}
      >
        {children}
      </Button>
    </div>
  );
}

/** Below the slip: whether it asks before it places, and what else is chosen there. */
export function SlipOptions({
  asks,
  onAsks,
  before,
  children,
}: {
  asks: boolean;
  onAsks: (on: boolean) => void;
  before?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="slip__opts">
      {before}
      <Checkbox checked={asks} onChange={onAsks}>
        Ask before placing
      </Checkbox>
      {children}
    </div>
  );
}

/** An answer was lost: what became of the bet is being asked. `said`: why, in the server's words. */
export function CheckingNote({ said }: { said?: string | null }) {
  return (
    <Note tone="warn" action={<span className="spin" />}>
      <b>Checking.</b> {said ?? 'The answer was lost.'} We are asking what became of your bet; it is never placed twice.
    </Note>
  );
}
