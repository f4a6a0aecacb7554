import type { TransactionRow } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { say, type Words } from '../../platform/language.ts';
import { Chip } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconMinus, IconTrophy } from '../../ui/icons.ts';

/** What a movement of the balance was. */

const TYPE_WORDS: Record<TransactionRow['transType'], Words> = {
  add: msg`Deposit`,
  withDraw: msg`Withdrawal`,
  win: msg`Win`,
  loss: msg`Loss`,
  creditReference: msg({ message: 'Credit', context: 'credit line' }),
};
/** A round of a live game is in the books by its movements: a stake is no loss yet, and what came back is no win yet. */
const LIVE_CASINO = 3;
export const typeWord = ({ type, amount, transType }: TransactionRow): string =>
  type === LIVE_CASINO ? (amount < 0 ? t`Stake` : t`Paid back`) : say(TYPE_WORDS[transType]);

export function EntryType({ row }: { row: TransactionRow }) {
  const words = typeWord(row);
  if (row.type === LIVE_CASINO) return <Chip>{words}</Chip>;
  if (row.transType === 'win') {
    return (
      <Chip tone="pos">
        <Icon of={IconTrophy} size={13} /> {words}
      </Chip>
    );
  }
  if (row.transType === 'loss') {
    return (
      <Chip tone="neg">
        <Icon of={IconMinus} size={13} /> {words}
      </Chip>
    );
  }
  return <Chip>{words}</Chip>;
}
