/**
 * Whether what is told is heard here. A connection that stands says nothing of the way behind it: between two servers of the bus it
 * may be broken, and what others tell is lost without a word. So each process with rooms that must know says twice a second that it is
 * there; who falls silent without a word of leaving may be cut off, and until he is heard again the rows have to be asked.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { pack, unpack } from './json.ts';
import type { Bus, Stop } from './types.ts';

const BEAT = 'ctl.beat';
const BEAT_MS = 500;
const SILENT_MS = 1600;
/** After this one who is silent is dead: a cut as long as that is known to who runs the site. */
const DEAD_MS = 120_000;

interface Beat {
  from: string;
  /** Counts from 1. */
  n: number;
  leaves?: true;
}

type Own = Omit<Bus, 'hears' | 'onHearing'>;

export function withHearing(bus: Own, steady: () => number = () => performance.now()): Bus {
  const hearing = new Hearing(bus, steady);
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
  private readonly steady: () => number;
  private readonly own = randomUUID();
  private readonly listeners = new Set<(hears: boolean) => void>();
  private readonly others = new Map<string, { n: number; at: number }>();
  private stops: Stop[] = [];
  private told = 0;
  private lookedAt = 0;
  private all: boolean;

  constructor(bus: Own, steady: () => number) {
    this.bus = bus;
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
      this.look();
    }, BEAT_MS);
    timer.unref();
    this.stops = [
      () => clearInterval(timer),
      this.bus.hear(BEAT, (body) => this.heard(unpack<Beat>(body))),
      this.bus.onConnection((connected) => this.connection(connected)),
    ];
    this.tell();
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
    this.set([...this.others.values()].every(({ at }) => now - at <= SILENT_MS));
  }

  private set(all: boolean): void {
    if (all === this.all) return;
    this.all = all;
    for (const listener of this.listeners) listener(all);
  }
}
