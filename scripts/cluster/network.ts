/**
 * The machines of a cluster. As root on Linux each is a network namespace with an address of its own on one bridge, so that
 * the way between any two can be cut without a word, as a broken switch does it; elsewhere all are this machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export interface Machine {
  /** Where its programs listen. */
  host: string;
  /** What stands before a command that is to run there. */
  inside: string[];
}

export interface Network {
  /** Null where the ways between machines can be cut; else why not. */
  whyWhole: string | null;
  /** `10.1.2.0/24`; what all machines, and this one, are in. */
  subnet: string;
  machine(name: string): Machine;
  /** Nothing passes between the two any more, and neither is told. */
  cut(one: string, other: string): void;
  /** Takes the machine off the network, and puts it back. */
  plug(name: string, isIn: boolean): void;
  /** All that was cut is whole again. */
  heal(): void;
  /** The address that wanders: to this machine, away from the one that had it. */
  giveAddress(name: string): string;
}

const HERE: Machine = { host: '127.0.0.1', inside: [] };

/** Its machines, and all that runs there, go with this process. */
export function openNetwork(): Network {
  const whyNot = whyNoMachines();
  return whyNot === null ? namespaces() : flatNetwork(whyNot);
}

/** All on this machine. */
export function flatNetwork(whyWhole: string): Network {
  const no = (): never => {
    throw new Error(whyWhole);
  };
  return {
    whyWhole,
    subnet: '127.0.0.0/8',
    machine: () => HERE,
    cut: no,
    plug: no,
    heal: () => {},
    giveAddress: () => HERE.host,
  };
}

function namespaces(): Network {
  const id = `fg${process.pid}`;
  const net = `10.${200 + (process.pid % 50)}.${process.pid % 250}`;
  const hosts = new Map<string, string>();
  let cuts: Array<[string, string]> = [];
  let wanderer: string | null = null;
  const spaceOf = (name: string): string => `${id}-${name}`;
  const cable = (host: string): string => `${id}v${host.split('.')[3]}`;

  clearBehind(id);
  ip('link', 'add', id, 'type', 'bridge');
  ip('addr', 'add', `${net}.1/24`, 'dev', id);
  ip('link', 'set', id, 'up');

  function hostOf(name: string): string {
    const host = hosts.get(name);
    if (!host) throw new Error(`there is no machine ${name}`);
    return host;
  }

  function make(name: string): string {
    const host = `${net}.${10 + hosts.size}`;
    const space = spaceOf(name);
    hosts.set(name, host);
    ip('netns', 'add', space);
    ip('link', 'add', cable(host), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', cable(host), 'master', id, 'up');
    ip('-n', space, 'addr', 'add', `${host}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', space, 'link', 'set', device, 'up');
    return host;
  }

  /** An address that nobody has: what is sent there is lost in silence. */
  function lose(from: string, host: string): void {
    ip('-n', spaceOf(from), 'neigh', 'replace', host, 'lladdr', '02:00:00:00:00:01', 'dev', 'eth0', 'nud', 'permanent');
  }

  const addressesOf = (name: string): string[] => (wanderer === name ? [hostOf(name), `${net}.9`] : [hostOf(name)]);

  return {
    whyWhole: null,
    subnet: `${net}.0/24`,
    machine: (name) => ({
      host: hosts.get(name) ?? make(name),
      inside: ['ip', 'netns', 'exec', spaceOf(name)],
    }),
    cut(one, other) {
      cuts.push([one, other]);
      for (const host of addressesOf(other)) lose(one, host);
      for (const host of addressesOf(one)) lose(other, host);
    },
    plug(name, isIn) {
      ip('link', 'set', cable(hostOf(name)), isIn ? 'up' : 'down');
    },
    heal() {
      for (const [one, other] of cuts) {
        for (const host of addressesOf(other)) ip('-n', spaceOf(one), 'neigh', 'del', host, 'dev', 'eth0');
        for (const host of addressesOf(one)) ip('-n', spaceOf(other), 'neigh', 'del', host, 'dev', 'eth0');
      }
      cuts = [];
    },
    giveAddress(name) {
      const host = `${net}.9`;
      if (wanderer) ip('-n', spaceOf(wanderer), 'addr', 'del', `${host}/24`, 'dev', 'eth0');
      wanderer = name;
      ip('-n', spaceOf(name), 'addr', 'add', `${host}/24`, 'dev', 'eth0');
      // Who knew it elsewhere asks anew.
      for (const other of hosts.keys()) ip('-n', spaceOf(other), 'neigh', 'flush', 'to', host);
      ip('neigh', 'flush', 'to', host);
      return host;
    },
  };
}

/**
 * Machines are the system's and would outlive us: a shell of its own, which no terminal ends, takes them away once we are gone, however
 * we went. It notices by its end of a pipe. What still runs there would hold them.
 */
function clearBehind(id: string): void {
  const script = `cat
for space in $(ip netns list | grep -o '^${id}-[^ ]*'); do
  ip netns pids "$space" | xargs -r kill -KILL
  ip netns del "$space"
done
for link in $(ls /sys/class/net | grep -E '^${id}(v[0-9]+)?$'); do ip link del "$link"; done`;
  const shell = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  (shell.stdin as Socket).unref();
}

/** In words why this machine can play no several; null where it can. */
export function whyNoMachines(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'ways between machines are cut on Linux as root only';
  const name = `fg${process.pid}-probe`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    return null;
  } catch (error) {
    return `this machine allows no network namespaces (${(error as Error).message.split('\n')[0]})`;
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}
