// Bundles the server into dist/main.js and its threads (the embedded database, the snapshots) into files of their own, beside
// the migrations.
// Packages stay outside the bundle; our own (@fairgame/*) are sources and go in.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
rmSync(here('dist'), { recursive: true, force: true });

const external = {
  name: 'packages-outside',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@fairgame/') ? undefined : { path, external: true },
    );
  },
};

const entries = {
  main: 'src/main.ts',
  'pglite-worker': 'src/db/pglite-worker.mjs',
  'snapshot-thread': 'src/core/snapshot-thread.ts',
  'password-thread': 'src/auth/password-thread.ts',
};
await build({
  entryPoints: Object.fromEntries(
    Object.entries(entries)
      .map(([name, path]) => [name, here(path)])
      .filter(([, path]) => existsSync(path)),
  ),
  outdir: here('dist'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [external],
});
cpSync(here('src/db/migrations'), here('dist/migrations'), { recursive: true });
