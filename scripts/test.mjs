// npm test: every check and every suite; the last line sums them up. Checks and build run two at a time, the suites that
// need no browser as one run, so that no core waits for the end of another's.
// `npm test -- exchange web` runs the named parts only.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { browser, build, checkNode, firefox, install, root } from './prepare.mjs';
import { testFolder } from './test-folder.mjs';

checkNode();
await install();

const only = process.argv.slice(2);
const sums = { passed: 0, failed: 0, skipped: 0 };
const report = [];
const failures = [];
const second = [];
const temp = testFolder();
const bin = (path) => join(root, 'node_modules', path);
const typescript = bin('@typescript/native/bin/tsc');

/** Runs a script to its end. @returns its exit code and, unless it prints for itself, what it printed. */
function exec(args, { env = {}, shown = true } = {}) {
  return new Promise((resolve) => {
    const stdio = shown ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const end = () => child.kill();
    process.once('exit', end);
    child.on('close', (code) => {
      process.off('exit', end);
      resolve({ code: code ?? 1, output });
    });
  });
}

// A second browser, and more of the same, take minutes that `npm test` does not have by itself: they run when they are named.
const unasked = process.env.FAIRGAME_BROWSERS === 'firefox' ? ['long'] : ['long', 'firefox'];
const wanted = (name) => (only.length === 0 ? !unasked.includes(name) : only.includes(name));
const secondsSince = (started) => Math.round((Date.now() - started) / 1000);

/** A test and the first lines of its failure, without colours: enough to know it again in the log above. */
const told = (name, message = '') =>
  `${name}\n${stripVTControlCharacters(message).split('\n', 4).join('\n').replaceAll(/^/gm, '    ')}`;

async function check(name, args) {
  const started = Date.now();
  const { code, output } = await exec(args, { shown: false });
  if (output.trim()) console.log(`${name}:\n${output}`);
  note(name, code === 0, started);
}

function note(name, passed, started) {
  if (passed) sums.passed += 1;
  else sums.failed += 1;
  report.push(`${passed ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(started)} s)`);
}

/** Begins the jobs in their order, two at a time. */
async function inPairs(jobs) {
  const left = [...jobs];
  const work = async () => {
    for (let job = left.shift(); job; job = left.shift()) await job();
  };
  await Promise.all([work(), work()]);
}

/** Where the tests of each suite stand. */
const SUITES = {
  contract: 'packages/contract/',
  exchange: 'packages/exchange/',
  casino: 'packages/casino/',
  'exchange-api': 'packages/exchange-api/',
  studio: 'packages/studio/',
  server: 'apps/server/',
  web: 'apps/web/',
  e2e: 'e2e/',
  firefox: 'e2e/',
  long: '',
};
/** Those that want the built site, each as a run of its own. */
const IN_A_BROWSER = ['e2e', 'firefox', 'long'];

/** Runs suites as one. */
async function suites(names, env = {}) {
  if (names.length === 0) return;
  const started = Date.now();
  const out = join(temp, `${names.join('-')}.json`);
  const { code } = await exec(
    [
      bin('vitest/vitest.mjs'),
      'run',
      ...names.flatMap((name) => ['--project', name]),
      // Servers wait for clocks and databases: a third file has room beside two. A browser has none.
      ...(names.some((name) => IN_A_BROWSER.includes(name)) ? [] : ['--maxWorkers=3']),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${out}`,
    ],
    { env: { ...env, TMPDIR: temp } },
  );
  let files = [];
  try {
    files = JSON.parse(readFileSync(out, 'utf8')).testResults;
  } catch {
    // No report: the run itself broke, and no suite has a test that passed.
  }
  let failed = 0;
  for (const name of names) failed += sumUp(name, files);
  // Something broke outside of all tests.
  if (code !== 0 && failed === 0) sums.failed += 1;
  const ended = code === 0 || failed > 0 ? '' : ', FAILED outside of the tests';
  report.push(`       ${names.join(', ')} in ${secondsSince(started)} s${ended}`);
}

/** @returns how many tests of a suite failed; a file that fails to load, and a suite without a test, count as one. */
function sumUp(name, all) {
  const files = all
    .map((file) => ({ ...file, path: relative(root, file.name).replaceAll('\\', '/') }))
    .filter(({ path }) => path.startsWith(SUITES[name]));
  const counts = { passed: 0, failed: files.length === 0 ? 1 : 0, skipped: 0 };
  for (const { path, message, status, assertionResults: tests } of files) {
    for (const test of tests) {
      counts[test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped'] += 1;
      if (test.failureMessages.length > 0)
        (test.status === 'failed' ? failures : second).push(told(`${path}: ${test.fullName}`, test.failureMessages[0]));
    }
    if (status !== 'failed' || tests.some((test) => test.status === 'failed')) continue;
    counts.failed += 1;
    failures.push(told(path, message));
  }
  for (const key of Object.keys(sums)) sums[key] += counts[key];
  report.push(
    `${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  );
  return counts.failed;
}

const CHECKS = {
  'lint-types': [bin('oxlint/bin/oxlint'), '--type-aware'],
  types: [typescript, '-p', 'tsconfig.json'],
  'types-web': [typescript, '-p', 'apps/web'],
  'types-bench': [typescript, '-p', 'bench'],
  imports: [
    bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    'packages',
    'apps',
    'e2e',
    'bench',
    '--config',
    '.dependency-cruiser.cjs',
  ],
  'dead-code': [bin('knip/bin/knip.js')],
  'lint-and-format': [bin('@biomejs/biome/bin/biome'), 'check', '.'],
  styles: [bin('stylelint/bin/stylelint.mjs'), '{apps,packages}/*/src/**/*.css'],
  'types-studio': [typescript, '-p', 'packages/studio'],
  'types-e2e': [typescript, '-p', 'e2e'],
  languages: [bin('tsx/dist/cli.mjs'), 'apps/web/build/languages.ts', '--offered'],
  coverage: ['scripts/coverage-spec.mjs'],
  paths: ['scripts/paths.mjs'],
  'function-length': ['scripts/function-length.mjs'],
  'file-length': ['scripts/file-length.mjs'],
};

async function buildAll() {
  const started = Date.now();
  const built = await build().then(
    () => true,
    (error) => console.error(error),
  );
  if (!built) note('build', false, started);
  else if (wanted('size')) await check('size', [bin('tsx/dist/cli.mjs'), 'bench/size.ts']);
  return built;
}

const unknown = only.filter((name) => name !== 'size' && !CHECKS[name] && !SUITES[name]);
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}: ${[...Object.keys(CHECKS), 'size', ...Object.keys(SUITES)].join(', ')}`,
  );
  process.exit(2);
}

let built = false;
await inPairs([
  ...([...IN_A_BROWSER, 'size'].some(wanted) ? [async () => (built = await buildAll())] : []),
  ...Object.entries(CHECKS)
    .filter(([name]) => wanted(name))
    .map(
      ([name, args]) =>
        () =>
          check(name, args),
    ),
]);
await suites(
  Object.keys(SUITES).filter((name) => !IN_A_BROWSER.includes(name) && wanted(name)),
  built ? { FAIRGAME_TEST_BUILT: 'yes' } : {},
);

async function inBrowser(name, path, missing, env) {
  if (path) return suites([name], env);
  sums.failed += 1;
  report.push(`FAILED ${name}: ${missing}`);
}
if (built && wanted('e2e')) {
  const path = browser();
  const missing = 'no Chromium found; install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.';
  await inBrowser('e2e', path, missing, { CHROMIUM_PATH: path });
}
if (built && wanted('firefox')) {
  const path = firefox();
  const missing = 'no Firefox found; install one (Debian: apt-get install firefox-esr) or set FIREFOX_PATH.';
  await inBrowser('firefox', path, missing, { FIREFOX_PATH: path, FAIRGAME_BROWSERS: 'firefox' });
}
if (built && wanted('long')) await suites(['long'], { CHROMIUM_PATH: browser() ?? '' });
if (only.length === 0)
  report.push('       long: not asked for; `npm test -- long` runs what vitest.config.ts names there');
if (only.length === 0 && !wanted('firefox'))
  report.push(
    '       firefox: not asked for; `npm test -- firefox` plays the journeys of vitest.config.ts in Firefox ESR',
  );

console.log(`\n${report.join('\n')}\n`);
if (second.length > 0) console.log(`Passed at the second try only:\n${second.join('\n')}\n`);
if (failures.length > 0) console.log(`Failed:\n${failures.join('\n')}\n`);
console.log(`${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped`);
process.exit(sums.failed === 0 ? 0 : 1);
