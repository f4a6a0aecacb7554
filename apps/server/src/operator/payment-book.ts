/**
 * Deposits, withdrawals and bonuses as records. A step is written down first, then its money moves in the core under the
 * step's key, and it counts from that commit on: an end in between is taken up at the next start, and nothing moves twice.
 */
import { CodedError } from '@fairgame/contract';
import type { User } from '../auth/auth.ts';
import type { Core, World } from '../core/types.ts';
import type { Db, Log, Query } from '../db/db.ts';
import { inTurn } from '../in-turn.ts';

export type PaymentKind = 'deposit' | 'withdrawal' | 'bonus';

/** What one step is to do. Actor, key and hash make it happen once. */
export interface StepAsked {
  state: string;
  /** What it adds to the balance. */
  movedMinor: number;
  actor: string;
  key: string;
  payloadHash: string;
  reason: string;
  /** What the player reads in his statement. */
  text: (id: number) => string;
  evidence?: string | undefined;
  inParts?: boolean | undefined;
  /** No further step follows. */
  last: boolean;
}

export interface Payment {
  id: number;
  kind: PaymentKind;
  world: World;
  userId: number;
  userName: string;
  currency: string;
  amountMinor: number;
  at: number;
  /** Of the last step that counts. */
  state: string;
  changedAt: number;
  changedBy: string;
  reason: string;
  evidence: string | null;
  inParts: boolean;
}

export interface Stepped {
  id: number;
  /** The step was made before under this key. */
  repeated: boolean;
}

export interface PaymentBook {
  /** A new record with its first step. Throws what the core refuses the money with; then there is no record. */
  begin(kind: PaymentKind, user: Pick<User, 'id' | 'world'>, amountMinor: number, step: StepAsked): Promise<Stepped>;
  /** The next step of a record, made from the state it is in. Throws PAYMENT_UNKNOWN, and what `make` or the core throw. */
  next(id: number, key: Pick<StepAsked, 'actor' | 'key' | 'payloadHash'>, make: NextStep): Promise<Stepped>;
  /** Throws PAYMENT_UNKNOWN. */
  one(kind: PaymentKind, id: number): Promise<Payment>;
  /** Those that wait for a step, the oldest first. */
  open(kind: PaymentKind): Promise<Payment[]>;
  /** The newest hundred of a player. */
  of(userId: number): Promise<Payment[]>;
  /** The newest twenty of a player. */
  withdrawalsOf(userId: number): Promise<Payment[]>;
  /** What was approved to a player so far. */
  approvedMinor(userId: number): Promise<number>;
  /** Carries out what an end of the server left between the record and its money. */
  finish(): Promise<void>;
}

type Next = Omit<StepAsked, 'actor' | 'key' | 'payloadHash'>;
export type NextStep = (payment: Payment) => Next | Promise<Next>;

interface StepRow {
  payment_id: number;
  n: number;
  kind: PaymentKind;
  world: World;
  user_id: number;
  moved: number;
  actor: string;
  key: string;
  payload_hash: string;
  text: string;
  settled: boolean;
}

const LEDGER_REASON = { deposit: 'deposit', withdrawal: 'withdrawal', bonus: 'correction' } as const;
const MOST = 100;
const MOST_WITHDRAWALS = 20;
const STEP = `SELECT s.payment_id, s.n, p.kind, p.world, p.user_id, s.moved, s.actor, s.key, s.payload_hash, s.text, s.settled
  FROM payment_steps s JOIN payments p ON p.id = s.payment_id`;
/** The money of a step that is not known to have moved has moved when its key was taken. */
const PAYMENT = `SELECT p.id, p.kind, p.world, p.user_id AS "userId", u.user_name AS "userName", u.currency, p.amount AS "amountMinor", p.at,
    s.state, s.at AS "changedAt", s.actor AS "changedBy", s.reason, s.evidence, s.in_parts AS "inParts"
  FROM payments p JOIN users u ON u.id = p.user_id
  CROSS JOIN LATERAL (
    SELECT s.* FROM payment_steps s WHERE s.payment_id = p.id AND (s.settled OR EXISTS (
      SELECT 1 FROM idempotency i WHERE i.actor = s.actor AND i.key = s.key AND i.answer LIKE '[%'))
    ORDER BY s.n DESC LIMIT 1
  ) s`;

export function createPaymentBook(db: Db, core: Core, clock: () => number, log: Log): PaymentBook {
  return new PaymentRows(db, core, clock, log);
}

class PaymentRows implements PaymentBook {
  private readonly db: Db;
  private readonly core: Core;
  private readonly clock: () => number;
  private readonly log: Log;
  /** Records change one after the other: two people never decide the same one. */
  private readonly alone = inTurn<'payments'>();

  constructor(db: Db, core: Core, clock: () => number, log: Log) {
    this.db = db;
    this.core = core;
    this.clock = clock;
    this.log = log;
  }

  begin(kind: PaymentKind, user: Pick<User, 'id' | 'world'>, amountMinor: number, step: StepAsked): Promise<Stepped> {
    return this.alone('payments', async () => {
      for (;;) {
        const before = await this.stepUnder(step);
        if (before) {
          await this.carryOut(before);
          return { id: before.payment_id, repeated: true };
        }
        // At another gateway the same request was faster: then it is carried out from its row.
        if (!(await this.writeFirst(kind, user, amountMinor, step))) continue;
        const row = await this.stepUnder(step);
        // Else it was refused there meanwhile, and is refused here the same way.
        if (!row) continue;
        await this.carryOut(row);
        return { id: row.payment_id, repeated: false };
      }
    });
  }

  next(id: number, key: Pick<StepAsked, 'actor' | 'key' | 'payloadHash'>, make: NextStep): Promise<Stepped> {
    return this.alone('payments', async () => {
      for (;;) {
        const before = await this.stepUnder(key);
        if (before) {
          await this.carryOut(before);
          return { id, repeated: true };
        }
        const payment = await this.byId(id);
        const seen = await this.standing(payment);
        // Somebody else's step is on its way.
        if (!seen.settled) throw new CodedError('PAYMENT_STATE', { field: 'id' });
        const step = { ...(await make(payment)), ...key };
        // At another gateway somebody was faster: decided anew by what stands now.
        if (!(await this.writeNext(payment, seen, step))) continue;
        const row = await this.stepUnder(step);
        if (!row) continue;
        await this.carryOut(row);
        return { id, repeated: false };
      }
    });
  }

  async one(kind: PaymentKind, id: number): Promise<Payment> {
    const payment = await this.byId(id);
    if (payment.kind !== kind) throw new CodedError('PAYMENT_UNKNOWN', { field: 'id' });
    return payment;
  }

  open(kind: PaymentKind): Promise<Payment[]> {
    return this.db.query<Payment>(`${PAYMENT} WHERE p.open AND p.kind = $1 ORDER BY p.id`, [kind]);
  }

  of(userId: number): Promise<Payment[]> {
    return this.db.query<Payment>(`${PAYMENT} WHERE p.user_id = $1 ORDER BY p.id DESC LIMIT ${MOST}`, [userId]);
  }

  withdrawalsOf(userId: number): Promise<Payment[]> {
    return this.db.query<Payment>(
      `${PAYMENT} WHERE p.user_id = $1 AND p.kind = 'withdrawal' ORDER BY p.id DESC LIMIT ${MOST_WITHDRAWALS}`,
      [userId],
    );
  }

  approvedMinor(userId: number): Promise<number> {
    return approvedTo(this.db.query, userId);
  }

  async finish(): Promise<void> {
    for (const row of await this.db.query<StepRow>(`${STEP} WHERE NOT s.settled`)) {
      try {
        await this.carryOut(row);
      } catch (error) {
        this.log.warn(
          { err: error, payment: row.payment_id },
          'a step of a payment that was left open could not be made',
        );
      }
    }
  }

  private async stepUnder(
    { actor, key, payloadHash }: Pick<StepAsked, 'actor' | 'key' | 'payloadHash'>,
    query = this.db.query,
  ): Promise<StepRow | undefined> {
    const [row] = await query<StepRow>(`${STEP} WHERE s.actor = $1 AND s.key = $2`, [actor, key]);
    if (row && row.payload_hash !== payloadHash) throw new CodedError('KEY_REUSED', { field: 'key' });
    return row;
  }

  /** What a step is decided by, and may change at another gateway meanwhile. */
  private async standing({ id, userId, kind }: Payment, query = this.db.query) {
    const [last] = await query<{ n: number; settled: boolean }>(
      'SELECT n, settled FROM payment_steps WHERE payment_id = $1 ORDER BY n DESC LIMIT 1',
      [id],
    );
    // Terms are of withdrawals alone.
    return { ...last!, approvedMinor: kind === 'withdrawal' ? await approvedTo(query, userId) : 0 };
  }

  /** The record with its first step. False where something stands under the key by now; then nothing is written. */
  private writeFirst(
    kind: PaymentKind,
    user: Pick<User, 'id' | 'world'>,
    amountMinor: number,
    step: StepAsked,
  ): Promise<boolean> {
    return this.db.tx(async (query) => {
      await this.takeTurn(user.id, query);
      if (await this.stepUnder(step, query)) return false;
      const [row] = await query<{ id: number }>(
        'INSERT INTO payments (kind, world, user_id, amount, at) VALUES ($1, $2, $3, $4, $5) RETURNING id',
        [kind, user.world, user.id, amountMinor, this.clock()],
      );
      await this.write(row!.id, 1, step, query);
      return true;
    });
  }

  /** One after the other for a player, at all gateways, until the transaction ends; who only refers to him does not wait. */
  private async takeTurn(userId: number, query: Query): Promise<void> {
    await query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  }

  /** False where it stands otherwise by now; then nothing is written. */
  private writeNext(payment: Payment, seen: { n: number; approvedMinor: number }, step: StepAsked): Promise<boolean> {
    return this.db.tx(async (query) => {
      await this.takeTurn(payment.userId, query);
      const now = await this.standing(payment, query);
      if (now.n !== seen.n || now.approvedMinor !== seen.approvedMinor) return false;
      await this.write(payment.id, seen.n + 1, step, query);
      return true;
    });
  }

  private async write(id: number, n: number, step: StepAsked, query = this.db.query): Promise<void> {
    await query(
      `WITH step AS (
         INSERT INTO payment_steps (payment_id, n, state, moved, actor, key, payload_hash, reason, text, evidence, in_parts, at, settled)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13))
       UPDATE payments SET open = $14 WHERE id = $1`,
      [
        id,
        n,
        step.state,
        step.movedMinor,
        step.actor,
        step.key,
        step.payloadHash,
        step.reason,
        step.text(id),
        step.evidence ?? null,
        step.inParts ?? false,
        this.clock(),
        step.movedMinor === 0,
        !step.last,
      ],
    );
  }

  /**
   * Moves the money of a step that is not known to have moved: its key may be long gone from the core by then. What the core
   * refuses leaves no step; what it could not take waits for a repetition.
   */
  private async carryOut(row: StepRow): Promise<void> {
    if (row.settled) return;
    try {
      await this.core.submit({
        world: row.world,
        actor: row.actor,
        key: row.key,
        payloadHash: row.payload_hash,
        command: {
          type: 'account.transfer',
          accountId: row.user_id,
          amountMinor: row.moved,
          reason: LEDGER_REASON[row.kind],
          text: row.text,
        },
      });
      await this.db.query('UPDATE payment_steps SET settled = true WHERE payment_id = $1 AND n = $2', [
        row.payment_id,
        row.n,
      ]);
    } catch (error) {
      const code = error instanceof CodedError ? error.code : 'INTERNAL';
      if (code !== 'UNAVAILABLE' && code !== 'BUSY' && code !== 'INTERNAL') {
        await this.db.query('DELETE FROM payment_steps WHERE payment_id = $1 AND n = $2', [row.payment_id, row.n]);
        if (row.n === 1) await this.db.query('DELETE FROM payments WHERE id = $1', [row.payment_id]);
        else await this.db.query('UPDATE payments SET open = true WHERE id = $1', [row.payment_id]);
      }
      throw error;
    }
  }

  private async byId(id: number): Promise<Payment> {
    const [row] = await this.db.query<Payment>(`${PAYMENT} WHERE p.id = $1`, [id]);
    if (!row) throw new CodedError('PAYMENT_UNKNOWN', { field: 'id' });
    return row;
  }
}

async function approvedTo(query: Query, userId: number): Promise<number> {
  const [row] = await query<{ sum: number }>(
    `SELECT COALESCE(sum(p.amount), 0)::bigint AS sum FROM payments p JOIN payment_steps s ON s.payment_id = p.id
          WHERE p.user_id = $1 AND p.kind = 'withdrawal' AND s.state = 'approved'`,
    [userId],
  );
  return row!.sum;
}
