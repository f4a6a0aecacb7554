/**
 * Goes on with what takes more than one command (exchange, slices.ts): a slice behind every batch, so that others' commands
 * come between. How long a slice keeps them waiting is measured here, since the core knows no clock: its command carries how
 * much it may do. The parts of a market that comes back from its archive (exchange, recall.ts) are read and put in here, too.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@fairgame/contract';
import type { MarketId, PendingWork } from '@fairgame/exchange';
import { pendingWork } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import { type Batch, type Item, isSlice } from './batch.ts';
import { readPart } from './market-archives.ts';
import { ownItem } from './submitting.ts';
import type { World } from './types.ts';
import { openWorlds } from './worlds.ts';
import type { Writer } from './writer.ts';

/** What of a market's work the core could not do: the market stays SETTLING until a person has looked at it. */
export interface StuckWork {
  world: World;
  marketId: MarketId;
}

export interface WorkPump {
  goOn(): void;
  onCommitted(batch: Batch): void;
  /** A command could not be applied or written. Answers whether it was a slice: the others go on without its market. */
  broke(item: Item): boolean;
  stuck(): StuckWork[];
}

/** A slice is to take no longer than that in the writer, and its commit in the database. */
const APPLY_MS = 5;
const COMMIT_MS = 40;
const FIRST_UNITS = 100;
const LEAST_UNITS = 20;
/** So that no slice is long either when what was cheap to look at becomes dear to write. */
const MOST_UNITS = 500;

/** A part that could not be read, or not be written, is asked for again. */
const AGAIN_MS = 1000;

interface Parts {
  db: Pick<Db, 'query'>;
  writer: Writer;
  log: Log;
  mostUnits?: number | undefined;
}

export function createWorkPump({ db, writer, log, mostUnits = MOST_UNITS }: Parts): WorkPump {
  const first = Math.min(FIRST_UNITS, mostUnits);
  const stuck = new Map<string, StuckWork>();
  const bring = createBringer({ db, writer, log }, goOn, leaveStuck);
  let units = first;
  /** What the last slice was of, and how far that was: what it cost says nothing about another's. */
  let last = '';

  function goOn(): void {
    const { committed } = writer;
    for (const world of openWorlds(committed)) {
      const works = pendingWork(committed[world]).filter(({ marketId }) => !stuck.has(`${world}:${marketId}`));
      for (const work of works) if (work.type === 'market.recall') void bring(world, work);
      const next = works.find(({ type }) => type !== 'market.recall');
      if (!next) continue;
      const name = `${world}:${next.marketId}:${next.type}:${next.phase}`;
      if (name !== last) units = first;
      last = name;
      writer.first([ownItem({ type: 'work', units, marketId: next.marketId }, [world])]);
    }
  }

  function leaveStuck(world: World, marketId: MarketId): void {
    stuck.set(`${world}:${marketId}`, { world, marketId });
    log.error(
      { world, marketId },
      'a market cannot be settled to its end: it stays locked until a restart tries it again',
    );
  }

  /** Who asked for it was told that it is begun. */
  function tellRefused({ outcomes }: Batch): void {
    for (const { item, events } of outcomes.filter((outcome) => isSlice(outcome.item)))
      for (const event of events.flat())
        if (event.type === 'notReinstated')
          log.warn(
            { world: item.commands[0]!.world, marketId: event.marketId, runnerId: event.runnerId },
            'a runner does not come back: somebody would be short by it',
          );
  }

  /** Never more than twice or less than half of the last: one slow commit says little. */
  function adapt({ outcomes, flightMs }: Batch): void {
    const slices = outcomes.filter(({ item }) => item.commands[0]?.command.type === 'work');
    if (slices.length === 0) return;
    const applyMs = Math.max(...slices.map((outcome) => outcome.applyMs));
    const room = Math.min(APPLY_MS / Math.max(applyMs, 0.1), COMMIT_MS / Math.max(flightMs, 1));
    const wanted = Math.round(units * Math.min(2, Math.max(0.5, room)));
    units = Math.min(mostUnits, Math.max(LEAST_UNITS, wanted));
  }

  return {
    goOn,
    onCommitted(batch) {
      adapt(batch);
      tellRefused(batch);
      goOn();
    },
    broke(item) {
      const { world, command } = item.commands[0] ?? {};
      if (!isSlice(item) || !('marketId' in command!) || command.marketId === undefined) return false;
      leaveStuck(world!, command.marketId);
      goOn();
      return true;
    },
    stuck: () => [...stuck.values()],
  };
}

/** Puts the next part of a market that comes back behind the others' commands. */
function createBringer(
  { db, writer, log }: { db: Pick<Db, 'query'>; writer: Writer; log: Log },
  goOn: () => void,
  leaveStuck: (world: World, marketId: MarketId) => void,
): (world: World, work: PendingWork) => Promise<void> {
  /** Markets of which a part is on its way. */
  const coming = new Set<string>();
  return async (world, { marketId, part }) => {
    const name = `${world}:${marketId}`;
    if (coming.has(name) || !writer.available()) return;
    coming.add(name);
    try {
      const text = await readPart(db, world, marketId, part!);
      await new Promise<unknown>((resolve, reject) => {
        const command = { type: 'market.recallPart', marketId, part: part!, text } as const;
        writer.first([{ ...ownItem(command, [world]), resolve, reject }]);
      });
    } catch (error) {
      log.warn({ err: error, world, marketId, part }, 'a part of a market could not be brought back');
      if (error instanceof CodedError && error.code === 'MARKET_UNKNOWN') leaveStuck(world, marketId);
      else await sleep(AGAIN_MS, undefined, { ref: false });
    }
    coming.delete(name);
    goOn();
  };
}
