/**
 * A live connection in the format of the recordings: CRLF-delimited JSON over TLS, one market subscription, the same fold
 * and the same translation. When it falls silent, breaks, or its data is late, every open market is suspended; it connects
 * again by itself, resubscribes from the last clock and opens markets on fresh prices (exchange reference 14.1).
 *
 * After a restart of the site it first asks for what was missed since the stored clock, and takes of it what was settled
 * meanwhile; its images died with the old process, so it then subscribes anew for whole ones.
 */
import { performance } from 'node:perf_hooks';
import type { Feed, FeedOutput } from './feed.ts';
import type { Known } from './known.ts';
import { createFold } from './replay/fold.ts';
import { Malformed, type MarketMessage, parseMessage } from './replay/message.ts';
import { createTranslator } from './replay/translate.ts';
import { createLine, type LineOptions } from './stream-line.ts';

export interface StreamOptions extends Pick<LineOptions, 'host' | 'port' | 'secure' | 'ca'> {
  appKey: string;
  session: string;
  /** Which markets, in the words of the stream: `{"eventTypeIds":["7"],"countryCodes":["GB"]}`. */
  marketFilter: Record<string, unknown>;
  known: Known;
  /** Where it was when the site last stored it. */
  resume?: StreamClock | null;
  heartbeatMs?: number;
  /** Prices are merged over this much time, here and by the server. */
  conflateMs?: number;
  retryMs?: number;
  log?: (text: string) => void;
  /** What somebody has to look at: it cannot connect, is refused, falls silent, is late. */
  onTrouble?: (text: string) => void;
  now?: () => number;
  /** Milliseconds of a clock that nobody sets. */
  steadyNow?: () => number;
}

/** A place in the stream; opaque to us. */
export interface StreamClock {
  initialClk: string;
  clk: string;
}

export interface StreamFeed extends Feed {
  /** The place behind everything told so far; null while there is none to go on from. */
  mark(): StreamClock | null;
  /** Prices are coming in. */
  connected(): boolean;
}

export const STREAM = 'stream:';
const AUTHENTICATION = 1;
/** Data this much older on its way than the fastest line was: the other side is behind, or repeats itself. */
const LATE_MS = 10_000;

/**
 * Settings from FAIRGAME_FEED_HOST, _PORT, _APP_KEY, _SESSION, _FILTER (JSON) and _TLS (`off` on this machine only). Throws
 * naming what is missing or wrong.
 */
export function streamSettings(
  env: Record<string, string | undefined>,
): Pick<StreamOptions, 'host' | 'port' | 'secure' | 'appKey' | 'session' | 'marketFilter'> {
  const need = (name: string): string => {
    const value = env[`FAIRGAME_FEED_${name}`];
    if (!value) throw new Error(`the stream feed needs FAIRGAME_FEED_${name}`);
    return value;
  };
  const port = Number(env.FAIRGAME_FEED_PORT ?? 443);
  if (!Number.isSafeInteger(port) || port < 1 || port > 65_535) throw new Error('FAIRGAME_FEED_PORT is not a port');
  const tls = env.FAIRGAME_FEED_TLS ?? 'on';
  if (tls !== 'on' && tls !== 'off') throw new Error('FAIRGAME_FEED_TLS is neither on nor off');
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
    secure: tls === 'on',
    appKey: need('APP_KEY'),
    session: need('SESSION'),
    marketFilter: marketFilter as Record<string, unknown>,
  };
}

/** Throws when the options are not safe to use; after that, faults are told and tried again. */
export function streamFeed(options: StreamOptions): StreamFeed {
  const now = options.now ?? Date.now;
  const steadyNow = options.steadyNow ?? (() => performance.now());
  const log = options.log ?? (() => {});
  const trouble = (text: string): void => (options.onTrouble ?? log)(`stream: ${text}`);
  const heartbeatMs = options.heartbeatMs ?? 5000;
  const conflateMs = options.conflateMs ?? 100;
  const fold = createFold();
  const translator = createTranslator({ known: options.known, prefix: STREAM, siteTime: (recordedMs) => recordedMs });

  let sink: (batch: FeedOutput[], at: number) => void = () => {};
  let stopped = false;
  let flushTimer: NodeJS.Timeout | undefined;
  let place: Partial<StreamClock> = options.resume ?? {};
  /** Asking only for what was settled while the site was away. */
  let catchingUp = options.resume != null;
  let subscription = AUTHENTICATION;
  let silenceMs = 2 * heartbeatMs;
  /** Markets in the image that answers a new subscription, until it is whole. */
  let imaged: Set<string> | null = null;
  let awaitingImage = false;
  /** Why markets are held: after a break only a new image opens them, late data ends with any timely line. */
  let holding: 'lost' | 'late' | null = 'lost';
  /** Least time a line took since the connection was made, by clocks that need not agree. */
  let fastestMs = Number.POSITIVE_INFINITY;

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

  const line = createLine({
    host: options.host,
    port: options.port,
    secure: options.secure,
    ca: options.ca,
    retryMs: options.retryMs ?? 1000,
    watchMs: Math.max(10, Math.floor(heartbeatMs / 2)),
    silenceMs: () => silenceMs,
    now,
    onLine: read,
    onTrouble: trouble,
    onBreak() {
      imaged = null;
      fastestMs = Number.POSITIVE_INFINITY;
      hold('lost');
    },
  });

  function subscribe(): void {
    const { initialClk, clk } = place;
    subscription++;
    awaitingImage = true;
    line.say({
      op: 'marketSubscription',
      id: subscription,
      marketFilter: options.marketFilter,
      marketDataFilter: {
        ladderLevels: 10,
        fields: ['EX_ALL_OFFERS', 'EX_TRADED', 'EX_TRADED_VOL', 'EX_LTP', 'EX_MARKET_DEF'],
      },
      heartbeatMs,
      conflateMs,
      segmentationEnabled: true,
      ...(initialClk && clk && { initialClk, clk }),
    });
  }

  function subscribeAnew(): void {
    place = {};
    imaged = null;
    subscribe();
  }

  function onStatus(fields: Record<string, unknown>): void {
    if (fields.statusCode === 'SUCCESS') {
      if (fields.id === AUTHENTICATION) subscribe();
      return;
    }
    const told = [fields.errorCode, fields.errorMessage].filter((text) => typeof text === 'string');
    trouble(`refused ${told.join(' ')}`.trim());
    // A clock the server no longer knows: begin with a whole image.
    if (fields.errorCode === 'INVALID_CLOCK') {
      place = {};
      catchingUp = false;
    }
    line.drop();
  }

  /** The line is behind the fastest one by more than its own way: old data, or the same again and again. */
  function isLate(message: MarketMessage): boolean {
    if (message.status === 503) return true;
    const tookMs = steadyNow() - message.publishTime;
    fastestMs = Math.min(fastestMs, tookMs);
    return tookMs - fastestMs > LATE_MS;
  }

  function onMarkets(message: MarketMessage): void {
    // The rest of a subscription that was given up.
    if (message.subscription !== null && message.subscription !== subscription) return;
    const whole = message.segment === null || message.segment === 'SEG_END';
    if (message.change === 'SUB_IMAGE') catchingUp = false;
    if (message.heartbeatMs) silenceMs = 2 * message.heartbeatMs;
    if (message.change === 'SUB_IMAGE') {
      imaged ??= new Set();
      for (const market of message.markets) imaged.add(market.marketId);
    }
    const changes = fold.apply(message);
    if (catchingUp) {
      send(translator.take(changes.filter(({ market }) => market.definition?.status === 'CLOSED')));
      if (message.change === 'RESUB_DELTA' && whole) {
        catchingUp = false;
        subscribeAnew();
      }
      return;
    }
    if (message.initialClk) place.initialClk = message.initialClk;
    if (message.clk && whole) place.clk = message.clk;
    const late = isLate(message);
    if (late && holding === null) trouble('its data is late');
    if (late) hold('late');
    const outputs = translator.take(changes);
    // A timely heartbeat is a sign of life: an empty batch passes it on.
    if (outputs.length > 0 || holding === null) sink(outputs, now());
    if (whole && !late) opened(message);
  }

  /** A whole, timely line: what was held opens when it may. */
  function opened(message: MarketMessage): void {
    const answered = message.change === 'SUB_IMAGE' || message.change === 'RESUB_DELTA';
    if (answered) {
      line.worked();
      awaitingImage = false;
    }
    if (answered || holding === 'late') {
      holding = null;
      send(translator.release(imaged ?? undefined));
      if (imaged) send([{ type: 'named', marketIds: translator.numbers(imaged) }]);
    }
    imaged = null;
    flushTimer ??= setTimeout(flush, conflateMs);
  }

  function read(text: string): void {
    try {
      const message = parseMessage(text);
      if (message.op === 'mcm') onMarkets(message);
      else if (message.name === 'connection')
        line.say({ op: 'authentication', id: AUTHENTICATION, appKey: options.appKey, session: options.session });
      else if (message.name === 'status') onStatus(message.fields);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      log(`stream: malformed line skipped: ${error.message}`);
    }
  }

  return {
    start(given) {
      sink = given;
      line.start();
    },
    stop() {
      stopped = true;
      clearTimeout(flushTimer);
      line.stop();
      return Promise.resolve();
    },
    again(marketIds) {
      if (holding !== null || awaitingImage) return;
      translator.again(marketIds);
      subscribeAnew();
    },
    mark() {
      const { initialClk, clk } = place;
      return initialClk && clk && !catchingUp ? { initialClk, clk } : null;
    },
    connected: () => holding === null,
  };
}
