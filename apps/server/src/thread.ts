import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Starts a thread of the program. `here` is the caller's `import.meta.url`. The built server has its threads beside it as
 * .js; run from source it is the .ts file beside the caller, which a thread can't load by itself.
 */
export function startThread(name: string, here: string): Worker {
  if (!here.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, here));
  const loader = new URL('dist/esm/api/index.mjs', pathToFileURL(createRequire(here).resolve('tsx/package.json')));
  const thread = new URL(`./${name}.ts`, here).href;
  const boot = `import('${loader.href}').then((tsx) => (tsx.register(), import('${thread}')))`;
  return new Worker(boot, { eval: true, execArgv: [] });
}
