import { useState } from 'react';
import { DepthButton, RunnerMarket, usePaid, type usePositions, useSettledBefore } from '../../betting/betting.ts';
import { FoldButton } from './fold-button.tsx';

/** The other books; those that were settled before the page was opened wait behind a button, unless they paid the player. */
export function Others({
  ids,
  matchId,
  positions,
  onDepth,
  ...common
}: {
  ids: number[];
  matchId: number;
  positions: ReturnType<typeof usePositions>;
  onDepth: (id: number) => void;
  eventName: string;
  marks: ReadonlySet<string>;
}) {
  const paid = usePaid(matchId);
  const settled = useSettledBefore(ids);
  const folded = ids.filter((id) => settled.has(id) && !paid.has(id));
  const [all, setAll] = useState(false);
  const shown = [...ids.filter((id) => !folded.includes(id)), ...(all ? folded : [])];
  return (
    <>
      {shown.map((id) => (
        <RunnerMarket
          key={id}
          marketId={id}
          position={positions.get(id)}
          actions={<DepthButton onPress={() => onDepth(id)} />}
          {...common}
        />
      ))}
      {folded.length > 0 && (
        <div>
          <FoldButton open={all} count={folded.length} what="markets" onChange={setAll} />
        </div>
      )}
    </>
  );
}
