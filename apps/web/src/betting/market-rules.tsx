import type { MarketImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { later } from '../platform/later.tsx';
import { named } from '../platform/named.ts';
import { Link } from '../platform/routing.tsx';
import { IconButton } from '../ui/button.tsx';
import { IconInfoCircle } from '../ui/icons.ts';
import { Popover } from '../ui/popover.tsx';
import css from './betting.module.css';

const OneMarket = later(async () => (await import('./rule-list.tsx')).OneMarket);
const ManyMarkets = later(async () => (await import('./rule-list.tsx')).ManyMarkets);

/** The button in a market's head that says its rules: what wins, ties, commission, delay, limits. */
export function MarketRules({ market }: { market: MarketImage }) {
  return (
    <Box name={named(market.name)}>
      <OneMarket market={market} />
    </Box>
  );
}

/** The same for the head of several markets: each kind once. The limits stand in their rows. */
export function GroupRules({ marketIds, name }: { marketIds: readonly number[]; name: string }) {
  return (
    <Box name={name}>
      <ManyMarkets marketIds={marketIds} />
    </Box>
  );
}

function Box({ name, children }: { name: string; children: ReactNode }) {
  const label = t`Rules of ${name}`;
  return (
    <Popover
      label={label}
      title={label}
      className={css.rules}
      trigger={<IconButton icon={IconInfoCircle} label={label} size={17} />}
    >
      {children}
      <Link className="link" to="/rules">
        {t`All rules`}
      </Link>
    </Popover>
  );
}
