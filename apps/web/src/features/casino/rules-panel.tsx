import type { TableInfo } from '@fairgame/casino';
import { t } from '@lingui/core/macro';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Panel } from '../../ui/panel.tsx';
import { PlayingCard } from '../../ui/playing-card.tsx';
import { toOne } from './grid.ts';
import { casinoWords } from './vocabulary.ts';
import dataTableCss from '../../ui/data-table.module.css';
import css from './table.module.css';

/** Sample hands of the ranks, three cards and five cards. */
const SAMPLES: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  'Pure Sequence': [['JH', 'QH', 'KH'], []],
  Trail: [['AS', 'AH', 'AD'], []],
  Sequence: [['4C', '5D', '6S'], []],
  Color: [['2D', '8D', 'QD'], []],
  Pair: [
    ['9C', '9H', 'KS'],
    ['9C', '9H', 'KS', '6D', '2C'],
  ],
  'High Card': [
    ['AC', '10D', '6H'],
    ['AC', 'JD', '8H', '6S', '2C'],
  ],
  'One Pair': [[], ['9C', '9H', 'KS', '6D', '2C']],
  'Two Pair': [[], ['9C', '9H', 'KS', 'KD', '2C']],
  'Three of a Kind': [[], ['7C', '7H', '7S', 'KD', '2C']],
  Straight: [[], ['5C', '6H', '7S', '8D', '9C']],
  Flush: [[], ['2D', '6D', '9D', 'JD', 'KD']],
  'Full House': [[], ['8C', '8H', '8S', 'QD', 'QC']],
  'Four of a Kind': [[], ['JC', 'JH', 'JS', 'JD', '4C']],
  'Straight Flush': [[], ['5S', '6S', '7S', '8S', '9S']],
  'Royal Flush': [[], ['10H', 'JH', 'QH', 'KH', 'AH']],
};

/** Rules of this table, and where hands are compared their ranks, best first. */
export function RulesPanel({ info, onAll }: { info: TableInfo; onAll: () => void }) {
  const pays = payTable(info);
  return info.handRanks.length > 0 ? (
    <Panel
      title={t`Hand ranks`}
      end={
        <Button kind="ghost" size="sm" onClick={onAll}>
          {t`All rules`}
        </Button>
      }
    >
      <table className={cx(dataTableCss.table, css.ranks)}>
        <caption className="sr">{t`Hands, best first`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Cards`}</th>
            <th scope="col">{t`Rank, best first`}</th>
            {pays.size > 0 && (
              <th scope="col" className="n">
                {t`Bonus`}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {info.handRanks.map((name) => (
            <tr key={name}>
              <td>
                <Sample info={info} name={name} />
              </td>
              <td>{name}</td>
              {pays.size > 0 && <td className="n t2">{pays.get(name) ?? t`no pay`}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  ) : (
    <Panel
      title={t`Rules of this table`}
      flush={false}
      end={
        <Button kind="ghost" size="sm" onClick={onAll}>
          {t`All rules`}
        </Button>
      }
    >
      <ol className={css.rules}>
        {info.rules.slice(0, 4).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ol>
    </Panel>
  );
}

function Sample({ info, name }: { info: TableInfo; name: string }) {
  const sample = Object.keys(SAMPLES).find((rank) => casinoWords(rank) === name);
  const cards = SAMPLES[sample ?? '']?.[info.family === 'poker' ? 1 : 0] ?? [];
  return (
    <span className="row g-1" aria-hidden="true">
      {cards.map((card) => (
        <PlayingCard key={card} card={card} width={25} />
      ))}
    </span>
  );
}

/** What a hand pays where a bet of this table pays by the hand. */
function payTable(info: TableInfo): Map<string, string> {
  const bet = info.selections.find((one) => one.pays?.some(({ when }) => info.handRanks.includes(when)));
  return new Map(bet?.pays?.map(({ when, odds }) => [when, `${toOne(odds)} : 1`]));
}
