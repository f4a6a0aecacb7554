import { CodedError, operator as calls } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import type { Core } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import type { Protection } from '../protection/protection.ts';
import { type Acts, signed } from './acts.ts';

/** Calls about players: make, credit, block, sign out, new password, look. */
export function playerActs(
  act: Acts,
  http: Http,
  { core, auth, protection }: { core: Core; auth: Auth; protection: Protection },
): void {
  const named = (body: { userName?: string | undefined }): string => `player:${body.userName ?? '*'}`;

  act(calls.createPlayer, named, async ({ body, actor }) => ({
    data: await auth.createPlayer({ ...body, actor }),
    message: 'The player is created.',
  }));

  act(calls.credit, named, async ({ body, actor }) => {
    const user = await auth.userNamed(body.userName);
    if (body.amountMinor === 0) throw new CodedError('AMOUNT_INVALID', { field: 'amountMinor' });
    const { replayed } = await core.submit({
      world: user.world,
      ...signed(calls.credit, actor, body),
      command: {
        type: 'account.transfer',
        accountId: user.id,
        amountMinor: body.amountMinor,
        reason: body.kind ?? (body.amountMinor > 0 ? 'deposit' : 'withdrawal'),
        text: body.reason,
      },
    });
    return {
      data: { balanceMinor: core.read.wallet(user.world, user.id).balanceMinor, repeated: replayed },
      message: replayed ? 'This was done before. Nothing moved again.' : 'The account is credited.',
    };
  });

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

  http.route(calls.player, async ({ params }) => {
    const user = await auth.userNamed(params.userName);
    const wallet = core.read.wallet(user.world, user.id);
    const { state } = await protection.standing(user.id);
    return {
      id: user.id,
      userName: user.userName,
      status: state,
      betBlocked: user.betBlocked,
      currency: user.currency,
      balanceMinor: wallet.balanceMinor,
      exposureMinor: wallet.exposureMinor,
      createdAt: new Date(user.createdAt).toISOString(),
    };
  });
}
