import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import { type Bridge, createBridge } from '../feed/bridge.ts';
import { Crowd } from '../feed/crowd.ts';
import { openSource, type Source } from '../feed/sources.ts';
import type { createHolds, OperatorOptions } from '../operator/operator.ts';
import type { Ground } from './ground.ts';

/** What operators and players see of the feed. */
export type FeedDesk = OperatorOptions['feed'];

export interface Feed {
  /** Of this process; does nothing before the start, and while another process runs the feed. */
  bridge(): Bridge;
  desk: FeedDesk;
  /** Goes on where it was; `isWatched` says whether anybody looks at an event. */
  start(isWatched: (eventId: number) => boolean): Promise<void>;
  stop(): Promise<void>;
}

export interface FeedParts {
  core: Core;
  catalog: Catalog;
  holds: Awaited<ReturnType<typeof createHolds>>;
  lastWroteAt: number;
}

/** The source of prices and what carries them to core and catalogue, in this process. */
export function createFeed({ config, db, bus, clock, log }: Ground, parts: FeedParts): Feed {
  const { core, catalog, holds, lastWroteAt } = parts;
  const bridge = createBridge({ core, catalog, holds, clock, log, lastWroteAt, decidedElsewhere: !bus.alone });
  let source: Source | null = null;
  let crowd: Crowd | null = null;
  let storing: NodeJS.Timeout | undefined;
  const store = async (): Promise<void> => {
    const save = source?.mark();
    if (!save) return;
    // What the feed needs to go on: only what the core has carried out.
    await bridge.idle();
    await save();
  };
  const notStored = (error: unknown): void => log.warn({ err: error }, 'the feed could not be stored');

  return {
    bridge: () => bridge,
    desk: {
      stats: () => bridge.stats(),
      late: () => bridge.late(),
      source: () => ({ connected: source?.connected() ?? false, troubles: source?.troubles() ?? 0 }),
      attention: () => bridge.attention(),
      takesBack: (marketId) => Promise.resolve(holds.takenBack(marketId)),
      confirm: (marketId, actor) => bridge.confirm(marketId, actor),
    },
    async start(isWatched) {
      source = await openSource({
        kind: config.feed,
        seed: config.feedSeed,
        speed: config.feedSpeed,
        files: config.feedFiles,
        db,
        log,
        clock,
        watched: isWatched,
        market: (marketId) => core.read.market(marketId),
        env: process.env,
      });
      await bridge.start(source?.feed ?? null);
      if (!source) return;
      storing = setInterval(() => void store().catch(notStored), source.storeMs);
      storing.unref();
      if (config.crowd === 0 || config.feed !== 'simulated') return;
      crowd = new Crowd({ core, db, log, clock, players: config.crowd, seed: config.feedSeed, isWatched });
      await crowd.start();
    },
    async stop() {
      clearInterval(storing);
      await crowd?.stop();
      await bridge.stop();
      await source?.mark()?.().catch(notStored);
    },
  };
}
