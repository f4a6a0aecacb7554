/** Makes bigint values plain numbers; money and counts beyond 2^53 mean a broken database, not a value to round. */
export function numbers<T>(rows: T[]): T[] {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row as object)) {
      if (typeof value === 'bigint') (row as Record<string, unknown>)[name] = safe(value.toString());
    }
  }
  return rows;
}

/** A whole number of PostgreSQL as a number. Throws RangeError when it is not a safe integer. */
export function safe(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
  return value;
}
