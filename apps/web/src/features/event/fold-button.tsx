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
  /** In the singular. */
  what: string;
  onChange: (open: boolean) => void;
}) {
  const words = open ? `Hide ${what}s` : count === 1 ? `Show one ${what}` : `Show ${count} ${what}s`;
  return (
    <Button kind="ghost" size="sm" aria-expanded={open} onClick={() => onChange(!open)}>
      {words}
    </Button>
  );
}
