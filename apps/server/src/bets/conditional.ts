/** Orders that the core holds for a player: made, read and taken back. */
import { CALLS, CodedError, type ConditionalBody } from '@fairgame/contract';
import type { Command, Condition, ConditionalView } from '@fairgame/exchange';
import type { Core } from '../core/types.ts';
import type { Http } from '../http/http.ts';
import { toConditionalOrder } from './conditional-row.ts';
import { asConditional } from './fields.ts';
import { signed } from './placing.ts';
import type { Names } from './rows.ts';

export function conditionalRoutes(http: Http, { core, names }: { core: Core; names: Names }): void {
  const { trader } = CALLS;
  const row = (view: ConditionalView) => toConditionalOrder(view, names.now(view.marketId));

  http.route(trader.conditionals, ({ query, session }) => {
    const marketId = query.betId === undefined ? undefined : Number(query.betId);
    return core.read.conditionals(session.world, session.accountId, marketId).map(row);
  });

  http.route(trader.conditional, async (asked) => {
    const { body, session } = asked;
    const { accountId } = session;
    const link = body.link === undefined ? {} : { link: body.link };
    const head = { type: 'conditional.make' as const, accountId, marketId: body.betId, ...link };
    const command: Command = { ...head, ...conditionOf(body) };
    const { events } = await asConditional(() => core.submit(signed(asked, 'conditional', command)));
    const told = events.flatMap((event) => (event.type === 'conditional' ? [event.conditional] : []));
    // It may have fired in the same command; others of the player's may have, too.
    const made = told.find((one) => one.status === 'WAITING');
    const last = told.findLast((one) => one.conditionalId === made?.conditionalId);
    if (!last) throw new CodedError('KEY_UNKNOWN');
    return { data: { order: row(last) }, message: last.status === 'FIRED' ? 'Bet placed.' : 'The order waits.' };
  });

  http.route(trader.cancelConditional, async (asked) => {
    const { body, session } = asked;
    const { accountId } = session;
    const which = {
      ...(body.id === undefined ? {} : { conditionalId: body.id }),
      ...(body.betId === undefined ? {} : { marketId: body.betId }),
    };
    const command: Command = { type: 'conditional.cancel', accountId, ...which };
    const { events } = await asConditional(() => core.submit(signed(asked, 'cancelConditional', command)));
    const isOver = (event: (typeof events)[number]) =>
      event.type === 'conditional' && event.conditional.endCode === 'CANCELLED';
    const cancelled = events.filter(isOver).length;
    return { data: { cancelled }, message: cancelled === 1 ? '1 order cancelled.' : `${cancelled} orders cancelled.` };
  });
}

const PRICED = ['runnerId', 'bettingType', 'stake'] as const;
const NEEDS = {
  STOP: [...PRICED, 'trigger', 'odd'],
  PROFIT: [...PRICED, 'trigger', 'odd'],
  TRAIL: [...PRICED, 'ticks', 'slip'],
  OFFSET: ['id', 'ticks', 'level'],
  EXPIRE: ['id', 'seconds'],
} as const satisfies Record<ConditionalBody['kind'], ReadonlyArray<keyof ConditionalBody>>;
const COMMON = new Set<string>(['key', 'betId', 'kind', 'link']);

/** Throws BAD_INPUT with the field that is missing, or that is none of its kind. */
function conditionOf(body: ConditionalBody): Condition {
  const needs: readonly string[] = NEEDS[body.kind];
  for (const field of needs)
    if (body[field as keyof ConditionalBody] === undefined) throw new CodedError('BAD_INPUT', { field });
  for (const field of Object.keys(body)) {
    const fits = COMMON.has(field) || needs.includes(field) || (field === 'persistence' && body.kind !== 'EXPIRE');
    if (!fits) throw new CodedError('BAD_INPUT', { field });
  }
  const { kind, persistence = 'LAPSE' } = body;
  if (kind === 'EXPIRE') return { kind, betId: body.id!, afterMs: body.seconds! * 1000 };
  if (kind === 'OFFSET') return { kind, betId: body.id!, ticks: body.ticks!, level: body.level!, persistence };
  const bet = { runnerId: body.runnerId!, side: body.bettingType!, sizeMinor: body.stake!, persistence };
  if (kind === 'TRAIL') return { kind, ...bet, ticks: body.ticks!, slip: body.slip! };
  return { kind, ...bet, trigger: body.trigger!, price: body.odd! };
}
