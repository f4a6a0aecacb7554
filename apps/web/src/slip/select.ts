import { newKey } from '../platform/key.ts';
import { bets, type Draft, giveWay, isBusy, type Selection, setBets, slip, UNSENT } from './draft.ts';
import { choicesKept, keepsSeveral } from './settings.ts';

/** So many bets in the slip: the server takes twice as many at once. */
export const MOST = 10;

/** A price was pressed: the bet it made, or null. A bet on its way is never replaced: its answer comes first. */
export function select(selection: Selection, stakeText = ''): number | null {
  const last = slip();
  const isSame = (one: Draft) =>
    one.marketId === selection.marketId && one.runnerId === selection.runnerId && one.side === selection.side;
  // Where one bet is kept it gives way to any other; of several only that on the same side of the runner does.
  const several = keepsSeveral();
  const replaced = several ? bets().find(isSame) : last;
  if (replaced ? isBusy(replaced) : bets().length >= MOST) return null;
  const before = replaced ?? last;
  const next: Draft = {
    ...selection,
    key: newKey(),
    pressed: (last?.pressed ?? 0) + 1,
    stakeText: before && (isSame(before) || before.phase !== 'done') ? before.stakeText : stakeText,
    persistence: 'LAPSE',
    fillOrKill: false,
    offset: 0,
    seconds: 0,
    ...(selection.kind === 'book' ? choicesKept() : {}),
    ...UNSENT,
  };
  if (replaced) giveWay(replaced, next);
  setBets(
    several ? (replaced ? bets().map((one) => (one === replaced ? next : one)) : [...bets(), next]) : [next],
    'frame',
  );
  return next.pressed;
}
