import { t } from '@lingui/core/macro';
import { type RefObject, useEffect, useRef } from 'react';
import { formatStake } from '../platform/format.ts';
import { backToEditing, type Draft, isBusy, press, setAsksFirst, useAsksFirst } from '../slip/slip.ts';
import { announce } from '../ui/live-region.tsx';
import { Note } from '../ui/note.tsx';
import { PlaceRow, SlipOptions, SlipOutcome } from '../ui/slip-frame.tsx';
import { SlipSum } from '../ui/slip-parts.tsx';
import { sideWord } from './kinds.ts';
import { Choices, Fields, leave, limitsOf, Selection, SlipMore, Stakes } from './slip-fields.tsx';
import { useSlipKeys } from './slip-keys.ts';
import { SlipMessages } from './slip-messages.tsx';
import { OnOffer } from './slip-price.tsx';
import { afterRows, atText, profitLabel } from './slip-words.ts';
import { useBet } from './use-bet.ts';
import controlsCss from '../ui/controls.module.css';
import priceCss from '../ui/price.module.css';
import slipCss from '../ui/slip.module.css';

/** What is told outside the form. */
export interface SlipFormHears {
  onEditStakes?: () => void;
  onDrawn?: () => void;
}

/** The bet in the slip until it is placed. */
export function BetForm({ draft, compact, onEditStakes, onDrawn }: { draft: Draft; compact: boolean } & SlipFormHears) {
  const bet = useBet(draft);
  const { stake, trouble, closed, shortage, outcome } = bet;
  const review = useAsksFirst();
  const stakeBox = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const busy = isBusy();

  useSlipKeys(form, draft);
  usePressed(draft, compact ? null : stakeBox, onDrawn);
  useEffect(() => {
    if (draft.phase === 'refused' && draft.message) announce(draft.message, 'assertive');
  }, [draft.phase, draft.message]);

  const reviewing = draft.phase === 'review';
  const ready = !trouble && !closed && !shortage?.sure && stake > 0;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) press(stake, draft.pressed);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) {
          if (reviewing) backToEditing();
          else leave();
        }
        // A held key is one press: it must not answer its own question.
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
    >
      <div className={slipCss.body}>
        <Selection draft={draft} compact={compact} width={bet.runner?.width} onRemove={leave} />
        <Fields draft={draft} compact={compact} trouble={trouble} busy={busy} stakeBox={stakeBox} />
        <OnOffer draft={draft} stakeMinor={stake} off={closed !== null || busy} />
        <Stakes draft={draft} stakeMinor={stake} busy={busy} />
        <SlipOutcome
          profitLabel={profitLabel(draft)}
          profitMinor={stake > 0 ? outcome.profitMinor : null}
          liabilityMinor={stake > 0 ? outcome.liabilityMinor : null}
          besideLimits={compact ? limitsOf(draft) : undefined}
        />
        {bet.after && stake > 0 && !compact && (
          <div>
            <div className={controlsCss.label}>{t`If matched, your position becomes`}</div>
            <SlipSum rows={afterRows(draft, bet.market?.runners ?? [], bet.after)} />
          </div>
        )}
        {!compact && <Choices draft={draft} busy={busy} />}
        {bet.off && <Note tone="warn">{bet.off}</Note>}
        <SlipMessages draft={draft} shortage={shortage} />
        <PlaceRow
          className={slipCss.actions}
          back={{ ...wayBack(reviewing), off: busy }}
          kind={draft.side === 'BACK' ? 'back' : 'lay'}
          busy={busy}
          off={!ready}
        >
          {actText(draft, stake, closed)}
        </PlaceRow>
      </div>
      <SlipOptions asks={review} onAsks={setAsksFirst} before={compact && <Choices draft={draft} busy={busy} />}>
        <SlipMore {...(onEditStakes ? { onEditStakes } : {})} />
      </SlipOptions>
    </form>
  );
}

const wayBack = (reviewing: boolean) =>
  reviewing
    ? { words: t({ message: 'Back', comment: 'to where one was' }), press: backToEditing }
    : { words: t`Clear`, press: leave };

/** A pressed price takes the keyboard to the stake, where a keyboard was used to choose it; touch keeps its place. */
function usePressed({ pressed }: Draft, stakeBox: RefObject<HTMLInputElement | null> | null, onDrawn?: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each press
  useEffect(() => {
    if (!stakeBox || !document.activeElement?.classList.contains(priceCss.cell)) return;
    if (!window.matchMedia('(pointer: fine)').matches) return;
    stakeBox.current?.focus({ preventScroll: true });
    // A stake carried over from the last price is typed over, never typed on.
    stakeBox.current?.select();
  }, [stakeBox, pressed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again for each press
  useEffect(() => {
    onDrawn?.();
  }, [onDrawn, pressed]);
}

/** What a press of the button does, whole: "Place back 25 at 2.20". */
function actText(draft: Draft, stakeMinor: number, closed: string | null): string {
  const amount = formatStake(stakeMinor);
  if (draft.phase === 'checking') return t`Checking`;
  if (draft.phase === 'placing') return t`Placing ${amount}`;
  if (closed) return closed;
  if (stakeMinor <= 0) return t`Enter a stake`;
  const side = sideWord(draft.kind, draft.side).toLowerCase();
  const price = atText(draft);
  return draft.phase === 'review' ? t`Confirm ${side} ${amount} at ${price}` : t`Place ${side} ${amount} at ${price}`;
}
