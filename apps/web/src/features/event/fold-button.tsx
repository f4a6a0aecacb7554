import { plural, t } from '@lingui/core/macro';
import { Button } from '../../ui/button.tsx';

/** Opens what was folded away: "Show 12 earlier results", "Show one settled market". */
export function FoldButton({
  open,
  count,
  what,
  onChange,
}: {
  open: boolean;
  count: number;
  what: 'results' | 'markets';
  onChange: (open: boolean) => void;
}) {
  const words = {
    results: open
      ? t`Hide earlier results`
      : plural(count, { one: 'Show one earlier result', other: 'Show # earlier results' }),
    markets: open
      ? t`Hide settled markets`
      : plural(count, { one: 'Show one settled market', other: 'Show # settled markets' }),
  };
  return (
    <Button kind="ghost" size="sm" aria-expanded={open} onClick={() => onChange(!open)}>
      {words[what]}
    </Button>
  );
}
