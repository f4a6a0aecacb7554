/** A conditional order as the calls and the socket tell it. */
import type { ConditionalOrder } from '@fairgame/contract';
import type { ConditionalView } from '@fairgame/exchange';
import type { MarketNames } from './rows.ts';

export function toConditionalOrder(view: ConditionalView, names: MarketNames): ConditionalOrder {
  return {
    id: view.conditionalId,
    betId: view.marketId,
    matchId: names.eventId,
    eventName: names.eventName,
    eventType: names.eventType,
    bettingName: names.name,
    runnerId: view.runnerId,
    teamName: names.runnerName(view.runnerId) ?? names.name,
    kind: view.kind,
    bettingType: view.side,
    trigger: view.trigger ?? null,
    odd: view.price ?? null,
    ticks: view.ticks ?? null,
    slip: view.slip ?? null,
    stake: view.sizeMinor ?? null,
    level: view.level ?? null,
    persistence: view.persistence,
    forBet: view.forBetId ?? null,
    dueAt: view.dueAt === undefined ? null : new Date(view.dueAt).toISOString(),
    link: view.link === 0 ? null : view.link,
    createdAt: new Date(view.madeAt).toISOString(),
    status: view.status,
    placed: view.betId ?? null,
    code: view.code ?? view.endCode ?? null,
  };
}
