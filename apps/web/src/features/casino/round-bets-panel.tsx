import { t } from '@lingui/core/macro';
import { sideOf as sideOfBet } from '../../betting/betting.ts';
import { formatStake } from '../../platform/format.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BetGroup, BetRow } from '../../ui/slip-parts.tsx';
import { positionText } from './amounts.ts';
import type { Scope } from './fields.tsx';
import { selectionIdOf } from './round-bets.ts';
import { priceText, sideOf } from './terms.ts';
import { casinoWords } from './vocabulary.ts';
import css from '../../ui/bets.module.css';

/** The player's bets of the round on the table, and what each brought. */
export function RoundBetsPanel({ scope: { now, info, bets } }: { scope: Scope }) {
  const { roundNo } = now.round;
  return (
    <Panel title={t`My bets, this round`} count={bets.rows.length} small>
      {bets.rows.length === 0 ? (
        <p className={css.none}>{t`No bets in round ${roundNo}.`}</p>
      ) : (
        <BetGroup
          title={t`Matched`}
          end={
            <span className="t3">
              {bets.netMinor === null ? t`Round ${roundNo}` : <SignedMoney minor={bets.netMinor} />}
            </span>
          }
        >
          {bets.rows.map((bet) => {
            const side = sideOfBet(bet);
            const selection = info.selections.find(({ id }) => id === selectionIdOf(bet.runnerId));
            const { word, letter } = sideOf(selection, side);
            const open = bet.result === 'PENDING' || bet.result === 'UNDECLARE';
            return (
              <BetRow
                key={bet.id}
                side={side === 'BACK' ? 'back' : 'lay'}
                letter={letter}
                name={casinoWords(bet.teamName)}
                sub={
                  open
                    ? bet.line === null
                      ? (selection?.group ?? casinoWords(bet.bettingName))
                      : `${word} ${bet.line}`
                    : positionText(bet.profitLoss)
                }
                odds={priceText({ price: bet.odds, line: bet.line }, selection)}
                stake={formatStake(bet.amount)}
                state="matched"
              />
            );
          })}
        </BetGroup>
      )}
    </Panel>
  );
}
