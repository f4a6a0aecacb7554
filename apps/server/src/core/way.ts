/**
 * Whether who leads can be asked. Each follower asks it for nothing, again and again: where no answer comes although the leader's
 * row says that it is there, the way between them is broken somewhere that neither sees (between two servers of the bus), and
 * another server is tried. What was under way is asked again behind it, as after any break.
 */
import { performance } from 'node:perf_hooks';
import type { Bus, Stop } from '../bus/bus.ts';
import type { Log } from '../db/db.ts';
import type { Following } from './following.ts';
import { askedAt, packTexts } from './wire.ts';

/** As often as a leader says that it is there. */
const ASK_MS = 500;
const ANSWER_MS = 2000;
/**
 * So long and so many signs of it without an answer: one alone may come from before it froze. Longer than a leader needs to leave a
 * server of the bus that stands still (nats.ts): who moved on before might move to that server.
 */
const SILENT_MS = 2000;
const SIGNS = 3;
/** Each server is given twice the time of the one before. */
const MOST_SILENT_MS = 12_000;
/** Longer than a leader waits until it says that nobody can ask it (lead.ts), and until that is read here. */
const CUT_OFF_MS = 5000;

export interface WayOptions {
  bus: Pick<Bus, 'request' | 'connected' | 'onConnection' | 'moveOn'>;
  log: Log;
  following: () => Pick<Following, 'owner' | 'isLed' | 'signs'>;
  /** The connection is there again. */
  onBack(): void;
  /** Milliseconds that pass evenly. */
  steady?: (() => number) | undefined;
}

export class Way {
  private readonly options: WayOptions;
  private readonly steady: () => number;
  private readonly stops: Stop[];
  /** Since when there is no connection. */
  private away: number | null;
  private owner: string;
  /** The leader's last answer, and how many signs of it there were by then. */
  private answered: { at: number; signs: number };
  /** The same when another server was tried last. */
  private tried: { at: number; signs: number };
  private patienceMs = SILENT_MS;
  private isMoving = false;

  constructor(options: WayOptions) {
    this.options = options;
    this.steady = options.steady ?? (() => performance.now());
    const { bus } = options;
    this.away = bus.connected() ? null : this.steady();
    this.owner = options.following().owner;
    this.answered = this.now();
    this.tried = this.answered;
    const timer = setInterval(() => this.look(), ASK_MS);
    timer.unref();
    this.stops = [bus.onConnection((connected) => this.connection(connected)), () => clearInterval(timer)];
  }

  /**
   * Whether this process alone cannot ask who leads. Where nobody leads, or nobody can ask who does, no other one serves players
   * better: each shows what there is, and refuses commands with a code.
   */
  isOff(): boolean {
    this.meet();
    const { isLed } = this.options.following();
    const since = this.away ?? (this.isSilent(this.answered, CUT_OFF_MS) ? this.answered.at : null);
    return isLed && since !== null && this.steady() - since >= CUT_OFF_MS;
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  private now() {
    return { at: this.steady(), signs: this.options.following().signs };
  }

  private connection(connected: boolean): void {
    this.away = connected ? null : this.steady();
    if (!connected) return;
    // What was not heard while there was no way says nothing; a server that was only tried has to show that it is better.
    if (!this.isMoving) this.answered = this.now();
    this.isMoving = false;
    this.tried = this.now();
    this.options.onBack();
    this.ask();
  }

  private look(): void {
    const { bus, following, log } = this.options;
    this.meet();
    // A leader that gives no sign, or says itself that nobody can ask it, is judged from when it is there again.
    if (!following().isLed) this.beginAnew();
    if (!bus.connected()) return;
    this.ask();
    if (!this.isSilent(this.tried, this.patienceMs)) return;
    log.warn({ owner: this.owner }, 'the leader is there and does not answer: another server of the bus is tried');
    this.patienceMs = Math.min(this.patienceMs * 2, MOST_SILENT_MS);
    this.tried = this.now();
    this.isMoving = true;
    bus.moveOn();
  }

  /** A leader that nobody has asked yet has time until it takes requests. */
  private meet(): void {
    const { owner } = this.options.following();
    if (owner === this.owner) return;
    this.owner = owner;
    this.beginAnew();
    this.patienceMs = CUT_OFF_MS;
  }

  private beginAnew(): void {
    this.answered = this.now();
    this.tried = this.answered;
  }

  private isSilent(since: { at: number; signs: number }, ms: number): boolean {
    const { at, signs } = this.now();
    return at - since.at >= ms && signs - since.signs >= SIGNS;
  }

  private ask(): void {
    const { owner } = this;
    this.options.bus.request(askedAt(owner), packTexts([]), ANSWER_MS).then(
      () => {
        if (owner !== this.owner) return;
        this.beginAnew();
        this.patienceMs = SILENT_MS;
      },
      () => undefined,
    );
  }
}
