/** The bus inside one process: nothing to install, nothing on a wire. Several rooms on one hub are as several processes. */
import {
  type Bus,
  type BusLog,
  BusLost,
  type LogEntry,
  RequestFailed,
  type Shared,
  type SharedEntry,
  type Stop,
} from './types.ts';

const MOST_KEPT = 10_000;

/** A handler that answers, or never. */
type Served = (body: Uint8Array) => Promise<Uint8Array>;

interface Channel {
  entries: LogEntry[];
  last: number;
  ids: Set<string>;
  followers: Set<(entry: LogEntry) => void>;
}

interface Bucket {
  values: Map<string, SharedEntry & { at: number }>;
  watchers: Set<(key: string, entry: SharedEntry | null) => void>;
  revision: number;
}

/** One end of a hub; `join(false)` takes it off until `join(true)`. */
export interface LocalBus extends Bus {
  join(on: boolean): void;
}

/** What is told is heard in a later turn, as from another process. `clock`: ms, for times to live. */
export class LocalHub {
  readonly clock: () => number;
  readonly served = new Map<string, Set<Served>>();
  readonly heard = new Map<string, Set<(body: Uint8Array) => void>>();
  private readonly channels = new Map<string, Channel>();
  private readonly buckets = new Map<string, Bucket>();

  constructor(clock: () => number = Date.now) {
    this.clock = clock;
  }

  bus(alone = false): LocalBus {
    return localBus(this, alone);
  }

  channel(name: string): Channel {
    return kept(this.channels, name, () => ({ entries: [], last: 0, ids: new Set(), followers: new Set() }));
  }

  bucket(name: string): Bucket {
    return kept(this.buckets, name, () => ({ values: new Map(), watchers: new Set(), revision: 0 }));
  }

  /** As if the streams had been deleted: what follows them follows the new ones. */
  wipe(): void {
    for (const channel of this.channels.values()) Object.assign(channel, { entries: [], last: 0, ids: new Set() });
    for (const bucket of this.buckets.values()) bucket.values.clear();
  }
}

function localBus(hub: LocalHub, alone: boolean): LocalBus {
  const listeners = new Set<(connected: boolean) => void>();
  let on = true;
  let breaks = 0;
  const listen = (listener: (connected: boolean) => void): Stop => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  /** What waits for the end that was taken off: following goes on where it stood. */
  const late: (() => void)[] = [];
  const mustBeOn = (): void => {
    if (!on) throw new BusLost('the bus is away');
  };
  const later = (work: () => void): void => queueMicrotask(() => (on ? work() : late.push(work)));
  /** An answer that comes when this end was taken off meanwhile is lost. */
  const unbroken = async (answer: Promise<Uint8Array>): Promise<Uint8Array> => {
    const before = breaks;
    const given = await answer;
    return before === breaks ? given : new Promise(() => {});
  };

  return {
    alone,
    async request(subject, body, timeoutMs) {
      if (!on) throw new RequestFailed('unsent', subject);
      const handlers = [...(hub.served.get(subject) ?? [])];
      if (handlers.length === 0) throw new RequestFailed('unheard', subject);
      return within(unbroken(Promise.race(handlers.map((handler) => handler(body)))), timeoutMs, subject);
    },
    serve(subject, handler) {
      const own: Served = (body) => (on ? unbroken(answered(handler(body))) : new Promise(() => {}));
      const handlers = kept(hub.served, subject, () => new Set());
      handlers.add(own);
      return () => handlers.delete(own);
    },
    tell(subject, body) {
      if (!on) return;
      for (const listener of hub.heard.get(subject) ?? []) queueMicrotask(() => listener(body));
    },
    hear(subject, listener) {
      const own = (body: Uint8Array): void => {
        if (on) listener(body);
      };
      const all = kept(hub.heard, subject, () => new Set());
      all.add(own);
      return () => all.delete(own);
    },
    log: (name) => localLog(hub.channel(name), mustBeOn, later),
    shared: (name, ttlMs) => localShared(hub, hub.bucket(name), ttlMs, mustBeOn, later),
    connected: () => on,
    onConnection: listen,
    moveOn: () => {},
    hears: () => on,
    onHearing: listen,
    join(now) {
      if (now === on) return;
      on = now;
      if (!on) breaks++;
      if (on) for (const work of late.splice(0)) work();
      for (const listener of listeners) listener(on);
    },
    close: () => Promise.resolve(),
  };
}

function localLog(channel: Channel, mustBeOn: () => void, later: (work: () => void) => void): BusLog {
  return {
    async append(id, body) {
      mustBeOn();
      if (channel.ids.has(id)) return;
      channel.ids.add(id);
      channel.last += 1;
      const entry = { position: channel.last, id, body };
      channel.entries.push(entry);
      if (channel.entries.length > MOST_KEPT) channel.ids.delete(channel.entries.shift()!.id);
      for (const follower of channel.followers) follower(entry);
    },
    async follow(from, listener) {
      mustBeOn();
      let stopped = false;
      const tell = (entry: LogEntry): void => later(() => stopped || listener(entry));
      if (from !== 'now') for (const entry of channel.entries) if (entry.position > from) tell(entry);
      channel.followers.add(tell);
      return () => {
        stopped = true;
        channel.followers.delete(tell);
      };
    },
  };
}

function localShared(
  hub: LocalHub,
  bucket: Bucket,
  ttlMs: number,
  mustBeOn: () => void,
  later: (work: () => void) => void,
): Shared {
  const live = (key: string): SharedEntry | null => {
    const entry = bucket.values.get(key);
    if (!entry) return null;
    if (ttlMs === 0 || hub.clock() - entry.at < ttlMs) return { value: entry.value, revision: entry.revision };
    bucket.values.delete(key);
    return null;
  };
  const set = (key: string, value: Uint8Array): number => {
    bucket.revision += 1;
    const entry = { value, revision: bucket.revision, at: hub.clock() };
    bucket.values.set(key, entry);
    for (const watcher of bucket.watchers) watcher(key, { value, revision: entry.revision });
    return entry.revision;
  };
  return {
    async get(key) {
      mustBeOn();
      return live(key);
    },
    async put(key, value) {
      mustBeOn();
      return set(key, value);
    },
    async create(key, value) {
      mustBeOn();
      return live(key) ? null : set(key, value);
    },
    async update(key, value, revision) {
      mustBeOn();
      return live(key)?.revision === revision ? set(key, value) : null;
    },
    async delete(key) {
      mustBeOn();
      bucket.values.delete(key);
      for (const watcher of bucket.watchers) watcher(key, null);
    },
    async watch(listener) {
      mustBeOn();
      let stopped = false;
      const tell = (key: string, entry: SharedEntry | null): void => later(() => stopped || listener(key, entry));
      for (const key of bucket.values.keys()) {
        const entry = live(key);
        if (entry) tell(key, entry);
      }
      bucket.watchers.add(tell);
      return () => {
        stopped = true;
        bucket.watchers.delete(tell);
      };
    },
  };
}

/** Who leaves it to another answers never. */
async function answered(answer: Promise<Uint8Array | null>): Promise<Uint8Array> {
  return (await answer) ?? new Promise(() => {});
}

async function within(work: Promise<Uint8Array>, ms: number, subject: string): Promise<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new RequestFailed('unknown', subject, error);
  } finally {
    clearTimeout(timer);
  }
}

function kept<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}
