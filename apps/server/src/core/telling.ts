/** Tells committed batches to who listens: after the commit, before their answers are released. */
import type { Event } from '@fairgame/exchange';
import type { Log } from '../db/db.ts';
import type { Logged } from './log.ts';
import type { Committed, Core } from './types.ts';

export interface Telling {
  onCommitted: Core['onCommitted'];
  /** `events`: of each command those of each of its worlds. */
  tell(epoch: number, items: ReadonlyArray<{ logged: Logged; events: Event[][] }>): void;
}

export function createTelling(log: Log): Telling {
  const listeners = new Set<(batch: Committed) => void>();
  return {
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(epoch, items) {
      if (listeners.size === 0) return;
      const committed: Committed = { epoch, items: [] };
      for (const { logged, events } of items) {
        const { seq, at, actor, requestId } = logged;
        logged.applied.forEach(({ world, command }, i) => {
          committed.items.push({ seq, at, world, actor, command, events: events[i]!, requestId });
        });
      }
      for (const listener of listeners) {
        try {
          listener(committed);
        } catch (error) {
          log.error({ err: error }, 'a listener of committed batches failed');
        }
      }
    },
  };
}
