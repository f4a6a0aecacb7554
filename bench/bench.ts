import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run bench` runs every bench one after the other, `npm run bench -- NAME [...]` one. Each prints JSON lines. */
const BENCHES = [
  'matching',
  'heavy',
  'bets',
  'http',
  'fanout',
  'programs',
  'reconnect',
  'pixel',
  'ladder',
  'size',
  'restart',
  'lead',
  'cluster',
  'settle',
  'demo-storm',
  'growth',
  'first-price',
  'lighthouse',
  'day',
  'casino',
  'idle',
  'returns',
  'wallet',
];
const here = dirname(fileURLToPath(import.meta.url));
const [name, ...args] = process.argv.slice(2);
const chosen = name ? [name] : BENCHES;

for (const bench of chosen) {
  const file = join(here, `${bench}.ts`);
  if (!BENCHES.includes(bench) || !existsSync(file)) {
    console.error(`There is no bench "${bench}". There are: ${BENCHES.join(', ')}`);
    process.exit(1);
  }
  const code = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], { stdio: 'inherit' });
    child.on('exit', (exit) => resolve(exit ?? 1));
  });
  if (code !== 0) process.exit(code);
}
