import { type Casino, createCasino } from '../casino/casino.ts';
import type { Core } from '../core/types.ts';
import type { Ground } from './ground.ts';

/** The card tables. */
export function createTables({ config, db, clock, steady, log, bus, owner }: Ground, core: Core): Promise<Casino> {
  const { cardSpeed: speed, streamHost, keyring } = config;
  const others = bus.alone ? undefined : { bus, owner, plays: config.roles.includes('tables') };
  return createCasino({ db, core, log, clock, steady, speed, streamHost, keyring, ...(others ? { others } : {}) });
}
