// Bundles the server into dist/main.js.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
rmSync(here('dist'), { recursive: true, force: true });
await bundle({ main: here('src/main.ts') }, here('dist'));
