import type { Ending, Game } from '@fairgame/casino';
import type { CardResult } from '@fairgame/contract';
import { factsOf } from './facts.ts';
import type { SelectionInfo } from './grid.ts';
import type { Side } from './roads.ts';

/** How often a table's rounds ended so. Where several seats may win at once, each counts for itself. */
export interface Count extends Pick<Ending, 'badge' | 'name' | 'tone'> {
  readonly count: number;
}

export function countEndings(endings: readonly Ending[], results: readonly Pick<CardResult, 'win'>[]): Count[] {
  const counts = new Map<string, Count>();
  for (const { badge, name, tone } of endings) counts.set(name, { badge, name, tone, count: 0 });
  for (const { win } of results) {
    for (const code of win.split(',')) {
      const ending = endings.find((one) => one.win === code);
      const held = ending && counts.get(ending.name);
      if (held) counts.set(held.name, { ...held, count: held.count + 1 });
    }
  }
  return [...counts.values()];
}

/** The two sides of a table that roads can be drawn of: it has exactly these two, and a tie at most. */
export function roadSides(endings: readonly Ending[]): Readonly<Record<'a' | 'b', Ending>> | null {
  const a = endings.find(({ tone }) => tone === 'a');
  const b = endings.find(({ tone }) => tone === 'b');
  const others = endings.filter(({ name, tone }) => tone !== 'tie' && name !== a?.name && name !== b?.name);
  return a && b && others.length === 0 ? { a, b } : null;
}

/** Results as sides, oldest first; every one of them is a side or a tie. */
export function sidesOf(endings: readonly Ending[], newestFirst: readonly Pick<CardResult, 'win'>[]): Side[] {
  return newestFirst
    .flatMap(({ win }): Side[] => {
      const tone = endings.find((one) => one.win === win)?.tone;
      return tone === 'a' || tone === 'b' ? [tone] : tone === 'tie' ? ['t'] : [];
    })
    .reverse();
}

/** In how many of the rounds each bet won, by the rules of the table and the cards that were dealt. */
export function countWins(
  game: Game,
  selections: readonly SelectionInfo[],
  rounds: ReadonlyArray<Pick<CardResult, 'cards'>>,
): { rounds: number; wins: ReadonlyMap<number, number> } {
  const wins = new Map<number, number>();
  let counted = 0;
  for (const { cards } of rounds) {
    if (!cards || cards.length === 0) continue;
    const { deal, dealt } = factsOf(game, { phase: 'RESULT', cards: seated(game, cards) });
    if (!dealt) continue;
    counted += 1;
    const outcome = game.outcome(deal);
    for (const { id, pick } of selections) {
      const selection = pick === null && game.selections.find((one) => one.id === id);
      if (!selection) continue;
      const mark = selection.mark(outcome, []);
      if (mark.kind === 'WIN' || (mark.kind === 'POINTS' && mark.points > 0)) wins.set(id, (wins.get(id) ?? 0) + 1);
    }
  }
  return { rounds: counted, wins };
}

/** Who got each card: the game's own order of the deal. */
function seated(game: Game, codes: readonly string[]): Array<{ seat: string; code: string }> {
  const cards: Array<{ seat: string; code: string }> = [];
  for (const code of codes) {
    const { deal } = factsOf(game, { phase: 'DEALING', cards });
    cards.push({ seat: game.seats[Math.max(0, game.nextSeat(deal))]!.id, code });
  }
  return cards;
}
