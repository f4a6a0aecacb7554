import { msg, t } from '@lingui/core/macro';
import { later } from '../platform/later.tsx';
import { useSearchParams } from '../platform/routing.tsx';
import { alone } from '../ui/boundary.tsx';
import { IconButton } from '../ui/button.tsx';
import { IconStairs } from '../ui/icons.ts';

/** The market whose ladders are open, kept in the address so that the browser's way back closes them; 0 for none. */
export function useDepthView(): [number, (marketId: number | null) => void] {
  const [search, setSearch] = useSearchParams();
  const open = (marketId: number | null) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      if (marketId === null) next.delete('ladder');
      else next.set('ladder', String(marketId));
      return next;
    });
  return [Number(search.get('ladder') ?? 0), open];
}

export const DepthButton = ({ onPress }: { onPress: () => void }) => (
  <IconButton icon={IconStairs} label={t`Market depth`} onClick={onPress} />
);

export const DepthView = alone(
  msg`The full market`,
  later(async () => (await import('./depth-view.tsx')).DepthView),
);
