import { msg } from '@lingui/core/macro';
import { later } from '../platform/later.tsx';
import { useKeepsSeveral, useSlip } from '../slip/slip.ts';
import { alone, Boundary } from '../ui/boundary.tsx';
import type { SlipFormHears } from './bet-form.tsx';

const BetForm = later(async () => (await import('./bet-form.tsx')).BetForm);
const Several = later(async () => (await import('./several.tsx')).Several);
const LoneResult = later(async () => (await import('./slip-result.tsx')).LoneResult);
/** Speaks nothing until there is a bet to speak for: it comes when the page is quiet. */
export const SpokenPrice = alone(
  msg`The speaking of prices`,
  later(async () => (await import('./spoken-price.tsx')).SpokenPrice),
);

/**
 * The form of the bet in the slip; `compact` is the one under a tapped row on a phone. It stays mounted from one selection to
 * the next: a press on a price changes a few texts of it and is drawn at once. Its code comes when the first screen stands,
 * or with the first press; `onDrawn` is told of each press once the form of it stands.
 */
export function SlipForm({ compact = false, ...told }: { compact?: boolean } & SlipFormHears) {
  const draft = useSlip();
  const several = useKeepsSeveral();
  if (!draft) return null;
  return (
    <Boundary what={msg`The bet slip`} resetKey={draft.pressed}>
      {several ? (
        <Several {...told} />
      ) : draft.phase === 'done' && draft.answer ? (
        <LoneResult draft={draft} />
      ) : (
        <BetForm draft={draft} compact={compact} {...told} />
      )}
    </Boundary>
  );
}
