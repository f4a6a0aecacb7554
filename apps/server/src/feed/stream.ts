/**
 * A live connection in the format of the recordings: CRLF-delimited JSON over TLS, one market subscription, the same fold
 * and the same translation. When it falls silent, breaks or tells that its data is late, every open market is suspended;
 * it connects again by itself, resubscribes from the last clock and opens markets on fresh prices (exchange reference 14.1).
 */
import net from 'node:net';
import tls from 'node:tls';
import type { Feed, FeedOutput } from './feed.ts';
import { createFold } from './replay/fold.ts';
import { Malformed, type MarketMessage, parseMessage } from './replay/message.ts';
import { createTranslator, type Ids } from './replay/translate.ts';

export interface StreamOptions {
  host: string;
  port: number;
  appKey: string;
  session: string;
  /** Which markets, in the words of the stream: `{"eventTypeIds":["7"],"countryCodes":["GB"]}`. */
  marketFilter: Record<string, unknown>;
  ids: Ids;
  /** TLS unless false, which is for a server on this machine only. */
  secure?: boolean;
  /** Certificate to trust instead of the system's, PEM. */
  ca?: string;
  heartbeatMs?: number;
  /** Prices are merged over this much time, here and by the server. */
  conflateMs?: number;
  /** First pause before connecting again; doubled each time up to 30 s. */
  retryMs?: number;
  log?: (text: string) => void;
  now?: () => number;
}

const AUTHENTICATION = 1;
const SUBSCRIPTION = 2;
const MAX_PENDING_CHARS = 64 * 1024 * 1024;
const MAX_RETRY_MS = 30_000;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Settings from FAIRGAME_FEED_HOST, _PORT, _APP_KEY, _SESSION and _FILTER (JSON). Throws naming what is missing or wrong. */
export function streamSettings(env: Record<string, string | undefined>): Omit<StreamOptions, 'ids'> {
  const need = (name: string): string => {
    const value = env[`FAIRGAME_FEED_${name}`];
    if (!value) throw new Error(`the stream feed needs FAIRGAME_FEED_${name}`);
    return value;
  };
  const port = Number(env.FAIRGAME_FEED_PORT ?? 443);
  if (!Number.isSafeInteger(port) || port < 1 || port > 65_535) throw new Error('FAIRGAME_FEED_PORT is not a port');
  let marketFilter: unknown;
  try {
    marketFilter = JSON.parse(env.FAIRGAME_FEED_FILTER ?? '{}');
  } catch {
    marketFilter = null;
  }
  if (typeof marketFilter !== 'object' || marketFilter === null || Array.isArray(marketFilter)) {
    throw new Error('FAIRGAME_FEED_FILTER is not a JSON object');
  }
  return {
    host: need('HOST'),
    port,
    appKey: need('APP_KEY'),
    session: need('SESSION'),
    marketFilter: marketFilter as Record<string, unknown>,
  };
}

/** Throws when the options are not safe to use; after that, faults are logged and tried again. */
export function streamFeed(options: StreamOptions): Feed {
  if (options.secure === false && !LOOPBACK.has(options.host))
    throw new Error('a stream without TLS is for this machine only');
  const now = options.now ?? Date.now;
  const log = options.log ?? (() => {});
  const heartbeatMs = options.heartbeatMs ?? 5000;
  const conflateMs = options.conflateMs ?? 100;
  const firstRetryMs = options.retryMs ?? 1000;
  const fold = createFold();
  const translator = createTranslator({ ids: options.ids, siteTime: (recordedMs) => recordedMs });

  let sink: (batch: FeedOutput[], at: number) => void = () => {};
  let socket: net.Socket | null = null;
  let stopped = false;
  let connection = 0;
  let retryMs = firstRetryMs;
  let retryTimer: NodeJS.Timeout | undefined;
  let flushTimer: NodeJS.Timeout | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  let heardAt = 0;
  let initialClk: string | null = null;
  let clk: string | null = null;
  let silenceMs = 2 * heartbeatMs;
  /** Markets in the image that answers a new subscription, until it is whole. */
  let imaged: Set<string> | null = null;
  /** Why markets are held: after a break only a new image opens them, late data ends with any timely line. */
  let holding: 'lost' | 'late' | null = null;

  const send = (outputs: FeedOutput[]): void => {
    if (outputs.length > 0 && !stopped) sink(outputs, now());
  };
  const flush = (): void => {
    flushTimer = undefined;
    send(translator.flush(now()));
  };
  const hold = (why: 'lost' | 'late'): void => {
    const already = holding !== null;
    if (holding !== 'lost') holding = why;
    if (!already) send(translator.hold(why === 'lost' ? 'Feed lost' : 'Prices are late'));
  };
  const say = (message: Record<string, unknown>): void => {
    socket?.write(`${JSON.stringify(message)}\r\n`);
  };

  const subscribe = (): void => {
    say({
      op: 'marketSubscription',
      id: SUBSCRIPTION,
      marketFilter: options.marketFilter,
      marketDataFilter: {
        ladderLevels: 10,
        fields: ['EX_ALL_OFFERS', 'EX_TRADED', 'EX_TRADED_VOL', 'EX_LTP', 'EX_MARKET_DEF'],
      },
      heartbeatMs,
      conflateMs,
      segmentationEnabled: true,
      ...(initialClk !== null && clk !== null && { initialClk, clk }),
    });
  };

  const onStatus = (fields: Record<string, unknown>): void => {
    if (fields.statusCode === 'SUCCESS') {
      if (fields.id === AUTHENTICATION) subscribe();
      return;
    }
    const told = [fields.errorCode, fields.errorMessage].filter((text) => typeof text === 'string');
    log(`stream: refused ${told.join(' ')}`.trim());
    // A clock the server no longer knows: begin with a whole image.
    if (fields.errorCode === 'INVALID_CLOCK') {
      initialClk = null;
      clk = null;
    }
    socket?.destroy();
  };

  const onMarkets = (message: MarketMessage): void => {
    const whole = message.segment === null || message.segment === 'SEG_END';
    if (message.initialClk) initialClk = message.initialClk;
    if (message.clk && whole) clk = message.clk;
    if (message.heartbeatMs) silenceMs = 2 * message.heartbeatMs;
    if (message.change === 'SUB_IMAGE') {
      imaged ??= new Set();
      for (const market of message.markets) imaged.add(market.marketId);
    }
    const changes = fold.apply(message);
    if (message.status === 503) hold('late');
    const outputs = translator.take(changes);
    // A timely heartbeat is a sign of life: an empty batch passes it on.
    if (outputs.length > 0 || holding === null) sink(outputs, now());
    if (!whole || message.status === 503) return;
    const answered = message.change === 'SUB_IMAGE' || message.change === 'RESUB_DELTA';
    if (answered) retryMs = firstRetryMs;
    if (answered || holding === 'late') {
      holding = null;
      send(translator.release(imaged ?? undefined));
    }
    imaged = null;
    if (flushTimer === undefined) flushTimer = setTimeout(flush, conflateMs);
  };

  const onLine = (text: string): void => {
    heardAt = now();
    try {
      const message = parseMessage(text);
      if (message.op === 'mcm') onMarkets(message);
      else if (message.name === 'connection')
        say({ op: 'authentication', id: AUTHENTICATION, appKey: options.appKey, session: options.session });
      else if (message.name === 'status') onStatus(message.fields);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      log(`stream: malformed line skipped: ${error.message}`);
    }
  };

  const connect = (): void => {
    const own = ++connection;
    let rest = '';
    heardAt = now();
    const target = { host: options.host, port: options.port };
    const opened =
      options.secure === false
        ? net.connect(target)
        : tls.connect({ ...target, servername: options.host, ...(options.ca && { ca: options.ca }) });
    socket = opened;
    opened.setEncoding('utf8');
    opened.on('data', (chunk: string) => {
      if (own !== connection || stopped) return;
      const pieces = chunk.split('\n');
      pieces[0] = rest + pieces[0]!;
      rest = pieces.pop()!;
      for (const piece of pieces) if (piece.trim() !== '') onLine(piece);
      if (rest.length > MAX_PENDING_CHARS) opened.destroy(new Error('a line is too long'));
    });
    opened.on('error', (error) => log(`stream: ${error.message}`));
    opened.on('close', () => {
      if (own !== connection || stopped) return;
      imaged = null;
      hold('lost');
      retryTimer = setTimeout(connect, retryMs);
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
    });
  };

  return {
    start(given) {
      sink = given;
      connect();
      watchdog = setInterval(
        () => {
          if (now() - heardAt <= silenceMs || socket?.destroyed) return;
          log('stream: silent, connecting again');
          socket?.destroy();
        },
        Math.max(10, Math.floor(heartbeatMs / 2)),
      );
    },
    stop() {
      stopped = true;
      for (const timer of [retryTimer, flushTimer]) clearTimeout(timer);
      clearInterval(watchdog);
      socket?.destroy();
      return Promise.resolve();
    },
  };
}
