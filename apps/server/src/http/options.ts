import type { Config } from '../config.ts';
import type { Log } from '../db/db.ts';
import type { Ending } from './ending.ts';
import type { Pace } from './pace.ts';
import type { Pauses } from './pauses.ts';
import type { Session } from './session.ts';

/** Milliseconds a caller may take; the longest of each. */
export interface Patience {
  headersMs: number;
  requestMs: number;
  /** Between two requests. */
  keepAliveMs: number;
  /** Nothing read or written at all, also by a reader of an answer. */
  silentMs: number;
  /** How often the first two are looked at. */
  checkMs: number;
}
/** A refusal that security must know of: schema violations, refused access, too many calls (trust SEC-L1). */
export interface Refused {
  code: string;
  route: string;
  field?: string;
  ip: string;
  session?: Session | undefined;
  requestId: string;
}

export interface HttpMetrics {
  started(): void;
  answered(route: string, method: string, status: number, seconds: number): void;
  limited(rule: string): void;
  /** A browser told of something that the content policy blocked. */
  reported(): void;
}

export interface ListenerOptions {
  config: Config;
  log: Log;
  /** Gets the one line of each call; `log` unless given. */
  callLog?: Log | undefined;
  clock: () => number;
  pace: Pace;
  ending: Ending;
  /** The operators' own listener. */
  isInside?: boolean;
  pauses: Pauses;
  /** How far the site's log is known here, and whether as far as `seq`, waiting for it a little. */
  seen?: { seq(): number; reached(seq: number): Promise<boolean> } | undefined;
  metrics?: HttpMetrics | undefined;
  /** Whether an error only says that the database is away: 503 and nothing was taken, not our fault 500. */
  isOutage?: ((error: unknown) => boolean) | undefined;
  onRefused?: ((what: Refused) => void) | undefined;
  patience?: Partial<Patience> | undefined;
}
