/** What can break in a cluster, each by a name: `kill-leader`, `freeze-database-5`, `cut-gateway-nats-30`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../apps/server/src/db/db.ts';
import type { Network } from '../cluster/network.ts';
import { type Cluster, leaderOf } from '../cluster/site.ts';

export interface Site {
  cluster: Cluster;
  network: Network;
  /** A connection to whatever database takes writes. */
  query: Db['query'];
}

export interface Fault {
  name: string;
  /** Resolves when it is over, and all that was taken away is there again or will be by itself. */
  strike(site: Site): Promise<string>;
}

const SECONDS = [1, 5, 30];
const NODES = ['nats-1', 'nats-2', 'nats-3'];
const PARTS = ['leader', 'standby', 'gateway', 'feed', 'tables', 'nats', 'database', 'database-standby'];
/** Ends of a way that is cut; `nats`: to all of its servers. */
const WAYS = [
  ['leader', 'database'],
  ['leader', 'nats'],
  ['standby', 'database'],
  ['standby', 'nats'],
  ['gateway', 'database'],
  ['gateway', 'nats'],
  ['feed', 'nats'],
  ['tables', 'nats'],
  ['database', 'database-standby'],
  ['nats-1', 'nats-2'],
] as const;

export function faultsOf(network: Network): Fault[] {
  const kills = ['leader', 'standby', 'gateway', 'feed', 'tables', 'nats'].map(
    (part): Fault => ({
      name: `kill-${part}`,
      async strike({ cluster, query }) {
        const name = await placeOf(part, query, cluster);
        cluster.kill(name);
        return name;
      },
    }),
  );
  const twoNodes: Fault = {
    name: 'kill-two-nats',
    async strike({ cluster }) {
      const left = any(NODES);
      const two = NODES.filter((name) => name !== left);
      const letGo = two.map((name) => cluster.hold(name));
      for (const name of two) cluster.kill(name);
      await sleep(5000);
      for (const go of letGo) go();
      return two.join();
    },
  };
  const databases = [ofDatabase('restart-database', 'restartDatabase')];
  if (network.whyWhole === null) databases.push(ofDatabase('kill-database', 'failOver'));
  const freezes = PARTS.flatMap((part) => SECONDS.map((seconds) => freeze(part, seconds)));
  const cuts = network.whyWhole === null ? WAYS.flatMap((way) => SECONDS.map((seconds) => cut(way, seconds))) : [];
  return [...kills, twoNodes, ...databases, ...freezes, ...cuts];
}

function ofDatabase(name: string, deed: 'restartDatabase' | 'failOver'): Fault {
  return {
    name,
    async strike({ cluster }) {
      await cluster[deed]();
      return 'database';
    },
  };
}

function freeze(part: string, seconds: number): Fault {
  return {
    name: `freeze-${part}-${seconds}`,
    async strike({ cluster, query }) {
      const name = await placeOf(part, query, cluster);
      cluster.freeze(name, true);
      await sleep(seconds * 1000);
      cluster.freeze(name, false);
      return name;
    },
  };
}

function cut([one, other]: readonly [string, string], seconds: number): Fault {
  return {
    name: `cut-${one}-${other}-${seconds}`,
    async strike({ cluster, network, query }) {
      const from = machineOf(await placeOf(one, query, cluster), cluster);
      const to = other === 'nats' ? NODES : [machineOf(await placeOf(other, query, cluster), cluster)];
      for (const end of to) network.cut(from, end);
      await sleep(seconds * 1000);
      network.heal();
      return `${from} from ${to.join()}`;
    },
  };
}

/** The process that plays a part at this moment. */
async function placeOf(part: string, query: Db['query'], cluster: Cluster): Promise<string> {
  if (part === 'nats') return any(NODES);
  if (part === 'gateway') return any(['gateway-1', 'gateway-2']);
  if (part !== 'leader' && part !== 'standby') return part;
  const leader = await leaderOf(query, cluster);
  return part === 'leader' ? leader : leader === 'core-1' ? 'core-2' : 'core-1';
}

const machineOf = (name: string, cluster: Cluster): string => cluster.machines()[name] ?? name;

function any<T>(of: readonly T[]): T {
  return of[Math.floor(Math.random() * of.length)]!;
}
