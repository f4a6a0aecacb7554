import { useMatches } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import { IconHourglass } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';

/** A screen whose turn has not come; its name is that of its route. */
export function Screen() {
  const handle = useMatches().at(-1)?.handle as { title?: string } | undefined;
  const title = handle?.title ?? 'fairGame';
  return (
    <div className="soon">
      <Icon of={IconHourglass} size={32} />
      <h1>{title}</h1>
      <p>This part of fairGame is not open yet. Everything else works as usual.</p>
      <LinkButton kind="pri" to="/home">
        Back to Home
      </LinkButton>
    </div>
  );
}
