/** The command a placing call stands for, and what only the gateway can check of it. */
import { CodedError, type PlaceBody } from '@fairgame/contract';
import type { Command, MarketKind, Side } from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Session } from '../http/http.ts';
import { NUMBER_KINDS, RACES, YES_NO } from './rows.ts';

export type Path = 'place' | 'session' | 'match' | 'otherMatch' | 'race' | 'tournament' | 'card';

export interface CommandParts {
  db: Db;
  catalog: Catalog;
  cards: { runnerFor(body: PlaceBody, world: World): Promise<number> };
}

/** Throws MARKET_UNKNOWN, MARKET_CLOSED, WRONG_KIND, LINE_CHANGED; the core checks the rest. Of most it is known at once. */
export function placeCommand(
  { catalog, db, cards }: CommandParts,
  path: Path,
  body: PlaceBody,
  { accountId, world }: Pick<Session, 'accountId' | 'world'>,
): Command | Promise<Command> {
  const view = catalog.images.view(body.betId);
  if (!view) return unknownMarket(db, body.betId);
  if (view.eventId !== body.matchId) throw new CodedError('MARKET_UNKNOWN', { field: 'matchId' });
  const eventType = catalog.event(view.eventId)?.matchType ?? '';
  if (!fits(path, view.kind, eventType)) throw new CodedError('WRONG_KIND', { field: 'betId' });
  const side = sideOf(view.kind, body.bettingType);
  if (view.kind !== 'card') return commandFor(view.kind, body, body.runnerId, side, accountId);
  // At a card table a choice of digits or ranks is a runner of its own.
  return cards.runnerFor(body, world).then((runnerId) => commandFor('card', body, runnerId, side, accountId));
}

async function unknownMarket(db: Db, marketId: number): Promise<never> {
  const [closed] = await db.query('SELECT 1 FROM markets WHERE id = $1 LIMIT 1', [marketId]);
  throw new CodedError(closed ? 'MARKET_CLOSED' : 'MARKET_UNKNOWN', { field: 'betId' });
}

function commandFor(kind: MarketKind, body: PlaceBody, runnerId: number, side: Side, accountId: number): Command {
  const common = { betId: 0, accountId, marketId: body.betId, runnerId, side, price: body.odd };
  // The spread stands last, and what may be absent is added: a clone that gets new fields is dear.
  if (kind === 'book') {
    if (body.line !== undefined) throw new CodedError('WRONG_KIND', { field: 'line' });
    const { stake: sizeMinor, persistence = 'LAPSE' } = body;
    const command: Command = { type: 'order.place', sizeMinor, persistence, ...common };
    if (body.marketVersion !== undefined) command.marketVersion = body.marketVersion;
    if (body.minFill !== undefined) command.minFillMinor = body.minFill;
    if (body.offset !== undefined) command.offset = { persistence: 'LAPSE', ...body.offset };
    if (body.seconds !== undefined) command.expireMs = body.seconds * 1000;
    return command;
  }
  // A house quote is taken whole or refused: nothing of it ever waits, and nothing waits for it.
  for (const field of ['minFill', 'offset', 'seconds'] as const)
    if (body[field] !== undefined) throw new CodedError('WRONG_KIND', { field });
  const command: Command = { type: 'quote.take', stakeMinor: body.stake, ...common };
  if (body.marketVersion !== undefined) command.marketVersion = body.marketVersion;
  if (body.line !== undefined) command.line = body.line;
  if (kind === 'bookmaker') command.box = body.placeIndex ?? 0;
  return command;
}

const TEAM_SPORTS: ReadonlySet<string> = new Set(['cricket', 'football', 'tennis']);

/** Each named path takes its own markets only; placeBet takes all (OPN-38). The card tables have calls of their own. */
function fits(path: Path, kind: MarketKind, eventType: string): boolean {
  const number = NUMBER_KINDS.has(kind);
  switch (path) {
    case 'place':
      return true;
    case 'card':
      return kind === 'card';
    default:
  }
  if (kind === 'card') return false;
  switch (path) {
    case 'session':
      return number;
    case 'match':
      return !number && TEAM_SPORTS.has(eventType);
    case 'otherMatch':
      return !number && !TEAM_SPORTS.has(eventType) && !RACES.has(eventType);
    case 'race':
      return !number && RACES.has(eventType);
    case 'tournament':
      return (kind === 'book' || kind === 'bookmaker') && !RACES.has(eventType);
    default:
      return false;
  }
}

/** YES and NO belong to the yes/no kinds; back and lay are understood everywhere (back is yes). */
function sideOf(kind: MarketKind, type: PlaceBody['bettingType']): Side {
  if (type === 'BACK' || type === 'LAY') return type;
  if (!YES_NO.has(kind) && kind !== 'card') throw new CodedError('WRONG_KIND', { field: 'bettingType' });
  return type === 'YES' ? 'BACK' : 'LAY';
}
