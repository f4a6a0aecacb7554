/**
 * The database under everything: PostgreSQL's dialect only. Without a URL the server runs the embedded engine in a worker
 * thread with its data on disk; with one it runs on that PostgreSQL. Same SQL, same migrations (architecture 4).
 */
import { openEmbedded } from './embedded.ts';
import { openPostgres } from './postgres.ts';

export { migrate } from './migrate.ts';

/** What the rooms need of a logger; pino fits. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

export type Row = Record<string, unknown>;
/** Parameters only ($1, $2 ...); bigint columns and counts come back as numbers, which are asserted to be safe. */
export type Query = <T = Row>(sql: string, params?: unknown[]) => Promise<T[]>;

export interface Db {
  readonly kind: 'embedded' | 'postgres';
  /** One statement. On the embedded engine all callers share one connection: keep reads short. */
  query: Query;
  /** Several statements in one transaction; rolled back when `fn` throws. Keep it short, the embedded engine waits meanwhile. */
  tx<T>(fn: (q: Query) => Promise<T>): Promise<T>;
  /** Several statements without parameters in one text, outside a transaction: migrations, vacuum. */
  exec(sql: string): Promise<void>;
  /** The single writer's own connection: one statement that is its own transaction. Throws DbLost when the outcome is not known. */
  write: Query;
  /** Becomes the one writer of this database, or throws when another process is. Held until `close`. */
  lead(): Promise<void>;
  /** False while the database cannot be reached. */
  healthy(): boolean;
  close(): Promise<void>;
}

/** The connection went away. `sent`: the statement may have been carried out; else it certainly was not. */
export class DbLost extends Error {
  readonly sent: boolean;
  constructor(sent: boolean, cause: unknown) {
    super(`database connection lost ${sent ? 'with a statement under way' : 'before the statement was sent'}`, {
      cause,
    });
    this.name = 'DbLost';
    this.sent = sent;
  }
}

export interface DbOptions {
  /** postgres://...; absent for the embedded engine. */
  url?: string | undefined;
  /** Folder of the embedded engine, made when missing, closed to other users; `memory://` keeps nothing (tests). */
  dataDir: string;
  log: Log;
}

/** Opens and checks the connection; throws when the database cannot be reached or its folder is in use. */
export function openDatabase(options: DbOptions): Promise<Db> {
  return options.url ? openPostgres(options.url, options.log) : openEmbedded(options.dataDir, options.log);
}
