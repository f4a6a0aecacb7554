/** One pair of the JSON text: a label and a whole number. */
const PAIR = /("(?:[^"\\]|\\.)*")\s*:\s*(\d+)/g;

/**
 * Label and whole units of each stake button, in the order the player gave them: an object would put labels that look like
 * numbers first. A damaged text gives none.
 */
export function buttonPairs(value: string | undefined): Array<[label: string, units: number]> {
  if (value === undefined || !/^\s*\{[\s\S]*\}\s*$/.test(value)) return [];
  try {
    return [...value.matchAll(PAIR)].map((pair) => [JSON.parse(pair[1]!) as string, Number(pair[2])]);
  } catch {
    return [];
  }
}
