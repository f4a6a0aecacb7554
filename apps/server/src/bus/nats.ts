/** The bus over NATS 2.9 or newer with JetStream. */
import { type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import {
  connect,
  credsAuthenticator,
  headers,
  type NatsConnection,
  NoRespondersError,
  RequestError,
  type Server,
} from '@nats-io/transport-node';
import type { Log } from '../db/db.ts';
import { natsShared } from './nats-shared.ts';
import { followStream, withStream } from './nats-streams.ts';
import {
  type Bus,
  type BusLog,
  type BusSettings,
  type Handler,
  type LogEntry,
  RequestFailed,
  type Stop,
} from './types.ts';

/** A server that stands still is noticed within three of these. */
const PING_MS = 500;
const RECONNECT_MS = 250;
/** A server that does not answer is left for the next one: behind a network that is cut the system itself asks ever more seldom. */
const CONNECT_MS = 2000;
/** What a stream keeps: who was away for longer reads the database. */
const KEEP_NS = 3600 * 1e9;
const KEEP_BYTES = 1024 ** 3;
/** Says that a handler failed, so that nobody waits for the time-out. */
const FAILED = 'fairgame-failed';
/** Streams and subjects of one site; sites that share a NATS need accounts of their own there. */
const STREAM = 'fairgame_';

/** Connects, or throws with the reason: a site that is told to use NATS does not begin without it. */
export async function openNats(settings: BusSettings, log: Log): Promise<Omit<Bus, 'hears' | 'onHearing'>> {
  const nc = await connected(settings);
  const connection = watchConnection(nc, log);
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc).catch(async (error: unknown) => {
    await nc.close();
    throw new Error('NATS has no JetStream: start its servers with -js', { cause: error });
  });
  const kvm = new Kvm(js);
  const streams = { up: connection.up, js, jsm, log, replicas: settings.replicas, kvm };

  return {
    alone: false,
    async request(subject, body, timeoutMs) {
      // What is sent now would leave when the connection is back, long after anybody waits for it.
      if (!connection.up()) throw new RequestFailed('unsent', subject);
      try {
        const answer = await nc.request(subject, body, { timeout: timeoutMs });
        if (answer.headers?.has(FAILED)) throw new Error(answer.headers.get(FAILED));
        return answer.data;
      } catch (error) {
        const unheard = error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
        throw new RequestFailed(unheard ? 'unheard' : 'unknown', subject, error);
      }
    },
    serve: (subject, handler) => serveOn(nc, log, subject, handler),
    tell(subject, body) {
      if (connection.up()) nc.publish(subject, body);
    },
    hear(subject, listener) {
      const subscription = nc.subscribe(subject, {
        callback: (error, message) => {
          if (error) log.error({ err: error, subject }, 'the bus does not hear a subject');
          else listener(message.data);
        },
      });
      return () => subscription.unsubscribe();
    },
    log: (name) => natsLog({ ...streams, name: `${STREAM}${name}` }, `log.${name}`),
    shared: (bucket, ttlMs) => natsShared(streams, `${STREAM}${bucket}`, ttlMs),
    connected: connection.up,
    onConnection: (listener) => connection.listen(listener),
    moveOn: () => void (connection.up() && nc.reconnect()),
    async close() {
      // What was told last still leaves.
      if (connection.up()) await nc.drain().catch(() => undefined);
      else await nc.close();
    },
  };
}

async function connected({ servers, creds, user, password, ca }: BusSettings): Promise<NatsConnection> {
  try {
    return await connect({
      servers,
      name: 'fairgame',
      ...(creds ? { authenticator: credsAuthenticator(Buffer.from(creds)) } : {}),
      ...(user ? { user, pass: password ?? '' } : {}),
      // Else a server that knows no TLS, or somebody in between, would be told the password as it is.
      ...(ca || servers.some((server) => server.startsWith('tls:')) ? { tls: ca ? { ca } : {} } : {}),
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      reconnectToServer: triedLongestAgo,
      timeout: CONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: 2,
      // Each request would make an error beforehand, with its stack, for the few that fail.
      noAsyncTraces: true,
    });
  } catch (error) {
    throw new Error(`NATS at ${servers.join(', ')} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** After a break the client itself would begin with the server that it had first: often the one that was just left. */
const triedLongestAgo = (pool: readonly Server[]): Server | null =>
  pool.reduce<Server | null>((best, one) => (best && best.lastConnect <= one.lastConnect ? best : one), null);

/**
 * In no queue, where one of many is given the request: a server that stands still keeps the connections of who has left it, and so does
 * a living one for a process that stands still; both would be drawn as if somebody were there.
 */
function serveOn(nc: NatsConnection, log: Log, subject: string, handler: Handler): Stop {
  const subscription = nc.subscribe(subject, {
    callback: (error, message) => {
      if (error) return log.error({ err: error, subject }, 'the bus does not serve a subject');
      handler(message.data).then(
        (answer) => answer && message.respond(answer),
        (failure: unknown) => {
          log.error({ err: failure, subject }, 'a request of the bus failed');
          const head = headers();
          head.set(FAILED, 'the handler failed');
          message.respond(new Uint8Array(), { headers: head });
        },
      );
    },
  });
  return () => subscription.unsubscribe();
}

function watchConnection(nc: NatsConnection, log: Log) {
  const listeners = new Set<(connected: boolean) => void>();
  let up = true;
  const change = (now: boolean): void => {
    if (now === up) return;
    up = now;
    if (up) log.info({ server: nc.getServer() }, 'the bus is back');
    else log.warn({}, 'the bus is away');
    for (const listener of listeners) listener(up);
  };
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') change(false);
      else if (status.type === 'reconnect') change(true);
      else if (status.type === 'error') log.error({ err: status.error }, 'the bus refused something');
    }
  })();
  return {
    up: () => up && !nc.isClosed(),
    listen(listener: (connected: boolean) => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export interface Streams {
  /** Whether the connection stands: what is asked while it does not would be done when nobody waits any more. */
  up(): boolean;
  js: ReturnType<typeof jetstream>;
  jsm: Awaited<ReturnType<typeof jetstreamManager>>;
  kvm: Kvm;
  log: Log;
  replicas: number;
}

function natsLog(streams: Streams & { name: string }, subject: string): BusLog {
  const { js, jsm, name, replicas } = streams;
  const use = {
    ...streams,
    make: () =>
      jsm.streams.add({ name, subjects: [subject], num_replicas: replicas, max_age: KEEP_NS, max_bytes: KEEP_BYTES }),
  };
  const entryOf = (message: JsMsg): LogEntry => ({
    position: message.seq,
    id: message.headers?.get('Nats-Msg-Id') ?? '',
    body: message.data,
  });
  return {
    async append(id, body) {
      await withStream(use, () => js.publish(subject, body, { msgID: id }));
    },
    follow: (from, listener) =>
      followStream(use, from === 'now' ? from : { after: from }, (message) => listener(entryOf(message))),
  };
}
