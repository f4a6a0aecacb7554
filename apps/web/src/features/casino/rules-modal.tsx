import type { TableInfo } from '@fairgame/casino';
import { t } from '@lingui/core/macro';
import { cx } from '../../ui/cx.ts';
import { Modal } from '../../ui/modal.tsx';
import css from './table.module.css';

/** All rules of a table, and what each kind of bet returns on average. */
export function RulesModal({ info, onClose }: { info: TableInfo; onClose: () => void }) {
  const returns = new Map<string, string>();
  for (const one of info.selections) {
    if (one.returnPpm === null || one.returnPpm === undefined) continue;
    const label = one.column === '' && one.group !== one.name ? `${one.group}: ${one.label}` : one.label;
    const key = info.selections
      .filter((other) => other.group === one.group)
      .every((other) => other.returnPpm === one.returnPpm)
      ? one.group
      : label;
    returns.set(key, `${(one.returnPpm / 10_000).toFixed(2)} %`);
  }
  return (
    <Modal open onClose={onClose} title={t`Rules of ${{ table: info.name }}`} width="l">
      <div className="stack g-6">
        <ol className={css.rules}>
          {info.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
          <li>
            {t`Bets are taken until three seconds before the deal. A bet that arrives later is refused, never changed.`}
          </li>
          <li>{t`A round without a result is void: all its stakes are returned.`}</li>
        </ol>
        {returns.size > 0 && (
          <section aria-label={t`Average returns`}>
            <h3>{t`Returned on average, of each 100 staked`}</h3>
            <dl className={cx(css.pays, css.paysTwo)}>
              {[...returns].map(([bet, value]) => (
                <div key={bet}>
                  <dt>{bet}</dt>
                  <dd className="num">{value}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
      </div>
    </Modal>
  );
}

/** How a round is fixed before it is bet on, and how anyone can check it. */
export function HowModal({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onClose={onClose} title={t`How a round is checked`}>
      <ol className={css.rules}>
        <li>
          {t`The secret seeds of many rounds are fixed together, as a chain: each is the hash of the one after it. So the seed published after a round is the hash that was promised for the next, and none can be exchanged.`}
        </li>
        <li>
          {t`The public seed is that of the round before, mixed with the words of players. Words are closed before betting opens, so nobody can choose one that goes with the bets.`}
        </li>
        <li>{t`The seed, the public seed and the number of the round fix every card, by a shuffle anyone can repeat.`}</li>
        <li>{t`Bets close three seconds before the deal. Nobody can tell a card from the hash.`}</li>
        <li>{t`When the round is over the seed is published. It must have the hash that was shown.`}</li>
        <li>
          {t`Verify deals the round again in your browser, without asking the server, and compares hash, cards and result.`}
        </li>
        <li>{t`Each round is shuffled anew. What came before has no bearing on what comes next.`}</li>
        <li>
          {t`What this does not prove: the house knows its seeds, so it could know the cards of a round while you bet. It cannot change them for your bet. And it could call a round off, which gives every stake back.`}
        </li>
      </ol>
    </Modal>
  );
}
