/** The servers that `http-host.ts` is, as benches start them. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FLAGS, shipped } from './shipped.ts';

export interface Host {
  port: number;
  path: string;
  token: string;
  /** Microseconds of processor time since it began, of all its threads. */
  cpuUs(): Promise<number>;
  end(): void;
}

export async function startHost(kind: 'bare' | 'ours'): Promise<Host> {
  const file = await shipped(fileURLToPath(new URL('./http-host.ts', import.meta.url)));
  const child = fork(file, [kind], { execArgv: FLAGS, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ready = await said<Pick<Host, 'port' | 'path' | 'token'>>(child);
  return {
    ...ready,
    cpuUs: () => {
      const us = said<number>(child);
      child.send('cpu');
      return us;
    },
    end: () => child.kill(),
  };
}

function said<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the host ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}
