import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CALLS } from '@fairgame/contract';
import { createApp } from '../apps/server/src/app.ts';
import { loadConfig } from '../apps/server/src/config.ts';
import { Crowd } from '../apps/server/src/feed/crowd.ts';
import { report, round } from './report.ts';

/**
 * What the site costs while nobody looks, in shares of a core, all threads counted: the simulated slate; 200 simulated players
 * beside it as if somebody looked at every event; the card tables alone; and the card tables when somebody sits at each of the
 * 31. The baseline of each is its limit. `--seconds N` (default 60) sets how long each is measured.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const SECONDS = Number(values.seconds);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function site(feed: 'none' | 'simulated') {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairgame-idle-'));
  const app = await createApp({
    config: loadConfig({
      ...process.env,
      FAIRGAME_ROOT: root,
      FAIRGAME_DATA: dataDir,
      FAIRGAME_FEED: feed,
      FAIRGAME_LOG: 'error',
      FAIRGAME_LIMIT_FACTOR: '0',
      PORT: String(4600 + Math.floor(Math.random() * 200)),
    }),
    databaseDir: 'memory://',
  });
  await app.start();
  await app.http.listen();
  const close = async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { app, close };
}

/** Share of one core that this process used, after ten seconds to settle. */
async function share(): Promise<number> {
  await sleep(10_000);
  const before = process.cpuUsage();
  const started = process.hrtime.bigint();
  await sleep(SECONDS * 1000);
  const used = process.cpuUsage(before);
  return (used.user + used.system) / (Number(process.hrtime.bigint() - started) / 1000);
}

function tell(name: string, value: number, limit: number, more: object = {}): void {
  report({
    name,
    unit: 'share of a core',
    value: round(value, 4),
    baseline: limit,
    ratio: round(limit / Math.max(value, 0.0001)),
    seconds: SECONDS,
    ...more,
  });
}

const slate = await site('simulated');
const alone = await share();
tell('idle.slate', alone, 0.15);
const { core, db, log } = slate.app;
const crowd = new Crowd({ core, db, log, clock: Date.now, players: 200, seed: 'idle', isWatched: () => true });
await crowd.start();
tell('idle.crowd', (await share()) - alone, 0.05);
await crowd.stop();
await slate.close();

const tables = await site('none');
tell('idle.tables', await share(), 0.1);

// Reading a table keeps it playing for five seconds: each of the 31 is read every four.
const url = `http://127.0.0.1:${tables.app.config.port}/api`;
const PASSWORD = 'sits-at-every-table-1';
await tables.app.auth.createPlayer({
  actor: 'bench',
  userName: 'bench',
  password: PASSWORD,
  forceChangePassword: false,
});
const login = await fetch(url + CALLS.auth.login.path, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ userName: 'bench', password: PASSWORD }),
});
const { data } = (await login.json()) as { data: { token: string } };
const get = async <T>(path: string): Promise<T> => {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${data.token}` } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return ((await answer.json()) as { data: T }).data;
};
const codes = (await get<Array<{ code: string }>>(CALLS.casino.tiles.path)).map((tile) => tile.code);
let reading = true;
const readers = (async () => {
  while (reading) {
    for (const code of codes) await get(`${CALLS.casino.table.path}?type=${code}`);
    await sleep(4000);
  }
})();
const played = await share();
const open = await Promise.all(
  codes.map((code) => get<{ round: { phase: string } }>(`${CALLS.casino.table.path}?type=${code}`)),
);
reading = false;
await readers;
tell('idle.tables.played', played, 0.1, {
  tables: codes.length,
  playing: open.filter((table) => table.round.phase !== 'IDLE').length,
});
await tables.close();
process.exit(0);
