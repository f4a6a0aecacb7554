/** The player's own line, `/`: his private events under a running number, what all are told, and calls that come over it. */
import { type ConditionalOrder, mainEmits, type PlacedBet } from '@fairgame/contract';
import type { Bet, ConditionalView } from '@fairgame/exchange';
import type { Socket } from 'socket.io';
import { type Catalog, isNumber, resultText } from '../catalog/catalog.ts';
import type { Committed, Core } from '../core/types.ts';
import { type Ask, deviceOf } from '../http/http.ts';
import type { Endpoint, Entry } from './entry.ts';
import type { Gate } from './gate.ts';
import { createOutbox } from './outbox.ts';
import { encode } from './packet.ts';
import { privateEvents, type TellSources, type Told } from './private.ts';

interface Sources {
  core: Core;
  catalog: Catalog;
  placedBet: (bet: Bet) => PlacedBet;
  conditionalOrder: (view: ConditionalView) => ConditionalOrder;
  ask: Ask;
  cards: { tableOf(eventId: number): { name: string } | undefined };
}

const MOST_ROOMS = 60;
/** Of events that came together. */
const MOST_ADDED = 100;

const roomName = (matchId: number): string => `match:${matchId}`;

export class MainSockets {
  readonly endpoint: Endpoint;
  private readonly from: Sources;
  private readonly entry: Entry;
  private readonly gate: Gate;
  private readonly outbox = createOutbox();
  /** The player's running numbers, while he has a socket. */
  private readonly numbers = new Map<number, number>();
  /** New events are told together: a feed often brings several at once. */
  private readonly added = new Set<number>();
  private readonly offs: Array<() => void>;

  /** What the words of private events are made from. */
  private readonly sources: TellSources = {
    listens: (accountId) => this.endpoint.accounts.has(accountId),
    market: (marketId) => this.market(marketId),
    placedBet: (bet) => this.from.placedBet(bet),
    conditionalOrder: (view) => this.from.conditionalOrder(view),
    isNumber,
    resultText: (marketId) => {
      const view = this.from.catalog.images.view(marketId);
      return view ? resultText(view) : '';
    },
    isDeclared: (eventId) => {
      const { images } = this.from.catalog;
      return images.marketsOf(eventId).every((marketId) => images.view(marketId)?.status === 'CLOSED');
    },
  };

  constructor(from: Sources, entry: Entry, gate: Gate) {
    this.from = from;
    this.entry = entry;
    this.gate = gate;
    this.endpoint = entry.endpoint('/');
    this.endpoint.nsp.on('connection', (socket) => this.welcome(socket));
    this.offs = [
      from.core.onCommitted((batch) => this.tellCommitted(batch)),
      from.catalog.onChange(({ type, eventId }) => {
        if (type === 'added') this.added.add(eventId);
      }),
    ];
  }

  tell(accountId: number, event: Told['event'], payload: Told['payload'], placed?: Told['placed']): void {
    const sockets = this.endpoint.accounts.get(accountId);
    if (!sockets) return;
    const n = (this.numbers.get(accountId) ?? 0) + 1;
    this.numbers.set(accountId, n);
    const packet = encode('/', event, textOf(n, payload, placed), sockets.size > 1);
    for (const socket of sockets) this.outbox.push(socket, packet);
  }

  /** To all who are signed in; n 0 says that it is not one of the player's own numbered events. */
  tellAll(event: Told['event'], payload: Record<string, unknown>): void {
    this.outbox.flush();
    this.endpoint.nsp.emit(event, { n: 0, ...payload });
  }

  reasonChanged(change: { accountId: number; betId: number; marketId: number; reason: string }): void {
    const { accountId, betId, marketId, reason } = change;
    const matchId = this.market(marketId).eventId;
    this.tell(accountId, 'updateDeleteReason', { matchId, betId: marketId, betIds: [betId], deleteReason: reason });
  }

  /** Tells of the events that came since it was asked last. */
  tellAdded(): void {
    if (this.added.size === 0) return;
    this.tellAll('addMatch', { matchIds: [...this.added].slice(0, MOST_ADDED) });
    this.added.clear();
  }

  close(): void {
    for (const off of this.offs) off();
  }

  private welcome(socket: Socket): void {
    const from = {
      token: this.entry.token(socket),
      ip: this.gate.addressOf(socket.request),
      device: deviceOf(socket.request.headers['user-agent']),
    };
    this.outbox.answers(socket);
    this.entry.listen(socket, {
      call: (message) => this.from.ask(from, message),
      matchRoom: (value) => joinRoom(socket, value),
    });
    const { accountId } = this.entry.session(socket);
    socket.on('disconnect', () => {
      if (!this.endpoint.accounts.has(accountId)) this.numbers.delete(accountId);
    });
  }

  private tellCommitted(batch: Committed): void {
    // The last of a commit says it all.
    const balances = new Map<number, Told['payload']>();
    for (const item of batch.items) {
      for (const { accountId, roomOf, event, payload, placed } of privateEvents(item, this.sources)) {
        if (accountId !== null && event === 'updateUserBalance') balances.set(accountId, payload);
        else if (accountId !== null) this.tell(accountId, event, payload, placed);
        else if (roomOf === undefined) this.tellAll(event, payload);
        else {
          this.outbox.flush();
          this.endpoint.nsp.to(roomName(roomOf)).emit(event, { n: 0, ...payload });
        }
      }
    }
    for (const [accountId, payload] of balances) this.tell(accountId, 'updateUserBalance', payload);
  }

  private market(marketId: number): ReturnType<TellSources['market']> {
    const { catalog, cards } = this.from;
    const view = catalog.images.view(marketId);
    const place = catalog.place(marketId);
    const eventId = view?.eventId ?? place?.eventId ?? 0;
    return {
      kind: view?.kind ?? place?.kind ?? 'book',
      name: view?.name ?? place?.name ?? '',
      eventId,
      eventName: catalog.event(eventId)?.event.title ?? cards.tableOf(eventId)?.name ?? '',
      marketType: place?.marketType ?? view?.kind ?? '',
    };
  }
}

function joinRoom(socket: Socket, value: unknown): 'BAD_INPUT' | null {
  const asked = mainEmits.matchRoom.safeParse(value);
  if (!asked.success) return 'BAD_INPUT';
  void socket.join(roomName(asked.data.id));
  // The first is the socket's own; after it the one joined longest ago is on no screen any more.
  const [, oldest] = socket.rooms;
  if (oldest !== undefined && socket.rooms.size > MOST_ROOMS + 1) void socket.leave(oldest);
  return null;
}

/** Of bets that are told twice in an event the text is made once; a copy of the payload for its number would cost as much as its text. */
function textOf(n: number, payload: Told['payload'], placed: Told['placed']): string {
  const rest = JSON.stringify(payload).slice(1);
  const text = rest === '}' ? `{"n":${n}}` : `{"n":${n},${rest}`;
  if (!placed) return text;
  const bets = placed.map((bet) => JSON.stringify(bet));
  return `${text.slice(0, -1)},"bet":${bets.at(-1)},"bets":[${bets.join(',')}]}`;
}
