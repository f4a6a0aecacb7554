/**
 * A connection that speaks in lines and comes back by itself: breaks, silence and refusals lead to another try, each after a
 * longer pause until one has worked. Knows nothing of what the lines say.
 */
import net from 'node:net';
import tls from 'node:tls';
import { createBackOff } from '../back-off.ts';

export interface LineOptions {
  host: string;
  port: number;
  /** TLS unless false, which is for a server on this machine only. */
  secure?: boolean | undefined;
  /** Certificate to trust instead of the system's, PEM. */
  ca?: string | undefined;
  /** First pause before connecting again; doubled each time up to 30 s. */
  retryMs: number;
  /** How often silence is looked for. */
  watchMs: number;
  /** Silence longer than this is a break. */
  silenceMs: () => number;
  onLine: (text: string) => void;
  /** A connection is gone, or could not be made. */
  onBreak: () => void;
  /** Why, for the log. */
  onTrouble: (text: string) => void;
  now: () => number;
}

export interface Line {
  start(): void;
  stop(): void;
  say(message: Record<string, unknown>): void;
  /** Breaks the connection; another one is made. */
  drop(): void;
  /** The other side has given what was asked for: the next pause is the first again. */
  worked(): void;
}

const MAX_PENDING_CHARS = 64 * 1024 * 1024;
const MAX_RETRY_MS = 30_000;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Throws when the options are not safe to use; after that, faults are told and tried again. */
export function createLine(options: LineOptions): Line {
  if (options.secure === false && !LOOPBACK.has(options.host))
    throw new Error('a stream without TLS is for this machine only');
  let socket: net.Socket | null = null;
  let stopped = false;
  const retry = createBackOff(options.retryMs, MAX_RETRY_MS);
  let retryTimer: NodeJS.Timeout | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  let heardAt = 0;

  function connect(): void {
    heardAt = options.now();
    const target = { host: options.host, port: options.port };
    const opened =
      options.secure === false
        ? net.connect(target)
        : tls.connect({ ...target, servername: options.host, ...(options.ca && { ca: options.ca }) });
    socket = opened;
    let rest = '';
    const isCurrent = (): boolean => socket === opened && !stopped;
    opened.setEncoding('utf8');
    opened.on('data', (chunk: string) => {
      if (!isCurrent()) return;
      heardAt = options.now();
      const pieces = chunk.split('\n');
      pieces[0] = rest + pieces[0]!;
      rest = pieces.pop()!;
      for (const piece of pieces) if (piece.trim() !== '' && isCurrent()) options.onLine(piece);
      if (rest.length > MAX_PENDING_CHARS) opened.destroy(new Error('a line is too long'));
    });
    opened.on('error', (error) => options.onTrouble(error.message));
    opened.on('close', () => {
      if (!isCurrent()) return;
      options.onBreak();
      retryTimer = setTimeout(connect, retry.next());
    });
  }

  return {
    start() {
      connect();
      watchdog = setInterval(() => {
        if (options.now() - heardAt <= options.silenceMs() || socket?.destroyed) return;
        options.onTrouble('silent, connecting again');
        socket?.destroy();
      }, options.watchMs);
    },
    stop() {
      stopped = true;
      clearTimeout(retryTimer);
      clearInterval(watchdog);
      socket?.destroy();
    },
    say: (message) => void socket?.write(`${JSON.stringify(message)}\r\n`),
    drop: () => void socket?.destroy(),
    worked: () => retry.reset(),
  };
}
