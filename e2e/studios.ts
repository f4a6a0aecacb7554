import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root, type Site, startSite } from './site.ts';
import { until } from './wait.ts';

/** A site with both demonstration providers beside it, each a program of its own on an origin of its own. */
export interface LiveSite extends Site {
  /** Origins of the providers as the browser sees them. */
  origins: Record<Studio, string>;
  /** SIGKILL to a provider's program, and the same program again with the journal it left. */
  killStudio(studio: Studio): Promise<void>;
  startStudio(studio: Studio): Promise<void>;
  studioOutput(studio: Studio): string;
}
export type Studio = 'a' | 'b';
export const STUDIO_NAMES: Record<Studio, string> = { a: 'Alder Games', b: 'Beacon Live' };

/** `env` is the site's, `studioEnv` of both providers. */
export async function startLiveSite(
  env: Record<string, string> = {},
  studioEnv: Record<string, string> = {},
): Promise<LiveSite> {
  const ports = { a: await freePort(), b: await freePort() };
  const originOf = (studio: Studio) => `http://localhost:${ports[studio]}`;
  const secret = randomBytes(32).toString('hex');
  const [ours, theirs] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const privateText = (key: KeyObject) => key.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const publicText = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64');

  const site = await startSite({
    FAIRGAME_PROVIDER_A_URL: `http://127.0.0.1:${ports.a}`,
    FAIRGAME_PROVIDER_A_ORIGIN: originOf('a'),
    FAIRGAME_PROVIDER_A_KEYS: `k1:${secret}`,
    FAIRGAME_PROVIDER_B_URL: `http://127.0.0.1:${ports.b}`,
    FAIRGAME_PROVIDER_B_ORIGIN: originOf('b'),
    FAIRGAME_PROVIDER_B_PRIVATE_KEYS: `o1:${privateText(ours.privateKey)}`,
    FAIRGAME_PROVIDER_B_PUBLIC_KEYS: `p1:${publicText(theirs.publicKey)}`,
    ...env,
  });
  const data = mkdtempSync(join(tmpdir(), 'fairgame-studios-'));
  const running = new Map<Studio, ChildProcess>();
  const printed: Record<Studio, string> = { a: '', b: '' };
  const keys: Record<Studio, Record<string, string>> = {
    a: { PROVIDER_KEYS: `k1:${secret}` },
    b: {
      PROVIDER_PRIVATE_KEYS: `p1:${privateText(theirs.privateKey)}`,
      OPERATOR_PUBLIC_KEYS: `o1:${publicText(ours.publicKey)}`,
    },
  };

  const startStudio = async (studio: Studio) => {
    const child = spawn(process.execPath, [join(root, `apps/provider-${studio}/dist/main.js`)], {
      cwd: root,
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(ports[studio]),
        PUBLIC_URL: originOf(studio),
        OPERATOR_URL: `http://127.0.0.1:${site.port}`,
        PARENT_ORIGIN: site.url,
        FAIRGAME_DATA: data,
        ...keys[studio],
        ...studioEnv,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.set(studio, child);
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        printed[studio] += chunk.toString();
      });
    await until(
      () => `Provider ${studio} did not get ready:\n${printed[studio]}`,
      async () => {
        if (child.exitCode !== null) throw new Error(`Provider ${studio} ended:\n${printed[studio]}`);
        return (await fetch(`http://127.0.0.1:${ports[studio]}/liveness`).catch(() => null))?.ok;
      },
      { timeout: 60_000 },
    );
  };
  const end = (studio: Studio, signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      const child = running.get(studio);
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill(signal);
    });

  await Promise.all([startStudio('a'), startStudio('b')]);
  await listed(site);
  return {
    ...site,
    origins: { a: originOf('a'), b: originOf('b') },
    startStudio,
    killStudio: (studio) => end(studio, 'SIGKILL'),
    studioOutput: (studio) => printed[studio],
    stop: async () => {
      await Promise.all([end('a', 'SIGTERM'), end('b', 'SIGTERM')]);
      await site.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The site asks the providers for their games by itself; waits until it has those of both. */
async function listed(site: Site): Promise<void> {
  const token = await site.signIn('alice', 'backs-the-outsider-9');
  await until(
    () => `The lists of the providers did not come:\n${site.output()}`,
    async () => {
      const { data } = await site.call<Record<string, object>>('POST', '/mac88/casino/list', token);
      return Object.values(STUDIO_NAMES).every((name) => Object.keys(data[name] ?? {}).length > 0);
    },
    { every: 200 },
  );
}
