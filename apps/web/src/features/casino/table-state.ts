import type { CardTile } from '@fairgame/contract';
import { t } from '@lingui/core/macro';

/** What a table does now, in a word and seconds. */
export function stateOf(tile: Pick<CardTile, 'phase' | 'endsAt' | 'open'>, now: number): string {
  if (!tile.open) return t`Not open`;
  const left = tile.endsAt > 0 ? Math.ceil((tile.endsAt - now) / 1000) : 0;
  switch (tile.phase) {
    case 'OPEN':
      // What follows an open window is known: the list only comes every few seconds.
      return tile.endsAt === 0 ? t({ message: 'Open', context: 'state' }) : left > 0 ? t`Open, ${left} s` : t`Dealing`;
    case 'LOCKED':
    case 'DEALING':
      return t`Dealing`;
    case 'RESULT':
      return t`Result`;
    case 'VOID':
      return t`No result`;
    default:
      // Nobody sits there: a round begins as soon as somebody does.
      return t`Starts with you`;
  }
}
