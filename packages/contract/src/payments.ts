/** Calls about money that comes and goes: deposits, withdrawals and bonuses as records with states. */
import * as z from 'zod/mini';
import { withdrawal as ownWithdrawal, withdrawalState } from './account.ts';
import { call, id, key, minor, text } from './call.ts';
import { moves, op, reason, repeated, request, userName } from './operator-parts.ts';

const amountMinor = () => minor().check(z.minimum(1));
const payment = {
  id: z.int(),
  userName: z.string(),
  currency: z.string(),
  amountMinor: minor(),
  askedAt: z.string(),
  /** Of the last step. */
  changedAt: z.string(),
  changedBy: z.string(),
  reason: z.string(),
};

const bonusState = z.enum(['claimed', 'wagering', 'forfeited', 'cancelled']);

const withdrawal = z.extend(ownWithdrawal, {
  ...payment,
  /** What was seen of the player; null where nothing had to be. */
  evidence: z.nullable(z.string()),
});
const bonus = z.object({ ...payment, state: bonusState });
const deposit = z.object(payment);

export const payments = {
  addWithdrawal: op(
    'addWithdrawal',
    '/withdrawal/add',
    'Note a withdrawal that a player asked for: the money leaves the balance and waits for a decision.',
    z.strictObject({ key: key(), userName, amountMinor: amountMinor(), reason }),
    z.object({ id: z.int(), balanceMinor: minor(), repeated: z.boolean() }),
    { ...moves('money'), errors: ['ACCOUNT_UNKNOWN', 'AMOUNT_INVALID', 'INSUFFICIENT_FUNDS'] },
  ),
  decideWithdrawal: op(
    'decideWithdrawal',
    '/withdrawal/decide',
    'Approve, deny or cancel a withdrawal; denied and cancelled money is back in the balance. Past the sum of a day, approving needs two people; past 2,000.00 in all it needs evidence of who the player is.',
    z.strictObject({
      key: key(),
      id: id(),
      to: z.enum(['approved', 'denied', 'cancelled']),
      evidence: z.optional(text(300)),
      /** From 20,000.00 on: in ten monthly parts of a tenth. */
      inParts: z.optional(z.boolean()),
      reason,
    }),
    z.object({ request, state: withdrawalState, repeated: z.boolean() }),
    { ...moves('money'), errors: ['PAYMENT_UNKNOWN', 'PAYMENT_STATE', 'PAYMENT_RULE'] },
  ),
  withdrawals: call('operator.withdrawals', {
    method: 'GET',
    path: '/operator/withdrawals',
    who: 'operator',
    right: 'look',
    summary: 'Withdrawals that wait for a decision, the oldest first.',
    reply: z.array(withdrawal),
  }),
  addBonus: op(
    'addBonus',
    '/bonus/add',
    'Note a bonus that a player claimed; no money moves yet.',
    z.strictObject({ key: key(), userName, amountMinor: amountMinor(), reason }),
    z.object({ id: z.int(), repeated: z.boolean() }),
    { ...moves('money'), errors: ['ACCOUNT_UNKNOWN', 'AMOUNT_INVALID'] },
  ),
  moveBonus: op(
    'moveBonus',
    '/bonus/move',
    'Pay a claimed bonus out for wagering (past the sum of a day with two people), forfeit or cancel it. What is taken back of one that was paid is said in `takeMinor`: all of it where nothing is said.',
    z.strictObject({
      key: key(),
      id: id(),
      to: z.enum(['wagering', 'forfeited', 'cancelled']),
      takeMinor: z.optional(minor().check(z.minimum(0))),
      reason,
    }),
    z.extend(repeated, { state: bonusState }),
    { ...moves('money'), errors: ['PAYMENT_UNKNOWN', 'PAYMENT_STATE', 'INSUFFICIENT_FUNDS', 'AMOUNT_INVALID'] },
  ),
  payments: call('operator.payments', {
    method: 'GET',
    path: '/operator/payments/:userName',
    who: 'operator',
    right: 'look',
    summary: "A player's deposits, withdrawals and bonuses, the newest hundred of all, newest first.",
    params: z.strictObject({ userName }),
    reply: z.object({ deposits: z.array(deposit), withdrawals: z.array(withdrawal), bonuses: z.array(bonus) }),
    errors: ['ACCOUNT_UNKNOWN'],
  }),
};
