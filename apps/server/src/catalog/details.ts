/** The record of one event: the 27 fields of the specification (table MAT-T1) and what our own client reads beside them. */
import type { MarketImage, MatchDetails } from '@fairgame/contract';
import type { MarketId } from '@fairgame/exchange';
import type { Readings, World } from '../core/types.ts';
import type { LiveEvent, MarketPlace } from './events.ts';
import type { Images } from './images.ts';
import { type Holder, standingIn } from './standing.ts';

export interface DetailSources {
  images: Images;
  core: Pick<Readings, 'myMarkets' | 'position' | 'market'>;
  place: (marketId: MarketId) => MarketPlace | undefined;
  headOf: (eventId: number) => MarketId | undefined;
  inPlay: (eventId: number) => boolean;
}

/** Session limits where an event has no session yet: 1.00 and 250.00 (decisions.md, currency and limits). */
const SESSION_LIMITS = { min: 100, max: 25_000 } as const;

export function describeMatch(live: LiveEvent, holder: Holder, from: DetailSources): MatchDetails {
  const { event } = live;
  const images = imagesOf(from.images, holder.world, live.id);
  const standing = standingIn(
    from.core,
    holder,
    live.id,
    images.map((image) => image.id),
  );
  const head = from.headOf(live.id);
  const headImage = images.find((image) => image.id === head);
  const headNet = head === undefined ? undefined : standing.net.get(head);
  const teamNet = (at: number): number => {
    const runner = headImage?.runners[at];
    return (runner && headNet?.get(runner.id)) ?? 0;
  };
  const sessions = images.filter((image) => isNumber(image.kind));
  const manual = (image: MarketImage): boolean => from.place(image.id)?.manual ?? false;
  const limits = sessions[0];
  return {
    isBookmaker: images.some((image) => image.kind === 'bookmaker'),
    marketId: head ?? null,
    rateThan100: images.some((image) => from.core.market(image.id)?.rateThan100 === true),
    title: event.title,
    manualSessionActive: sessions.some((image) => manual(image) && image.status !== 'CLOSED'),
    apiSessionActive: sessions.some((image) => !manual(image) && image.status !== 'CLOSED'),
    eventId: String(live.id),
    isTv: event.isTv,
    matchType: live.matchType,
    betFairSessionMinBet: limits?.minStakeMinor ?? SESSION_LIMITS.min,
    betFairSessionMaxBet: limits?.maxStakeMinor ?? SESSION_LIMITS.max,
    competitionId: String(event.competitionId),
    competitionName: event.competitionName,
    teamA: event.teamA,
    teamB: event.teamB,
    teamC: event.teamC ?? null,
    startAt: iso(live.startAt),
    stopAt: live.stopAt === null ? null : iso(live.stopAt),
    id: live.id,
    isFancy: sessions.length > 0,
    teamRates: { teamA: teamNet(0), teamB: teamNet(1), teamC: teamNet(2) },
    profitLossDataSession: standing.session,
    profitLossDataMatch: standing.match,
    apiSession: apiSessions(sessions.filter((image) => !manual(image))),
    sessionBettings: sessions.filter(manual).map(manualSession),
    tournament: tournaments(images, from.place),
    scoreBoard: live.score,
    beventId: event.beventId || null,
    gmid: event.gmid || null,
    inPlay: from.inPlay(live.id),
    countryCode: event.countryCode ?? null,
    venue: event.venue ?? null,
    markets: images,
  };
}

/** What a market socket without frames gets on each change (exchange reference 12.10): no player's own figures in it. */
export function matchRecord(live: LiveEvent, world: World, from: DetailSources): Record<string, unknown> {
  const details = describeMatch(live, { world, accountId: 0 }, from);
  const { profitLossDataMatch: _match, profitLossDataSession: _session, teamRates: _rates, ...rest } = details;
  const byId = new Map(details.markets.map((image) => [image.id, image]));
  const tournament = details.tournament.map((entry) => ({
    ...entry,
    marketId: entry.id,
    isActive: entry.status === 'OPEN',
    runners: entry.runners.map((runner) => ({ ...runner, ex: exOf(byId.get(entry.id), runner.id) })),
  }));
  return { ...rest, tournament };
}

const NUMBER_KINDS: ReadonlySet<string> = new Set([
  'session',
  'overByover',
  'ballByBall',
  'oddEven',
  'fancy1',
  'khado',
  'meter',
  'cricketCasino',
]);
export const isNumber = (kind: string): boolean => NUMBER_KINDS.has(kind);

function imagesOf(images: Images, world: World, eventId: number): MarketImage[] {
  return images.marketsOf(eventId).flatMap((id) => images.image(world, id) ?? []);
}

/** By sno, but no child before its parent (MAT-04, MAT-05). Our own markets have no parents; the operator's may come. */
export function parentsFirst<T extends { id: number; sno: number; parentBetId: number | null }>(list: T[]): T[] {
  const order = [...list].sort((a, b) => a.sno - b.sno || a.id - b.id);
  const ids = new Set(list.map((entry) => entry.id));
  const isChild = (entry: T) => entry.parentBetId !== null && ids.has(entry.parentBetId);
  return [...order.filter((entry) => !isChild(entry)), ...order.filter(isChild)];
}

function tournaments(
  images: MarketImage[],
  place: (marketId: MarketId) => MarketPlace | undefined,
): MatchDetails['tournament'] {
  const list = images
    .filter((image) => !isNumber(image.kind))
    .map((image) => ({
      id: image.id,
      name: image.name,
      gtype: image.kind === 'bookmaker' ? ('match1' as const) : ('match' as const),
      status: image.status,
      inplay: image.inPlay,
      isManual: place(image.id)?.manual ?? false,
      minBet: image.minStakeMinor,
      maxBet: image.maxStakeMinor,
      sno: image.sno,
      parentBetId: null,
      activeStatus: activeStatus(image),
      runners: image.runners.map((runner, at) => ({
        id: runner.id,
        selectionId: runner.id,
        nat: runner.name,
        sortPriority: at + 1,
        status: runner.status,
      })),
    }));
  return parentsFirst(list);
}

function apiSessions(sessions: MarketImage[]): MatchDetails['apiSession'] {
  const byKind: MatchDetails['apiSession'] = {};
  for (const image of sessions) {
    const group = byKind[image.kind] ?? { mname: image.kind, gtype: image.kind, status: 'OPEN', rem: '', section: [] };
    byKind[image.kind] = group;
    group.section.push({
      SelectionId: image.runners[0]?.id ?? image.id,
      RunnerName: image.name,
      GameStatus: gameStatus(image, image.runners[0]?.status ?? ''),
      ex: exOf(image, image.runners[0]?.id ?? 0),
      id: image.id,
      activeStatus: activeStatus(image),
      min: image.minStakeMinor,
      max: image.maxStakeMinor,
      rem: image.reason,
      // Kinds with several rows (odd and even, digits, khado) name each.
      rows: image.runners.map((runner) => ({
        id: runner.id,
        nat: runner.name,
        GameStatus: gameStatus(image, runner.status),
        ex: exOf(image, runner.id),
      })),
    });
  }
  return byKind;
}

function manualSession(image: MarketImage): string {
  const runner = image.runners[0];
  return JSON.stringify({
    id: image.id,
    name: image.name,
    selectionId: runner?.id ?? image.id,
    yesRate: runner?.yesLine ?? 0,
    noRate: runner?.noLine ?? 0,
    yesPercent: runner?.back[0]?.[0] ?? 0,
    noPercent: runner?.lay[0]?.[0] ?? 0,
    status: gameStatus(image, runner?.status ?? ''),
    activeStatus: activeStatus(image),
    minBet: image.minStakeMinor,
    maxBet: image.maxStakeMinor,
  });
}

interface PriceBox {
  price: number;
  size: number;
  otype: 'back' | 'lay';
  oname: string;
  tno: number;
}

/** Price boxes: of runner markets price is the odds and size the money, of sessions price is the line and size the rate. */
function exOf(
  image: MarketImage | undefined,
  runnerId: number,
): { availableToBack: PriceBox[]; availableToLay: PriceBox[] } {
  const runner = image?.runners.find((one) => one.id === runnerId);
  const side = (otype: 'back' | 'lay'): PriceBox[] => {
    if (!runner) return [];
    const line = otype === 'back' ? runner.yesLine : runner.noLine;
    return runner[otype].map(([price, size], tno) => {
      const box = { otype, oname: `${otype}${tno + 1}`, tno };
      return line === undefined || line === null ? { price, size, ...box } : { price: line, size: price, ...box };
    });
  };
  return { availableToBack: side('back'), availableToLay: side('lay') };
}

function gameStatus(image: MarketImage, row: string): string {
  if (row === 'BALL_RUNNING') return 'Ball Running';
  return image.status === 'OPEN' && row === 'ACTIVE' ? '' : 'SUSPENDED';
}

function activeStatus(image: MarketImage): string {
  if (image.status === 'CLOSED') return image.resultText === '' ? 'close' : 'result';
  return image.status === 'INACTIVE' ? 'save' : 'live';
}

const iso = (ms: number): string => new Date(ms).toISOString();
