// npm run cluster:test [-- NAME ...]: the server's tests that speak through the public door, a second time, against a gateway with core,
// feed, tables and desk behind it over a real PostgreSQL and NATS (apps/server/test/behind.ts). One file after the other; not part of npm test.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LATER = 'reads at the gateway at once what the process behind it has just been told';
const BY_HAND = 'moves by hand what another process does there: timers, memory, the core of this process';
/** Of files that run, the tests that cannot pass over two parts; null: none of the file. */
const CANNOT = {
  catalog: [LATER, ['draws the picture five seconds late', 'drops a finished race from the lists']],
  operator: [
    `${LATER}; hears signals in the same turn`,
    ['suspends and gives back a market', 'takes bets out with a reason', 'asks every client to reload'],
  ],
  'live-sockets': ['polling is off over several gateways', ['polling alone', 'on both transports']],
  'live-fuzz': ['polling is off over several gateways', ['broken frames and packets']],
  protection: [LATER, ['freezes 72 hours after its first deposit']],
  'auth-sign-in': [BY_HAND, ['sessions of the last run', 'a demo account is gone']],
  'auth-second-factor': [BY_HAND, ['leaves authenticators alone']],
  'demo-accounts': [BY_HAND, null],
  judging: [BY_HAND, null],
  'operator-feed': [BY_HAND, null],
  bridge: [BY_HAND, null],
  casino: [`${BY_HAND}: the clock of the tables`, null],
  http: [BY_HAND, ['health is open', 'an unexpected error', 'a database that is away']],
};
const WHOLE =
  'bets account line wallet payments auth-forgotten operator-people fuzz worlds programs crowd feed-gate integrator matrix not-open';

const asked = process.argv.slice(2);
const partly = Object.keys(CANNOT).filter((name) => CANNOT[name][1] !== null);
const failed = [];
for (const name of asked.length > 0 ? asked : [...WHOLE.split(' '), ...partly]) {
  const [why, titles] = CANNOT[name] ?? ['', []];
  if (titles === null) {
    console.log(`${name}: not over two parts, it ${why}`);
    continue;
  }
  const only = titles.length > 0 ? ['-t', `^(?!.*(${titles.join('|')})).*$`] : [];
  const file = `apps/server/test/${name}.test.ts`;
  const patience = ['--hookTimeout=200000', '--testTimeout=120000'];
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file, ...patience, ...only],
    { cwd: root, stdio: 'inherit', env: { ...process.env, FAIRGAME_TEST_CLUSTER: 'on' } },
  );
  if (status !== 0) failed.push(name);
}
console.log(failed.length > 0 ? `failed: ${failed.join(', ')}` : 'all that can run over two parts passed');
process.exit(failed.length > 0 ? 1 : 0);
