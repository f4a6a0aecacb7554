import type { MarketImage } from '@fairgame/contract';
import { msg, plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import {
  FancyMarket,
  GroupRules,
  kindOf,
  useFoldedResults,
  type usePositions,
  useStandingColumns,
} from '../../betting/betting.ts';
import { marketNow } from '../../live/live.ts';
import { say } from '../../platform/language.ts';
import { Market, MarketCols, MarketHead } from '../../ui/market-table.tsx';
import { PHONE, useMedia } from '../../ui/media.ts';
import { Note } from '../../ui/note.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { FoldButton } from './fold-button.tsx';
import fancyMarketCss from '../../ui/fancy-market.module.css';
import marketTableCss from '../../ui/market-table.module.css';

const FILTERS = [
  { id: 'all', label: msg`All` },
  { id: 'overs', label: msg`Overs` },
  { id: 'batters', label: msg`Batters` },
  { id: 'wickets', label: msg`Wickets` },
  { id: 'other', label: msg`Odd / even` },
] as const;

/** The sessions of a match, by kind, in columns that stand still. */
export function Fancy({
  ids,
  positions,
  ...common
}: {
  ids: number[];
  positions: ReturnType<typeof usePositions>;
  eventName: string;
  marks: ReadonlySet<string>;
}) {
  const [filter, setFilter] = useState<(typeof FILTERS)[number]['id']>('all');
  const shown = ids.filter((id) => {
    const market = marketNow(id);
    return filter === 'all' || (market && fancyGroup(market) === filter);
  });
  const folded = useFoldedResults(shown);
  const [all, setAll] = useState(false);
  const columns = useStandingColumns(
    all ? shown : shown.filter((id) => !folded.has(id)),
    filter,
    useMedia(PHONE) ? 1 : 2,
  );
  return (
    <Market label={t`Fancy`} className={fancyMarketCss.fancy}>
      <MarketHead
        title={t`Fancy`}
        meta={plural({ count: ids.length }, { one: '# session', other: '# sessions' })}
        signs={<GroupRules marketIds={ids} name={t`Fancy`} />}
      >
        <Segmented
          label={t`Fancy shown`}
          value={filter}
          onChange={setFilter}
          items={FILTERS.map(({ id, label }) => ({ id, label: say(label) }))}
        />
      </MarketHead>
      <div className={marketTableCss.fancyTwo}>
        {columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
          <div key={at}>
            <MarketCols label={t({ message: 'Session', context: 'bet' })} kind="fancy" />
            {column.map((id) => (
              <FancyMarket key={id} marketId={id} position={positions.get(id)} {...common} />
            ))}
          </div>
        ))}
      </div>
      {shown.length === 0 && <Note>{t`No sessions of this kind are open.`}</Note>}
      {folded.size > 0 && (
        <div className={fancyMarketCss.more}>
          <FoldButton open={all} count={folded.size} what="results" onChange={setAll} />
        </div>
      )}
    </Market>
  );
}

function fancyGroup(market: MarketImage): string {
  if (/wicket/i.test(market.name)) return 'wickets';
  if (market.kind === 'session' && !/over|lambi|ball/i.test(market.name)) return 'batters';
  return kindOf(market.kind).fancy ?? 'other';
}
