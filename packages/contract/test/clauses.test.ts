import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allCalls } from '../src/contract.ts';

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

describe('the calls of the contract', () => {
  const served = new Set(
    allCalls().flatMap(({ method, path, aliases = [], alsoPost }) =>
      [path, ...aliases].flatMap((one) => {
        const plain = one.replace(/:\w+/g, '{}');
        return alsoPost ? [`GET ${plain}`, `POST ${plain}`] : [`${method} ${plain}`];
      }),
    ),
  );
  const specified = [...text.matchAll(/^\| (API-\d\d) \|([^|]+)\|/gm)].flatMap(([, id, statement]) =>
    [...statement!.matchAll(/`(GET|POST) (?:\{\w+\}(?=\/))?\/?([^`?]+?)(?:\?[^`]*)?`/g)].map(
      ([, method, path]) => `${id} ${method} /${path!.replace(/\{\w+\}/g, '{}')}`,
    ),
  );

  it('[API-10] [API-29] [API-30] [API-31] [API-33] [API-34] [API-35] [API-36] [API-37] [API-38] are spelled, method and path, as the requirements spell them', () => {
    expect(specified.length).toBeGreaterThan(40);
    expect(specified.filter((one) => !served.has(one.slice('API-00 '.length)))).toEqual([]);
  });

  it('[CAR-03] every call of a player that moves bets has a key of its own', () => {
    const keyless = allCalls().filter(
      ({ name, method, keyed, reads }) => name.startsWith('bet.') && method === 'POST' && !keyed && !reads,
    );
    // Each instruction of the one has a key; no player may call the other.
    expect(keyless.map(({ name }) => name).sort()).toEqual(['bet.deleteMultipleBetForRace', 'bet.placeMany']);
  });

  it('[OPN-26] reads are GET and have no body, the rest is POST; the card paths behind the first are GET', () => {
    for (const { name, method, body } of allCalls())
      expect([name, method === 'POST' || body === undefined]).toEqual([name, true]);
    for (const path of ['/match/initial/card', '/card/result/{}', '/card/result/detail'])
      expect(served).toContain(`GET ${path}`);
    for (const method of ['GET', 'POST']) expect(served).toContain(`${method} /tunnel/casino/sport-score`);
  });
});
