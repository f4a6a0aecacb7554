import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { css } from './scripts/class-names.mjs';

/** The files that take minutes begin first: a long one at the end would run alone. */
const LONG = [
  'restart-feeds.test.ts',
  'backup.test.ts',
  'feed-simulated.test.ts',
  'kill.test.ts',
  'lifecycle.test.ts',
  'core.test.ts',
  'server/test/casino.test.ts',
  'sim.test.ts',
  'edge.test.ts',
  'verify.test.ts',
  'leadership.test.ts',
  'core-storage.test.ts',
  'operator-people.test.ts',
  'cluster.test.ts',
  'core-standby.test.ts',
  'languages.e2e.ts',
  'a11y.e2e.ts',
  'a11y-live.e2e.ts',
  'casino.e2e.ts',
  'axe.e2e.ts',
  'players.e2e.ts',
  'lost-answers.e2e.ts',
  'keyboard.e2e.ts',
  'parts-look.e2e.ts',
];
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

// One project a layer, so that each can be run alone: `npx vitest run --project exchange`.
const node = (name: string, include: string[], extra: object = {}) => ({
  css,
  test: {
    name,
    include,
    environment: 'node' as const,
    // What was compared stands in the message whole: "[ Array(1) ]" tells nobody what the one thing was.
    chaiConfig: { truncateThreshold: 0 },
    ...extra,
  },
});

const BROWSER = {
  globalSetup: ['e2e/first-start.ts'],
  testTimeout: 120_000,
  hookTimeout: 240_000,
  // A second try, of which the end of `npm test` speaks: browser, feed and machine are not in the test's hand.
  retry: 1,
  // Tests of one file at once, where they ask for it: casino.e2e.ts has two players.
  maxConcurrency: 2,
  // How long to wait for what must come; how fast it comes is measured in bench/.
  expect: { poll: { timeout: 20_000, interval: 50 } },
};

/** Rules hold nothing of their own: files of a worker share what they load. */
const RULES = { testTimeout: 120_000, isolate: false };

/** Over two parts every server of a test is two, with a database and a bus of their own (npm run cluster:test). */
const OF_SERVERS = process.env.FAIRGAME_TEST_CLUSTER === 'on' ? 240_000 : 60_000;

/** Minutes of one core that prove more of the same: `npm test -- long` runs them, `npm test` by itself has no time for them. */
const LONG_RUNS = [
  'packages/casino/test/returns.test.ts',
  'packages/exchange/test/sim-more.test.ts',
  'apps/server/test/feed-simulated-models.test.ts',
  'e2e/provider-money.e2e.ts',
  'e2e/languages-more.e2e.ts',
];

/** What is tried in Firefox as well, when it is asked for: a second run of everything would take the time of everything. */
const IN_FIREFOX = ['e2e/journey.e2e.ts', 'e2e/casino.e2e.ts', 'e2e/keyboard.e2e.ts'];

export default defineConfig({
  test: {
    // Both cores of a small machine: left to itself the runner keeps one for itself. Where no browser runs `npm test` takes three.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    projects: [
      node('contract', ['packages/contract/test/**/*.test.ts']),
      node('exchange', ['packages/exchange/test/**/*.test.ts'], { ...RULES, exclude: LONG_RUNS }),
      node('casino', ['packages/casino/test/**/*.test.ts'], { ...RULES, exclude: LONG_RUNS }),
      node('exchange-api', ['packages/exchange-api/test/**/*.test.ts']),
      node('studio', ['packages/studio/test/**/*.test.{ts,tsx}'], {
        testTimeout: 120_000,
        css: { include: /\.module\.css$/, modules: { classNameStrategy: 'scoped' } },
      }),
      // Ninety files that load the same modules: each worker loads them once. No file changes what another one finds.
      node('server', ['apps/server/test/**/*.test.ts'], {
        testTimeout: OF_SERVERS,
        hookTimeout: OF_SERVERS,
        isolate: false,
        // Processes, clocks and databases beside two other files: named at the end like those of the browser.
        retry: 1,
        exclude: LONG_RUNS,
      }),
      './apps/web/vite.config.ts',
      node('e2e', ['e2e/**/*.e2e.ts'], { ...BROWSER, exclude: LONG_RUNS }),
      node('long', LONG_RUNS, BROWSER),
      ...(process.env.FAIRGAME_BROWSERS === 'firefox'
        ? [node('firefox', IN_FIREFOX, { ...BROWSER, env: { FAIRGAME_E2E_BROWSER: 'firefox' } })]
        : []),
    ],
  },
});
