import { CodedError, operator as calls, protection as protectionCalls } from '@fairgame/contract';
import type { Auth, User } from '../auth/auth.ts';
import type { Core } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import type { Audit } from '../ops/ops.ts';
import type { Protection } from '../protection/protection.ts';
import { type Acts, signed } from './acts.ts';
import type { Credits } from './credits.ts';
import { debtActs } from './debts.ts';
import type { Effects } from './effects.ts';
import { FIRST_WITHDRAWAL_STATE } from './money-states.ts';
import type { PaymentBook } from './payment-book.ts';
import type { People } from './people.ts';

export interface PlayerParts {
  core: Core;
  auth: Auth;
  protection: Protection;
  people: People;
  effects: Effects;
  audit: Audit;
  credits: Credits;
  payments: PaymentBook;
}

/** Calls about players: make, credit, block, sign out, new password, look, end of a restriction. */
export function playerActs(act: Acts, http: Http, parts: PlayerParts): void {
  const { core, auth, protection, people, effects, credits, payments } = parts;
  const named = (body: { userName?: string | undefined }): string => `player:${body.userName ?? '*'}`;

  act(calls.createPlayer, named, async ({ body: { ageVerified, creditMinor = 0, ...body }, actor, userId }) => {
    if (creditMinor < 0) throw new CodedError('AMOUNT_INVALID', { field: 'creditMinor' });
    if (ageVerified) people.demand(userId, 'protection');
    if (creditMinor !== 0) {
      people.demand(userId, 'money');
      // With its amount: who is refused for something else may ask for more the next time.
      if (await credits.isBeyond({ actor, payloadHash: `create-${body.userName}-${creditMinor}` }, () => creditMinor))
        throw new CodedError('AMOUNT_INVALID', {
          field: 'creditMinor',
          message: 'So much needs a second person: make the player first, then credit the account.',
        });
    }
    const data = await auth.createPlayer({ ...body, actor });
    if (ageVerified) await protection.verifyAge(data.userId, actor);
    if (creditMinor > 0) {
      const first = { actor, key: `first-${data.userId}`, payloadHash: '', reason: 'First balance' };
      await paidByHand(payments, 'deposit', await auth.userNamed(body.userName), creditMinor, first);
    }
    return { data, message: 'The player is created.' };
  });

  act(
    calls.credit,
    named,
    async ({ body, actor }) => {
      const user = await auth.userNamed(body.userName);
      if (body.amountMinor === 0) throw new CodedError('AMOUNT_INVALID', { field: 'amountMinor' });
      const kind = kindOf(body);
      const signature = signed(calls.credit, actor, body);
      await credits.note(signature, () => body.amountMinor);
      const { amountMinor, reason } = body;
      const replayed =
        kind === 'deposit' || kind === 'withdrawal'
          ? await paidByHand(payments, kind, user, amountMinor, { ...signature, reason })
          : (
              await core.submit({
                world: user.world,
                ...signature,
                command: { type: 'account.transfer', accountId: user.id, amountMinor, reason: kind, text: reason },
              })
            ).replayed;
      const { balanceMinor } = core.read.wallet(user.world, user.id);
      return {
        data: { request: null, balanceMinor, repeated: replayed },
        message: replayed ? 'This was done before. Nothing moved again.' : 'The account is credited.',
      };
    },
    {
      needed: ({ body, actor }) => credits.isBeyond(signed(calls.credit, actor, body), () => body.amountMinor),
      effect: async (body) => effects.credit(await auth.userNamed(body.userName), body.amountMinor, kindOf(body)),
      waiting: (request) => ({ request, balanceMinor: 0, repeated: false }),
    },
  );

  debtActs(act, http, parts);

  act(calls.block, named, async ({ body, actor }) => {
    const user = await auth.userNamed(body.userName);
    await protection.block(user, body.what, body.on, actor);
    return {
      data: null,
      message: `${body.what === 'account' ? 'The account' : 'Betting'} is ${body.on ? 'blocked' : 'open again'}.`,
    };
  });

  act(calls.forceLogout, named, async ({ body }) => {
    const userId = body.userName === undefined ? undefined : (await auth.userNamed(body.userName)).id;
    const ended = await auth.forceLogout(userId);
    return { data: { ended }, message: `${ended} sessions are ended.` };
  });

  act(calls.resetPassword, named, async ({ body }) => {
    const { password } = await auth.resetPassword(body.userName);
    return { data: { password }, message: 'A new first password is set.' };
  });

  act(calls.unlock, named, async ({ body, userId }) => {
    if (people.all().some(({ userName }) => userName === body.userName)) people.demand(userId, 'people');
    await auth.unlock(body.userName);
    return { data: null, message: 'The name is free to sign in.' };
  });

  act(
    protectionCalls.operatorRevoke,
    named,
    async ({ body, actor }) => {
      const at = await protection.revoke(await auth.userNamed(body.userName), actor);
      return { data: { request: null, at: new Date(at).toISOString() }, message: 'The request is noted.' };
    },
    {
      needed: async ({ body }) => {
        // What cannot be asked for is refused at once, not filed.
        await protection.mayRevoke(await auth.userNamed(body.userName));
        return true;
      },
      effect: async (body) => {
        const { state, from } = await protection.mayRevoke(await auth.userNamed(body.userName));
        const ends = new Date(from).toISOString().slice(0, 10);
        return [{ what: `Restriction of ${body.userName}`, before: state, after: `ends on ${ends}` }];
      },
      waiting: (request) => ({ request, at: null }),
    },
  );

  http.route(calls.player, async ({ params, session }) => {
    const user = await auth.userNamed(params.userName);
    await parts.audit.record({
      actor: `operator:${session.userName}`,
      action: 'player.look',
      object: `player:${user.userName}`,
    });
    const wallet = core.read.wallet(user.world, user.id);
    const { state, ageVerified, freezesAt } = await protection.standing(user.id);
    return {
      id: user.id,
      userName: user.userName,
      status: state,
      betBlocked: user.betBlocked,
      ageVerified,
      freezesAt: freezesAt === null ? null : new Date(freezesAt).toISOString(),
      currency: user.currency,
      balanceMinor: wallet.balanceMinor,
      exposureMinor: wallet.exposureMinor,
      heldMinor: wallet.heldMinor,
      createdAt: new Date(user.createdAt).toISOString(),
    };
  });
}

/** Money that came or went outside the site, as a record that is complete at once. Answers whether it was made before. */
async function paidByHand(
  payments: PaymentBook,
  kind: 'deposit' | 'withdrawal',
  user: Pick<User, 'id' | 'world'>,
  movedMinor: number,
  asked: { actor: string; key: string; payloadHash: string; reason: string },
): Promise<boolean> {
  const isWithdrawal = kind === 'withdrawal';
  // The sign says what it is, and the record has none.
  if (movedMinor > 0 === isWithdrawal) throw new CodedError('AMOUNT_INVALID', { field: 'amountMinor' });
  const step = { ...asked, text: () => asked.reason };
  const state = isWithdrawal ? FIRST_WITHDRAWAL_STATE : 'credited';
  const { id, repeated } = await payments.begin(kind, user, Math.abs(movedMinor), {
    ...step,
    state,
    movedMinor,
    last: !isWithdrawal,
  });
  if (isWithdrawal)
    await payments.next(id, { ...asked, key: `${asked.key}:approved` }, () => ({
      ...step,
      state: 'approved',
      movedMinor: 0,
      last: true,
    }));
  return repeated;
}

function kindOf(body: {
  amountMinor: number;
  kind?: 'deposit' | 'withdrawal' | 'correction' | 'creditReference' | undefined;
}): 'deposit' | 'withdrawal' | 'correction' | 'creditReference' {
  return body.kind ?? (body.amountMinor > 0 ? 'deposit' : 'withdrawal');
}
