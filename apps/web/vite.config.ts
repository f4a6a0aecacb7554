import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const server = process.env.FAIRGAME_SERVER ?? 'http://localhost:3000';

// In development the client runs on its own port and everything the server owns is passed through.
const proxy = {
  '/api': { target: server },
  '/livez': { target: server },
  '/readyz': { target: server },
  '/socket.io': { target: server, ws: true },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
      output: {
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
