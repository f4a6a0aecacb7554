import { afterAll, describe, expect, it } from 'vitest';
import { findPostgres, type PrivatePostgres, startPostgres } from '../../../scripts/postgres.ts';
import { makeDb, makeEmbedded } from './fixture.ts';
import { type KillReport, runKills } from './kill-harness.ts';

/** Of each suite; together over 20. More by `npm run kill -- --cycles N`. */
const CYCLES = 11;
const TIMEOUT = 600_000;

function expectClean(report: KillReport): void {
  expect(report.faults).toEqual([]);
  expect(report.verify.checks.filter((check) => check.breaks > 0)).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(CYCLES * 20);
  expect(report.movements).toBeGreaterThan(CYCLES * 5);
  expect(report.earlyKills).toBe(Math.floor(CYCLES / 4));
  expect(report.whileSnapshots).toBeGreaterThan(CYCLES / 3);
  expect(report.months).toBeGreaterThan(1);
  expect(report.moves).toEqual(['left', 'back', 'returned', 'out', 'in']);
  expect(report.fields.halfDone).toBeGreaterThan(0);
  expect(report.unansweredTaken + report.unansweredNot).toBeGreaterThan(0);
}

describe('killed under load', () => {
  it(
    `[INV-09] [FLT-01] [PRV-13] the embedded database, ${CYCLES} times: no acknowledged bet or movement of a provider lost or doubled, verify clean`,
    async () => {
      const { dir, remove } = await makeEmbedded();
      try {
        expectClean(await runKills({ cycles: CYCLES, seed: 20_260_110, dataDir: dir }));
      } finally {
        await remove();
      }
    },
    TIMEOUT,
  );

  let own: PrivatePostgres | null = null;
  afterAll(async () => own?.stop());
  const given = process.env.DATABASE_URL;
  if (!given && findPostgres() === null) {
    it('[INV-09] PostgreSQL: this machine has none and DATABASE_URL is not set, so only the embedded database was tried', () => {
      expect(findPostgres()).toBeNull();
    });
    return;
  }
  it(
    `[INV-09] [FLT-01] [PRV-13] PostgreSQL${given ? ' of DATABASE_URL' : ''}, ${CYCLES} times: the same`,
    async () => {
      if (!given) own = await startPostgres();
      const made = await makeDb(given ?? own!.url);
      await made.db.close();
      try {
        expectClean(await runKills({ cycles: CYCLES, seed: 4711, url: made.url! }));
      } finally {
        await made.drop();
      }
    },
    TIMEOUT,
  );
});
