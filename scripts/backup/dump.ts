/** pg_dump and pg_restore, the tools of PostgreSQL that come with it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findProgram } from '../postgres.ts';

/** Writes the whole database, as the transaction that exported `snapshot` sees it, to `file`. */
export function dump(url: string, snapshot: string, file: string): Promise<void> {
  return run('pg_dump', url, [
    '--format=custom',
    '--no-owner',
    '--no-privileges',
    `--snapshot=${snapshot}`,
    '--file',
    file,
  ]);
}

/** Puts a dump into an empty database: all of it, or nothing. */
export function restoreDump(url: string, file: string): Promise<void> {
  return run('pg_restore', url, ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', file]);
}

async function run(program: string, url: string, args: string[]): Promise<void> {
  const bin = findProgram(program);
  if (bin === null)
    throw new Error(`${program} is not installed here: it comes with the client programs of PostgreSQL`);
  const address = new URL(url);
  const { password } = address;
  // Not among the arguments, which every user of the machine can read.
  address.password = '';
  const child = spawn(join(bin, program), ['--dbname', address.href, ...args], {
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: decodeURIComponent(password) }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} failed: ${said.trim()}`);
}
