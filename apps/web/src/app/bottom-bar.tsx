import { t } from '@lingui/core/macro';
import { say } from '../platform/language.ts';
import { NavLink } from '../platform/routing.tsx';
import { Icon } from '../ui/icon.tsx';
import { BOTTOM_BAR } from './nav-data.ts';
import controlsCss from '../ui/controls.module.css';
import topBarCss from '../ui/top-bar.module.css';

/** The bar at the bottom of a phone. */
export function BottomBar({ openBets }: { openBets: number }) {
  return (
    <nav className={topBarCss.bottom} aria-label={t`Sections`}>
      {BOTTOM_BAR.map((entry) => (
        <NavLink key={entry.label.id} to={entry.to}>
          <Icon of={entry.icon} size={22} />
          <span className={topBarCss.word}>{say(entry.label)}</span>
          {entry.to === '/unsettled-bet' && openBets > 0 && <span className={controlsCss.count}>{openBets}</span>}
        </NavLink>
      ))}
    </nav>
  );
}
