import type { CardTile } from '@fairgame/contract';

/** What a table does now, in a word and seconds. */
export function stateOf(tile: Pick<CardTile, 'phase' | 'endsAt' | 'open'>, now: number): string {
  if (!tile.open) return 'Not open';
  const left = tile.endsAt > 0 ? Math.ceil((tile.endsAt - now) / 1000) : 0;
  switch (tile.phase) {
    case 'OPEN':
      // What follows an open window is known: the list only comes every few seconds.
      return tile.endsAt === 0 ? 'Open' : left > 0 ? `Open, ${left} s` : 'Dealing';
    case 'LOCKED':
    case 'DEALING':
      return 'Dealing';
    case 'RESULT':
      return 'Result';
    case 'VOID':
      return 'No result';
    default:
      // Nobody sits there: a round begins as soon as somebody does.
      return 'Starts with you';
  }
}
