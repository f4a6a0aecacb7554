/** Placing, cancelling and editing: checks what only the gateway knows, hands the command in, tells the answer (API-43, OPN-38). */
import { hash } from 'node:crypto';
import { type BetAnswer, type BodyOf, CALLS, CodedError, type PlaceBody } from '@fairgame/contract';
import type { Bet, Command, ConditionalView } from '@fairgame/exchange';
import { cancelAll, ownBets } from '../core/core.ts';
import type { Answer, Core, Request } from '../core/types.ts';
import type { Http, Session } from '../http/http.ts';
import { createRoundPace } from '../round-pace.ts';
import { toConditionalOrder } from './conditional-row.ts';
import { asEdited, asPlaced, placedError } from './fields.ts';
import { type CommandParts, type Path, placeCommand } from './place-command.ts';
import { type MarketNames, type Names, toPlacedBet } from './rows.ts';

export interface PlacingParts extends CommandParts {
  core: Core;
  names: Names;
  /** Milliseconds that only go on. */
  steady: () => number;
  /** The least time between a player's first bets in two rounds at the card tables, whatever the tables (PP-12). */
  cardRoundMs: number;
}

type Holder = Pick<Session, 'accountId' | 'world'>;
/** What of a call goes with its command. */
interface Asked<B> {
  session: Holder;
  body: B;
  requestId: string;
  expiresAt: number | undefined;
}

interface Begun {
  begins: NonNullable<Request['begins']>;
  takeBack: () => void;
}

const PLACED = 'Bet placed.';

export function placingRoutes(http: Http, parts: PlacingParts): void {
  const { bets } = CALLS;
  const { core, names } = parts;
  const startRound = rounds(parts);

  async function place(path: Path, asked: Asked<PlaceBody>): Promise<BetAnswer> {
    const { body, session } = asked;
    let command = placeCommand(parts, path, body, session);
    if (command instanceof Promise) command = await command;
    const round = startRound(body.betId, session);
    try {
      return tell(session, await core.submit(beginning(signed(asked, 'place', command), round)));
    } catch (error) {
      round?.takeBack();
      throw placedError(error);
    }
  }

  const tell = (session: Holder, answer: Answer, betId?: number, called?: MarketNames) =>
    toldOf(parts, session, answer, betId, called);

  async function toldFromTable(session: Holder, answer: Answer | null): Promise<BetAnswer> {
    if (!answer) throw new CodedError('KEY_UNKNOWN');
    const told = tell(session, answer);
    // The market may have left memory since: then its names come from the tables.
    if (told.bet.matchId !== 0 && told.bet.eventName !== '') return told;
    const found = (await names.of([told.bet.betId])).get(told.bet.betId);
    return found ? tell(session, answer, told.bet.id, found) : told;
  }

  const placed = (path: Path) => async (asked: Asked<PlaceBody>) => ({
    data: await place(path, asked),
    message: PLACED,
  });
  http.route(bets.place, placed('place'));
  http.route(bets.session, placed('session'));
  http.route(bets.match, placed('match'));
  http.route(bets.otherMatch, placed('otherMatch'));
  http.route(bets.race, placed('race'));
  http.route(bets.tournament, placed('tournament'));
  http.route(bets.card, placed('card'));
  http.route(bets.placeMany, async ({ body, session, requestId, expiresAt, refused }) => {
    // All are handed in before the first is decided, so that one commit holds them.
    const answers = body.bets.map((bet) =>
      place('place', { body: bet, session, requestId, expiresAt }).then(
        (data) => ({ statusCode: 200 as const, message: PLACED, data }),
        refused,
      ),
    );
    return { answers: await Promise.all(answers) };
  });

  http.route(bets.byKey, async ({ params, session }) =>
    toldFromTable(session, await asPlaced(() => core.answerOf(actorOf(session), params.key))),
  );
  http.route(bets.settleKey, async ({ body, session }) =>
    toldFromTable(session, await asPlaced(() => core.burn(actorOf(session), body.key))),
  );
  http.route(bets.cancel, async (asked) => {
    const { body, session } = asked;
    const command: Command = {
      type: 'order.cancel',
      accountId: session.accountId,
      betId: body.id,
      ...(body.by === undefined ? {} : { byMinor: body.by }),
    };
    const answer = await asEdited(() => core.submit(signed(asked, 'cancel', command)));
    return { data: tell(session, answer, body.id), message: 'Cancelled.' };
  });
  http.route(bets.cancelAll, async (asked) => {
    const { body, session } = asked;
    const { accountId } = session;
    const command = allOf(accountId, body);
    const { betIds, last } = await asPlaced(() => cancelAll(core, command, signed(asked, 'cancelAll', command)));
    const wallet = last.events.findLast((event) => event.type === 'wallet' && event.accountId === accountId);
    return {
      data: {
        cancelled: betIds.size,
        wallet: wallet?.type === 'wallet' ? walletText(wallet) : walletOf(core, session),
      },
      message: betIds.size === 1 ? '1 bet cancelled.' : `${betIds.size} bets cancelled.`,
    };
  });
  http.route(bets.replace, async (asked) => {
    const { body, session } = asked;
    const { accountId } = session;
    const answer = await asEdited(() =>
      core.submit(
        signed(asked, 'replace', {
          type: 'order.replace',
          accountId,
          betId: body.id,
          newBetId: 0,
          price: body.odd,
          sizeMinor: body.stake,
          ...(body.remaining === undefined ? {} : { remainingMinor: body.remaining }),
          ...(body.persistence === undefined ? {} : { persistence: body.persistence }),
        }),
      ),
    );
    return { data: tell(session, answer), message: 'Bet changed.' };
  });
  http.route(bets.persistence, async (asked) => {
    const { body, session } = asked;
    const answer = await asEdited(() =>
      core.submit(
        signed(asked, 'persistence', {
          type: 'order.persistence',
          accountId: session.accountId,
          betId: body.id,
          persistence: body.persistence,
        }),
      ),
    );
    return tell(session, answer, body.id);
  });
}

/** A first bet in a round of a card table begins it for the player; of any other bet null. Throws TOO_FAST. */
function rounds({ core, catalog, steady, cardRoundMs }: PlacingParts) {
  const pace = createRoundPace(steady);
  const isCard = (marketId: number): boolean => catalog.images.view(marketId)?.kind === 'card';
  const betsIn = (marketId: number, { world, accountId }: Holder): number =>
    core.read.openBets(world, accountId, marketId).length;
  const nameOf = (marketId: number, { world }: Holder): string => `${world}.${marketId}`;
  // Begun at another gateway as well.
  core.onCommitted(({ items }) => {
    for (const { command, world } of items) {
      if (command.type !== 'quote.take' || !isCard(command.marketId)) continue;
      const { marketId, accountId } = command;
      const holder = { world, accountId };
      if (betsIn(marketId, holder) === 1) pace.started(accountId, nameOf(marketId, holder));
    }
  });
  return (marketId: number, holder: Holder): Begun | null => {
    if (!isCard(marketId) || betsIn(marketId, holder) > 0) return null;
    const { accountId } = holder;
    const round = nameOf(marketId, holder);
    if (!pace.mayStart(accountId, round, cardRoundMs)) throw new CodedError('TOO_FAST');
    return { begins: { accountId, round, minRoundMs: cardRoundMs }, takeBack: pace.started(accountId, round) };
  };
}

function beginning(request: Request, round: Begun | null): Request {
  if (round) request.begins = round.begins;
  return request;
}

/** The bet the answer is about: the one named, else the newest of the player's in it. */
function toldOf(
  { core, names }: PlacingParts,
  session: Holder,
  answer: Answer,
  betId?: number,
  called?: MarketNames,
): BetAnswer {
  const mine = ownBets(answer.events, session.accountId);
  let wallet: BetAnswer['wallet'] | null = null;
  for (const event of answer.events) {
    if (event.type === 'wallet' && event.accountId === session.accountId) wallet = walletText(event);
  }
  const newest = Math.max(...mine.map((bet) => bet.betId));
  const bet = mine.findLast((one) => one.betId === (betId ?? newest));
  if (!bet) throw new CodedError('KEY_UNKNOWN');
  const market = called ?? names.now(bet.marketId);
  return {
    bet: toPlacedBet(bet, market),
    wallet: wallet ?? walletOf(core, session),
    ...ordersFor(bet, answer, market),
  };
}

/** The conditional orders that wait, or waited, for a bet: each as the command left it. */
function ordersFor({ betId }: Bet, { events }: Answer, market: MarketNames): Pick<BetAnswer, 'orders'> {
  const last = new Map<number, ConditionalView>();
  for (const event of events)
    if (event.type === 'conditional' && event.conditional.forBetId === betId)
      last.set(event.conditional.conditionalId, event.conditional);
  return last.size === 0 ? {} : { orders: [...last.values()].map((view) => toConditionalOrder(view, market)) };
}

export function walletOf(core: Core, { world, accountId }: Holder): BetAnswer['wallet'] {
  return walletText(core.read.wallet(world, accountId));
}

export function walletText(of: {
  balanceMinor: number;
  exposureMinor: number;
  heldMinor: number;
  version: number;
}): BetAnswer['wallet'] {
  const { balanceMinor, exposureMinor, heldMinor, version } = of;
  return {
    currentBalance: balanceMinor,
    exposure: exposureMinor,
    held: heldMinor,
    available: balanceMinor - exposureMinor - heldMinor,
    version,
  };
}

export const actorOf = (session: Holder): string => `player:${session.accountId}`;

/** The request for a command: who asks, in which world, under which key and for what. */
export function signed<B extends { key: string }>(
  { session, body, requestId, expiresAt }: Asked<B>,
  act: string,
  command: Command,
): Request {
  const { key } = body;
  return {
    world: session.world,
    command,
    actor: actorOf(session),
    key,
    payloadHash: hash('sha256', payloadText(act, body), 'base64url'),
    requestId,
    expiresAt,
  };
}

/** Of the bodies that came, by the names of their fields in the order they came in: those names sorted, without the key. */
const sorted = new Map<string, string[]>();
const MOST_ORDERS = 1000;

/** One text for one act, in whatever order its fields came: `["act",[["name",value],...]]`, without the key. */
function payloadText(act: string, body: object): string {
  let given = '';
  for (const name in body) given += `${name},`;
  let names = sorted.get(given);
  if (!names) {
    names = Object.keys(body)
      .filter((name) => name !== 'key')
      .sort();
    // A caller may send them in as many orders as he likes.
    if (sorted.size < MOST_ORDERS) sorted.set(given, names);
  }
  let text = '';
  for (const name of names) {
    const value = body[name as keyof typeof body] as unknown;
    text += `${text === '' ? '' : ','}["${name}",${typeof value === 'number' ? value : (JSON.stringify(value) ?? 'null')}]`;
  }
  return `["${act}",[${text}]]`;
}

/** What waits of an account: all of it, of one market, of one runner, on one side. */
const allOf = (accountId: number, { betId, runnerId, side }: BodyOf<typeof CALLS.bets.cancelAll>) =>
  ({
    type: 'order.cancelAll',
    accountId,
    ...(betId === undefined ? {} : { marketId: betId }),
    ...(runnerId === undefined ? {} : { runnerId }),
    ...(side === undefined ? {} : { side }),
  }) as const;
