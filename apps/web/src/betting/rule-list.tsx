import type { MarketImage } from '@fairgame/contract';
import { marketNow } from '../live/live.ts';
import { groupRules, type MarketRule, marketRules } from './rule-words.ts';

/** The rules of one market in plain words. */
export const OneMarket = ({ market }: { market: MarketImage }) => <Rules rules={marketRules(market)} />;

/** Drawn while the box is open only, from the images of that moment. */
export function ManyMarkets({ marketIds }: { marketIds: readonly number[] }) {
  const markets = marketIds.flatMap((id) => marketNow(id) ?? []);
  return groupRules(markets).map(({ title, rules }) => (
    <section key={title}>
      <h3>{title}</h3>
      <Rules rules={rules} />
    </section>
  ));
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
