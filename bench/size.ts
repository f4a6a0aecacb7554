import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { report, round } from './report.ts';

/**
 * How much a screen loads before it is drawn, gzipped: the page's own script, the entry, the screen's chunk and everything
 * they import, script and styles each counted once. Ends with 1 when a screen is over its budget.
 */
interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'apps/web/dist');
const manifestPath = join(dist, '.vite/manifest.json');
if (!existsSync(manifestPath)) {
  console.error('Build the client first: npm run build');
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>;
const entry = Object.keys(manifest).filter((name) => manifest[name]?.isEntry && name.endsWith('.html'));
/** What the page names itself, such as the script that runs before the first paint. */
const named = [...readFileSync(join(dist, 'index.html'), 'utf8').matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(
  ([, file]) => file!,
);
const sizes = new Map<string, number>();

function closure(names: readonly string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) continue;
    seen.add(name);
    closure(chunk.imports ?? [], seen);
  }
  return seen;
}

const filesOf = (names: Iterable<string>) =>
  [...names].flatMap((name) => [manifest[name]!.file, ...(manifest[name]!.css ?? [])]);

function kilobytes(files: Iterable<string>, end: '.js' | '.css'): number {
  let bytes = 0;
  for (const file of new Set(files)) {
    if (!file.endsWith(end)) continue;
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
    bytes += sizes.get(file)!;
  }
  return bytes / 1000;
}

let over = false;
function hold(name: string, files: readonly string[], limits: { '.js': number; '.css': number }): void {
  for (const [end, kind] of [
    ['.js', 'script'],
    ['.css', 'styles'],
  ] as const) {
    const limit = limits[end];
    const value = kilobytes(files, end);
    over ||= value > limit;
    report({
      name: `size: ${name}, ${kind}`,
      unit: 'kB gzip',
      value: round(value, 1),
      baseline: limit,
      ratio: round(limit / Math.max(value, 0.1)),
    });
  }
}

const APP = 'src/app/app.tsx';
const SHELL = 'src/app/signed-in-shell.tsx';
const EVENT = 'src/features/event/event-page.tsx';
const firsts = [
  { name: 'sign-in page', screens: ['src/app/entrance.tsx'], limits: { '.js': 92, '.css': 14.5 } },
  { name: 'shell with event page', screens: [APP, SHELL, EVENT], limits: { '.js': 168, '.css': 25 } },
];
for (const { name, screens, limits } of firsts) {
  const missing = screens.filter((screen) => !manifest[screen]);
  if (missing.length > 0) {
    console.error(`${name}: no chunk for ${missing.join(', ')}`);
    process.exit(1);
  }
  hold(name, [...named, ...filesOf(closure([...entry, ...screens]))], limits);
}
// Every further screen may add so much of its own to the shell.
const base = closure([...entry, APP, SHELL, EVENT]);
for (const screen of Object.keys(manifest).filter((name) => name.startsWith('src/features/') && name !== EVENT)) {
  const own = [...closure([screen])].filter((name) => !base.has(name));
  hold(screen.slice('src/features/'.length), filesOf(own), { '.js': 40, '.css': 15 });
}
if (over) {
  console.error('A screen loads more than its budget.');
  process.exit(1);
}
