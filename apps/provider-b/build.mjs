// Bundles the program into dist/main.js.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleInto } from '../../scripts/bundle.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
rmSync(here('dist'), { recursive: true, force: true });
await bundleInto(here('dist'), { main: here('src/main.ts') });
