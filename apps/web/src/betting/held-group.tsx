import { t } from '@lingui/core/macro';
import { formatOdds, formatStake } from '../platform/format.ts';
import { eventPath } from '../platform/links.ts';
import { BetGroup, BetRow } from '../ui/slip-parts.tsx';
import { heldWords, releaseHeld, useHeldOrders, whatHeld, whenHeld } from './held-orders.ts';

/** Among the player's bets: what the server holds for him until a price, a match or a time, each with its way back. */
export function HeldGroup({ matchId, marketId }: { matchId: number | undefined; marketId: number | undefined }) {
  const { data } = useHeldOrders(marketId);
  const orders = (data ?? []).filter((order) => matchId === undefined || order.matchId === matchId);
  if (orders.length === 0) return null;
  return (
    <BetGroup title={t`Held by the server`}>
      {orders.map((order) => (
        <BetRow
          key={order.id}
          side={order.bettingType === 'BACK' ? 'back' : 'lay'}
          letter={order.bettingType === 'BACK' ? 'B' : 'L'}
          name={order.teamName}
          sub={`${heldWords(order.kind)} ${whenHeld(order)}. ${whatHeld(order)}`}
          {...(matchId === undefined
            ? { event: order.eventName, to: eventPath({ matchType: order.eventType, id: order.matchId }) }
            : {})}
          odds={order.trigger === null ? '' : formatOdds(order.trigger)}
          stake={order.stake === null ? '' : formatStake(order.stake)}
          state="waiting"
          onCancel={() => void releaseHeld({ id: order.id })}
        />
      ))}
    </BetGroup>
  );
}
