// npm run cluster:test [-- NAME ...]: the server's tests that speak through the public door, a second time, against a gateway with core,
// feed, tables and desk behind it over a real PostgreSQL and NATS (apps/server/test/behind.ts). One file after the other; not part of npm test.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const BY_HAND = 'changes by hand what another process has: its memory, its core, its answers';
/** Of files that run, the tests that cannot pass over two parts; null: none of the file. */
const CANNOT = {
  'live-sockets': ['polling is off over several gateways', ['polling alone', 'on both transports']],
  line: ['polling is off over several gateways', ['on either transport']],
  'live-fuzz': ['polling is off over several gateways', ['broken frames and packets']],
  'operator-feed': [
    'a process tells figures of its own roles alone',
    ['tells what trust 6.2', 'counts sign-ins, limits'],
  ],
  'auth-sign-in': [BY_HAND, ['sessions of the last run']],
  'auth-second-factor': [BY_HAND, ['leaves authenticators alone']],
  casino: [
    BY_HAND,
    [
      'are finished though nobody looks',
      'nobody is there any more',
      'a long queue does not stop a table',
      'are paid back where the seed',
    ],
  ],
  'operator-cli': ['a PostgreSQL has no files to copy', ['whoever made them']],
  http: [BY_HAND, ['health is open', 'an unexpected error', 'a database that is away']],
};
const WHOLE =
  'bets bets-held account wallet payments auth-forgotten operator-people fuzz worlds programs crowd feed-gate integrator matrix not-open catalog operator protection judging bridge demo-accounts alerts edge programs-orders programs-stream programs-stream-orders pictures';

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
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file, ...only], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FAIRGAME_TEST_CLUSTER: 'on' },
  });
  if (status !== 0) failed.push(name);
}
console.log(failed.length > 0 ? `failed: ${failed.join(', ')}` : 'all that can run over two parts passed');
process.exit(failed.length > 0 ? 1 : 0);
