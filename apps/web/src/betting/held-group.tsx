import type { ConditionalOrder } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { formatOdds, formatStake } from '../platform/format.ts';
import { eventPath } from '../platform/links.ts';
import { named } from '../platform/named.ts';
import { BetGroup, BetRow } from '../ui/slip-parts.tsx';
import { releaseHeld } from './held-orders.ts';
import { heldWords, whatHeld, whenHeld } from './held-words.ts';

/** Among the player's bets: what the server holds for him until a price, a match or a time, each with its way back. */
export function HeldGroup({ orders, all }: { orders: readonly ConditionalOrder[]; all: boolean }) {
  return (
    <BetGroup title={t`Held by the server`}>
      {orders.map((order) => (
        <BetRow
          key={order.id}
          side={order.bettingType === 'BACK' ? 'back' : 'lay'}
          letter={order.bettingType === 'BACK' ? 'B' : 'L'}
          name={named(order.teamName)}
          sub={`${heldWords(order.kind)} ${whenHeld(order)}. ${whatHeld(order)}`}
          {...(all
            ? { event: named(order.eventName), to: eventPath({ matchType: order.eventType, id: order.matchId }) }
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
