import { doAlone } from '../bus/bus.ts';
import { auditProblem } from '../config-database.ts';
import { auditRights, createAnchors, createRetention } from '../ops/ops.ts';
import type { Ground } from './ground.ts';

export interface Desk {
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
  /** `first` is done once, by the one that has the desk then. */
  start(first?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * What goes by itself behind the site, by one process: what is old leaves, the audit log has its anchor of the day. Each process
 * keeps the newest anchor of what it writes itself.
 */
export function createDesk({ config, db, bus, clock, log, audit, owner }: Ground): Desk {
  let first: (() => Promise<void>) | undefined;
  const alone = doAlone({
    bus,
    owner,
    log,
    name: 'desk',
    async begin() {
      await first?.();
      first = undefined;
      const retention = createRetention({ db, clock, log });
      retention.start();
      return retention;
    },
  });
  const isAlone = () => bus.alone || alone.now() !== null;
  const anchors = createAnchors({ audit, dataDir: config.dataDir, keyring: config.keyring, clock, log, isAlone });
  return {
    isAlone,
    async start(given) {
      first = given;
      const rights = config.profile === 'production' ? await auditRights(db.query) : [];
      // Before the log was there, which is made by the first start, nobody could ask.
      if (config.auditOwner === 'refuse' && rights.length > 0) throw new Error(auditProblem(rights).join());
      if (rights.length > 0)
        log.error({ security: 'audit-rights', rights }, 'the database role of the server could change the audit log');
      await anchors.start();
      if (config.roles.includes('desk')) await alone.start();
    },
    async stop() {
      anchors.stop();
      await alone.stop();
    },
  };
}
