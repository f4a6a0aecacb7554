import type { MarketImage, PlacedBet } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { ownBet, useBroken, useMarketPrices, useStaleWords } from '../live/live.ts';
import { formatStake, listed } from '../platform/format.ts';
import { say } from '../platform/language.ts';
import { CashoutButton } from '../ui/cash-out-face.tsx';
import { announce } from '../ui/live-region.tsx';
import { AskPassword } from './ask-password.tsx';
import { useDelay } from './bet-delay.tsx';
import { oddsOf } from './bet-state.ts';
import { mayBeDeeper, offerOf, useWaiting } from './cash-out-offer.ts';
import { sideWord } from './kinds.ts';
import { type MarketPosition, sideOf, useOwnBet } from './positions.ts';
import { type Step, sentences, useCashOut, WHY_NOT } from './use-cash-out.ts';
import css from '../ui/cash-out.module.css';

/** What the market gives for the position now, and the steps to take it. */
export function CashOutOffer({
  market: shape,
  position,
  small = false,
}: {
  market: MarketImage;
  position: MarketPosition;
  small?: boolean;
}) {
  const market = useMarketPrices(shape.id) ?? shape;
  const broken = useBroken(market.id);
  const stale = useStaleWords();
  const own = useWaiting(market);
  const offer = offerOf(market, position, own);
  const value = offer?.ok ? offer.valueMinor : null;
  const why = offer && !offer.ok ? offer.reason : null;
  const picture = `${value ?? why}|${own.map((bet) => `${bet.id}.${bet.remaining}`).join()}`;
  const { step, press, proven, leave, decided } = useCashOut(market, picture);
  const words = step.at === 'ask' ? sentences(step.said, cancelsText(step.quote.cancels)) : step.said;
  useEffect(() => {
    if (words) announce(words);
  }, [words]);

  const resting = step.at === 'rest';
  const nothing = offer === null || why === 'CLOSED' || why === 'WRONG_MARKET' || why === 'NO_POSITION';
  const off = why !== null && !(why === 'NO_DEPTH' && mayBeDeeper(market)) ? say(WHY_NOT[why]) : null;
  if (resting && nothing && !words) return null;
  return (
    <>
      {!(resting && nothing) && (
        <CashoutButton
          small={small}
          minor={step.at === 'ask' ? step.quote.value : value}
          state={stateOf(step, broken ? stale : resting ? off : null)}
          onPress={press}
        />
      )}
      {words && <p className={css.say}>{words}</p>}
      {step.at === 'waiting' && <Wait bet={step.bet} onDecided={decided} />}
      {step.at === 'password' && (
        <AskPassword action={t`Cash out`} onProven={proven} onLeave={leave}>
          {t`You have been away for a while. Your password confirms that it is you; then you are cashed out.`}
        </AskPassword>
      )}
    </>
  );
}

function stateOf(step: Step, off: string | null) {
  switch (step.at) {
    case 'acting':
    case 'waiting':
    case 'password':
      return 'busy';
    case 'reading':
      return 'reading';
    default:
      if (off !== null) return { off };
      return step.at === 'rest' ? 'ready' : step.moved ? 'moved' : 'ask';
  }
}

/** The in-play delay of what goes as one. */
function Wait({ bet: answered, onDecided }: { bet: PlacedBet; onDecided: (bet: PlacedBet) => void }) {
  const bet = useOwnBet(answered);
  const { seconds } = useDelay(bet);
  const isDecided = bet.status !== 'PENDING';
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (isDecided) onDecided(bet);
  }, [isDecided]);
  return (
    <p className={css.say} role="timer">
      {seconds > 0
        ? plural(seconds, { one: 'Taken in # second, all or nothing.', other: 'Taken in # seconds, all or nothing.' })
        : t`Being taken.`}
    </p>
  );
}

/** So many bets are named, the others are counted. */
const NAMED = 3;

function cancelsText(ids: readonly number[]): string | null {
  if (ids.length === 0) return null;
  const names = ids
    .flatMap((id) => ownBet(id) ?? [])
    .map(nameOf)
    .slice(0, NAMED);
  const head = plural({ count: ids.length }, { one: 'Cancels your waiting bet', other: 'Cancels your # waiting bets' });
  if (names.length === 0) return head;
  const more = ids.length - names.length;
  const list = listed(...names);
  return more > 0 ? t`${head}: ${list} and ${more} more` : `${head}: ${list}`;
}

function nameOf(bet: PlacedBet): string {
  const side = sideWord(bet.kind, sideOf(bet)).toLowerCase();
  const [runner, stake, price] = [bet.teamName, formatStake(bet.remaining), oddsOf(bet, bet.odds)];
  return t`${side} ${runner} ${stake} at ${price}`;
}
