// How programs of the server are bundled, here and wherever the server is measured or tested as it is shipped.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleInto } from '../../scripts/bundle.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The threads (the embedded database, snapshots, passwords) are files of their own beside the program. */
const THREADS = {
  'pglite-worker': here('src/db/pglite-worker.mjs'),
  'snapshot-thread': here('src/core/snapshot-thread.ts'),
  'password-thread': here('src/auth/password-thread.ts'),
};

/** Bundles `programs` (name: path of its source) with the threads and the migrations into `outdir`. */
export async function bundle(programs, outdir) {
  await bundleInto(outdir, { ...programs, ...THREADS });
  cpSync(here('src/db/migrations'), `${outdir}/migrations`, { recursive: true });
}
