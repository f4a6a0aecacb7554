/**
 * What must hold before money is written to a PostgreSQL: a commit that was answered survives a crash, a power cut and a
 * failover. Asked at each start and each reconnect of the writer, on its own connection.
 */
import type { Log } from './types.ts';

export interface Durability {
  /** Refuse to lead on what may lose acknowledged bets; else it is only said in the log. */
  strict: boolean;
  /** The operator accepts that a failover to an asynchronous replica may lose the last moments. */
  asyncReplica: boolean;
}

export interface ServerState {
  replica: boolean;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  standbyNames: string;
  /** Attached standbys, whatever they are called; receivers of archives and base backups are none, where they can be told. */
  standbys: number;
}

export const STATE_SQL = `SELECT pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('synchronous_standby_names') AS "standbyNames",
  (SELECT count(*)::int FROM pg_stat_replication
    WHERE COALESCE(application_name, '') NOT IN ('pg_basebackup', 'pg_receivewal')) AS standbys`;

/** A commit that returns before it is on the disk (`off`) or on the standby (`local`) is no acknowledgement. */
export function needsSynchronousCommit(state: ServerState): boolean {
  return state.synchronousCommit === 'off' || state.synchronousCommit === 'local';
}

/** Throws a plain sentence when this server must not be led; logs what is only careless. */
export function assertDurable(state: ServerState, { strict, asyncReplica }: Durability, log: Log): void {
  if (state.replica) throw new Error('this PostgreSQL is a replica: point DATABASE_URL at the primary');
  const losses: string[] = [];
  if (state.fsync !== 'on') losses.push('fsync is off: a power cut loses or destroys committed bets');
  if (state.fullPageWrites !== 'on') losses.push('full_page_writes is off: a power cut may tear pages');
  if (state.standbys > 0 && state.standbyNames.trim() === '' && !asyncReplica) {
    losses.push(
      'a replica is attached and synchronous_standby_names is empty: a failover loses the last acknowledged bets. ' +
        'Name the standby there, or accept the loss with FAIRGAME_ASYNC_REPLICA=accept',
    );
  }
  if (losses.length === 0) return;
  if (strict) throw new Error(`the database may lose acknowledged bets: ${losses.join('; ')}`);
  for (const text of losses) log.warn({}, `the database may lose acknowledged bets: ${text}`);
}
