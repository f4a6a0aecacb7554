// How programs of the server are bundled, here and wherever the server is measured or tested as it is shipped.
// Packages stay outside the bundle; our own (@fairgame/*) are sources and go in.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The threads (the embedded database, snapshots, passwords) are files of their own beside the program. */
const THREADS = {
  'pglite-worker': here('src/db/pglite-worker.mjs'),
  'snapshot-thread': here('src/core/snapshot-thread.ts'),
  'password-thread': here('src/auth/password-thread.ts'),
};

/** Bundles `programs` (name: path of its source) with the threads and the migrations into `outdir`. */
export async function bundle(programs, outdir) {
  await build({
    entryPoints: { ...programs, ...THREADS },
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [packagesOutside],
  });
  cpSync(here('src/db/migrations'), `${outdir}/migrations`, { recursive: true });
}

const packagesOutside = {
  name: 'packages-outside',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@fairgame/') ? undefined : { path, external: true },
    );
  },
};
