import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from './site.ts';

/** One first start for all files of a run: making a database, its people and their passwords takes seconds every time. */
export default async function setup(): Promise<() => void> {
  const data = mkdtempSync(join(tmpdir(), 'fairgame-e2e-first-'));
  const site = await startSite({ FAIRGAME_DATA: data });
  await site.stop();
  process.env.FAIRGAME_E2E_DATA = data;
  return () => rmSync(data, { recursive: true, force: true });
}
