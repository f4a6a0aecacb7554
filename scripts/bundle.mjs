// How our programs for Node are bundled. Packages stay outside the bundle; our own (@fairgame/*) are sources and go in.
import { build } from 'esbuild';

const packagesOutside = {
  name: 'packages-outside',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@fairgame/') ? undefined : { path, external: true },
    );
  },
};

/** Bundles `programs` (name: path of its source) into `outdir`. */
export const bundleInto = (outdir, programs) =>
  build({
    entryPoints: programs,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [packagesOutside],
  });
