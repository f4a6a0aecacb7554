import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../../docs/requirements.md', import.meta.url), 'utf8');
const check = text.slice(text.lastIndexOf('\n## Check\n'));
const clauses = [...check.matchAll(/^\| (§[^|]+?) \| ([^|]*) \| ([^|]*) \|$/gm)].map(([, clause, , ids]) => ({
  clause: clause!,
  ids: ids!
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean),
}));
const rows = new Set([...text.matchAll(/^\| ([A-Z]{3}-\d{2}) \|/gm)].map(([, id]) => id!));

describe('the check table of the requirements', () => {
  it('[PRD-04] every clause of the specification leads to a row, and every row it names is there', () => {
    expect(clauses.length).toBeGreaterThan(200);
    expect(clauses.filter(({ ids }) => ids.length === 0)).toEqual([]);
    const stated = Number(/cut into (\d+) clauses/.exec(check)?.[1]);
    const shown = new Set(clauses.map(({ clause }) => clause));
    expect(shown.size).toBe(stated);
    const tables = /^(MAT-T1|CAS-T1|TAC-\d\d|RGP-\d\d)$/;
    const unknown = clauses.flatMap(({ clause, ids }) =>
      ids.flatMap((id) => {
        // "TAC-01 to TAC-28" names its ends.
        const ends = id.split(' to ');
        return ends.filter((end) => !rows.has(end) && !tables.test(end)).map((end) => `${clause}: ${end}`);
      }),
    );
    expect(unknown).toEqual([]);
  });
});
