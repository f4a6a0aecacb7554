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

/** Whose work a statement is. Each kind has connections of its own, so that what exhausts one leaves the others alone. */
export type Lane = 'money' | 'site' | 'people' | 'reports';

/** Where reports of a site with a replica were read: there, or in the database itself since it was behind or away. */
export type ReportSource = 'replica' | 'behind' | 'away';

export interface LaneUse {
  lane: Lane | 'replica';
  open: number;
  idle: number;
  waiting: number;
  /** Refused since the start because there was no room. */
  refused: number;
}

export interface Holder {
  /** Names this process in the leader's row. */
  owner: string;
  /** Leadership is lost for good: this process must end. Called at most once. */
  lost: (why: string) => void;
}

export interface Db {
  readonly kind: 'embedded' | 'postgres';
  /**
   * One statement. On the embedded engine all callers share one connection: keep reads short. Throws CodedError BUSY when
   * its lane is exhausted or the statement took too long, UNAVAILABLE when the database has no room left, and DbLost when
   * it cannot be reached.
   */
  query: Query;
  /** Several statements in one transaction; rolled back when `fn` throws. Keep it short, the embedded engine waits meanwhile. */
  tx<T>(fn: (q: Query) => Promise<T>): Promise<T>;
  /** The same database by the connections of another lane; what `openDatabase` gives is the lane `site`. */
  lane(lane: Lane): Db;
  /**
   * A reading for reports that sees all that was committed up to command `seq`: from the replica where the site has one that
   * is there and has come so far, else by the lane `reports`. Bounds and errors are those of `query`.
   */
  report<T>(seq: number, read: (db: Pick<Db, 'query'>) => Promise<T>): Promise<T>;
  /** How many readings went where since the start; null without a replica. */
  reportSources(): Record<ReportSource, number> | null;
  /** Several statements without parameters in one text, outside a transaction: migrations, vacuum. */
  exec(sql: string): Promise<void>;
  /** The single writer's own connection: one statement that is its own transaction. Throws DbLost when the outcome is not known. */
  write: Query;
  /**
   * Becomes the one writer of this database, or throws Fenced when another process is. Held until `close`. Called with the
   * holder once the leader's row is taken: whoever still holds the place is ended, and whoever takes that row later ends
   * this leadership.
   */
  lead(holder?: Holder): Promise<void>;
  /** Gives the place back before `close`: another process may lead at once. */
  release(): Promise<void>;
  /**
   * The embedded engine's files, whole, as they are between two statements, into a folder that is not there yet; all others
   * wait meanwhile. A PostgreSQL is copied by its own tools.
   */
  copyFiles?(folder: string): Promise<void>;
  /**
   * While `work` runs a statement that gets no connection waits for one, up to a minute: rooms are being built, and a process that
   * leads by then does not end for a database that is slow or away for a moment.
   */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** False while the database cannot be reached. */
  healthy(): boolean;
  lanes(): LaneUse[];
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

/** This process may not write: another one leads, or the database is not (any more) one it may lead. The text says which. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
  /** Another process has the lock of the one writer: it leads, or is about to. */
  readonly isLed: boolean;
  constructor(message: string, isLed = false) {
    super(message);
    this.isLed = isLed;
  }
}

/** Undefined function, table or column: another version of the program has changed the database under this one. */
const CHANGED = new Set(['42883', '42P01', '42703']);

/** Why an error of a commit means that this process writes no more; null when it does not mean that. */
export function fencedBy(error: unknown): string | null {
  if (error instanceof Fenced) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'FG001') return 'another fairGame leads this database';
  if (typeof code === 'string' && CHANGED.has(code))
    return `another version of the program has changed the database (${String(message)})`;
  return null;
}
