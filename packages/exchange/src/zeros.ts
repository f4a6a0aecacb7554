const made: number[][] = [];

/**
 * So many zeros, to be added to. The engine keeps them as eight bytes each, in one piece with their list: a typed array of a dozen takes
 * five times as much, and there is one for every account in every market. A list that began with small integers would have to be
 * made anew at the first sum that is none.
 */
export function zeros(count: number): number[] {
  made[count] ??= fractions(count).fill(0);
  return made[count].slice();
}

function fractions(count: number): number[] {
  const list: number[] = [];
  for (let i = 0; i < count; i++) list.push(0.5);
  return list;
}
