/** Calls about withdrawals and bonuses: what the terms say of their states, carried out by people (OPN-18, CAR-48). */
import { account, addMonths, CodedError, payments as calls, minorToText, type Withdrawal } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import { ENTRIES } from '../ledger/ledger.ts';
import { type Acts, type Effect, signed } from './acts.ts';
import type { Credits } from './credits.ts';
import {
  type BonusState,
  bonusMay,
  decideBy,
  EVIDENCE_ABOVE_MINOR,
  FIRST_WITHDRAWAL_STATE,
  INSTALLMENTS_FROM_MINOR,
  installments,
  UNPAID_BONUS_MINOR,
  WITHDRAWAL_STATES,
  type WithdrawalState,
  withdrawalStep,
} from './money-states.ts';
import type { Payment, PaymentBook } from './payment-book.ts';

interface PaymentParts {
  auth: Auth;
  core: Core;
  db: Db;
  credits: Credits;
  payments: PaymentBook;
}

export function paymentActs(act: Acts, http: Http, { auth, core, db, credits, payments }: PaymentParts): void {
  const named = (body: { userName: string }): string => `player:${body.userName}`;
  const numbered = (body: { id: number }): string => `payment:${body.id}`;

  act(calls.addWithdrawal, named, async ({ body, actor }) => {
    const user = await auth.userNamed(body.userName);
    const { id, repeated } = await payments.begin('withdrawal', user, body.amountMinor, {
      ...signed(calls.addWithdrawal, actor, body),
      state: FIRST_WITHDRAWAL_STATE,
      movedMinor: -body.amountMinor,
      reason: body.reason,
      text: (number) => `Withdrawal ${number} requested`,
      last: false,
    });
    const { balanceMinor } = core.read.wallet(user.world, user.id);
    return { data: { id, balanceMinor, repeated }, message: `Withdrawal ${id} waits for a decision.` };
  });

  act(
    calls.decideWithdrawal,
    numbered,
    async ({ body, actor }) => {
      const key = signed(calls.decideWithdrawal, actor, body);
      const { repeated } = await payments.next(body.id, key, async (now) => {
        const movedMinor = stepOf(now.state, body.to, now.amountMinor);
        if (body.to === 'approved') {
          // Another one of the player may have been approved a moment ago.
          await mustKeepTerms(now, body);
          await credits.note(key, () => now.amountMinor);
        }
        const { to: state, reason, evidence, inParts } = body;
        const text = (number: number) => `Withdrawal ${number} ${state}: ${reason}`;
        return { state, movedMinor, reason, text, evidence, inParts, last: true };
      });
      const { state } = await payments.one('withdrawal', body.id);
      return {
        data: { request: null, state: state as WithdrawalState, repeated },
        message: `Withdrawal ${body.id} is ${state}.`,
      };
    },
    {
      needed: async ({ body, actor }) => {
        const payment = await payments.one('withdrawal', body.id);
        if (body.to !== 'approved' || payment.state !== FIRST_WITHDRAWAL_STATE) return false;
        await mustKeepTerms(payment, body);
        return credits.isBeyond(signed(calls.decideWithdrawal, actor, body), () => payment.amountMinor);
      },
      effect: async ({ id, inParts }) => {
        const payment = await payments.one('withdrawal', id);
        const lines = [line(`Withdrawal ${id} of ${payment.userName}`, payment.state, `approved: ${money(payment)}`)];
        return inParts ? [...lines, line('Paid', 'at once', 'in ten monthly parts')] : lines;
      },
      waiting: (request) => ({ request, state: FIRST_WITHDRAWAL_STATE, repeated: false }),
    },
  );

  http.route(account.withdrawals, async ({ session }) => (await payments.withdrawalsOf(session.userId)).map(ownRow));
  http.route(calls.withdrawals, async () => (await payments.open('withdrawal')).map(withdrawalRow));

  act(calls.addBonus, named, async ({ body, actor }) => {
    const { id, repeated } = await payments.begin('bonus', await auth.userNamed(body.userName), body.amountMinor, {
      ...signed(calls.addBonus, actor, body),
      state: 'claimed',
      movedMinor: 0,
      reason: body.reason,
      text: () => '',
      last: false,
    });
    return { data: { id, repeated }, message: `Bonus ${id} is claimed.` };
  });

  act(
    calls.moveBonus,
    numbered,
    async ({ body, actor }) => {
      const before = await payments.one('bonus', body.id);
      const key = signed(calls.moveBonus, actor, body);
      if (body.to === 'wagering' && before.state === 'claimed') await credits.note(key, () => before.amountMinor);
      const { repeated } = await payments.next(body.id, key, (payment) => ({
        state: body.to,
        movedMinor: bonusMoved(payment, body.to, body.takeMinor),
        reason: body.reason,
        text: (number) => (body.to === 'wagering' ? `Bonus ${number}` : `Bonus ${number} ${body.to}: ${body.reason}`),
        last: body.to !== 'wagering',
      }));
      const { state } = await payments.one('bonus', body.id);
      return {
        data: { request: null, state: state as BonusState, repeated },
        message: `Bonus ${body.id} is ${state}.`,
      };
    },
    {
      needed: async ({ body, actor }) => {
        const { state, amountMinor } = await payments.one('bonus', body.id);
        if (body.to !== 'wagering' || state !== 'claimed') return false;
        return credits.isBeyond(signed(calls.moveBonus, actor, body), () => amountMinor);
      },
      effect: async ({ id }) => {
        const payment = await payments.one('bonus', id);
        return [line(`Bonus ${id} of ${payment.userName}`, payment.state, `wagering: ${money(payment)}`)];
      },
      waiting: (request) => ({ request, state: 'claimed' as const, repeated: false }),
    },
  );

  http.route(calls.payments, async ({ params }) => {
    const all = await payments.of((await auth.userNamed(params.userName)).id);
    const rows = <T>(kind: Payment['kind'], make: (payment: Payment) => T) =>
      all.filter((payment) => payment.kind === kind).map(make);
    return {
      deposits: rows('deposit', row),
      withdrawals: rows('withdrawal', withdrawalRow),
      bonuses: rows('bonus', bonusRow),
    };
  });

  /** Throws PAYMENT_RULE with the rule of the terms that the approval would break. */
  async function mustKeepTerms(
    payment: Payment,
    body: { evidence?: string | undefined; inParts?: boolean | undefined },
  ) {
    const { userId, amountMinor } = payment;
    if (body.inParts && amountMinor < INSTALLMENTS_FROM_MINOR)
      throw new CodedError('PAYMENT_RULE', { field: 'inParts', message: 'Only from 20,000.00 on in parts.' });
    const approvedMinor = (await payments.approvedMinor(userId)) + amountMinor;
    if (approvedMinor > EVIDENCE_ABOVE_MINOR && !body.evidence?.trim())
      throw new CodedError('PAYMENT_RULE', {
        field: 'evidence',
        message: 'Withdrawals of more than 2,000.00 in all need evidence of who the player is.',
      });
    if (approvedMinor > UNPAID_BONUS_MINOR && (await hasBonusOnly(payment)))
      throw new CodedError('PAYMENT_RULE', {
        field: 'id',
        message: 'Before a first deposit no more than 100.00 of what a bonus won is paid.',
      });
  }

  async function hasBonusOnly({ world, userId }: Payment): Promise<boolean> {
    const [row] = await db.query<{ bonus: boolean; paid: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM payments WHERE user_id = $1 AND kind = 'bonus') AS bonus,
              EXISTS (SELECT 1 ${ENTRIES}
                       WHERE e.world = $2 AND e.account_id = $1 AND l.kind = 'deposit') AS paid`,
      [userId, world],
    );
    return row!.bonus && !row!.paid;
  }
}

/** What a decision gives back. Throws PAYMENT_STATE. */
function stepOf(from: string, to: WithdrawalState, amountMinor: number): number {
  if (!(WITHDRAWAL_STATES[from as WithdrawalState].to as readonly string[]).includes(to))
    throw new CodedError('PAYMENT_STATE', { field: 'to' });
  return withdrawalStep(from as WithdrawalState, to, amountMinor).returnMinor;
}

/** What a step of a bonus adds to the balance. Throws PAYMENT_STATE, AMOUNT_INVALID. */
function bonusMoved(payment: Payment, to: BonusState, takeMinor: number | undefined): number {
  const from = payment.state as BonusState;
  if (!bonusMay(from, to)) throw new CodedError('PAYMENT_STATE', { field: 'to' });
  const paidMinor = from === 'wagering' ? payment.amountMinor : 0;
  if (takeMinor !== undefined && (to === 'wagering' || takeMinor > paidMinor))
    throw new CodedError('AMOUNT_INVALID', { field: 'takeMinor' });
  return to === 'wagering' ? payment.amountMinor : -(takeMinor ?? paidMinor);
}

const line = (what: string, before: string, after: string): Effect => ({ what, before, after });
const money = ({ amountMinor, currency }: Payment): string => `${minorToText(amountMinor)} ${currency}`;
const iso = (at: number): string => new Date(at).toISOString();

function row({ id, userName, currency, amountMinor, at, changedAt, changedBy, reason }: Payment) {
  return {
    id,
    userName,
    currency,
    amountMinor,
    askedAt: iso(at),
    changedAt: iso(changedAt),
    changedBy,
    reason,
  };
}

const withdrawalRow = (payment: Payment) => ({
  ...row(payment),
  ...ownRow(payment),
  evidence: payment.evidence,
});

function ownRow({ id, at, state, inParts, amountMinor, changedAt }: Payment): Withdrawal {
  return {
    id,
    amountMinor,
    state: state as WithdrawalState,
    askedAt: iso(at),
    decideBy: iso(decideBy(at)),
    changedAt: iso(changedAt),
    parts: inParts
      ? installments(amountMinor).map((part, month) => ({
          at: iso(addMonths(changedAt, month, 'UTC')),
          amountMinor: part,
        }))
      : null,
  };
}

const bonusRow = (payment: Payment) => ({ ...row(payment), state: payment.state as BonusState });
