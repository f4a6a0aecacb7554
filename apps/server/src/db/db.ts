/**
 * The database under everything: PostgreSQL's dialect only. Without a URL the server runs the embedded engine in a worker
 * thread with its data on disk; with one it runs on that PostgreSQL. Same SQL, same migrations (architecture 4).
 */
import type { Durability } from './durability.ts';
import { openEmbedded } from './embedded.ts';
import { openPostgres } from './postgres.ts';

import type { Db, Log } from './types.ts';

export { shortenLog } from './embedded-log.ts';
export { FolderInUse, lockFolder } from './folder-lock.ts';
export { assertMigrated, migrate, NotMigrated } from './migrate.ts';
export { LEADER_LOCK_HELD } from './postgres-leader.ts';
export {
  type Db,
  DbLost,
  Fenced,
  fencedBy,
  type Lane,
  type LaneUse,
  type Log,
  type Query,
  type Row,
  silent,
} from './types.ts';

export interface DbOptions {
  /** postgres://...; absent for the embedded engine. */
  url?: string | undefined;
  /** Of a replica of it for reports. */
  readUrl?: string | undefined;
  /** Folder of the embedded engine, made when missing, closed to other users; `memory://` keeps nothing (tests). */
  dataDir: string;
  log: Log;
  /** What a PostgreSQL that is led must promise; told in the log only unless said otherwise. */
  durability?: Durability;
}

/** Opens and checks the connection; throws when the database cannot be reached or its folder is in use. */
export function openDatabase(options: DbOptions): Promise<Db> {
  const { url, readUrl, dataDir, log, durability = { strict: false, asyncReplica: false } } = options;
  return url ? openPostgres({ url, readUrl, log, durability }) : openEmbedded(dataDir, log);
}
