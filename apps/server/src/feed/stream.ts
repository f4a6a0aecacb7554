/**
 * A live connection in the format of the recordings: CRLF-delimited JSON over TLS, one market subscription, the same fold
 * and the same translation. When it falls silent, breaks, or its data is late, every open market is suspended; it connects
 * again by itself, resubscribes from the last clock and opens markets on fresh prices (exchange reference 14.1).
 *
 * After a restart of the site it first asks for what was missed since the stored clock, and takes of it what was settled
 * meanwhile; its images died with the old process, so it then subscribes anew for whole ones.
 */
import { performance } from 'node:perf_hooks';
import type { MarketId } from '@fairgame/exchange';
import type { Feed, FeedOutput } from './feed.ts';
import type { Known } from './known.ts';
import { createFold } from './replay/fold.ts';
import { Malformed, type MarketMessage, parseMessage } from './replay/message.ts';
import { createTranslator, type Translator } from './replay/translate.ts';
import { createLine, type Line, type LineOptions } from './stream-line.ts';

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
  return new FeedFromStream(options);
}

class FeedFromStream implements StreamFeed {
  private readonly options: StreamOptions;
  private readonly now: () => number;
  private readonly steadyNow: () => number;
  private readonly log: (text: string) => void;
  private readonly heartbeatMs: number;
  private readonly conflateMs: number;
  private readonly fold = createFold();
  private readonly translator: Translator;

  private sink: (batch: FeedOutput[], at: number) => void = () => {};
  private stopped = false;
  private flushTimer: NodeJS.Timeout | undefined;
  private place: Partial<StreamClock>;
  /** Asking only for what was settled while the site was away. */
  private catchingUp: boolean;
  private subscription = AUTHENTICATION;
  private silenceMs: number;
  /** Markets in the image that answers a new subscription, until it is whole. */
  private imaged: Set<string> | null = null;
  private awaitingImage = false;
  /** Why markets are held: after a break only a new image opens them, late data ends with any timely line. */
  private holding: 'lost' | 'late' | null = 'lost';
  /** Least time a line took since the connection was made, by clocks that need not agree. */
  private fastestMs = Number.POSITIVE_INFINITY;

  private readonly line: Line;

  constructor(options: StreamOptions) {
    this.options = options;
    this.now = options.now ?? Date.now;
    this.steadyNow = options.steadyNow ?? (() => performance.now());
    this.log = options.log ?? (() => {});
    this.heartbeatMs = options.heartbeatMs ?? 5000;
    this.conflateMs = options.conflateMs ?? 100;
    this.translator = createTranslator({ known: options.known, prefix: STREAM, siteTime: (recordedMs) => recordedMs });
    this.place = options.resume ?? {};
    this.catchingUp = options.resume != null;
    this.silenceMs = 2 * this.heartbeatMs;
    this.line = createLine({
      host: options.host,
      port: options.port,
      secure: options.secure,
      ca: options.ca,
      retryMs: options.retryMs ?? 1000,
      watchMs: Math.max(10, Math.floor(this.heartbeatMs / 2)),
      silenceMs: () => this.silenceMs,
      now: this.now,
      onLine: (text) => this.read(text),
      onTrouble: (text) => this.trouble(text),
      onBreak: () => {
        this.imaged = null;
        this.fastestMs = Number.POSITIVE_INFINITY;
        this.hold('lost');
      },
    });
  }

  start(given: (batch: FeedOutput[], now: number) => void): void {
    this.sink = given;
    this.line.start();
  }

  stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.flushTimer);
    this.line.stop();
    return Promise.resolve();
  }

  again(marketIds: readonly MarketId[]): void {
    if (this.holding !== null || this.awaitingImage) return;
    this.translator.again(marketIds);
    this.subscribeAnew();
  }

  mark(): StreamClock | null {
    const { initialClk, clk } = this.place;
    return initialClk && clk && !this.catchingUp ? { initialClk, clk } : null;
  }

  connected(): boolean {
    return this.holding === null;
  }

  private trouble(text: string): void {
    (this.options.onTrouble ?? this.log)(`stream: ${text}`);
  }

  private send(outputs: FeedOutput[]): void {
    if (outputs.length > 0 && !this.stopped) this.sink(outputs, this.now());
  }

  private flush(): void {
    this.flushTimer = undefined;
    this.send(this.translator.flush(this.now()));
  }

  private hold(why: 'lost' | 'late'): void {
    const already = this.holding !== null;
    if (this.holding !== 'lost') this.holding = why;
    if (!already) this.send(this.translator.hold(why === 'lost' ? 'Feed lost' : 'Prices are late'));
  }

  private subscribe(): void {
    const { initialClk, clk } = this.place;
    this.subscription++;
    this.awaitingImage = true;
    this.line.say({
      op: 'marketSubscription',
      id: this.subscription,
      marketFilter: this.options.marketFilter,
      marketDataFilter: {
        ladderLevels: 10,
        fields: ['EX_ALL_OFFERS', 'EX_TRADED', 'EX_TRADED_VOL', 'EX_LTP', 'EX_MARKET_DEF'],
      },
      heartbeatMs: this.heartbeatMs,
      conflateMs: this.conflateMs,
      segmentationEnabled: true,
      ...(initialClk && clk && { initialClk, clk }),
    });
  }

  private subscribeAnew(): void {
    this.place = {};
    this.imaged = null;
    this.subscribe();
  }

  private onStatus(fields: Record<string, unknown>): void {
    if (fields.statusCode === 'SUCCESS') {
      if (fields.id === AUTHENTICATION) this.subscribe();
      return;
    }
    const told = [fields.errorCode, fields.errorMessage].filter((text) => typeof text === 'string');
    this.trouble(`refused ${told.join(' ')}`.trim());
    // A clock the server no longer knows: begin with a whole image.
    if (fields.errorCode === 'INVALID_CLOCK') {
      this.place = {};
      this.catchingUp = false;
    }
    this.line.drop();
  }

  /** The line is behind the fastest one by more than its own way: old data, or the same again and again. */
  private isLate(message: MarketMessage): boolean {
    if (message.status === 503) return true;
    const tookMs = this.steadyNow() - message.publishTime;
    this.fastestMs = Math.min(this.fastestMs, tookMs);
    return tookMs - this.fastestMs > LATE_MS;
  }

  private onMarkets(message: MarketMessage): void {
    // The rest of a subscription that was given up.
    if (message.subscription !== null && message.subscription !== this.subscription) return;
    const whole = message.segment === null || message.segment === 'SEG_END';
    if (message.change === 'SUB_IMAGE') this.catchingUp = false;
    if (message.heartbeatMs) this.silenceMs = 2 * message.heartbeatMs;
    if (message.change === 'SUB_IMAGE') {
      this.imaged ??= new Set();
      for (const market of message.markets) this.imaged.add(market.marketId);
    }
    const changes = this.fold.apply(message);
    if (this.catchingUp) {
      this.send(this.translator.take(changes.filter(({ market }) => market.definition?.status === 'CLOSED')));
      if (message.change === 'RESUB_DELTA' && whole) {
        this.catchingUp = false;
        this.subscribeAnew();
      }
      return;
    }
    if (message.initialClk) this.place.initialClk = message.initialClk;
    if (message.clk && whole) this.place.clk = message.clk;
    const late = this.isLate(message);
    if (late && this.holding === null) this.trouble('its data is late');
    if (late) this.hold('late');
    const outputs = this.translator.take(changes);
    // A timely heartbeat is a sign of life: an empty batch passes it on.
    if (outputs.length > 0 || this.holding === null) this.sink(outputs, this.now());
    if (whole && !late) this.opened(message);
  }

  /** A whole, timely line: what was held opens when it may. */
  private opened(message: MarketMessage): void {
    const answered = message.change === 'SUB_IMAGE' || message.change === 'RESUB_DELTA';
    if (answered) {
      this.line.worked();
      this.awaitingImage = false;
    }
    if (answered || this.holding === 'late') {
      this.holding = null;
      this.send(this.translator.release(this.imaged ?? undefined));
      if (this.imaged) this.send([{ type: 'named', marketIds: this.translator.numbers(this.imaged) }]);
    }
    this.imaged = null;
    this.flushTimer ??= setTimeout(() => this.flush(), this.conflateMs);
  }

  private read(text: string): void {
    try {
      const message = parseMessage(text);
      if (message.op === 'mcm') this.onMarkets(message);
      else if (message.name === 'connection')
        this.line.say({
          op: 'authentication',
          id: AUTHENTICATION,
          appKey: this.options.appKey,
          session: this.options.session,
        });
      else if (message.name === 'status') this.onStatus(message.fields);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.log(`stream: malformed line skipped: ${error.message}`);
    }
  }
}
