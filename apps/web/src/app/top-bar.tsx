import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCall } from '../api/api.ts';
import { say } from '../platform/language.ts';
import { Link, useLocation } from '../platform/routing.tsx';
import { Count } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconListDetails, IconShieldHeart } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { TOP_BAR } from './nav-data.ts';
import css from '../ui/top-bar.module.css';

/** The bar of products, with My Market and player protection at its end. */
export function TopBar({ demo, onMarket }: { demo: boolean; onMarket: () => void }) {
  const { pathname } = useLocation();
  const markets = useCall(CALLS.bets.myMarket, {}).data?.length ?? 0;
  return (
    <nav className={css.nav} aria-label={t`Main`}>
      {TOP_BAR.map((entry) => (
        <Link key={entry.label.id} to={entry.to} aria-current={currentOf(entry.to, pathname)}>
          <Icon of={entry.icon} size={16} />
          {say(entry.label)}
        </Link>
      ))}
      <div className={css.navEnd}>
        <Button kind="ghost" size="sm" icon={IconListDetails} onClick={onMarket}>
          {t`My Market`}
          <Count n={markets} />
        </Button>
        {!demo && (
          <LinkButton kind="ghost" size="sm" icon={IconShieldHeart} to="/player-protection">
            {t`Player protection`}
          </LinkButton>
        )}
      </div>
    </nav>
  );
}

/** The screen itself, or the sport an event on the screen belongs to. */
function currentOf(to: string, pathname: string): 'page' | 'true' | undefined {
  if (pathname === to) return 'page';
  const sport = /^\/game-list\/(\w+)$/.exec(to)?.[1];
  return sport && pathname.startsWith(`/game-detail/${sport}/`) ? 'true' : undefined;
}
