import { plural, t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { canBet, marketNow, runnerNow } from '../live/live.ts';
import { typedMinor } from '../platform/format.ts';
import {
  asksFirst,
  bets,
  clearSlip,
  type Draft,
  isBusy,
  MOST,
  place,
  setAsksFirst,
  useAsksFirst,
  useBets,
} from '../slip/slip.ts';
import { announce } from '../ui/live-region.tsx';
import { Note } from '../ui/note.tsx';
import { PlaceRow, SlipOptions, SlipOutcome } from '../ui/slip-frame.tsx';
import { SlipSum } from '../ui/slip-parts.tsx';
import type { SlipFormHears } from './bet-form.tsx';
import { focusOpener } from './keep-focus.ts';
import { veilOf } from './kinds.ts';
import { Choices, Fields, limitsOf, Selection, SlipMore, Stakes } from './slip-fields.tsx';
import { placeOf, useSlipKeys } from './slip-keys.ts';
import { SlipMessages } from './slip-messages.tsx';
import { OnOffer } from './slip-price.tsx';
import { SlipResult } from './slip-result.tsx';
import { stakeTrouble } from './slip-words.ts';
import { outcomeOf } from './sums.ts';
import { useBet } from './use-bet.ts';
import slipCss from '../ui/slip.module.css';
import css from './several.module.css';

const stakeOf = ({ stakeText }: Draft): number => typedMinor(stakeText) ?? 0;

/** Whether it can be sent as it is typed; what the market says is asked when it is pressed. */
const isWhole = (one: Draft): boolean => {
  const stake = stakeOf(one);
  return one.phase !== 'done' && !isBusy(one) && stake > 0 && stakeTrouble(one, stake) === null;
};

/** A market that is shut keeps its bet in the slip, and says so there. */
function isOpen({ marketId, runnerId }: Draft): boolean {
  const market = marketNow(marketId);
  return market !== undefined && canBet(marketId) && veilOf(market, runnerNow(marketId, runnerId)) === null;
}

/**
 * Several bets in the slip, each with its own price, stake and key, and each answered by itself: one that is refused stays
 * with the reason, whatever became of the others.
 */
export function Several({ onEditStakes, onDrawn }: SlipFormHears) {
  const held = useBets();
  const review = useAsksFirst();
  const last = Math.max(...held.map(({ pressed }) => pressed));
  const [open, setOpen] = useOpen(held, last);
  const form = useKeys(held, open);
  // What was looked at is what is placed: a change of any of them makes it another question.
  const [asked, setAsked] = useState<string | null>(null);
  const ready = held.filter(isWhole);
  const question = ready.map(({ key }) => key).join();
  const reviewing = review && asked === question && ready.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again for each press
  useEffect(() => {
    onDrawn?.();
  }, [onDrawn, last]);

  const press = () => {
    if (asksFirst() && asked !== question) return setAsked(question);
    setAsked(null);
    // Each by itself: what is on its way, and what was taken meanwhile, stays as it is.
    for (const one of bets().filter(isWhole)) if (isOpen(one)) void place(stakeOf(one), one.pressed);
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (ready.length > 0) press();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && reviewing) setAsked(null);
        // A held key is one press: it must not answer its own question.
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
    >
      <Bets held={held} open={open} onOpen={setOpen} />
      <div className={slipCss.body}>
        {held.length >= MOST && (
          <Note tone="warn">{t`There are ${MOST} bets in the slip: place them or take one out first.`}</Note>
        )}
        <Sums ready={ready} />
        <PlaceRow
          className={slipCss.actions}
          back={wayBack(reviewing, () => setAsked(null))}
          kind="pri"
          busy={ready.length === 0 && held.some((one) => isBusy(one))}
          off={ready.length === 0}
        >
          {placeWords(held, ready.length, reviewing)}
        </PlaceRow>
      </div>
      <SlipOptions asks={review} onAsks={setAsksFirst}>
        <SlipMore {...(onEditStakes ? { onEditStakes } : {})} />
      </SlipOptions>
    </form>
  );
}

/** The bet that shows its stake buttons and choices: where the keyboard is, or the one pressed last. */
function useOpen(held: readonly Draft[], last: number): [number, (id: number) => void] {
  const [open, setOpen] = useState({ id: last, last });
  // Another press opens its own; a bet that was taken out leaves its place to the last.
  const stays = open.last === last && held.some(({ pressed }) => pressed === open.id);
  if (!stays && (open.id !== last || open.last !== last)) setOpen({ id: last, last });
  return [open.id, (id) => setOpen({ id, last })];
}

/** The keys mean the bet that is open, and lead from it to the others. */
function useKeys(held: readonly Draft[], open: number) {
  const form = useRef<HTMLFormElement>(null);
  const at = held.findIndex(({ pressed }) => pressed === open);
  useSlipKeys(form, held[at], (by) => {
    // The first press only leads into the slip.
    const next = form.current?.contains(document.activeElement) ? held[at + by] : (held[at] ?? held[0]);
    placeOf(form.current, next)?.focus();
  });
  return form;
}

const wayBack = (reviewing: boolean, back: () => void) =>
  reviewing
    ? { words: t({ message: 'Back', comment: 'to where one was' }), press: back }
    : {
        words: t`Clear`,
        press: () => {
          for (const { pressed } of bets()) clearSlip(pressed);
          focusOpener();
        },
      };

function placeWords(held: readonly Draft[], count: number, reviewing: boolean): string {
  if (count === 0) return held.some((one) => isBusy(one)) ? t`Waiting for the answer.` : t`Enter a stake`;
  return reviewing
    ? plural({ count }, { one: 'Confirm # bet', other: 'Confirm # bets' })
    : plural({ count }, { one: 'Place # bet', other: 'Place # bets' });
}

function Sums({ ready }: { ready: readonly Draft[] }) {
  const costs = ready.reduce((sum, one) => sum + outcomeOf(one, stakeOf(one)).liabilityMinor, 0);
  return <SlipSum rows={[{ label: t`Liability together`, minor: ready.length > 0 ? -costs : null }]} />;
}

function Bets({ held, open, onOpen }: { held: readonly Draft[]; open: number; onOpen: (id: number) => void }) {
  return (
    <ul className={css.bets} aria-label={t`Bets in the slip`}>
      {held.map((one) => (
        <li
          key={one.pressed}
          data-bet={one.pressed}
          tabIndex={-1}
          className={slipCss[one.side === 'BACK' ? 'back' : 'lay']}
          onFocus={() => onOpen(one.pressed)}
        >
          {one.phase === 'done' && one.answer ? (
            <SlipResult draft={one} />
          ) : (
            <One draft={one} isOpen={one.pressed === open} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** A bet until it is placed; `isOpen`: with the stake buttons and choices. */
function One({ draft, isOpen }: { draft: Draft; isOpen: boolean }) {
  const { runner, stake, trouble, closed, outcome, shortage } = useBet(draft);
  const busy = isBusy(draft);
  const stakeBox = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (draft.phase === 'refused' && draft.message) announce(draft.message, 'assertive');
  }, [draft.phase, draft.message]);
  return (
    <div className={slipCss.body}>
      <Selection
        draft={draft}
        compact
        width={runner?.width}
        onRemove={() => {
          clearSlip(draft.pressed);
          focusOpener();
        }}
      />
      <Fields draft={draft} compact trouble={trouble} busy={busy} stakeBox={stakeBox} />
      {closed ? <Note tone="warn">{closed}</Note> : <OnOffer draft={draft} stakeMinor={stake} off={busy} />}
      {isOpen && <Stakes draft={draft} stakeMinor={stake} busy={busy} />}
      <SlipOutcome
        profitMinor={stake > 0 ? outcome.profitMinor : null}
        liabilityMinor={stake > 0 ? outcome.liabilityMinor : null}
        besideLimits={limitsOf(draft)}
      />
      {isOpen && <Choices draft={draft} busy={busy} />}
      <SlipMessages draft={draft} shortage={shortage} />
    </div>
  );
}
