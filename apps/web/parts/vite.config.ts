import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { css } from '../../../scripts/class-names.mjs';
import { spokenMessages } from '../build/messages.ts';
import { firstSheets, insideSheets, layersFirst } from '../build/sheets.ts';

// The gallery of parts: a page of its own beside the product, for people (npm run parts) and for the pictures of e2e/.
export default defineConfig({
  root: import.meta.dirname,
  css,
  publicDir: join(import.meta.dirname, '..', 'public'),
  plugins: [spokenMessages(), react(), layersFirst()],
  server: { port: 5174 },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    rolldownOptions: {
      input: ['index.html', 'boards.html'].map((page) => join(import.meta.dirname, page)),
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', priority: 2, test: firstSheets },
            { name: 'inside', priority: 1, test: insideSheets },
          ],
        },
      },
    },
  },
});
