import { LivePrice, type LivePriceProps } from './live-price.tsx';
import { markOf } from './positions.ts';

/** The prices of a runner, backs before lays, the best ones in the middle: three deep, or the best alone. */
export function RunnerPrices({
  deep,
  marks,
  ...cell
}: Omit<LivePriceProps, 'side' | 'depth' | 'small' | 'hasBet'> & {
  deep: boolean;
  /** Where the player has bets (positions.ts). */
  marks: ReadonlySet<string>;
}) {
  const price = (side: 'BACK' | 'LAY', depth: 0 | 1 | 2) => (
    <LivePrice
      key={`${side}${depth}`}
      {...cell}
      side={side}
      depth={depth}
      hasBet={marks.has(markOf(cell.marketId, cell.runnerId, side))}
    />
  );
  if (!deep) return [price('BACK', 0), price('LAY', 0)];
  return [
    ...([2, 1, 0] as const).map((depth) => price('BACK', depth)),
    ...([0, 1, 2] as const).map((depth) => price('LAY', depth)),
  ];
}
