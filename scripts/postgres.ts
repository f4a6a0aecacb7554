/**
 * A private PostgreSQL for tests and measurements, where the machine has the binaries. Its data is in a temporary folder
 * and gone afterwards. PostgreSQL refuses to run as root, so as root it is started as another user.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The machine it runs on; this one, unless a cluster has several (cluster/network.ts). */
export interface Place {
  host: string;
  /** What stands before its command. */
  inside: string[];
  /** Who may connect without a password. */
  subnet: string;
  port?: number;
}

const HERE: Place = { host: '127.0.0.1', inside: [], subnet: '127.0.0.0/8' };

export interface PrivatePostgres {
  url: string;
  version: string;
  /** The server process: to stop (SIGSTOP), go on (SIGCONT) or kill in tests. */
  pid(): number;
  /** Ends it at once, as a crash would, and starts it again on the same data. */
  crashAndRestart(): Promise<void>;
  /** Only the first half of it. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** A streaming standby of it, asynchronous unless the settings name it. */
  replica(at?: Place, settings?: Record<string, string>): Promise<PrivatePostgres>;
  /** A base backup of it as it is now; started, it goes on from there by the archived log, as the settings say. */
  baseBackup(): (settings: Record<string, string>) => Promise<PrivatePostgres>;
  stop(): Promise<void>;
}

/** Where initdb and postgres are, newest version first; null when the machine has none. */
export function findPostgres(): string | null {
  const found = findProgram('initdb', 'postgres');
  return found && runAs() !== null ? found : null;
}

/** The folder that has all of these programs of PostgreSQL, newest version first; null when there is none. */
export function findProgram(...names: string[]): string | null {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(base, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => names.every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Starts one, or answers null when the machine has none. `settings` are postgresql.conf lines. */
export async function startPostgres(
  settings: Record<string, string> = {},
  at: Place = HERE,
): Promise<PrivatePostgres | null> {
  const bin = findPostgres();
  if (!bin) return null;
  const dir = privateFolder();
  const data = join(dir, 'data');
  runIn(
    dir,
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    'fairgame',
    '--auth=trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
  );
  if (at !== HERE)
    for (const database of ['all', 'replication'])
      appendFileSync(join(data, 'pg_hba.conf'), `host ${database} all ${at.subnet} trust\n`);
  return serve(bin, dir, data, settings, at);
}

/** Starts the server on a data folder that is there; the whole of `dir` goes with it when it is stopped. */
export async function serve(
  bin: string,
  dir: string,
  data: string,
  settings: Record<string, string> = {},
  at: Place = HERE,
): Promise<PrivatePostgres> {
  const port = at.port ?? (await freePort());
  const options = {
    port: String(port),
    // An address may come to a machine later.
    listen_addresses: at.host === HERE.host ? at.host : '*',
    unix_socket_directories: dir,
    ...settings,
  };
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [program, ...before] = [...at.inside, ...runAs()!.prefix, join(bin, 'postgres')];
    const child = spawn(program!, [...before, '-D', data, ...args], { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
    server = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-4000);
        if (/ready to accept (read-only )?connections/.test(said)) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    });
    child.stderr.resume();
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server;
    server = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  function copied(...how: string[]): { own: string; copy: string } {
    const own = privateFolder();
    const copy = join(own, 'data');
    // A standby asks its primary with the same words later: by this, one that does not answer is asked anew after three seconds.
    const from = `host=${at.host} port=${port} user=fairgame tcp_user_timeout=3000`;
    runIn(own, join(bin, 'pg_basebackup'), '-d', from, '-D', copy, ...how, '-c', 'fast', '--no-sync');
    return { own, copy };
  }

  await start();
  // A run that ends early leaves no server behind.
  const atExit = () => server?.kill('SIGQUIT');
  process.once('exit', atExit);
  return {
    url: `postgres://fairgame@${at.host}:${port}/postgres`,
    version: execFileSync(join(bin, 'postgres'), ['--version']).toString().trim(),
    pid: () => server?.pid ?? 0,
    start,
    // SIGQUIT is PostgreSQL's immediate shutdown: no checkpoint, recovery at the next start.
    crash: () => end('SIGQUIT'),
    async crashAndRestart() {
      await end('SIGQUIT');
      await start();
    },
    replica(there = HERE, itsSettings = {}) {
      const { own, copy } = copied('-R', '-X', 'stream');
      return serve(bin, own, copy, itsSettings, there);
    },
    baseBackup() {
      const { own, copy } = copied('-X', 'none');
      runIn(own, 'touch', join(copy, 'recovery.signal'));
      return (settings) => serve(bin, own, copy, settings);
    },
    async stop() {
      process.off('exit', atExit);
      await end('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A folder that the user who runs the server owns. */
export function privateFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairgame-postgres-'));
  const user = runAs()!;
  if (user.uid !== null) chownSync(dir, user.uid, user.gid);
  chmodSync(dir, 0o700);
  return dir;
}

function runIn(dir: string, program: string, ...args: string[]): void {
  const [command, ...rest] = [...runAs()!.prefix, program, ...args];
  execFileSync(command!, rest, { cwd: dir, stdio: 'pipe' });
}

/** Null when we are root and there is no way to be somebody else. */
function runAs(): { prefix: string[]; uid: number | null; gid: number } | null {
  if (process.getuid?.() !== 0) return { prefix: [], uid: null, gid: 0 };
  for (const name of ['postgres', 'nobody']) {
    try {
      const uid = Number(execFileSync('id', ['-u', name], { stdio: 'pipe' }).toString());
      const gid = Number(execFileSync('id', ['-g', name], { stdio: 'pipe' }).toString());
      execFileSync('setpriv', ['--version'], { stdio: 'pipe' });
      return { prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'], uid, gid };
    } catch {
      // the next name
    }
  }
  return null;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
