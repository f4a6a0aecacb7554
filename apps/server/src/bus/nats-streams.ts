/** Streams of JetStream: made where they are not there, followed through whatever happens to them. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type OrderedConsumerOptions,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { Log } from '../db/db.ts';
import { BusLost, type Stop } from './types.ts';

const AGAIN_MS = 250;

/** One stream and how it is made. */
export interface StreamUse {
  up(): boolean;
  js: JetStreamClient;
  jsm: JetStreamManager;
  log: Log;
  name: string;
  make(): Promise<unknown>;
}

/** The stream as it stands, made first where it is not there. */
async function standing(use: StreamUse): Promise<StreamInfo> {
  try {
    return await use.jsm.streams.info(use.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await use.make();
    return use.jsm.streams.info(use.name);
  }
}

/** Does what needs the stream; where it was deleted it is made again, and the work done once more. Throws BusLost. */
export async function withStream<T>(use: StreamUse, work: () => Promise<T>): Promise<T> {
  if (!use.up()) throw new BusLost('the bus is away');
  try {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await standing(use);
      return await work();
    }
  } catch (error) {
    throw new BusLost(`the stream ${use.name} could not be used`, { cause: error });
  }
}

/** No such stream or bucket; who writes to one that is gone is told only that nobody listens there. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, cause } = error as Error & { code?: unknown };
  return (
    name === 'StreamNotFoundError' ||
    name === 'NoResponders' ||
    code === 10_059 ||
    (cause !== undefined && isMissing(cause))
  );
}

/** Where following begins: behind a position, at what comes from now on, or at the last message of each subject. */
export type Begin = { after: number } | 'now' | 'last of each';

/** Gives messages to the listener in order, until stopped. Throws BusLost where it cannot begin. */
export async function followStream(use: StreamUse, begin: Begin, listener: (message: JsMsg) => void): Promise<Stop> {
  const read = await withStream(use, () => reading(use, begin)).catch((error: unknown) => {
    throw error instanceof BusLost ? error : new BusLost(`the stream ${use.name} cannot be followed`, { cause: error });
  });
  let { messages } = read;
  const { created } = read;
  let at = read.at;
  let stopped = false;

  async function run(): Promise<void> {
    let known = created;
    while (!stopped) {
      try {
        for await (const message of messages) {
          if (stopped) return;
          at = message.seq;
          listener(message);
        }
      } catch (error) {
        use.log.warn({ err: error, stream: use.name }, 'a stream is read anew');
      }
      for (let again = false; !stopped && !again; ) {
        await sleep(AGAIN_MS, undefined, { ref: false });
        try {
          // Of one made anew all is told: its positions are others.
          const next = await reading(use, { after: at }, known);
          [messages, known, at] = [next.messages, next.created, next.at];
          again = true;
        } catch {
          // Still away.
        }
      }
    }
  }
  void run();
  return () => {
    stopped = true;
    messages.stop();
  };
}

/** `known`: when the stream was made whose positions `begin` means. */
async function reading(
  use: StreamUse,
  begin: Begin,
  known?: string,
): Promise<{ messages: ConsumerMessages; created: string; at: number }> {
  const { created, state } = await standing(use);
  const isOther = known !== undefined && known !== created;
  const after = isOther ? 0 : begin === 'now' ? state.last_seq : begin === 'last of each' ? 0 : begin.after;
  const start: Partial<OrderedConsumerOptions> =
    begin === 'last of each'
      ? { deliver_policy: DeliverPolicy.LastPerSubject }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 };
  const consumer = await use.js.consumers.get(use.name, start);
  const messages = await consumer.consume({ abort_on_missing_resource: true, idle_heartbeat: 1000, expires: 10_000 });
  return { messages, created, at: after };
}
