// Bundles the server into dist/main.js, and beside it the commands of who runs a live site, where no sources are.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
rmSync(here('dist'), { recursive: true, force: true });
const COMMANDS = ['archive', 'backup', 'operator', 'restore', 'takeover', 'verify'];
const commands = Object.fromEntries(COMMANDS.map((name) => [name, here(`../../scripts/${name}.ts`)]));
await bundle({ main: here('src/main.ts'), ...commands }, here('dist'));
