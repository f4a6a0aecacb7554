import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from './site.ts';

/** One first start for all files of a run: making a database, its people and their passwords takes seconds every time. */
export default async function setup(): Promise<() => void> {
  const data = mkdtempSync(join(tmpdir(), 'fairgame-e2e-first-'));
  const site = await startSite({ FAIRGAME_DATA: data });
  await site.stop();
  // Laying out room for 128 MB takes a good part of each start; none of these databases needs it.
  appendFileSync(join(data, 'db', 'pg', 'postgresql.conf'), "shared_buffers = '16MB'\n");
  process.env.FAIRGAME_E2E_DATA = data;
  return () => rmSync(data, { recursive: true, force: true });
}
