/** Programs of the benches made as the server is made for shipping: run from its sources, its functions carry what a loader adds. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../apps/server/bundle.mjs';

/** The folder of the project: the one thing a bundled program can't know of itself. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What Node is started with. */
export const FLAGS = ['--enable-source-maps'];

/** Bundles the program of this source; answers the file to run, which goes with this process. */
export async function shipped(source: string): Promise<string> {
  const name = basename(source, '.ts');
  // Below node_modules, where packages are found.
  const folder = join(ROOT, 'node_modules', '.cache', `fairgame-bench-${name}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await bundle({ [name]: source }, folder);
  return join(folder, `${name}.js`);
}
