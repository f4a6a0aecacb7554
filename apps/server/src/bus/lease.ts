/** Who of several does a work that only one may do: an entry with a time to live, which its holder keeps renewing. */
import { performance } from 'node:perf_hooks';
import type { Bus } from './types.ts';

/** Another may take it so long after the last renewal. */
const LEASE_MS = 4000;
const RENEW_MS = 1000;
/** The holder lets go this much sooner than another may take it: clocks of machines do not run alike. */
const MARGIN_MS = 500;

export interface Lease {
  /** Whether it is ours at this moment: asked right before each deed, since a process may have stood still. */
  held(): boolean;
  /** Gives it up for the next one, and asks for it no more. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  /** What is taken: `feed`, `desk`, `table.teen`. */
  name: string;
  /** Names this process. */
  owner: string;
  gained(): void;
  lost(): void;
  /** For tests: steady ms, and how often it is looked at. */
  steady?: () => number;
  renewMs?: number;
}

/** Asks for it until `release`. On a bus without others it is held at once. */
export function takeLease(bus: Bus, opts: LeaseOptions): Lease {
  const { name, steady = () => performance.now() } = opts;
  const owner = Buffer.from(opts.owner);
  const shared = bus.shared('leases', LEASE_MS);
  let revision: number | null = null;
  let until = 0;
  let released = false;
  let busy = false;

  const held = (): boolean => revision !== null && steady() < until;
  const letGo = (): void => {
    if (revision === null) return;
    revision = null;
    opts.lost();
  };
  async function look(): Promise<void> {
    if (busy || released) return;
    busy = true;
    const from = steady();
    try {
      const mine = revision;
      const next = mine === null ? await shared.create(name, owner) : await shared.update(name, owner, mine);
      // What took longer than the lease lasts says nothing any more.
      if (next !== null && !released && steady() - from < LEASE_MS - MARGIN_MS) {
        revision = next;
        until = from + LEASE_MS - MARGIN_MS;
        if (mine === null) opts.gained();
      } else if (next === null) letGo();
    } catch {
      // The bus is away: what is held runs out by itself.
    } finally {
      busy = false;
    }
    if (!held()) letGo();
  }
  const timer = setInterval(() => {
    if (!held()) letGo();
    void look();
  }, opts.renewMs ?? RENEW_MS);
  timer.unref();
  void look();

  return {
    held,
    async release() {
      released = true;
      clearInterval(timer);
      const mine = held();
      letGo();
      // Not there any more, or the bus is away: it runs out.
      if (mine) await shared.delete(name).catch(() => undefined);
    },
  };
}
