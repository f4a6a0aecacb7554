import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const server = process.env.FAIRGAME_SERVER ?? 'http://localhost:3000';

// In development the client runs on its own port and everything the server owns is passed through.
const proxy = {
  '/api': { target: server },
  '/livez': { target: server },
  '/readyz': { target: server },
  '/socket.io': { target: server, ws: true },
};

/** Tells the service worker which files the client is made of, and gives each build its own version. */
function shellFiles(): Plugin {
  return {
    name: 'shell-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('There is no service worker in the build.');
      const built = Object.keys(bundle).filter((name) => name.startsWith('assets/') && /\.(js|css)$/.test(name));
      const folder = join(import.meta.dirname, 'public');
      const still = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => name.replaceAll('\\', '/'))
        // The posters of the card tables are no part of the shell: it starts without them.
        .filter((name) => /\.(js|svg|png|woff2|webmanifest)$/.test(name) && !name.startsWith('casino/'));
      const hash = createHash('sha256').update(worker.code);
      for (const name of built.sort()) hash.update(name);
      for (const name of still.sort()) hash.update(name).update(readFileSync(join(folder, name)));
      const files = [...built, ...still].map((name) => `/${name}`);
      const version = hash.digest('hex').slice(0, 16);
      worker.code = worker.code.replace('__SHELL__', () => JSON.stringify({ version, files }));
      if (worker.code.includes('__SHELL__')) throw new Error('The service worker names __SHELL__ more than once.');
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), shellFiles()],
  server: { port: 5173, proxy },
  preview: { proxy },
  build: {
    target: 'es2022',
    // Under the CSP nothing may be inlined as a data: script or style, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    // The size check reads which chunks a screen loads.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/sw/sw.ts' },
      output: {
        // The worker's address is the same for ever, and its scope is the folder it stands in.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // One chunk for what every screen needs, named so that the size check can find it; the rest follows the lazy routes.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|cookie|set-cookie-parser)[\\/]/,
            },
          ],
        },
      },
    },
  },
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    setupFiles: ['./test/setup.ts'],
  },
});
