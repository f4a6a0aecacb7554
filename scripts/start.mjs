// npm start: install, build, run the site and the two demonstration providers. Needs nothing but Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, checkNode, install, root } from './prepare.mjs';
import { dataFolder, startProviders, wantsDemoProviders } from './providers.mjs';
import { answerTo } from './settings-told.mjs';

const answer = answerTo(process.argv.slice(2), root);
if (answer) {
  (answer.code === 0 ? console.log : console.error)(answer.text);
  process.exit(answer.code);
}
checkNode();
await install();
await build();

const { env } = process;
const port = env.PORT || '3000';
const providers = wantsDemoProviders(env)
  ? startProviders({
      root,
      data: dataFolder(root, env),
      operatorUrl: `http://127.0.0.1:${port}`,
      sites: [
        env.FAIRGAME_ORIGIN || `http://localhost:${port}`,
        `http://localhost:${port}`,
        `http://127.0.0.1:${port}`,
      ].filter((site, at, all) => all.indexOf(site) === at),
      env,
    })
  : null;

const server = spawn(process.execPath, ['--enable-source-maps', join(root, 'apps/server/dist/main.js')], {
  cwd: root,
  stdio: 'inherit',
  env: {
    // A demonstration has strangers to bet with, and a door for bots on this machine; a live site says itself what it has.
    ...(env.FAIRGAME_PROFILE === 'production'
      ? {}
      : { FAIRGAME_CROWD: '200', PROGRAMS_PORT: '3002', PROGRAMS_STREAM_PORT: '3003', FAIRGAME_RECORDINGS_MB: '100' }),
    ...env,
    ...providers?.env,
    FAIRGAME_ROOT: root,
  },
});
// Ctrl-C reaches every program of the terminal by itself; other signals come here only.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) server.kill('SIGINT');
});
process.on('SIGTERM', () => server.kill('SIGTERM'));
const ended = new Promise((resolve) => {
  server.on('error', (error) => {
    console.error(error.message);
    resolve(1);
  });
  server.on('exit', (code) => resolve(code ?? 1));
});
// What did not start is said once; the site runs without it.
void providers?.ready.then((told) => {
  for (const { name, url, ready } of told)
    if (!ready && server.exitCode === null)
      console.error(`${name} is not up at ${url}: its games do not open for now.`);
});
const code = await ended;
await providers?.stop();
process.exit(code);
