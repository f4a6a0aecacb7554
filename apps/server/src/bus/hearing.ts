/**
 * Whether what is told is heard here. A connection that stands says nothing of the way behind it: between two servers of the bus it
 * may be broken, and what others tell is lost without a word. So each process with rooms that must know says twice a second that it is
 * there; who falls silent without a word of leaving may be cut off, and until he is heard again the rows have to be asked. From here a
 * cut and a crash look alike; but who is only cut off goes on giving signs of life by the database (signs.ts), and who has ended does not.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { pack, unpack } from './json.ts';
import type { Signs } from './signs.ts';
import type { Bus, Stop } from './types.ts';

const BEAT = 'ctl.beat';
const BEAT_MS = 500;
const SILENT_MS = 1600;
/** After this one who is silent is forgotten: a cut as long as that is known to who runs the site. */
const DEAD_MS = 120_000;
const SIGN_MS = 1000;
/** What the database said of who is silent counts so long. */
const KNOWN_MS = 3 * SIGN_MS;

interface Beat {
  from: string;
  /** Counts from 1. */
  n: number;
  leaves?: true;
}

type Own = Omit<Bus, 'hears' | 'onHearing'>;

interface HearingOptions {
  /** Where others say that they live; without it one who is silent is waited for until he is forgotten. */
  signs?: Signs | undefined;
  /** Milliseconds that pass evenly. */
  steady?: () => number;
}

export function withHearing(bus: Own, options: HearingOptions = {}): Bus {
  const hearing = new Hearing(bus, options);
  return {
    ...bus,
    hears: () => hearing.hears(),
    onHearing: (listener) => hearing.listen(listener),
    close() {
      hearing.leave();
      return bus.close();
    },
  };
}

class Hearing {
  private readonly bus: Own;
  private readonly signs: Signs | undefined;
  private readonly steady: () => number;
  private readonly own = randomUUID();
  private readonly listeners = new Set<(hears: boolean) => void>();
  private readonly others = new Map<string, { n: number; at: number }>();
  private stops: Stop[] = [];
  private told = 0;
  private lookedAt = 0;
  private all: boolean;
  private readonly giving = { since: Number.NEGATIVE_INFINITY, busy: false };
  private readonly asking = { since: Number.NEGATIVE_INFINITY, busy: false };
  /** Who is silent since he has ended, and as of when. */
  private ended: { names: ReadonlySet<string>; at: number } = { names: new Set(), at: Number.NEGATIVE_INFINITY };

  constructor(bus: Own, { signs, steady = () => performance.now() }: HearingOptions) {
    this.bus = bus;
    this.signs = signs;
    this.steady = steady;
    this.all = bus.connected();
  }

  hears(): boolean {
    return this.bus.connected() && this.all;
  }

  listen(listener: (hears: boolean) => void): Stop {
    // Only who has rooms that must know is waited for by others.
    if (this.stops.length === 0) this.begin();
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  leave(): void {
    if (this.stops.length > 0) this.tell({ leaves: true });
    for (const stop of this.stops.splice(0)) stop();
  }

  private begin(): void {
    this.lookedAt = this.steady();
    const timer = setInterval(() => {
      this.tell();
      this.giveSign();
      this.look();
    }, BEAT_MS);
    timer.unref();
    this.stops = [
      () => clearInterval(timer),
      this.bus.hear(BEAT, (body) => this.heard(unpack<Beat>(body))),
      this.bus.onConnection((connected) => this.connection(connected)),
    ];
    this.tell();
    this.giveSign();
  }

  private tell(more: Pick<Beat, 'leaves'> = {}): void {
    if (this.bus.alone) return;
    this.told++;
    this.bus.tell(BEAT, pack({ from: this.own, n: this.told, ...more } satisfies Beat));
  }

  private heard({ from, n, leaves }: Beat): void {
    if (from === this.own) return;
    const known = this.others.get(from);
    if (leaves) this.others.delete(from);
    else this.others.set(from, { n, at: this.steady() });
    // One that was not heard here: other words of his may not have been either.
    if (n !== (known?.n ?? 0) + 1) this.set(false);
    this.look();
  }

  private connection(connected: boolean): void {
    // A break is told to all alike: who was silent meanwhile is waited for anew.
    this.ended = { names: new Set(), at: Number.NEGATIVE_INFINITY };
    for (const other of this.others.values()) other.at = this.steady();
    this.set(connected);
  }

  private look(): void {
    const now = this.steady();
    // Who stood still himself has what was told meanwhile before him.
    const stoodStill = now - this.lookedAt > 2 * BEAT_MS;
    this.lookedAt = now;
    if (stoodStill || !this.bus.connected()) return;
    for (const [from, { at }] of this.others) if (now - at > DEAD_MS) this.others.delete(from);
    const silent = [...this.others].filter(([, { at }]) => now - at > SILENT_MS).map(([from]) => from);
    if (silent.length > 0) this.askWhoEnded(silent);
    const { names, at } = this.ended;
    this.set(silent.length === 0 || (now - at <= KNOWN_MS && silent.every((from) => names.has(from))));
  }

  private giveSign(): void {
    if (!this.bus.alone) this.atTimes(this.giving, (signs) => signs.give(this.own));
  }

  private askWhoEnded(silent: readonly string[]): void {
    const asked = this.steady();
    this.atTimes(this.asking, async (signs) => {
      this.ended = { names: new Set(await signs.ended(silent)), at: asked };
    });
  }

  /** Not sooner than a second after the last time, nor while that is under way; a database that is away says nothing. */
  private atTimes(last: { since: number; busy: boolean }, work: (signs: Signs) => Promise<unknown>): void {
    const now = this.steady();
    if (!this.signs || last.busy || now - last.since < SIGN_MS) return;
    Object.assign(last, { since: now, busy: true });
    work(this.signs)
      .catch(() => undefined)
      .finally(() => {
        last.busy = false;
      });
  }

  private set(all: boolean): void {
    if (all === this.all) return;
    this.all = all;
    for (const listener of this.listeners) listener(all);
  }
}
