/** What carries messages between the processes of one site. Two makers: inside one process, and NATS. */

/**
 * What is known of a request that has no answer. `unsent`: nothing left this process. `unheard`: it was sent and nobody
 * serves the subject. `unknown`: it may have been carried out, or may still be. After the first two a repeat is harmless.
 */
export type RequestFate = 'unsent' | 'unheard' | 'unknown';

export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly fate: RequestFate;
  constructor(fate: RequestFate, subject: string, cause?: unknown) {
    super(`no answer to ${subject}: ${fate}`, { cause });
    this.fate = fate;
  }
}

/** The bus cannot be reached, or could not do what was asked; whether it was done is not known. */
export class BusLost extends Error {
  override readonly name = 'BusLost';
}

/** Ends what was begun; a second call does nothing. */
export type Stop = () => void;

export interface LogEntry {
  /** Counts from 1 in a stream; a stream that is made anew counts from 1 again. */
  position: number;
  id: string;
  body: Uint8Array;
}

/** Messages in one order for all, kept for a while (an hour, a gigabyte): the truth is elsewhere. */
export interface BusLog {
  /**
   * Adds a message; one whose id was added within the last two minutes is not added again. The stream is made where it is
   * not there (any more). Throws BusLost; a repeat under the same id is harmless then.
   */
  append(id: string, body: Uint8Array): Promise<void>;
  /**
   * Tells every message behind the position, or from now on, in order; each once, unless the stream was made anew, when all
   * that is in the new one is told. Goes on by itself when the bus was away. Throws BusLost where it cannot begin.
   */
  follow(from: number | 'now', listener: (entry: LogEntry) => void): Promise<Stop>;
}

export interface SharedEntry {
  value: Uint8Array;
  /** Of this entry; greater with every change of it. */
  revision: number;
}

/** Small values that all processes see, the last one of each key; keys are any text. All of it throws BusLost. */
export interface Shared {
  get(key: string): Promise<SharedEntry | null>;
  /** Gives the new revision. */
  put(key: string, value: Uint8Array): Promise<number>;
  /** Null when the key has a value. */
  create(key: string, value: Uint8Array): Promise<number | null>;
  /** Null when another was faster: the entry is not of this revision (any more). */
  update(key: string, value: Uint8Array, revision: number): Promise<number | null>;
  delete(key: string): Promise<void>;
  /**
   * Tells every value that stands, then what changes; null for what was deleted. Of changes that follow at once perhaps only
   * the last, and nothing of what runs out. Goes on by itself when the bus was away, and then may tell again what was told.
   */
  watch(listener: (key: string, entry: SharedEntry | null) => void): Promise<Stop>;
}

export type Handler = (body: Uint8Array) => Promise<Uint8Array | null>;

/** Subjects are words with dots between (`cmd.main`); bodies are bytes, at most a megabyte. */
export interface Bus {
  /** No other process can be on it: what is told is heard here only. */
  readonly alone: boolean;
  /** Asks who serves the subject: all of them, and the first answer counts. Throws RequestFailed. */
  request(subject: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /**
   * Answers requests. Nobody draws lots for them: one that stands still, or is dead and not yet missed, would be drawn as often as one
   * that lives. Who serves and may not do what is asked (any more) answers null, and leaves it to another. A handler that throws leaves
   * the outcome unknown.
   */
  serve(subject: string, handler: Handler): Stop;
  /** Told once to whoever hears it now, here too; nobody keeps it, so the truth must stand in a row. Lost while the bus is away. */
  tell(subject: string, body: Uint8Array): void;
  hear(subject: string, listener: (body: Uint8Array) => void): Stop;
  log(name: string): BusLog;
  /** `ttlMs`: a value is gone so long after its last change; 0 for never. One bucket has one time to live. */
  shared(bucket: string, ttlMs: number): Shared;
  connected(): boolean;
  onConnection(listener: (connected: boolean) => void): Stop;
  /** Whether all that is told is heard here: the connection stands, and nobody is silent who should be heard (hearing.ts). */
  hears(): boolean;
  /** Told when that changes; whatever was told before a `true` may not have been heard, so that rows are read again. */
  onHearing(listener: (hears: boolean) => void): Stop;
  /** Leaves the server that carries this end for the next one, where there are several; as if the connection had broken. */
  moveOn(): void;
  close(): Promise<void>;
}

/** Where the site's NATS is and how this process signs in there. */
export interface BusSettings {
  /** `nats://host:port` or `tls://host:port`, any of one cluster. */
  servers: string[];
  /** The text of a credentials file (JWT and seed); or user and password. */
  creds: string | undefined;
  user: string | undefined;
  password: string | undefined;
  /** Certificates (PEM) of who signed the servers'; the system's own where absent. */
  ca: string | undefined;
  /** Servers that keep each stream: 1, 3 or 5. */
  replicas: number;
}
