/** Calls that settle what was cut short or moved by the rules of the sports (packages/exchange, rules.ts). */
import { type BodyOf, CodedError, judging as calls } from '@fairgame/contract';
import {
  basketballStands,
  compareIncomplete,
  footballStands,
  type MarketView,
  motorRaceStands,
  overSession,
  type Result,
  testFancy,
  tournamentTotals,
  type VoidReason,
} from '@fairgame/exchange';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import { type Acts, signed } from './acts.ts';
import { onceBooked } from './booked.ts';
import { type Effects, resultText } from './effects.ts';
import type { OverdueDesk } from './overdue.ts';

type Judged = BodyOf<typeof calls.judge>;
type Played = Judged['played'];

interface JudgingParts {
  core: Core;
  catalog: Catalog;
  effects: Effects;
  overdue: OverdueDesk;
  clock: () => number;
}

export function judgingActs(act: Acts, http: Http, { core, catalog, effects, overdue, clock }: JudgingParts): void {
  /** Throws MARKET_UNKNOWN, MARKET_CLOSED, MATCH_UNKNOWN, STILL_TO_PLAY, WRONG_KIND, BAD_INPUT. */
  async function outcomeOf({ betId, played }: Judged): Promise<Result> {
    const market = core.read.market(betId);
    if (!market) throw new CodedError('MARKET_UNKNOWN', { field: 'betId' });
    const live = await catalog.loadEvent(market.eventId);
    if (!live) throw new CodedError('MATCH_UNKNOWN', { field: 'betId' });
    return resultOf(played, market, live.firstStartAt, clock());
  }

  /** What is refused at once, and not filed for a second person. */
  async function mustBeOpen(body: Judged, actor: string): Promise<void> {
    if (core.read.market(body.betId)?.status !== 'CLOSED') return;
    if (!(await core.answerOf(actor, body.key))) throw new CodedError('MARKET_CLOSED', { field: 'betId' });
  }

  act(
    calls.judge,
    (body) => `market:${body.betId}`,
    async ({ body, actor }) => {
      await mustBeOpen(body, actor);
      const result = await outcomeOf(body);
      const { replayed } = await onceBooked(core, {
        world: 'all',
        ...signed(calls.judge, actor, body),
        command: { type: 'market.declare', marketId: body.betId, result },
      });
      return {
        data: { request: null, repeated: replayed, outcome: resultText(JSON.stringify(result)) },
        message: result.kind === 'void' ? 'The market is void by the rule.' : 'The result is declared by the rule.',
      };
    },
    {
      needed: async ({ body, actor }) => {
        await mustBeOpen(body, actor);
        return (await outcomeOf(body)).kind === 'void' && !(await core.answerOf(actor, body.key));
      },
      effect: async (body) => effects.result(body.betId, await outcomeOf(body)),
      waiting: (request) => ({ request, repeated: false, outcome: 'void' }),
    },
  );

  http.route(calls.judgements, () =>
    overdue.waiting().map(({ live, marketIds, since, begun }) => ({
      matchId: live.id,
      match: live.event.title,
      matchType: live.matchType,
      betIds: marketIds,
      start: new Date(live.firstStartAt).toISOString(),
      since: new Date(since).toISOString(),
      begun,
    })),
  );

  act(
    calls.moveStart,
    (body) => `match:${body.matchId}`,
    async ({ body }) => {
      const startAt = Date.parse(body.startAt);
      if (!Number.isFinite(startAt)) throw new CodedError('BAD_INPUT', { field: 'startAt' });
      if (!catalog.moveStart(body.matchId, startAt, body.correction ?? false))
        throw new CodedError('MATCH_UNKNOWN', { field: 'matchId' });
      await catalog.flush();
      return { data: null, message: 'The start is moved.' };
    },
  );
}

function resultOf(played: Played, market: MarketView, startAt: number, now: number): Result {
  switch (played.rule) {
    case 'overSession':
      return unless(overSession({ ...played, end: played.end ?? null }, played.overs), played.result);
    case 'testFancy':
      return unless(testFancy(played.fancy, played.overs, played.complete), played.result);
    case 'compareIncomplete':
      return compared(played, market);
    case 'tournament':
      return { kind: 'score', score: tournamentTotals(played.matches)[played.figure] };
    case 'football': {
      const playedAt = timeOf(played.playedAt);
      const reason = footballStands({ startAt, playedAt, ...(played.decided && { decided: true }) }, now);
      return unless(reason, stated(played.result, playedAt !== null || played.decided === true));
    }
    case 'motorRace': {
      const concludedAt = timeOf(played.concludedAt);
      return unless(motorRaceStands({ startAt, concludedAt }, now), stated(played.result, concludedAt !== null));
    }
    case 'basketball':
      return unless(basketballStands(played.secondsLeft * 1000), played.result);
  }
}

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** The result where the bets stand; a function where there may be none to state. */
function unless(reason: VoidReason, result: Result | (() => Result)): Result {
  if (reason !== null) return { kind: 'void', reason };
  return typeof result === 'function' ? result() : result;
}

/** For rules with hours: while they run, an event that was not played is not judged. */
function stated(result: Result | undefined, isPlayed: boolean): () => Result {
  return () => {
    if (!isPlayed) throw new CodedError('STILL_TO_PLAY', { field: 'played' });
    if (!result)
      throw new CodedError('BAD_INPUT', { field: 'result', message: 'The bets stand: say with what result.' });
    return result;
  };
}

function compared(played: Extract<Played, { rule: 'compareIncomplete' }>, market: MarketView): Result {
  const [one, two, ...others] = market.runners;
  if ((market.kind !== 'book' && market.kind !== 'bookmaker') || !one || !two || others.length > 0)
    throw new CodedError('WRONG_KIND', { field: 'betId' });
  const [first, second] = [played.first, played.second].map((score) => ({ ...score, end: score.end ?? null }));
  const ahead = compareIncomplete(played.format, first!, second!);
  if (ahead === null) return { kind: 'void', reason: 'No result: the match was cut short and the teams are not apart' };
  return { kind: 'winners', runnerIds: [(ahead === 'first' ? one : two).runnerId] };
}
