/** Alerts and dashboard of deploy/ beside what a site answers to /metrics, and the alerts by Prometheus' own hand where the machine has it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findPostgres, startPostgres } from '../../../scripts/postgres.ts';
import { alertRules, dashboard } from './deploy-shapes.ts';
import { freshDatabase } from './fresh-database.ts';
import { newKey } from './server.ts';
import { IDS, makeSite, prices } from './site.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
const alerts = alertRules.parse(parse(read('prometheus/alerts.yaml'))).groups.flatMap(({ rules }) => rules);
const { panels } = dashboard.parse(JSON.parse(read('grafana/fairgame.json')));
const drawn = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

const METRIC = /\b(?:xch|pg|wal|process|nodejs)_[a-z0-9_]+/g;
/** Put there by Prometheus, or by a site of several processes. */
const OF_THE_SCRAPE = new Set(['instance', 'roles']);
/** Without a provider's list of a day there is nothing to tell. */
const SELDOM = 'xch_provider_unreconciled_total';

/** The labels that an expression asks for: those of its selectors, and those it groups by. */
function labelsIn(expr: string): string[] {
  const grouped = Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, names]) => names!.split(',')).flat();
  const selected = Array.from(expr.matchAll(/(\w+)(?:!=|=~|!~|=)"/g), ([, name]) => name!);
  return [...grouped.map((name) => name.trim()), ...selected].filter((name) => !OF_THE_SCRAPE.has(name));
}

it.skipIf(findPostgres() === null)(
  'every figure of the alerts and the dashboard is one that a site gives, with the labels that they ask for',
  async () => {
    const postgres = (await startPostgres({ archive_mode: 'on', archive_command: 'true' }))!;
    const database = await freshDatabase(postgres.url);
    // Read through the lane of a replica, whatever it leads to.
    const site = await makeSite({
      DATABASE_URL: database.url,
      DATABASE_READ_URL: database.url,
      FAIRGAME_CLOCK: 'trust',
      FAIRGAME_LIMIT_FACTOR: '1',
    });
    try {
      const player = await site.player();
      await site.feed(prices(IDS.race.win, [IDS.race.horses[0], 250, 260]));
      const bet = { betId: IDS.race.win, matchId: IDS.race.event, runnerId: IDS.race.horses[0], odd: 250, stake: 1000 };
      const body = { ...bet, key: newKey(), bettingType: 'BACK' as const };
      expect((await site.call(CALLS.bets.place, { body }, { token: player.token })).status).toBe(200);
      // Until it is too fast.
      for (let status = 0; status !== 429; ) status = (await site.call(CALLS.auth.demo, {})).status;
      const text = await (await site.fetch('/metrics')).text();
      const labels = new Map<string, Set<string>>();
      for (const [, name, inside = ''] of text.matchAll(/^([a-z]\w*)(?:\{([^}]*)\})? /gm)) {
        const had = labels.get(name!) ?? new Set();
        for (const [, label] of inside.matchAll(/(\w+)="/g)) had.add(label!);
        labels.set(name!, had);
      }
      const asked = [...alerts.map(({ expr }) => expr), ...drawn];
      const lacking = asked.flatMap((expr) => {
        const names = expr.match(METRIC) ?? [];
        const known = names.flatMap((name) => [...(labels.get(name) ?? [])]);
        return [
          ...names.filter((name) => !labels.has(name) && !(name === SELDOM && text.includes(`# TYPE ${name} `))),
          ...labelsIn(expr)
            .filter((label) => !known.includes(label))
            .map((label) => `${label} of ${expr}`),
        ];
      });
      expect(lacking).toEqual([]);
      expect(asked.flatMap((expr) => expr.match(METRIC) ?? []).length).toBeGreaterThan(asked.length - 1);
    } finally {
      await site.close();
      await database.drop();
      await postgres.stop();
    }
  },
  120_000,
);

const promtool = spawnSync('promtool', ['--version']).status === 0;
describe('deploy/prometheus', () => {
  it('tries each alert', () => {
    const tried = read('prometheus/alerts.test.yaml');
    for (const { alert } of alerts) expect(tried).toContain(`\n        alertname: ${alert}\n`);
  });

  it.skipIf(!promtool)('holds its own tests (promtool of the package prometheus)', () => {
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, {
        cwd: join(DEPLOY, 'prometheus'),
        encoding: 'utf8',
      });
      expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    }
  });
});
