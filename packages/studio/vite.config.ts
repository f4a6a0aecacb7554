import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { css } from '../../scripts/class-names.mjs';

// The one page of all games. Both providers serve the same build; a game's rules and board load when it is opened.
export default defineConfig({
  root: import.meta.dirname,
  css,
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    // Under the CSP nothing may be inlined as data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
