import { Chip } from '../../src/ui/badge.tsx';
import { Crest, crestCode } from '../../src/ui/crest.tsx';
import { cx } from '../../src/ui/cx.ts';
import { EventGroup, EventList, EventRow } from '../../src/ui/event-list.tsx';
import {
  Cells,
  FancyRow,
  Market,
  MarketCols,
  MarketHead,
  RunLadder,
  RunnerRow,
  WhatIf,
} from '../../src/ui/market-table.tsx';
import { PriceCell } from '../../src/ui/price-cell.tsx';
import { SkeletonRows } from '../../src/ui/skeleton.tsx';
import { Veil, type VeilKind } from '../../src/ui/veil.tsx';
import type { Part } from '../parts.ts';
import css from '../../src/ui/event-list.module.css';

const nothing = () => undefined;
const VEILS: readonly VeilKind[] = ['suspended', 'ball', 'settling', 'closed', 'removed'];

function Price({ side, price, small }: { side: 'back' | 'lay'; price: string | null; small?: boolean }) {
  return (
    <PriceCell side={side} price={price} size="1,240" small={small} label={`${side} at ${price}`} onPress={nothing} />
  );
}

const pair = (back: string | null, lay: string | null) => (
  <>
    <Price side="back" price={back} />
    <Price side="lay" price={lay} />
  </>
);

const odds = [0, 1, 2].map((place) => (
  <Cells key={place}>
    <Price side="back" price={place === 1 ? null : '2.18'} small />
    <Price side="lay" price={place === 1 ? null : '2.20'} small />
  </Cells>
));

export const MARKET: readonly Part[] = [
  {
    name: 'market',
    wide: true,
    also: ['compact', 'long', 'rtl', 'phone'],
    states: {
      open: (say) => (
        <Market label="Match Odds">
          <MarketHead title={say('Match Odds')} inPlay meta="Matched 12,482,310" limits="Min 100, max 50,000" />
          <MarketCols label={say('Runner')} />
          <RunnerRow name={say('India')} crest={<Crest code="IND" name="India" />} whatIf={<WhatIf minor={118_000} />}>
            <Cells>{pair('2.18', '2.20')}</Cells>
          </RunnerRow>
          <RunnerRow
            name={say('Australia')}
            crest={<Crest code="AUS" name="Australia" />}
            whatIf={<WhatIf minor={-100_000} nextMinor={-125_000} />}
          >
            <Cells>{pair('1.84', null)}</Cells>
          </RunnerRow>
          <RunnerRow name={say('The Draw')} whatIf={<WhatIf minor={null} />}>
            <Cells>{pair(null, null)}</Cells>
          </RunnerRow>
        </Market>
      ),
      'won and lost': (say) => (
        <Market label="Toss">
          <RunnerRow name={say('India')} won whatIf={<WhatIf minor={118_000} />}>
            <Chip tone="pos">Won</Chip>
          </RunnerRow>
          <RunnerRow name={say('Australia')} whatIf={<WhatIf minor={0} />}>
            <Chip>Lost</Chip>
          </RunnerRow>
        </Market>
      ),
      loading: () => <SkeletonRows rows={2} />,
    },
  },
  {
    name: 'veil',
    wide: true,
    also: ['rtl', 'phone'],
    states: Object.fromEntries(
      VEILS.map((kind) => [
        kind,
        (say: (word: string) => string) => (
          <RunnerRow name={say('India')}>
            <Cells veil={kind}>{pair('2.18', '2.20')}</Cells>
          </RunnerRow>
        ),
      ]),
    ),
  },
  {
    name: 'fancy',
    wide: true,
    also: ['phone'],
    states: {
      'no bets': (say) => (
        <FancyRow name={say('6 over runs India')} meta="Min 100, max 25,000">
          <Cells>{pair('48', '49')}</Cells>
        </FancyRow>
      ),
      bets: (say) => (
        <FancyRow name={say('10 over runs India')} maxLossMinor={-250_000} onLadder={nothing} ladderOpen>
          <Cells>{pair('82', '83')}</Cells>
        </FancyRow>
      ),
      'ball running': (say) => (
        <FancyRow name={say('Fall of 1st wicket')} maxLossMinor={0}>
          <Cells veil="ball">{pair('31', '33')}</Cells>
        </FancyRow>
      ),
      ladder: (say) => (
        <RunLadder
          title={say('10 over runs India')}
          sub="Result by runs"
          onClose={nothing}
          rows={[
            { runs: '81 and less', minor: 250_000 },
            { runs: '82', minor: -125_000, flip: true, now: true },
            { runs: '83 and more', minor: -250_000 },
          ]}
        />
      ),
    },
  },
  {
    name: 'event-row',
    wide: true,
    also: ['compact', 'rtl', 'phone'],
    states: {
      list: (say) => (
        <EventList>
          <EventGroup sport="cricket" name="Cricket" more={{ text: 'All 24', to: '/' }}>
            <EventRow
              live
              when="38.2 ov"
              teams={[say('India'), say('Australia')]}
              meta={say('World Cup')}
              score="241/4"
              tags={{ tv: true, scores: true, bookmaker: true, fancy: true }}
              to="/"
            >
              {odds}
            </EventRow>
            <EventRow when="09:30" sub="Tomorrow" teams={[say('Kenya'), say('Nepal')]} meta={say('Friendly')} to="/">
              {odds}
            </EventRow>
            <EventRow live when="2.1 ov" teams={[say('Surrey'), say('Essex')]} to="/" veil="suspended">
              {odds}
            </EventRow>
          </EventGroup>
        </EventList>
      ),
      veil: () => (
        <span className={cx(css.odds, 'is-veiled')}>
          {odds}
          <Veil kind="closed" />
        </span>
      ),
      loading: () => <SkeletonRows rows={2} kind="list" />,
    },
  },
  {
    name: 'crest',
    states: {
      ...Object.fromEntries(
        ['India', 'Australia', 'Royal Challengers', 'Wolverhampton'].map((team) => [
          team,
          () => <Crest code={crestCode(team)} name={team} size={40} />,
        ]),
      ),
      unknown: () => <Crest code="" name={null} size={40} />,
    },
  },
];
