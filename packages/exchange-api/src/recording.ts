/** Recordings: the lines of the stream in the form of historic files, which have the names in them. */
import type { StreamField } from './stream.ts';

/** Everything that a replay reads. */
export const RECORDED_FIELDS: readonly StreamField[] = [
  'EX_ALL_OFFERS',
  'EX_TRADED',
  'EX_TRADED_VOL',
  'EX_LTP',
  'EX_MARKET_DEF',
];

interface Recordable {
  id: string;
  marketDefinition?: { runners: ReadonlyArray<{ id: number }> } | undefined;
}

export interface RecordedNames {
  market: string;
  event: string;
  runnerOf(id: number): string | undefined;
}

/** One line of a recording; the stream itself names nothing. */
export function recordedLine<M extends Recordable>(
  { clk, pt }: { clk?: string | undefined; pt: number },
  mc: readonly M[],
  namesOf: (marketId: string) => RecordedNames | undefined,
): string {
  const named = mc.map((change) => {
    const { marketDefinition: definition } = change;
    const names = namesOf(change.id);
    if (!definition || !names) return change;
    const runners = definition.runners.map((runner) => ({ ...runner, name: names.runnerOf(runner.id) }));
    return { ...change, marketDefinition: { ...definition, name: names.market, eventName: names.event, runners } };
  });
  return `${JSON.stringify({ op: 'mcm', clk, pt, mc: named })}\n`;
}
