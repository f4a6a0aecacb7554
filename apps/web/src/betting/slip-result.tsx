import type { PlacedBet } from '@fairgame/contract';
import { useEffect } from 'react';
import { clearSlip, type Draft } from '../slip/slip.ts';
import { Button } from '../ui/button.tsx';
import { formatMoney, formatOdds } from '../ui/format.ts';
import { IconCircleCheck, IconClock } from '../ui/icons.ts';
import { announce } from '../ui/live-region.tsx';
import { Note } from '../ui/note.tsx';
import { SlipSelection } from '../ui/slip-parts.tsx';
import { useCancel } from './cancel.ts';
import { focusOpener } from './keep-focus.ts';
import { sideLetter, sideWord } from './kinds.ts';
import { selectionPrice } from './live-price.tsx';
import { useOpenBets } from './positions.ts';

/** What became of the bet: waiting for its delay, matched, partly matched, waiting in the book, lapsed. Follows the bet on. */
export function SlipResult({ draft }: { draft: Draft }) {
  const { data } = useOpenBets(draft.matchId);
  const answered = draft.answer!.bet;
  const now = data?.rows.find((row) => row.id === answered.id);
  const bet = now && now.version > answered.version ? now : answered;
  const { cancel, busy } = useCancel();
  const said = words(draft, bet);
  useEffect(() => announce(said.text, 'polite'), [said.text]);
  const waits = bet.status === 'EXECUTABLE' && bet.remaining > 0;
  return (
    <div className="slip__b">
      <SlipSelection
        side={draft.side === 'BACK' ? 'back' : 'lay'}
        letter={sideLetter(draft.kind, draft.side)}
        verb={sideWord(draft.kind, draft.side)}
        name={draft.runnerName}
        sub={`${draft.marketName}, ${draft.eventName}`}
        onRemove={done}
      />
      <Note {...(said.tone ? { tone: said.tone } : {})} icon={said.done ? IconCircleCheck : IconClock}>
        <b>{said.text}</b> {said.more}
      </Note>
      <div className="slip__act">
        {waits && (
          <Button kind="sec" size="lg" busy={busy} onClick={() => void cancel(bet.id)}>
            Cancel rest
          </Button>
        )}
        <Button kind="pri" size="lg" block onClick={done}>
          Done
        </Button>
      </div>
    </div>
  );
}

const done = () => {
  clearSlip();
  focusOpener();
};

function words(draft: Draft, bet: PlacedBet): { text: string; more: string; done: boolean; tone?: 'warn' | 'err' } {
  const asked = selectionPrice(draft);
  if (bet.status === 'PENDING') {
    return {
      text: `Waiting ${Math.round(draft.betDelayMs / 1000)} seconds.`,
      more: 'In-play bets wait before they are taken. Your stake is held.',
      done: false,
      tone: 'warn',
    };
  }
  if (bet.kind !== 'book')
    return { text: `Bet placed: ${draft.runnerName} ${asked}, ${formatMoney(bet.amount)}.`, more: '', done: true };
  const average = formatOdds(bet.oddsMatched);
  if (bet.matched > 0 && bet.remaining > 0)
    return {
      text: `${formatMoney(bet.matched)} of ${formatMoney(bet.amount)} matched at ${average}.`,
      more: `The rest waits at ${asked}.`,
      done: true,
    };
  if (bet.remaining > 0)
    return {
      text: `Waiting at ${asked}.`,
      more: 'Nobody has taken your price yet. You can cancel it at any time.',
      done: false,
    };
  if (bet.matched > 0 && bet.matched < bet.amount)
    return {
      text: `${formatMoney(bet.matched)} of ${formatMoney(bet.amount)} matched at ${average}.`,
      more: 'The rest was taken out.',
      done: true,
    };
  if (bet.matched > 0)
    return {
      text: `Matched at ${average}, ${formatMoney(bet.matched)}.`,
      more: bet.oddsMatched !== bet.odds ? 'You got a better price than you asked for.' : '',
      done: true,
    };
  return { text: 'Not matched.', more: 'Your stake is free again.', done: false, tone: 'warn' };
}
