/** What acts that need two people would change, in words and figures, for the one who is to agree. */
import { minorToText } from '@fairgame/contract';
import type { Result } from '@fairgame/exchange';
import type { User } from '../auth/auth.ts';
import type { Core, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Effect } from './acts.ts';

export interface Effects {
  credit(user: User, amountMinor: number, kind: string): Effect[];
  /** A part of what a player owes is paid by the site, or what is held back for it is let go. */
  debt(user: User, what: string, amountMinor: number): Effect[];
  /** A result taken back, or one that gives every stake back. */
  result(marketId: number, after: Result | null): Promise<Effect[]>;
}

interface Sums {
  world: World;
  bets: number;
  players: number;
  staked: number;
  paid: number;
}

export function createEffects(db: Pick<Db, 'query'>, core: Core): Effects {
  const currencyOf = (world: World) => core.currencies.find((one) => core.worldFor(one, false) === world) ?? world;
  return {
    credit(user, amountMinor, kind) {
      const { balanceMinor, availableMinor } = core.read.wallet(user.world, user.id);
      const money = (minor: number): string => `${minorToText(minor)} ${user.currency}`;
      return [
        { what: `${kind} for ${user.userName}`, before: '', after: money(amountMinor) },
        { what: 'State of the account', before: user.status, after: user.status },
        { what: 'Balance', before: money(balanceMinor), after: money(balanceMinor + amountMinor), moving: true },
        { what: 'Available', before: money(availableMinor), after: money(availableMinor + amountMinor), moving: true },
      ];
    },

    debt(user, what, amountMinor) {
      const { availableMinor } = core.read.wallet(user.world, user.id);
      const money = (minor: number): string => `${minorToText(minor)} ${user.currency}`;
      return [
        { what: `${what} ${user.userName} owes`, before: '', after: money(amountMinor) },
        { what: 'Available', before: money(availableMinor), after: '', moving: true },
      ];
    },

    async result(marketId, after) {
      const [market] = await db.query<{ name: string; status: string; result: string | null }>(
        "SELECT name, status, result FROM markets WHERE world = 'real' AND id = $1",
        [marketId],
      );
      const sums = await db.query<Sums>(
        `SELECT world, count(*)::int AS bets, count(DISTINCT account_id)::int AS players, COALESCE(sum(matched), 0)::bigint AS staked,
                COALESCE(sum(profit) FILTER (WHERE profit > 0), 0)::bigint AS paid
           FROM bets WHERE world <> 'demo' AND market_id = $1 AND matched > 0 GROUP BY world ORDER BY min(id)`,
        [marketId],
      );
      const [short] = await db.query<{ accounts: number }>(
        `SELECT count(*)::int AS accounts FROM (
           SELECT world, account_id, sum(profit) AS won FROM bets WHERE world <> 'demo' AND market_id = $1
             GROUP BY world, account_id
         ) b JOIN accounts a ON a.world = b.world AND a.id = b.account_id WHERE b.won > 0 AND b.won > a.balance - a.exposure`,
        [marketId],
      );
      const total = (part: 'bets' | 'players') => sums.reduce((all, one) => all + one[part], 0);
      // Currencies are never added up.
      const money = (part: 'staked' | 'paid') =>
        sums.map((one) => minorToText(one[part]) + (sums.length > 1 ? ` ${currencyOf(one.world)}` : '')).join(', ') ||
        '0.00';
      const settled = market?.status === 'CLOSED';
      return [
        {
          what: `Result of ${market?.name ?? 'market'} (${marketId})`,
          before: resultText(market?.result ?? null),
          after: after === null ? 'none: the market is open again' : resultText(JSON.stringify(after)),
        },
        {
          what: 'Bets of players',
          before: String(total('bets')),
          after: `of ${total('players')} players, ${money('staked')} matched`,
        },
        {
          what: 'Winnings paid',
          before: settled ? money('paid') : '0.00',
          after: '0.00, taken back from those who have them',
        },
        { what: 'Accounts that would then be short', before: '', after: String(short?.accounts ?? 0), moving: true },
      ];
    },
  };
}

/** A result as the core keeps it, in words. */
export function resultText(json: string | null): string {
  if (json === null || json === '' || json === 'null') return 'none';
  const result = JSON.parse(json) as Result;
  switch (result.kind) {
    case 'ranks':
      return `finish ${result.ranks.map(({ runnerId, rank }) => `${rank}: ${runnerId}`).join(', ')}`;
    case 'winners':
      return `won by ${result.runnerIds.join(', ')}`;
    case 'score':
      return `score ${result.score}`;
    case 'yes':
      return result.yes ? 'yes' : 'no';
    case 'void':
      return `void: ${result.reason}`;
    default:
      return result.kind;
  }
}
