/** The servers that `http-host.ts` is, as benches start them. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { heard, measured } from './processes.ts';
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
  return {
    ...(await heard<Pick<Host, 'port' | 'path' | 'token'>>(child, 'ready')),
    cpuUs: async () => (await measured<{ cpuUs: number }>(child)).cpuUs,
    end: () => child.kill(),
  };
}
