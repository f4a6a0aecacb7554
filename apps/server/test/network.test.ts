/** The machines of `npm run faults` are the system's own: none of them outlives who made them, however he went. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { whyNoMachines } from '../../../scripts/cluster/network.ts';
import { root } from './program.ts';

const lacking = whyNoMachines();
const PATIENT = { timeout: 20_000 };
/** Two machines with the way between them cut, and a program on one that ends for nobody. */
const BENCH = `
import { spawn } from 'node:child_process';
import { openNetwork } from './scripts/cluster/network.ts';
const network = openNetwork();
const [program, ...args] = [...network.machine('one').inside, 'sh', '-c', 'trap "" TERM INT HUP; while :; do sleep 60; done'];
network.machine('two');
network.cut('one', 'two');
network.giveAddress('two');
const child = spawn(program, args, { detached: true, stdio: 'ignore' });
child.once('spawn', () => console.log(child.pid));
setInterval(() => undefined, 1000);
`;

const spaces = (id: string): string[] =>
  execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith(`${id}-`));
const links = (id: string): string[] => readdirSync('/sys/class/net').filter((name) => name.startsWith(id));

it.skipIf(lacking !== null).each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
  'what runs on them, and they themselves, are gone after a %s',
  async (signal) => {
    const bench = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', BENCH], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const id = `fg${bench.pid}`;
    const pid = await new Promise<string>((resolve) => createInterface(bench.stdout).once('line', resolve));
    expect(spaces(id)).toHaveLength(2);
    expect(links(id)).toHaveLength(3);
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    bench.kill(signal);
    await expect.poll(() => [...spaces(id), ...links(id)], PATIENT).toEqual([]);
    await expect.poll(() => existsSync(`/proc/${pid}`), PATIENT).toBe(false);
  },
  60_000,
);
