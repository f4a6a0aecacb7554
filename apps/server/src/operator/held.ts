/** What waits for a person of the providers' money: wins, paid or refused by two, and rounds left open, given back. */
import { provider as calls, minorToText } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import type { Http } from '../http/http.ts';
import { type Acts, signed } from './acts.ts';
import type { Credits } from './credits.ts';

interface HeldWin {
  provider: string;
  txId: string;
  command: { accountId: number; roundId: string; label: string; amountMinor: number; currency: string };
  why: 'closed' | 'win' | 'times' | 'day';
  at: number;
}

/** What the operator sees of wins that wait and does with them. */
export interface HeldDesk {
  waiting(): Promise<HeldWin[]>;
  /** Throws BET_UNKNOWN, STATE_NOT_FITTING. */
  mustWait(provider: string, txId: string): Promise<HeldWin>;
  decide(decision: { provider: string; txId: string; pay: boolean; actor: string }): Promise<HeldWin>;
  /** Throws BET_UNKNOWN, STATE_NOT_FITTING. */
  voidable(round: RoundName): Promise<{ label: string; currency: string; stakeMinor: number }>;
  /** Answers what went back to the player. `begun`: under this key it was begun before, and may be done. */
  voidRound(round: RoundName & ReturnType<typeof signed> & { begun: boolean }): Promise<number>;
}

interface RoundName {
  provider: string;
  accountId: number;
  roundId: string;
}

interface HeldParts {
  auth: Auth;
  credits: Credits;
  desk: HeldDesk;
}

const WHY: Readonly<Record<HeldWin['why'], string>> = {
  closed: 'the round was over',
  win: 'more than a round pays',
  times: 'more than a round pays for its stake',
  day: "the provider's day is lost",
};

type NameOf = (userId: number) => Promise<string>;

export function heldActs(act: Acts, http: Http, parts: HeldParts): void {
  const nameOf: NameOf = async (userId) => (await parts.auth.user(userId))?.userName ?? '';
  winActs(act, http, parts.desk, nameOf);
  roundActs(act, parts, nameOf);
}

/** Wins that wait: read, and paid or refused by two people. */
function winActs(act: Acts, http: Http, desk: HeldDesk, nameOf: NameOf): void {
  http.route(calls.held, async () => {
    const wins = await desk.waiting();
    return Promise.all(
      wins.map(async ({ provider, txId, command, why, at }) => ({
        provider,
        txId,
        userId: command.accountId,
        userName: await nameOf(command.accountId),
        round: command.roundId,
        game: command.label,
        amount: command.amountMinor,
        why,
        at: new Date(at).toISOString(),
      })),
    );
  });

  act(
    calls.decideHeld,
    ({ provider, txId }) => `win:${provider}:${txId}`,
    async ({ body, actor }) => {
      const { provider, txId, pay } = body;
      const { command } = await desk.decide({ provider, txId, pay, actor });
      return {
        data: { request: null, amount: command.amountMinor },
        message: pay ? 'The win is paid.' : 'The win is refused.',
      };
    },
    {
      needed: async ({ body }) => {
        await desk.mustWait(body.provider, body.txId);
        return true;
      },
      effect: async ({ provider, txId, pay }) => {
        const { command, why } = await desk.mustWait(provider, txId);
        const win = `${minorToText(command.amountMinor)} ${command.currency}`;
        return [
          {
            what: `Win of ${await nameOf(command.accountId)} at ${command.label}, round ${command.roundId}`,
            before: `${win} waits: ${WHY[why]}`,
            after: pay ? `${win} paid` : 'refused for good',
          },
        ];
      },
      waiting: (request) => ({ request, amount: 0 }),
    },
  );
}

/** A round that its provider left open is given back; a large one by two people. */
function roundActs(act: Acts, { credits, desk }: HeldParts, nameOf: NameOf): void {
  const roundOf = (body: { provider: string; userId: number; round: string }): RoundName => ({
    provider: body.provider,
    accountId: body.userId,
    roundId: body.round,
  });

  act(
    calls.voidRound,
    ({ userId }) => `player:${userId}`,
    async ({ body, actor }) => {
      const round = roundOf(body);
      const signature = signed(calls.voidRound, actor, body);
      const begun = await credits.note(signature, async () => (await desk.voidable(round)).stakeMinor);
      const returned = await desk.voidRound({ ...round, ...signature, begun });
      return { data: { request: null, returned }, message: `${minorToText(returned)} went back to the player.` };
    },
    {
      needed: ({ body, actor }) =>
        credits.isBeyond(
          signed(calls.voidRound, actor, body),
          async () => (await desk.voidable(roundOf(body))).stakeMinor,
        ),
      effect: async (body) => {
        const { label, currency, stakeMinor } = await desk.voidable(roundOf(body));
        return [
          {
            what: `Round ${body.round} of ${await nameOf(body.userId)} at ${label}`,
            before: `${minorToText(stakeMinor)} ${currency} undecided`,
            after: 'given back, and the round is over',
          },
        ];
      },
      waiting: (request) => ({ request, returned: 0 }),
    },
  );
}
