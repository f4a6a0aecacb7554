/**
 * The private events of a committed command: who must hear what. Pure; sending and the running number are live.ts's.
 * Event names and meanings: specification 7 (Sockets), exchange reference 12.11.
 */
import { type ConditionalOrder, type MainEvent, type OrderEvent, type PlacedBet, whyFailed } from '@fairgame/contract';
import type { Bet, Command, ConditionalView, Event, MarketId, MarketKind, Result } from '@fairgame/exchange';
import type { Committed } from '../core/types.ts';

export interface Told {
  /** Null: everyone who is signed in, or everyone in the room of a match. */
  accountId: number | null;
  /** The match in whose room it is told, where it is not for everyone. */
  roomOf?: number;
  event: MainEvent | OrderEvent;
  payload: Record<string, unknown>;
  /** Bets that stand in the payload too: all as `bets`, the last as `bet`. */
  placed?: readonly PlacedBet[];
}

export interface TellSources {
  /** Whether anybody listens for the account: the rest is not worth making. */
  listens(accountId: number): boolean;
  market(marketId: MarketId): {
    kind: MarketKind;
    name: string;
    eventId: number;
    eventName: string;
    marketType: string;
  };
  placedBet(bet: Bet): PlacedBet;
  conditionalOrder(view: ConditionalView): ConditionalOrder;
  isNumber(kind: MarketKind): boolean;
  resultText(marketId: MarketId): string;
  /** Whether every market of the event has its result. */
  isDeclared(eventId: number): boolean;
}

const MOST_BETS = 50;
const PLACING = new Set([
  'order.place',
  'orders.place',
  'quote.take',
  'quotes.take',
  'order.cancel',
  'order.cancelAll',
  'order.replace',
  'bets.hedge',
]);

type Item = Committed['items'][number];
type Wallet = Extract<Event, { type: 'wallet' }>;

type Outcome = Extract<Event, { type: 'settled' | 'undeclared' }>;

export function privateEvents(item: Item, from: TellSources): Told[] {
  const wallets = new Map<number, Wallet>();
  const bets = new Map<string, Bet[]>();
  const outcomes: Outcome[] = [];
  for (const event of item.events) {
    if (event.type === 'wallet' && from.listens(event.accountId)) wallets.set(event.accountId, event);
    else if (event.type === 'bet' && from.listens(event.bet.accountId)) {
      const key = `${event.bet.accountId}.${event.bet.marketId}`;
      const list = bets.get(key);
      if (list) list.push(event.bet);
      else bets.set(key, [event.bet]);
    } else if (event.type === 'settled' || event.type === 'undeclared') outcomes.push(event);
  }
  const paid = paidIn(item.events);
  const told = ordersTold(item, from);
  for (const list of bets.values()) {
    const { accountId, marketId } = list[0]!;
    const about = outcomes.find((event) => event.marketId === marketId);
    told.push(betsTold(item.command, list, wallets.get(accountId), about, paid, from));
  }
  for (const [accountId, wallet] of wallets)
    told.push({ accountId, event: 'updateUserBalance', payload: balances(wallet) });
  // One world is enough: the result is the same in both, and everyone hears it.
  if (item.world === 'real') told.push(...outcomesTold(outcomes, from));
  return told;
}

/** What became of a player's bets in one market. */
function betsTold(
  command: Command,
  list: Bet[],
  wallet: Wallet | undefined,
  about: Outcome | undefined,
  paid: ReturnType<typeof paidIn>,
  from: TellSources,
): Told {
  const { accountId, marketId } = list[0]!;
  const market = from.market(marketId);
  const number = from.isNumber(market.kind);
  const payload: Told['payload'] = {
    matchId: market.eventId,
    betId: marketId,
    betType: market.marketType,
    ...balances(wallet),
  };
  const deleteReason = voidReason(command, list);
  const shown = list.slice(-MOST_BETS).map((bet) => from.placedBet(bet));
  if (about?.type === 'settled') {
    return {
      accountId,
      event: market.kind === 'card' ? 'cardResult' : resultEvent(number, about.result),
      payload: resultOf(payload, market, list, shown, about.result, paid(marketId, accountId), from),
    };
  }
  if (about?.type === 'undeclared') {
    return {
      accountId,
      event: number ? 'sessionResultUnDeclare' : 'matchResultUnDeclare',
      payload: { ...payload, text: `${market.name}: the result was taken back.` },
    };
  }
  if (deleteReason !== undefined) {
    return {
      accountId,
      event: number ? 'sessionDeleteBet' : 'matchDeleteBet',
      payload: { ...payload, betPlacedId: list.map((bet) => bet.betId), bets: shown, deleteReason },
    };
  }
  // Whoever else's bet was met by the player's command hears of it as something done to him.
  payload.own = isBy(command, accountId);
  return {
    accountId,
    event: market.kind === 'card' ? 'userCardBetPlaced' : number ? 'userSessionBetPlaced' : 'userMatchBetPlaced',
    payload,
    placed: shown,
  };
}

/** Results, told to everyone. */
function outcomesTold(outcomes: readonly Outcome[], from: TellSources): Told[] {
  return outcomes.flatMap((event): Told[] => {
    const market = from.market(event.marketId);
    if (market.kind === 'card') return [];
    return [
      {
        accountId: null,
        // A match has hundreds of number markets: their results are told to those who look at it.
        ...(from.isNumber(market.kind) ? { roomOf: market.eventId } : {}),
        event: event.type === 'settled' ? 'matchResultDeclareAllUser' : 'matchResultUnDeclareAllUser',
        payload: {
          matchId: market.eventId,
          betId: event.marketId,
          betType: market.marketType,
          gameType: market.kind,
          isMatchDeclare: from.isDeclared(market.eventId),
        },
      },
    ];
  });
}

/** Orders that the server holds: what became of them, each by itself. */
function ordersTold({ events }: Item, from: TellSources): Told[] {
  return events.flatMap((event): Told[] => {
    if (event.type !== 'conditional' || !from.listens(event.conditional.accountId)) return [];
    const { accountId } = event.conditional;
    const order = from.conditionalOrder(event.conditional);
    return [{ accountId, event: 'userConditional', payload: { order, reason: whyFailed(order) } }];
  });
}

const isBy = (command: Command, accountId: number): boolean =>
  PLACING.has(command.type) && 'accountId' in command && command.accountId === accountId;

/** Why bets were taken out; many are told by the slices behind the command, and then a bet itself says it. */
function voidReason(command: Command, bets: readonly Bet[]): string | undefined {
  if (command.type === 'bets.void') return command.reason;
  return command.type === 'work' ? bets.find((bet) => bet.endCode === 'VOIDED')?.reason : undefined;
}

function resultEvent(number: boolean, result: Result): MainEvent {
  if (!number) return 'matchResult';
  return result.kind === 'void' || result.kind === 'tie' ? 'sessionNoResult' : 'sessionResult';
}

function resultOf(
  payload: Record<string, unknown>,
  market: { eventId: number; name: string; eventName: string },
  list: Bet[],
  shown: PlacedBet[],
  result: Result,
  paid: Paid,
  from: TellSources,
): Record<string, unknown> {
  const { marketId } = list[0]!;
  const profitMinor = list.reduce((sum, bet) => sum + bet.profitMinor, 0);
  const resultText = from.resultText(marketId);
  return {
    ...payload,
    result: result.kind,
    resultText,
    marketName: market.name,
    eventName: market.eventName,
    bets: shown,
    profitMinor,
    ...paid,
    isMatchDeclare: from.isDeclared(market.eventId),
    text: `${market.eventName}, ${market.name}: ${resultText}`,
  };
}

interface Paid {
  grossMinor: number;
  commissionMinor: number;
}

/** What markets paid to accounts: results as booked, and the commission taken from them. Read once for all who hear of it. */
function paidIn(events: readonly Event[]): (marketId: MarketId, accountId: number) => Paid {
  let sums: Map<string, Paid> | undefined;
  const read = () => {
    const all = new Map<string, Paid>();
    for (const event of events) {
      if (event.type !== 'ledger' || (event.kind !== 'settle' && event.kind !== 'commission')) continue;
      for (const { account, amountMinor } of event.entries) {
        const key = `${event.marketId}.${account}`;
        const paid = all.get(key) ?? { grossMinor: 0, commissionMinor: 0 };
        if (event.kind === 'settle') paid.grossMinor += amountMinor;
        else paid.commissionMinor -= amountMinor;
        all.set(key, paid);
      }
    }
    return all;
  };
  return (marketId, accountId) => {
    sums ??= read();
    return sums.get(`${marketId}.a${accountId}`) ?? { grossMinor: 0, commissionMinor: 0 };
  };
}

function balances(wallet: Wallet | undefined): Record<string, number> {
  return wallet
    ? {
        currentBalance: wallet.balanceMinor,
        exposure: wallet.exposureMinor,
        held: wallet.heldMinor,
        available: wallet.balanceMinor - wallet.exposureMinor - wallet.heldMinor,
        walletVersion: wallet.version,
      }
    : {};
}
