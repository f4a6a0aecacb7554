import type { Db } from '../db/db.ts';

/** So long the same name of a request means the same request. */
const SAME_MS = 60_000;

/** What programs called their requests of the last minute: at every gateway, and over a restart. */
export class Claims {
  private readonly db: Db;
  private readonly clock: () => number;

  constructor(db: Db, clock: () => number) {
    this.db = db;
    this.clock = clock;
  }

  /** False where the name was used a moment ago. A request without a name is always new. */
  async take(userId: number, operation: string, ref: string | undefined): Promise<boolean> {
    if (ref === undefined) return true;
    const now = this.clock();
    const rows = await this.db.query(
      `INSERT INTO program_requests (user_id, operation, ref, at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, operation, ref) DO UPDATE SET at = EXCLUDED.at WHERE program_requests.at <= $5 RETURNING at`,
      [userId, operation, ref, now, now - SAME_MS],
    );
    return rows.length > 0;
  }

  /** Nothing was decided: the same request may come again. */
  async giveBack(userId: number, operation: string, ref: string | undefined): Promise<void> {
    if (ref === undefined) return;
    await this.db.query('DELETE FROM program_requests WHERE user_id = $1 AND operation = $2 AND ref = $3', [
      userId,
      operation,
      ref,
    ]);
  }

  async forgetOld(): Promise<void> {
    await this.db.query('DELETE FROM program_requests WHERE at < $1', [this.clock() - SAME_MS]);
  }
}
