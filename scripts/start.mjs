// npm start: install, build, run. Needs nothing but Node.
import { join } from 'node:path';
import { build, checkNode, install, root, run } from './prepare.mjs';

checkNode();
await install();
await build();
try {
  await run(process.execPath, ['--enable-source-maps', join(root, 'apps/server/dist/main.js')], {
    env: { ...process.env, FAIRGAME_ROOT: root },
  });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
