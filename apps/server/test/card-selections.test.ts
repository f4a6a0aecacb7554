/** What a player chooses at a card table, as a runner of its market. */
import { finish, newRound, TABLES } from '@fairgame/casino';
import { describe, expect, it } from 'vitest';
import { paysOf, pickOf, runnerIdOf, runnersOf } from '../src/casino/casino.ts';
import { boundsOf } from '../src/casino/selections.ts';

describe('selections as runners', () => {
  it('numbers a choice of digits so that it can be read back', () => {
    for (const pick of [[], [0], [9], [1, 2, 3], [0, 0, 9]])
      expect(pickOf(runnerIdOf(21, pick))).toEqual({ selectionId: 21, pick });
  });

  it('[INV-05] every result of every table fits what exposure assumed', () => {
    for (const code of Object.keys(TABLES) as Array<keyof typeof TABLES>) {
      const runners = runnersOf(code).filter(
        (runner) => TABLES[code].game.selections.find((one) => one.id === runner.runnerId)?.pick === null,
      );
      const grouped = new Set(runners.flatMap((runner) => (runner.group ? [runner.runnerId] : [])));
      for (let nonce = 0; nonce < 40; nonce++) {
        const record = dealt(code, nonce);
        const pays = paysOf(
          code,
          record,
          runners.map((runner) => runner.runnerId),
          grouped,
        );
        for (const selection of TABLES[code].game.selections) {
          if (!selection.pick) continue;
          const { least, from, to } = selection.pick;
          const pick = Array.from({ length: least }, (_, at) => from + ((nonce * 3 + at) % (to - from + 1)));
          const runnerId = runnerIdOf(selection.id, pick);
          const { payMax = -1, payMin = 100 } = boundsOf(selection, pick);
          const [pay] = paysOf(code, record, [runnerId], grouped);
          if (pay?.is !== 'PAY') continue;
          expect([code, selection.name, pay.per100 <= payMax, pay.per100 >= -payMin]).toEqual([
            code,
            selection.name,
            true,
            true,
          ]);
        }
        for (const pay of pays) {
          const runner = runners.find((one) => one.runnerId === pay.runnerId)!;
          if (pay.is === 'PAY') {
            expect(pay.per100).toBeLessThanOrEqual(runner.payMax ?? -1);
            expect(pay.per100).toBeGreaterThanOrEqual(-(runner.payMin ?? 100));
          }
        }
        for (const group of new Set(runners.map((runner) => runner.group ?? 0))) {
          if (group === 0) continue;
          const ends = pays
            .filter((pay) => runners.find((one) => one.runnerId === pay.runnerId)?.group === group)
            .map((pay) => pay.is);
          const won = ends.filter((is) => is === 'WIN').length;
          expect([
            code,
            nonce,
            won === 1
              ? ends.filter((is) => is === 'LOSE').length === ends.length - 1
              : ends.every((is) => is === 'VOID') || (ends.length === 1 && ends[0] === 'LOSE'),
          ]).toEqual([code, nonce, true]);
        }
      }
    }
  });
});

function dealt(code: keyof typeof TABLES, nonce: number) {
  const round = newRound(code, {
    serverSeed: '6f71d4e14ed4fd44550501774c1500ea3e8f64eba26e4a78c60674576674e558',
    clientSeed: 'test',
    nonce,
  });
  return finish(round);
}
