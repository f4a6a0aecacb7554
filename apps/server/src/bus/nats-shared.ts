/** Shared values as a bucket of JetStream. */
import { JetStreamApiError, type JsMsg } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { Streams } from './nats.ts';
import { followStream, withStream } from './nats-streams.ts';
import type { Shared, SharedEntry } from './types.ts';

/** What a server answers where an entry is of another revision. */
const WRONG_REVISION = 10_071;

export function natsShared(streams: Streams, bucket: string, ttlMs: number): Shared {
  let opened: Promise<KV> | undefined;
  const make = (): Promise<KV> => streams.kvm.create(bucket, { ttl: ttlMs, history: 1, replicas: streams.replicas });
  const use = { ...streams, name: `KV_${bucket}`, make };

  function on<T>(work: (kv: KV) => Promise<T>): Promise<T> {
    return withStream(use, async () => {
      opened ??= make();
      opened.catch(() => (opened = undefined));
      return work(await opened);
    });
  }

  return {
    get: (key) =>
      on(async (kv) => {
        const entry = await kv.get(nameOf(key));
        return entry?.operation === 'PUT' ? { value: entry.value, revision: entry.revision } : null;
      }),
    put: (key, value) => on((kv) => kv.put(nameOf(key), value)),
    create: (key, value) => on((kv) => unlessTaken(kv.create(nameOf(key), value))),
    update: (key, value, revision) => on((kv) => unlessTaken(kv.update(nameOf(key), value, revision))),
    delete: (key) => on((kv) => kv.delete(nameOf(key))),
    watch: (listener) =>
      followStream(use, 'last of each', (message) => {
        listener(keyOf(message.subject.slice(`$KV.${bucket}.`.length)), entryOf(message));
      }),
  };
}

function entryOf(message: JsMsg): SharedEntry | null {
  return message.headers?.has('KV-Operation') ? null : { value: message.data, revision: message.seq };
}

async function unlessTaken(revision: Promise<number>): Promise<number | null> {
  try {
    return await revision;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_REVISION) return null;
    throw error;
  }
}

/** Any text as the name of an entry: what such a name may not hold stands there as `=` and two digits a byte. */
const nameOf = (key: string): string =>
  [...Buffer.from(key)]
    .map((byte) =>
      PLAIN.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `=${byte.toString(16).padStart(2, '0')}`,
    )
    .join('') || '=';
const PLAIN = /^[A-Za-z0-9_-]$/;

const keyOf = (name: string): string => (name === '=' ? '' : decodeURIComponent(name.replaceAll('=', '%')));
