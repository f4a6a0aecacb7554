import type { MarketImage } from '@fairgame/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { marketNow } from '../live/live.ts';
import { IconButton } from '../ui/button.tsx';
import { IconInfoCircle } from '../ui/icons.ts';
import { Popover } from '../ui/popover.tsx';
import { groupRules, type MarketRule, marketRules } from './market-words.ts';

/** The button in a market's head that says its rules: what wins, ties, commission, delay, limits. */
export function MarketRules({ market }: { market: MarketImage }) {
  return (
    <Box name={market.name}>
      <Rules rules={marketRules(market)} />
    </Box>
  );
}

/** The same for the head of several markets: each kind once. The limits stand in their rows. */
export function GroupRules({ marketIds, name }: { marketIds: readonly number[]; name: string }) {
  return (
    <Box name={name}>
      <Kinds marketIds={marketIds} />
    </Box>
  );
}

/** Drawn while the box is open only, from the images of that moment. */
function Kinds({ marketIds }: { marketIds: readonly number[] }) {
  const markets = marketIds.flatMap((id) => marketNow(id) ?? []);
  return groupRules(markets).map(({ title, rules }) => (
    <section key={title}>
      <h3>{title}</h3>
      <Rules rules={rules} />
    </section>
  ));
}

function Box({ name, children }: { name: string; children: ReactNode }) {
  const label = `Rules of ${name}`;
  return (
    <Popover
      label={label}
      title={label}
      className="mrules"
      trigger={<IconButton icon={IconInfoCircle} label={label} size={17} className="mk__info" />}
    >
      {children}
      <Link className="link" to="/rules">
        All rules
      </Link>
    </Popover>
  );
}

function Rules({ rules }: { rules: readonly MarketRule[] }) {
  return (
    <dl>
      {rules.map(({ head, text }) => (
        <div key={head}>
          <dt>{head}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
