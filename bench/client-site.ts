import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';

export const root: string = dirname(dirname(fileURLToPath(import.meta.url)));

/** The built client with the simulated slate, in this process, and a player for it. */
export async function openClientSite(
  password: string,
): Promise<{ app: App; url: string; userName: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'fairgame-client-'));
  const port = 4400 + Math.floor(Math.random() * 200);
  const app = await createApp({
    config: loadConfig({
      ...process.env,
      FAIRGAME_ROOT: root,
      FAIRGAME_DATA: folder,
      FAIRGAME_FEED: 'simulated',
      FAIRGAME_FEED_SEED: '5',
      FAIRGAME_LOG: 'error',
      FAIRGAME_LIMIT_FACTOR: '1000',
      PORT: String(port),
    }),
    databaseDir: 'memory://',
  });
  await app.start();
  await app.http.listen();
  const userName = 'bench';
  await app.auth.createPlayer({ actor: 'bench', userName, password, forceChangePassword: false });
  return {
    app,
    url: `http://localhost:${port}`,
    userName,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
