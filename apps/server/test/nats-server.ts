/** A NATS server of a test's own, where the machine has one: its port is drawn by itself, its store a folder that goes with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface NatsServer {
  url: string;
  /** Ends it at once and starts it on the same port and store. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** It stands still, or goes on. */
  freeze(isFrozen: boolean): void;
  end(): Promise<void>;
}

export function findNats(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, 'nats-server')).find((path) => existsSync(path)) ?? null;
}

/** `more`: flags of its own. */
export async function startNats(program: string, more: readonly string[] = []): Promise<NatsServer> {
  const dir = mkdtempSync(join(tmpdir(), 'fairgame-nats-'));
  let child: ChildProcess | null = null;
  let port = -1;

  async function start(): Promise<void> {
    const args = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', dir, ...more];
    const own = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child = own;
    port = await new Promise<number>((resolve, reject) => {
      let told = '';
      own.stderr.on('data', (chunk: Buffer) => {
        told += chunk.toString();
        const drawn = /client connections on \S+:(\d+)/.exec(told);
        if (drawn && told.includes('Server is ready')) resolve(Number(drawn[1]));
      });
      own.once('exit', () => reject(new Error(`nats-server ended: ${told}`)));
    });
  }

  async function stop(): Promise<void> {
    const own = child;
    child = null;
    if (!own || own.exitCode !== null) return;
    await new Promise((resolve) => {
      own.once('exit', resolve);
      own.kill('SIGKILL');
    });
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    stop,
    freeze: (isFrozen) => void child?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    async end() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
