/**
 * What waits for the writer, in two lines: that of the real worlds, where also stands what is of all worlds, and that of play
 * money. Each has bounds of its own, and a batch takes real commands first; so however many play for nothing, nobody who
 * plays for money is refused or kept waiting behind them (docs/why/two-worlds.md).
 */
import { createQueue } from './queue.ts';

export type Line = 'real' | 'demo';

/** No batch holds more commands of play money, so that each has room for real ones and none becomes long by them. */
const DEMO_BATCH = 16;
/** While both wait, one of play money goes behind so many real ones: it is slow then, but it goes on. */
const REAL_RUN = 15;

export interface Waiting<T> {
  /** Of one line. */
  length(line: Line): number;
  first(line: Line): T | undefined;
  shift(line: Line): T | undefined;
  push(item: T): void;
  /** Puts items before all others of their lines, in their order. */
  unshift(items: readonly T[]): void;
  /** Whether there is a next one for a batch that holds so many commands of play money. */
  hasFor(demoInBatch: number): boolean;
  /** Takes the next one out; undefined where none waits that the batch may still take. */
  takeFor(demoInBatch: number): T | undefined;
  isEmpty(): boolean;
  /** Takes all out. */
  clear(): T[];
}

export function createWaiting<T>(lineOf: (item: T) => Line): Waiting<T> {
  const lines: Record<Line, ReturnType<typeof createQueue<T>>> = { real: createQueue(), demo: createQueue() };
  /** Real ones taken while play money waited. */
  let run = 0;
  const mayTakeDemo = (demoInBatch: number) => lines.demo.length > 0 && demoInBatch < DEMO_BATCH;

  return {
    length: (line) => lines[line].length,
    first: (line) => lines[line].first(),
    shift: (line) => lines[line].shift(),
    push: (item) => lines[lineOf(item)].push(item),
    unshift(items) {
      for (const line of ['real', 'demo'] as const) lines[line].unshift(items.filter((item) => lineOf(item) === line));
    },
    hasFor: (demoInBatch) => lines.real.length > 0 || mayTakeDemo(demoInBatch),
    takeFor(demoInBatch) {
      const demoWaits = mayTakeDemo(demoInBatch);
      if (demoWaits && (lines.real.length === 0 || run >= REAL_RUN)) {
        run = 0;
        return lines.demo.shift();
      }
      if (demoWaits) run++;
      return lines.real.shift();
    },
    isEmpty: () => lines.real.length === 0 && lines.demo.length === 0,
    clear: () => [...lines.real.clear(), ...lines.demo.clear()],
  };
}
