/** What a database is to the rooms above; db.ts is the door. */

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
