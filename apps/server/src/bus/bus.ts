/** The way between the processes of one site (docs/operations.md); in one process it leads nowhere and costs nothing. */
import type { Log } from '../db/db.ts';
import { withHearing } from './hearing.ts';
import { LocalHub } from './in-process.ts';
import type { Signs } from './signs.ts';
import type { Bus, BusSettings } from './types.ts';

export { type Alone, doAlone } from './alone.ts';
export { withHearing } from './hearing.ts';
export { type LocalBus, LocalHub } from './in-process.ts';
export { pack, unpack } from './json.ts';
export { takeLease } from './lease.ts';
export { type Signs, signsIn } from './signs.ts';
export type { Bus, BusLog, BusSettings, LogEntry, RequestFate, Shared, SharedEntry, Stop } from './types.ts';
export { BusLost, RequestFailed } from './types.ts';

/** Over NATS where the settings name one, which is loaded only then. `signs`: where its processes say that they live. */
export async function openBus(settings: BusSettings | undefined, log: Log, signs?: Signs): Promise<Bus> {
  if (!settings) return new LocalHub().bus(true);
  const { openNats } = await import('./nats.ts');
  return withHearing(await openNats(settings, log), { signs });
}
