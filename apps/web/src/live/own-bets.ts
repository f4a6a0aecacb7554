import type { ConditionalOrder, MainEvent, PlacedBet, PrivateEvent } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { say } from '../platform/language.ts';
import { Listeners } from '../platform/listeners.ts';
import { perPlayer } from '../platform/per-player.ts';

/**
 * The player's own bets as last heard of, and what others did to them. A reading of open bets leaves out what ended with
 * nothing matched; the private event names it, so whoever follows a bet by its id hears of its end.
 */
const MOST = 500;
const FRESH_MS = 2500;
const held = new Map<number, PlacedBet>();
/** When something happened to a bet, for the mark of its row. */
const changed = new Map<number, number>();
const listeners = new Listeners();

export interface BetNews {
  before: PlacedBet | undefined;
  bet: PlacedBet;
}
/** What a market paid the player, minor units; commission is taken from the gross. */
export interface ResultNews {
  matchId: number;
  marketName: string;
  eventName: string;
  resultText: string;
  grossMinor: number;
  commissionMinor: number;
}
type News = { bets: BetNews[] } | { result: ResultNews; bet: PlacedBet | undefined } | { text: string; to?: string };
let reader: ((news: News) => void) | null = null;

/** Bets of an answer or a reading: known from now on, no news. */
export function knowBets(bets: readonly PlacedBet[]): void {
  for (const bet of bets) keep(bet);
}

/** A private event about bets. What the player did himself is no news to him. */
export function hearBets(event: MainEvent, message: PrivateEvent): void {
  const bets = (message.bets ?? []) as PlacedBet[];
  const news = bets.map((bet) => ({ before: held.get(bet.id), bet })).filter(({ bet }) => keep(bet));
  switch (event) {
    case 'matchResult':
    case 'sessionResult':
    case 'sessionNoResult':
      reader?.({ result: message as unknown as ResultNews, bet: bets.at(-1) });
      return;
    case 'matchResultUnDeclare':
    case 'sessionResultUnDeclare':
      if (typeof message.text === 'string') reader?.({ text: message.text });
      return;
    // Card tables show their own.
    case 'userCardBetPlaced':
    case 'cardResult':
      return;
    default:
      if (message.own || news.length === 0) return;
      for (const { bet } of news) mark(bet.id);
      reader?.({ bets: news });
  }
}

/** An order that the server held: only what went wrong is news beside the bet it became. */
export function hearHeld({ order, reason }: PrivateEvent): void {
  const { status, teamName } = order as ConditionalOrder;
  if (status !== 'FAILED') return;
  const text = t`An order held for ${teamName} was not placed.`;
  reader?.({ text: typeof reason === 'string' ? `${text} ${say(reason)}` : text, to: '/order-history' });
}

/** One reader, who tells the player; the way back ends it. */
export function readNews(next: (news: News) => void): () => void {
  reader = next;
  return () => {
    if (reader === next) reader = null;
  };
}

export const ownBet = (id: number): PlacedBet | undefined => held.get(id);
export const onOwnBet = (id: number, listener: () => void): (() => void) => listeners.add(String(id), listener);
/** Something happened to the bet a moment ago. */
export const isFresh = (id: number): boolean => Date.now() - (changed.get(id) ?? 0) < FRESH_MS;

perPlayer(() => {
  held.clear();
  changed.clear();
});

/** False for what is known already. */
function keep(bet: PlacedBet): boolean {
  const before = held.get(bet.id);
  if (before && before.version >= bet.version) return false;
  held.delete(bet.id);
  held.set(bet.id, bet);
  if (held.size > MOST) held.delete(held.keys().next().value!);
  listeners.tell(String(bet.id));
  return true;
}

function mark(id: number): void {
  changed.set(id, Date.now());
  if (changed.size > MOST) changed.delete(changed.keys().next().value!);
}
