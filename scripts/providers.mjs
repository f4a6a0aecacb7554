// The two demonstration providers as programs beside the site: their keys, their environment, their start and end.
// Plain JavaScript, for `npm start`, `npm run dev` and the browser tests.
import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

const NAMES = { a: 'Alder Games', b: 'Beacon Live' };
const PORTS = { a: 7101, b: 7102 };
const READY_MS = 30_000;
const AGAIN_MS = 2000;
/** A program that ends by itself so often in a row is left alone. */
const MOST_STARTS = 5;
const END_MS = 6000;

/** Whether the site is to have them: not where real providers are set, nor in production, nor when switched off. */
export function wantsDemoProviders(env) {
  return (
    env.FAIRGAME_PROVIDERS !== 'off' &&
    env.FAIRGAME_PROFILE !== 'production' &&
    !env.FAIRGAME_PROVIDER_A_URL &&
    !env.FAIRGAME_PROVIDER_B_URL
  );
}

export function dataFolder(root, env) {
  const folder = env.FAIRGAME_DATA || 'data';
  return isAbsolute(folder) ? folder : join(root, folder);
}

/**
 * Starts both. `sites` are the origins that frame their pages, the first is meant where a launch names none; `commands`
 * are the node arguments of each program, the built one where left out. Gives the settings of the site (`env`), `ready`
 * (both listen, or what is wrong), and `stop`. Their output goes to provider-a.log and provider-b.log in the data folder.
 */
export function startProviders({ root, data, operatorUrl, sites, env = {}, ports = {}, chaos = {}, commands = {} }) {
  const keys = demoKeys(data);
  const settings = {};
  const programs = ['a', 'b'].map((id) => {
    const port = Number(ports[id] ?? env[`PROVIDER_${id.toUpperCase()}_PORT`] ?? PORTS[id]);
    const url = `http://127.0.0.1:${port}`;
    const publicUrl = `http://localhost:${port}`;
    Object.assign(settings, {
      [`FAIRGAME_PROVIDER_${id.toUpperCase()}_URL`]: url,
      [`FAIRGAME_PROVIDER_${id.toUpperCase()}_ORIGIN`]: publicUrl,
    });
    return keepRunning({
      name: NAMES[id],
      url,
      log: join(data, `provider-${id}.log`),
      args: commands[id] ?? ['--enable-source-maps', join(root, `apps/provider-${id}/dist/main.js`)],
      root,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(port),
        PUBLIC_URL: publicUrl,
        OPERATOR_URL: operatorUrl,
        PARENT_ORIGIN: sites.join(','),
        FAIRGAME_DATA: data,
        CHAOS: chaos[id] ?? env[`PROVIDER_${id.toUpperCase()}_CHAOS`] ?? '',
        ...keys[id].provider,
      },
    });
  });
  return {
    env: { ...settings, ...keys.a.site, ...keys.b.site },
    ready: Promise.all(programs.map((program) => program.ready)),
    stop: () => Promise.all(programs.map((program) => program.stop())),
  };
}

/** Made once for a data folder and kept in it, for its owner only. Each side gets its own part and no more. */
function demoKeys(data) {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const path = join(data, 'provider-keys.json');
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(newKeys()), { mode: 0o600, flag: 'wx' });
  chmodSync(path, 0o600);
  const { secret, site, provider } = JSON.parse(readFileSync(path, 'utf8'));
  const named = (text) => `demo-${createHash('sha256').update(text).digest('hex').slice(0, 8)}:${text}`;
  // An id that both halves of a pair share is made from the public one.
  const pair = ({ publicKey, privateKey }) => {
    const id = named(publicKey).split(':', 1)[0];
    return { public: `${id}:${publicKey}`, private: `${id}:${privateKey}` };
  };
  const [ours, theirs] = [pair(site), pair(provider)];
  // The id of a secret is not made from the secret.
  const shared = `demo-1:${secret}`;
  return {
    a: { site: { FAIRGAME_PROVIDER_A_KEYS: shared }, provider: { PROVIDER_KEYS: shared } },
    b: {
      site: { FAIRGAME_PROVIDER_B_PRIVATE_KEYS: ours.private, FAIRGAME_PROVIDER_B_PUBLIC_KEYS: theirs.public },
      provider: { PROVIDER_PRIVATE_KEYS: theirs.private, OPERATOR_PUBLIC_KEYS: ours.public },
    },
  };
}

function newKeys() {
  const pair = () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return {
      privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    };
  };
  return { secret: randomBytes(32).toString('hex'), site: pair(), provider: pair() };
}

/** One program, started again when it ends by itself. */
function keepRunning({ name, url, log, args, root, env }) {
  let child = null;
  let stopping = false;
  let starts = 0;
  let again = null;
  writeFileSync(log, '', { mode: 0o600 });

  function start() {
    starts += 1;
    const startedAt = Date.now();
    child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => appendFileSync(log, chunk));
    child.on('error', (error) => appendFileSync(log, `${error.message}\n`));
    child.on('exit', () => {
      child = null;
      if (stopping) return;
      if (Date.now() - startedAt > 60_000) starts = 0;
      if (starts < MOST_STARTS) again = setTimeout(start, AGAIN_MS);
      else console.error(`${name} does not stay up; the reason is in ${log}. The rest of the site goes on.`);
    });
  }

  async function untilReady() {
    const deadline = Date.now() + READY_MS;
    while (Date.now() < deadline && !stopping) {
      const answer = await fetch(`${url}/liveness`).catch(() => null);
      if (answer?.ok && child !== null) return { name, url, ready: true };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return { name, url, ready: false };
  }

  start();
  return {
    ready: untilReady(),
    async stop() {
      stopping = true;
      clearTimeout(again);
      if (child === null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const hard = setTimeout(() => child?.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(hard);
    },
  };
}
