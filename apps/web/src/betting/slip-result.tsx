import type { PlacedBet } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { formatMoney, formatOdds, listed } from '../platform/format.ts';
import { useHotkey } from '../platform/hotkeys.ts';
import { named } from '../platform/named.ts';
import { clearSlip, type Draft } from '../slip/slip.ts';
import { Button } from '../ui/button.tsx';
import { IconCircleCheck, IconClock } from '../ui/icons.ts';
import { announce } from '../ui/live-region.tsx';
import { Note } from '../ui/note.tsx';
import { SlipSelection } from '../ui/slip-parts.tsx';
import { BetDelay } from './bet-delay.tsx';
import { endOf, isDeleted } from './bet-state.ts';
import { useCancel } from './cancel.ts';
import { focusOpener } from './keep-focus.ts';
import { sideLetter, sideWord } from './kinds.ts';
import { selectionPrice } from './live-price.tsx';
import { useOwnBet } from './positions.ts';
import css from '../ui/slip.module.css';

/** The only bet of the slip, once it is answered. */
export function LoneResult({ draft }: { draft: Draft }) {
  useHotkey('clear', () => done(draft));
  return <SlipResult draft={draft} />;
}

/** What became of the bet: waiting for its delay, matched, partly matched, waiting in the book, lapsed. Follows the bet on. */
export function SlipResult({ draft }: { draft: Draft }) {
  const bet = useOwnBet(draft.answer!.bet);
  const { cancel, busy } = useCancel();
  const said = bet.status === 'PENDING' ? null : words(draft, bet);
  const text = said?.text ?? t`Your bet waits before it is taken.`;
  useEffect(() => announce(text, 'polite'), [text]);
  const waits = bet.status === 'EXECUTABLE' && bet.remaining > 0;
  return (
    <div className={css.body}>
      <SlipSelection
        side={draft.side === 'BACK' ? 'back' : 'lay'}
        letter={sideLetter(draft.kind, draft.side)}
        verb={sideWord(draft.kind, draft.side)}
        name={named(draft.runnerName)}
        sub={listed(named(draft.marketName), named(draft.eventName))}
        onRemove={() => done(draft)}
      />
      {said ? (
        <Note {...(said.tone ? { tone: said.tone } : {})} icon={said.done ? IconCircleCheck : IconClock}>
          <b>{said.text}</b> {said.more}
        </Note>
      ) : (
        <BetDelay bet={bet} />
      )}
      <div className={css.actions}>
        {waits && (
          <Button kind="sec" size="lg" busy={busy} onClick={() => void cancel(bet.id)}>
            {bet.matched > 0 ? t`Cancel rest` : t`Cancel bet`}
          </Button>
        )}
        {said ? (
          <Button kind="pri" size="lg" block onClick={() => done(draft)}>
            {t`Done`}
          </Button>
        ) : (
          <Button kind="ghost" block onClick={() => done(draft)}>
            {t`Hide, it goes on in My bets`}
          </Button>
        )}
      </div>
    </div>
  );
}

const done = ({ pressed }: Draft) => {
  clearSlip(pressed);
  focusOpener();
};

function restText(how: NonNullable<ReturnType<typeof endOf>>['how'] | undefined): string {
  if (how === 'Lapsed') return t`The rest lapsed.`;
  return how === 'Cancelled' ? t`The rest is cancelled.` : t`The rest was not matched.`;
}

function words(draft: Draft, bet: PlacedBet): { text: string; more: string; done: boolean; tone?: 'warn' | 'err' } {
  const asked = selectionPrice(draft);
  if (isDeleted(bet))
    return { text: t`Deleted by the operator.`, more: named(bet.deleteReason ?? ''), done: false, tone: 'err' };
  const end = endOf(bet);
  const why = end?.why ? ` ${end.why.charAt(0).toUpperCase()}${end.why.slice(1)}.` : '';
  if (bet.matched === 0 && bet.remaining === 0)
    return {
      text: `${end?.word ?? t`Not matched`}.`,
      more: `${why} ${t`Your stake is free again.`}`.trim(),
      done: false,
      ...(end?.how === 'Cancelled' ? {} : { tone: 'warn' as const }),
    };
  if (bet.kind !== 'book')
    return {
      text: t`Bet placed: ${{ runner: named(draft.runnerName) }} ${asked}, ${{ stake: formatMoney(bet.amount) }}.`,
      more: '',
      done: true,
    };
  const average = formatOdds(bet.oddsMatched);
  if (bet.matched > 0 && bet.remaining > 0)
    return {
      text: t`${{ matched: formatMoney(bet.matched) }} of ${{ stake: formatMoney(bet.amount) }} matched at ${average}.`,
      more: t`The rest waits at ${asked}.`,
      done: true,
    };
  if (bet.remaining > 0)
    return {
      text: t`Waiting at ${asked}.`,
      more: t`Nobody has taken your price yet. You can cancel it at any time.`,
      done: false,
    };
  if (bet.matched < bet.amount)
    return {
      text: t`${{ matched: formatMoney(bet.matched) }} of ${{ stake: formatMoney(bet.amount) }} matched at ${average}.`,
      more: restText(end?.how) + (end?.how === 'Cancelled' ? '' : why),
      done: true,
    };
  return {
    text: t`Matched at ${average}, ${{ matched: formatMoney(bet.matched) }}.`,
    more: bet.oddsMatched !== bet.odds ? t`You got a better price than you asked for.` : '',
    done: true,
  };
}
