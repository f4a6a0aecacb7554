/** Parts of sentences. */

/** The first letter large, as at the start of a sentence. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** `No player beats it.`, `Player 3 beats it.`, `Players 1, 2 and 5 beat it.` */
export const beatIt = (numbers: readonly string[]): string =>
  numbers.length === 0
    ? 'No player beats it.'
    : numbers.length === 1
      ? `Player ${numbers[0]} beats it.`
      : `Players ${listed(numbers)} beat it.`;
