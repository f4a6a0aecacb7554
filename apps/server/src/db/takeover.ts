/** Ends the leadership of a server that hangs, so that another one can lead. For the command line. */
import pg from 'pg';
import { lockHolder } from './postgres-leader.ts';
import { safe } from './values.ts';

export interface Leadership {
  /** Who holds the lock, in words; null when nobody leads. */
  holder: string | null;
  epoch: number;
  seq: number;
  /** By the leader's clock, milliseconds since 1970. */
  lastCommitAt: number;
}

const WAIT_MS = 15_000;

/** Who leads the database at `url`. */
export function leadershipOf(url: string): Promise<Leadership> {
  return connected(url, read);
}

/**
 * Takes the leader's row away from whoever has it and ends its connection: its next commit is refused and it ends itself.
 * Nothing that was acknowledged is touched. Resolves when the lock is free.
 */
export function takeOver(url: string): Promise<void> {
  return connected(url, async (client) => {
    await client.query("SET lock_timeout = '1s'");
    const until = Date.now() + WAIT_MS;
    let taken = false;
    while (Date.now() < until) {
      taken ||= await takeRow(client);
      const holder = await lockHolder(client);
      if (holder) await client.query('SELECT pg_terminate_backend($1)', [holder.backend]);
      else if (taken) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the leader could not be ended; end its process, or its connection by hand');
  });
}

/** False while a statement of the leader keeps the row; it ends with the leader's connection. */
async function takeRow(client: pg.Client): Promise<boolean> {
  try {
    await client.query("UPDATE leader SET epoch = epoch + 1, owner = 'taken over'");
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === '55P03') return false;
    throw error;
  }
}

async function read(client: pg.Client): Promise<Leadership> {
  const { rows } = await client.query('SELECT epoch::text, last_seq::text AS seq, last_at::text AS at FROM leader');
  const row = rows[0] as { epoch: string; seq: string; at: string };
  const holder = await lockHolder(client);
  return { holder: holder?.text ?? null, epoch: safe(row.epoch), seq: safe(row.seq), lastCommitAt: safe(row.at) };
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'fairgame-takeover' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
