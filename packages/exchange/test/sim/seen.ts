/** What an outsider knows of the core: events folded, nothing else. */
import type { Bet, ConditionalView, Event, MarketView, QuoteRow } from '../../src/types.ts';
import { mapped, must } from './world.ts';

export interface Seen {
  bets: Map<number, Bet>;
  wallets: Map<number, { balance: number; exposure: number; held: number; version: number }>;
  markets: Map<number, MarketView>;
  /** Conditional orders as last told. */
  conditionals: Map<number, ConditionalView>;
  /** `market/runner` to `side@price` to size. */
  levels: Map<string, Map<string, number>>;
  /** `market/runner` to the row of a quoted market. */
  rows: Map<string, QuoteRow>;
  /** Sums of the ledger entries by account name. */
  ledger: Map<string, number>;
}

export function createSeen(): Seen {
  return {
    bets: new Map(),
    wallets: new Map(),
    markets: new Map(),
    conditionals: new Map(),
    levels: new Map(),
    rows: new Map(),
    ledger: new Map(),
  };
}

/** What was known at this moment: what was told is only ever replaced by what is told later. */
export function cloneSeen(seen: Seen): Seen {
  return {
    bets: new Map(seen.bets),
    wallets: new Map(seen.wallets),
    markets: new Map(seen.markets),
    conditionals: new Map(seen.conditionals),
    levels: mapped(seen.levels, (levels) => new Map(levels)),
    rows: new Map(seen.rows),
    ledger: new Map(seen.ledger),
  };
}

/** Folds the events of one command; complains about what can be seen from them alone. */
export function fold(seen: Seen, events: readonly Event[]): void {
  for (const event of events) {
    const broken = event.type === 'archived' ? null : brokenNumber(event);
    must(broken === null, 'INV-07', () => `${event.type}${broken}`);
    switch (event.type) {
      case 'bet': {
        const { bet } = event;
        const before = seen.bets.get(bet.betId);
        must(!before || bet.version > before.version, 'INV-10', () => `version of bet ${bet.betId} does not rise`);
        const parts = [bet.matchedMinor, bet.remainingMinor, bet.cancelledMinor, bet.lapsedMinor, bet.voidedMinor];
        const whole = parts.reduce((sum, part) => sum + part, 0) === bet.sizeMinor && parts.every((part) => part >= 0);
        must(whole, 'INV-13', () => `parts of bet ${bet.betId}: ${parts.join()} of ${bet.sizeMinor}`);
        must(
          (bet.status === 'COMPLETE') === (bet.remainingMinor === 0),
          'INV-13',
          () => `bet ${bet.betId} ${bet.status}`,
        );
        seen.bets.set(bet.betId, bet);
        break;
      }
      case 'conditional': {
        const { conditional: one } = event;
        const before = seen.conditionals.get(one.conditionalId)?.status ?? 'WAITING';
        must(
          before === 'WAITING',
          'INV-27',
          () => `conditional order ${one.conditionalId} is ${before}, and then ${one.status}`,
        );
        const known = one.betId === undefined ? undefined : seen.bets.get(one.betId);
        must(
          known === undefined,
          'INV-27',
          () => `conditional order ${one.conditionalId} is bet ${one.betId}, which is known`,
        );
        // Markets change after all that a command fires.
        const open = seen.markets.get(one.marketId)?.status === 'OPEN';
        must(
          open || one.betId === undefined,
          'INV-28',
          () => `conditional order ${one.conditionalId} fires in a market that is shut`,
        );
        seen.conditionals.set(one.conditionalId, one);
        break;
      }
      case 'ledger': {
        const sum = event.entries.reduce((total, entry) => total + entry.amountMinor, 0);
        must(sum === 0, 'INV-01', () => `${event.kind} posting sums to ${sum}`);
        for (const { account, amountMinor } of event.entries) {
          seen.ledger.set(account, (seen.ledger.get(account) ?? 0) + amountMinor);
        }
        break;
      }
      case 'wallet': {
        const before = seen.wallets.get(event.accountId);
        must(!before || event.version > before.version, 'INV-10', () => `version of wallet ${event.accountId}`);
        must(event.exposureMinor >= 0, 'INV-05', () => `exposure ${event.exposureMinor} of ${event.accountId}`);
        const { balanceMinor: balance, exposureMinor: exposure, heldMinor: held, version } = event;
        seen.wallets.set(event.accountId, { balance, exposure, held, version });
        break;
      }
      case 'accountClosed':
        seen.wallets.delete(event.accountId);
        break;
      case 'market':
        seen.markets.set(event.market.marketId, event.market);
        break;
      case 'quotes':
        for (const row of event.rows) seen.rows.set(`${event.marketId}/${row.runnerId}`, row);
        break;
      case 'book': {
        const key = `${event.marketId}/${event.runnerId}`;
        const levels = seen.levels.get(key) ?? new Map<string, number>();
        for (const [side, price, size] of event.levels) {
          if (size === 0) levels.delete(`${side}@${price}`);
          else levels.set(`${side}@${price}`, size);
        }
        seen.levels.set(key, levels);
        break;
      }
      default:
        break;
    }
  }
}

/** INV-07: every number the core tells is a safe integer. @returns where one is that is none. */
function brokenNumber(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? null : ` is ${value}`;
  if (typeof value !== 'object' || value === null) return null;
  for (const name of Object.keys(value)) {
    const broken = brokenNumber(value[name as keyof typeof value]);
    if (broken !== null) return `.${name}${broken}`;
  }
  return null;
}
