// npm test: every check and every suite, one after the other; the last line sums them up.
// `npm test -- exchange web` runs the named parts only.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { browser, build, checkNode, install, root } from './prepare.mjs';

checkNode();
await install();

const only = process.argv.slice(2);
const sums = { passed: 0, failed: 0, skipped: 0 };
const report = [];
const failures = [];
const second = [];
const temp = mkdtempSync(join(tmpdir(), 'fairgame-test-'));
const bin = (path) => join(root, 'node_modules', path);
const typescript = bin('@typescript/native/bin/tsc');

function exec(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** A test and the first lines of its failure, without colours: enough to know it again in the log above. */
const told = (name, message = '') =>
  `${name}\n${stripVTControlCharacters(message).split('\n', 4).join('\n').replaceAll(/^/gm, '    ')}`;

async function check(name, args) {
  if (only.length > 0 && !only.includes(name)) return;
  const started = Date.now();
  const code = await exec(args);
  if (code === 0) sums.passed += 1;
  else sums.failed += 1;
  report.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${Math.round((Date.now() - started) / 1000)} s)`);
}

async function suite(name, env = {}) {
  if (only.length > 0 && !only.includes(name)) return;
  const started = Date.now();
  const out = join(temp, `${name}.json`);
  const code = await exec(
    [
      bin('vitest/vitest.mjs'),
      'run',
      '--project',
      name,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${out}`,
    ],
    env,
  );
  let counts = { passed: 0, failed: 1, skipped: 0 };
  try {
    const json = JSON.parse(readFileSync(out, 'utf8'));
    counts = {
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests,
    };
    for (const file of json.testResults) {
      const path = relative(root, file.name);
      const { assertionResults: tests, message, status } = file;
      for (const test of tests.filter(({ failureMessages }) => failureMessages.length > 0))
        (test.status === 'failed' ? failures : second).push(told(`${path}: ${test.fullName}`, test.failureMessages[0]));
      if (status === 'failed' && !tests.some((test) => test.status === 'failed')) failures.push(told(path, message));
    }
  } catch {
    // No report: the run itself broke.
  }
  // A file that fails to load runs no test: it still counts.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  for (const key of Object.keys(sums)) sums[key] += counts[key];
  report.push(
    `${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${Math.round((Date.now() - started) / 1000)} s)`,
  );
}

await check('types', [typescript, '-p', 'tsconfig.json']);
await check('types-web', [typescript, '-p', 'apps/web']);
await check('types-studio', [typescript, '-p', 'packages/studio']);
await check('types-e2e', [typescript, '-p', 'e2e']);
await check('types-bench', [typescript, '-p', 'bench']);
await check('lint-and-format', [bin('@biomejs/biome/bin/biome'), 'check', '.']);
await check('lint-types', [bin('oxlint/bin/oxlint'), '--type-aware']);
await check('imports', [
  bin('dependency-cruiser/bin/dependency-cruise.mjs'),
  'packages',
  'apps',
  'e2e',
  'bench',
  '--config',
  '.dependency-cruiser.cjs',
]);
await check('dead-code', [bin('knip/bin/knip.js')]);
await check('coverage', ['scripts/coverage-spec.mjs']);
for (const name of ['contract', 'exchange', 'casino', 'studio', 'server', 'web']) await suite(name);

if (only.length === 0 || only.includes('e2e') || only.includes('size')) {
  await build();
  await check('size', [bin('tsx/dist/cli.mjs'), 'bench/size.ts', '--check']);
  const chromium = browser();
  if (chromium) await suite('e2e', { CHROMIUM_PATH: chromium });
  else {
    sums.failed += 1;
    report.push('FAILED e2e: no Chromium found; install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  }
}

rmSync(temp, { recursive: true, force: true });
console.log(`\n${report.join('\n')}\n`);
if (second.length > 0) console.log(`Passed at the second try only:\n${second.join('\n')}\n`);
if (failures.length > 0) console.log(`Failed:\n${failures.join('\n')}\n`);
console.log(`${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped`);
process.exit(sums.failed === 0 ? 0 : 1);
