/** Calls that carry out the rules of the sports: what was played decides whether a market stands, and how. */
import * as z from 'zod/mini';
import { call, id, key, nothing, text } from './call.ts';
import { moves, op, reason, repeated, result } from './operator-parts.ts';

const overs = () => z.int().check(z.minimum(0), z.maximum(1000));
const count = () => z.int().check(z.minimum(0), z.maximum(100_000));
/** How an innings ended by itself; absent where rain, light or the end of play stopped it. */
const inningsEnd = z.optional(z.enum(['allOut', 'declared', 'targetReached', 'oversUp']));
/** As it stood after over 25 (ODI) or 10 (T20), or at the end of an innings that ended before. */
const scoreAtOver = z.strictObject({
  oversCompleted: overs(),
  end: inningsEnd,
  runs: count(),
  wickets: count(),
  boundaries: count(),
});
/** Of a whole match; null for one that was abandoned and counts with the averages. */
const figures = z.nullable(z.strictObject({ fours: count(), sixes: count(), wickets: count() }));
const moment = () => z.iso.datetime();

/** What was played, as the rule asks for it. `result` counts where the bets stand. */
const played = z.union([
  z.strictObject({
    rule: z.literal('overSession'),
    /** The over that the market is named after. */
    overs: overs().check(z.minimum(1)),
    oversCompleted: overs(),
    end: inningsEnd,
    result,
  }),
  z.strictObject({
    rule: z.literal('testFancy'),
    fancy: z.enum(['session', 'firstDayTotal', 'lambi', 'otherFancy']),
    overs: overs(),
    /** The innings (lambi) or the match (otherFancy) came to its own end. */
    complete: z.optional(z.boolean()),
    result,
  }),
  z.strictObject({
    rule: z.literal('compareIncomplete'),
    format: z.enum(['ODI', 'T20']),
    /** Of the market's first runner and of its second. */
    first: scoreAtOver,
    second: scoreAtOver,
  }),
  z.strictObject({
    rule: z.literal('tournament'),
    figure: z.enum(['fours', 'sixes', 'wickets']),
    matches: z.array(figures).check(z.minLength(1), z.maxLength(500)),
  }),
  z.strictObject({
    rule: z.literal('football'),
    /** When it finished; null where it did not. */
    playedAt: z.nullable(moment()),
    /** The market's question was answered before the match was stopped. */
    decided: z.optional(z.boolean()),
    result: z.optional(result),
  }),
  z.strictObject({
    rule: z.literal('motorRace'),
    concludedAt: z.nullable(moment()),
    result: z.optional(result),
  }),
  z.strictObject({
    rule: z.literal('basketball'),
    /** Left to play when it was stopped. */
    secondsLeft: z.int().check(z.minimum(0), z.maximum(7200)),
    result,
  }),
]);

export const judging = {
  judge: op(
    'judge',
    '/market/judge',
    'Settle a market of a match that was cut short or moved by the rule of its sport: what was played decides between the result and void. A void needs two people.',
    z.strictObject({ key: key(), betId: id(), played, reason }),
    z.extend(repeated, {
      /** What came of it, in words: `score 54`, `void: Over 20 was not completed`. */
      outcome: z.string(),
    }),
    {
      ...moves('results'),
      errors: ['MARKET_UNKNOWN', 'MARKET_CLOSED', 'MATCH_UNKNOWN', 'STILL_TO_PLAY', 'WRONG_KIND'],
    },
  ),
  judgements: call('operator.judgements', {
    method: 'GET',
    path: '/operator/judgements',
    who: 'operator',
    right: 'results',
    summary:
      'Events whose time is over while markets are open, and nobody said whether they were played: for a person.',
    reply: z.array(
      z.object({
        matchId: z.int(),
        match: z.string(),
        matchType: z.string(),
        betIds: z.array(z.int()),
        /** From which its hours count, and to which it may be played. */
        start: z.string(),
        since: z.string(),
        /** In play when it was last heard of, or with a score: what was decided before stands. */
        begun: z.boolean(),
      }),
    ),
  }),
  moveStart: op(
    'moveStart',
    '/match/start',
    'Tell another start of an event. The hours of the rule of its sport go on counting from the first one; a wrong date that is corrected starts them anew.',
    z.strictObject({ matchId: id(), startAt: text(30), correction: z.optional(z.boolean()), reason }),
    nothing,
    { right: 'markets', errors: ['MATCH_UNKNOWN'] },
  ),
};
