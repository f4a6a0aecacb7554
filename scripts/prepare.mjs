// What `npm start` and `npm test` share: dependencies, build, browser. Plain JavaScript: it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a command in the project folder; rejects on a non-zero exit. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${code}`)),
    );
  });
}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`fairGame needs Node 20.19 or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
}

/** Installs when nothing is installed yet or the lock file changed since. */
export async function install() {
  const mark = join(root, 'node_modules', '.fairgame-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return false;
  console.log('Installing dependencies ...');
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'], { shell: process.platform === 'win32' });
  writeFileSync(mark, lock);
  return true;
}

/** Newest change below the folders that go into a build. */
function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name === 'test') continue;
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

/** What a build makes; any of it missing is a reason to build. */
const BUILT = [
  'apps/web/dist/index.html',
  'apps/server/dist/main.js',
  'apps/provider-a/dist/main.js',
  'apps/provider-b/dist/main.js',
  'packages/studio/dist/index.html',
];

/** Builds client, server, providers and the page of their games when a source is newer than the last build. */
export async function build() {
  const mark = join(root, 'apps', 'server', 'dist', '.built');
  const latest = Math.max(...['packages', 'apps', 'scripts'].map((folder) => newest(join(root, folder))));
  if (existsSync(mark) && statSync(mark).mtimeMs > latest && BUILT.every((path) => existsSync(join(root, path))))
    return false;
  console.log('Building client, server and the demonstration providers ...');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const bundle = (folder) => run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, folder) });
  const program = (folder) => run(process.execPath, [join(root, folder, 'build.mjs')]);
  await Promise.all([
    bundle('apps/web'),
    program('apps/server'),
    program('apps/provider-a'),
    program('apps/provider-b'),
  ]);
  await bundle('packages/studio');
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, new Date().toISOString());
  return true;
}

/** Path of a Chromium to test with; on Debian as root it is installed, elsewhere one line says what is missing. */
export function browser() {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  const found = () => candidates.find((path) => path && existsSync(path));
  if (found()) return found();
  if (process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('Installing Chromium for the browser tests ...');
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet);
    if (found()) return found();
  }
  return undefined;
}

/** Path of a Firefox that the system has; none is installed for it. */
export const firefox = () =>
  [
    process.env.FIREFOX_PATH,
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ].find((path) => path && existsSync(path));
