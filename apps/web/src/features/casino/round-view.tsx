import type { TableInfo } from '@fairgame/casino';
import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { useCall } from '../../api/api.ts';
import { sideOf as sideOfBet } from '../../betting/betting.ts';
import { formatDateTime, formatStake } from '../../platform/format.ts';
import { cx } from '../../ui/cx.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { cardName, PlayingCard } from '../../ui/playing-card.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Badge } from './badges.tsx';
import { type DealFacts, factsOf } from './facts.ts';
import { Proof } from './fairness.tsx';
import { selectionIdOf, useRoundBets } from './round-bets.ts';
import { priceText, sideOf } from './terms.ts';
import { useRules } from './use-rules.ts';
import { casinoWords, endingWords, resultWords, spoken } from './vocabulary.ts';
import css from './table.module.css';

/** A round that is over: its cards with the reason, the player's bets with what they brought, and the proof. */
export function RoundView({ code, matchId, mid }: { code: string; matchId: number; mid: string }) {
  const { data, isError, error, isPending, refetch } = useCall(CALLS.casino.resultDetail, { query: { mid } });
  const { rows, netMinor } = useRoundBets(matchId, data?.round.betId ?? 0);
  const { rules } = useRules();
  const info = useMemo(() => (rules?.isTableCode(code) ? spoken(rules.describe(code)) : null), [rules, code]);
  if (isError) {
    return (
      <ErrorNote title={t`The round did not load.`} onRetry={() => void refetch()}>
        {error.message}
      </ErrorNote>
    );
  }
  if (isPending || !data || !rules || !info) return <SkeletonRows rows={6} kind="table" />;
  const facts = factsOf(rules.gameOf(info.code), { ...data.round, phase: 'RESULT' });
  return (
    <div className="stack g-6">
      <div className="row g-5">
        <Badge endings={info.endings} badge={data.result.badge} />
        <div className="grow">
          <h3>{t`Round ${{ roundNo: data.result.roundNo }}`}</h3>
          <p className="t2">
            {facts.result ? resultWords(info, facts.result) : endingWords(data.result, info.endings)}
          </p>
          <p className="t3 fs-12">{t`${{ time: formatDateTime(Date.parse(data.result.createdAt)) }}, id ${mid}`}</p>
        </div>
      </div>
      <Hands info={info} facts={facts} />
      {rows.length > 0 && (
        <section aria-label={t`Your bets in this round`}>
          <h3 className="row between">
            {t`Your bets`}
            {netMinor !== null && <SignedMoney minor={netMinor} />}
          </h3>
          <ul className={css.bets}>
            {rows.map((bet) => {
              const side = sideOfBet(bet);
              const selection = info.selections.find(({ id }) => id === selectionIdOf(bet.runnerId));
              const price = priceText({ price: bet.odds, line: bet.line }, selection);
              return (
                <li key={bet.id}>
                  <span className="grow">
                    {sideOf(selection, side).word} {casinoWords(bet.teamName)}
                  </span>
                  <span className="num t2">{bet.line === null ? price : t`${{ line: bet.line }} at ${price}`}</span>
                  <span className="num">{formatStake(bet.matched)}</span>
                  <SignedMoney minor={bet.profitLoss} />
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <Proof code={code} round={data.round} win={data.result.win} />
    </div>
  );
}

/** The cards of each place, those that won it marked. */
function Hands({ info, facts }: { info: TableInfo; facts: DealFacts }) {
  return (
    <ul className={css.seats}>
      {info.seats.map((seat, index) => {
        const hand = facts.hands[index] ?? [];
        if (hand.length === 0) return null;
        return (
          <li key={seat.id} className={facts.result?.winners.includes(index) ? 'is-win' : undefined}>
            <b>{seat.name}</b>
            <span className={css.cards}>
              {hand.map(({ code: card, at }) =>
                cardName(card) ? (
                  <span key={at} className={cx(css.card, facts.result?.best.includes(at) && 'is-best')}>
                    <PlayingCard card={card} width={34} />
                  </span>
                ) : (
                  <span key={at} className="num">
                    {card}
                  </span>
                ),
              )}
            </span>
            <span className="t3 fs-12">{facts.notes[index]}</span>
          </li>
        );
      })}
    </ul>
  );
}
