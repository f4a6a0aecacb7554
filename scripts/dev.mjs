// npm run dev: the server restarts on a change, the client is served by Vite with hot reload.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkNode, install, root } from './prepare.mjs';

checkNode();
await install();
const start = (args, cwd) =>
  spawn(process.execPath, args, { cwd, stdio: 'inherit', env: { ...process.env, FAIRGAME_ROOT: root } });
const children = [
  start([join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', 'apps/server/src/main.ts'], root),
  start([join(root, 'node_modules/vite/bin/vite.js')], join(root, 'apps/web')),
];
const stop = (signal) => {
  for (const child of children) child.kill(signal);
};
for (const child of children) child.on('exit', () => stop());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal));
