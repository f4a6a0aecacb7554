import { plural, t } from '@lingui/core/macro';
import { formatMoney, typedMinor } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import type { Draft } from '../slip/slip.ts';
import { kindOf, priceText, sideWord } from './kinds.ts';

/** What the slip says of its bet, in words. */

/** "2.20", "80", or for a bet on runs its line. */
export const atText = (draft: Pick<Draft, 'kind' | 'price' | 'line'>): string =>
  kindOf(draft.kind).line && draft.line !== undefined ? String(draft.line) : priceText(draft.kind, draft.price);

const runs = (count: number): string => plural(count, { one: '# run', other: '# runs' });

/** When a bet of a number market wins; null where its runner's name says so. `width`: how many runs a khado row covers. */
export function winsWhen(
  { kind, side, line, runnerName }: Pick<Draft, 'kind' | 'side' | 'line' | 'runnerName'>,
  width = 1,
): string | null {
  switch (kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
      if (line === undefined) return null;
      if (side === 'BACK') return t`Wins at ${{ runs: runs(line) }} or more`;
      return line <= 1 ? t`Wins at no runs` : t`Wins at ${{ runs: runs(line - 1) }} or fewer`;
    case 'khado':
      return line === undefined ? null : t`Wins from ${line} to ${{ runs: runs(line + width - 1) }}`;
    case 'meter':
      return line === undefined
        ? null
        : side === 'BACK'
          ? t`Wins its stake for every run above ${line}, loses it for every run below`
          : t`Wins its stake for every run below ${line}, loses it for every run above`;
    case 'fancy1':
      return side === 'BACK' ? t`Wins when it happens` : t`Wins when it does not happen`;
    case 'oddEven':
      return t`Wins when the runs are ${{ runner: named(runnerName).toLowerCase() }}`;
    case 'cricketCasino':
      return t`Wins when the last digit of the score is ${runnerName}`;
    default:
      return null;
  }
}

export function profitLabel(draft: Draft): string {
  if (kindOf(draft.kind).yesNo) return t`Profit if ${{ side: sideWord(draft.kind, draft.side) }}`;
  return draft.side === 'BACK'
    ? t`Profit if ${{ runner: named(draft.runnerName) }} wins`
    : t`Profit if ${{ runner: named(draft.runnerName) }} does not win`;
}

/** Why a stake outside the limits cannot be placed, as a title. */
export function limitWords(draft: Pick<Draft, 'minStakeMinor' | 'maxStakeMinor'>, stakeMinor: number): string | null {
  if (stakeMinor < draft.minStakeMinor)
    return t`The smallest stake here is ${{ stake: formatMoney(draft.minStakeMinor) }}`;
  if (stakeMinor > draft.maxStakeMinor)
    return t`The largest stake here is ${{ stake: formatMoney(draft.maxStakeMinor) }}`;
  return null;
}

/** What is wrong with the stake as typed; null while it is empty or right. */
export function stakeTrouble(draft: Draft, stakeMinor: number): string | null {
  if (draft.stakeText.trim() === '') return null;
  if (typedMinor(draft.stakeText) === null) return t`Enter an amount such as 25 or ${{ example: formatMoney(1250) }}.`;
  const limit = limitWords(draft, stakeMinor);
  return limit && `${limit}.`;
}

/** In a big field the others are one line: they all stand alike but for the player's other bets. */
export function afterRows(
  draft: Draft,
  runners: ReadonlyArray<{ id: number; name: string; status: string }>,
  after: Map<number, { next: number | null }>,
): Array<{ label: string; minor: number | null }> {
  const active = runners.filter((runner) => runner.status !== 'REMOVED');
  if (active.length <= 4)
    return active.map((runner) => ({ label: named(runner.name), minor: after.get(runner.id)?.next ?? null }));
  const others = active
    .filter((runner) => runner.id !== draft.runnerId)
    .map((runner) => after.get(runner.id)?.next ?? 0);
  return [
    { label: named(draft.runnerName), minor: after.get(draft.runnerId)?.next ?? null },
    { label: t`Worst of the others`, minor: Math.min(...others) },
  ];
}
