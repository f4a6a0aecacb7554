/**
 * The catalogue over several processes: what one of them is told of events, scores and places is told on to the others, the
 * last of each kept for an hour. The tables have it all behind that (scores some seconds late), and a start reads them first.
 */
import type { Score } from '@fairgame/contract';
import { type Bus, pack, unpack } from '../bus/bus.ts';
import type { Log } from '../db/db.ts';
import type { EventState, LiveEvent, MarketPlace } from './events.ts';

export type Told =
  | { is: 'event'; state: EventState }
  | { is: 'score'; eventId: number; score: Score }
  | { is: 'place'; place: MarketPlace };

export interface Sharing {
  event(live: LiveEvent): void;
  score(live: LiveEvent): void;
  place(place: MarketPlace): void;
  /** Tells what others told and tell. Throws BusLost. */
  follow(take: (told: Told) => void): Promise<void>;
  /** Resolves when everything told so far is with the others, or the bus is away: then it is told when that is back. */
  sent(): Promise<void>;
  stop(): void;
}

const KEPT_MS = 3_600_000;
const AT_ONCE = 64;
const AGAIN_MS = 1000;

/** `owner` names this process: what it told itself it does not hear again. */
export function createSharing({ bus, owner, log }: { bus: Bus; owner: string; log: Log }): Sharing {
  const shared = bus.shared('catalog', KEPT_MS);
  /** The newest of each key. */
  const waiting = new Map<string, () => Told>();
  let sending: Promise<void> | null = null;
  let again: NodeJS.Timeout | undefined;
  let off: (() => void) | undefined;

  function tell(key: string, told: () => Told): void {
    waiting.set(key, told);
    if (again === undefined) sending ??= send();
  }

  async function send(): Promise<void> {
    // What is told in one go goes together.
    await Promise.resolve();
    while (waiting.size > 0 && again === undefined) {
      const some = Array.from(waiting).slice(0, AT_ONCE);
      for (const [key] of some) waiting.delete(key);
      await Promise.all(some.map(([key, told]) => put(key, told)));
    }
    sending = null;
  }

  async function put(key: string, told: () => Told): Promise<void> {
    try {
      await shared.put(key, pack({ by: owner, told: told() }));
    } catch (error) {
      if (!waiting.has(key)) waiting.set(key, told);
      if (again === undefined) log.warn({ err: error }, 'the catalogue could not be told to the other processes');
      again ??= setTimeout(() => {
        again = undefined;
        sending ??= send();
      }, AGAIN_MS).unref();
    }
  }

  return {
    event: (live) =>
      tell(`event.${live.id}`, () => {
        const { event, startAt, firstStartAt, stopAt } = live;
        return { is: 'event', state: { event, startAt, firstStartAt, stopAt } };
      }),
    score: (live) => tell(`score.${live.id}`, () => ({ is: 'score', eventId: live.id, score: live.score! })),
    place: (place) => tell(`place.${place.marketId}`, () => ({ is: 'place', place })),
    async follow(take) {
      off = await shared.watch((_key, entry) => {
        if (!entry) return;
        const { by, told } = unpack<{ by: string; told: Told }>(entry.value);
        if (by !== owner) take(told);
      });
    },
    sent: async () => sending ?? undefined,
    stop() {
      clearTimeout(again);
      off?.();
    },
  };
}
