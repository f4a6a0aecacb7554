import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { report, round } from './report.ts';

/**
 * How much script a screen loads, gzipped: the entry, the screen's chunk, and everything they import, each counted once.
 * `--check` ends with 1 when a screen is over its budget.
 */
interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'apps/web/dist');
const manifestPath = join(dist, '.vite/manifest.json');
if (!existsSync(manifestPath)) {
  console.error('Build the client first: npm run build');
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>;
const entry = Object.keys(manifest).filter((name) => manifest[name]?.isEntry && name.endsWith('.html'));
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

function kilobytes(names: Iterable<string>): number {
  let bytes = 0;
  for (const name of names) {
    const file = manifest[name]!.file;
    if (!file.endsWith('.js')) continue;
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
    bytes += sizes.get(file)!;
  }
  return bytes / 1000;
}

const SHELL = 'src/app/signed-in-shell.tsx';
const EVENT = 'src/features/event/event-page.tsx';
const limits: Array<{ name: string; screens: string[]; limit: number }> = [
  { name: 'size: sign-in page', screens: ['src/features/login/login.tsx'], limit: 160 },
  { name: 'size: shell with event page', screens: [SHELL, EVENT], limit: 240 },
];
// Every further screen may add at most 40 kB of its own to the shell.
const base = closure([...entry, SHELL, EVENT]);
let over = false;
for (const { name, screens, limit } of limits) {
  const missing = screens.filter((screen) => !manifest[screen]);
  if (missing.length > 0) {
    console.error(`${name}: no chunk for ${missing.join(', ')}`);
    process.exit(1);
  }
  const value = kilobytes(closure([...entry, ...screens]));
  over ||= value > limit;
  report({ name, unit: 'kB gzip', value: round(value, 1), baseline: limit, ratio: round(limit / value) });
}
for (const screen of Object.keys(manifest).filter((name) => name.startsWith('src/features/') && name !== EVENT)) {
  const own = [...closure([screen])].filter((name) => !base.has(name));
  const value = kilobytes(own);
  over ||= value > 40;
  report({
    name: `size: ${screen.slice('src/features/'.length)}`,
    unit: 'kB gzip',
    value: round(value, 1),
    baseline: 40,
    ratio: round(40 / Math.max(value, 0.1)),
  });
}
if (over && process.argv.includes('--check')) {
  console.error('A screen loads more script than its budget.');
  process.exit(1);
}
