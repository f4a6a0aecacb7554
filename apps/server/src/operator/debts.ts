/** Accounts that others' acts left short, and the winnings held back for what they owe: in every world. */
import { CodedError, operator as calls } from '@fairgame/contract';
import { FIRST_PLAYER } from '@fairgame/exchange';
import type { Auth, User } from '../auth/auth.ts';
import type { Core, World } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import { type Acts, signed } from './acts.ts';
import type { Credits } from './credits.ts';
import type { Effects } from './effects.ts';

export interface DebtParts {
  core: Core;
  auth: Auth;
  effects: Effects;
  credits: Credits;
}

export function debtActs(act: Acts, http: Http, { core, auth, effects, credits }: DebtParts): void {
  const named = (body: { userName: string }): string => `player:${body.userName}`;

  const heldFor = (user: User, betId: number | undefined): number => heldOf(core, user, betId);

  act(
    calls.releaseHold,
    named,
    async ({ body, actor }) => {
      const user = await auth.userNamed(body.userName);
      const signature = signed(calls.releaseHold, actor, body);
      await credits.note(signature, () => heldFor(user, body.betId));
      const { replayed } = await core.submit({
        world: user.world,
        ...signature,
        command: {
          type: 'hold.release',
          accountId: user.id,
          ...(body.betId === undefined ? {} : { marketId: body.betId }),
          reason: body.reason,
        },
      });
      return { data: { request: null, repeated: replayed }, message: 'What was held back is paid out.' };
    },
    {
      needed: ({ body, actor }) =>
        credits.isBeyond(signed(calls.releaseHold, actor, body), async () =>
          heldFor(await auth.userNamed(body.userName), body.betId),
        ),
      effect: async ({ userName, betId }) => {
        const user = await auth.userNamed(userName);
        return effects.debt(user, 'Held back for what', heldFor(user, betId));
      },
      waiting: (request) => ({ request, repeated: false }),
    },
  );

  act(
    calls.writeOff,
    named,
    async ({ body, actor }) => {
      const user = await auth.userNamed(body.userName);
      const signature = signed(calls.writeOff, actor, body);
      await credits.note(signature, () => body.amountMinor);
      const { replayed } = await core.submit({
        world: user.world,
        ...signature,
        command: { type: 'debt.writeOff', accountId: user.id, amountMinor: body.amountMinor, reason: body.reason },
      });
      const { balanceMinor } = core.read.wallet(user.world, user.id);
      return {
        data: { request: null, balanceMinor, repeated: replayed },
        message: replayed ? 'This was done before. Nothing moved again.' : 'The debt is written off.',
      };
    },
    {
      needed: ({ body, actor }) => credits.isBeyond(signed(calls.writeOff, actor, body), () => body.amountMinor),
      effect: async ({ userName, amountMinor }) =>
        effects.debt(await auth.userNamed(userName), 'Paid by the site of what', amountMinor),
      waiting: (request) => ({ request, balanceMinor: 0, repeated: false }),
    },
  );

  http.route(calls.shorts, async () => {
    const nameOf = async (id: number) =>
      id < FIRST_PLAYER ? 'the house' : ((await auth.user(id))?.userName ?? String(id));
    const everywhere = async <T, R>(read: (world: World) => readonly T[], tell: (one: T) => Promise<R>) =>
      (
        await Promise.all(
          core.read.worlds().map((world) => {
            const where = { currency: core.read.currencyOf(world), demo: world === 'demo' };
            return Promise.all(read(world).map(async (one) => ({ ...where, ...(await tell(one)) })));
          }),
        )
      ).flat();
    return {
      shorts: await everywhere(
        (world) => core.read.shorts(world),
        async ({ accountId, marketIds, lackingMinor, owedMinor }) => ({
          userName: await nameOf(accountId),
          userId: accountId,
          betIds: marketIds,
          lackingMinor,
          owedMinor,
        }),
      ),
      holds: await everywhere(
        (world) => core.read.holds(world),
        async ({ marketId, debtorId, creditorId, amountMinor }) => ({
          betId: marketId,
          debtor: await nameOf(debtorId),
          creditor: await nameOf(creditorId),
          amountMinor,
        }),
      ),
    };
  });
}

/** Held back for what this player owes, in one market or in all. Throws NOTHING_HELD. */
function heldOf(core: Core, user: User, betId: number | undefined): number {
  const held = core.read
    .holds(user.world)
    .filter(({ debtorId, marketId }) => debtorId === user.id && (betId === undefined || marketId === betId))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (held === 0) throw new CodedError('NOTHING_HELD', { field: 'userName' });
  return held;
}
