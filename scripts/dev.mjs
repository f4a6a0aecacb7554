// npm run dev: the server and the providers restart on a change, the client is served by Vite with hot reload.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkNode, install, root } from './prepare.mjs';
import { dataFolder, startProviders, wantsDemoProviders } from './providers.mjs';

checkNode();
await install();
const { env } = process;
const port = env.PORT || '3000';
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
const vite = join(root, 'node_modules/vite/bin/vite.js');
// The client's own port frames the games too.
const sites = ['http://localhost:5173', `http://localhost:${port}`, `http://127.0.0.1:${port}`];
const providers = wantsDemoProviders(env)
  ? startProviders({
      root,
      data: dataFolder(root, env),
      operatorUrl: `http://127.0.0.1:${port}`,
      sites,
      env,
      commands: {
        a: [tsx, 'watch', 'apps/provider-a/src/main.ts'],
        b: [tsx, 'watch', 'apps/provider-b/src/main.ts'],
      },
    })
  : null;
const start = (args, cwd) =>
  spawn(process.execPath, args, {
    cwd,
    stdio: 'inherit',
    env: { ...env, ...providers?.env, FAIRGAME_ROOT: root },
  });
const children = [
  start([tsx, 'watch', 'apps/server/src/main.ts'], root),
  start([vite], join(root, 'apps/web')),
  // The providers serve the built page of the games.
  ...(providers ? [start([vite, 'build', '--watch', '--logLevel', 'warn'], join(root, 'packages/studio'))] : []),
];
const stop = (signal) => {
  for (const child of children) child.kill(signal);
  void providers?.stop();
};
for (const child of children) child.on('exit', () => stop());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal));
