import { BetForm } from '../../src/betting/bet-form.tsx';
import { CashOutOffer } from '../../src/betting/cash-out-button.tsx';
import { DepthView } from '../../src/betting/depth-view.tsx';
import { Ladder } from '../../src/betting/ladder.tsx';
import { MyBets } from '../../src/betting/my-bets.tsx';
import type { MarketPosition } from '../../src/betting/positions.ts';
import { PriceHistory } from '../../src/betting/price-history.tsx';
import type { Draft } from '../../src/slip/slip.ts';
import { SlipBox } from '../../src/ui/slip-parts.tsx';
import { bet, MARKET_ID, MATCH_ID, market, runner, selection } from '../../test/samples.ts';
import type { Part, Say } from '../parts.ts';
import { OnSite, open, type Site } from '../site.tsx';
import { NOW_MS } from '../still.ts';

/** The parts that read prices, bets and money, on a site that stands still. */
const MINUTE_MS = 60_000;
const odds = market({
  inPlay: true,
  tradedMinor: 1_248_231_000,
  runners: [
    runner(1, 'India', {
      back: [
        [218, 310_000],
        [216, 124_000],
        [214, 52_500],
      ],
      lay: [
        [220, 96_000],
        [222, 240_000],
        [224, 18_000],
      ],
      last: 218,
    }),
    runner(2, 'Australia', { back: [[184, 150_000]], lay: [[185, 88_000]], last: 184 }),
  ],
});
const shut = market({ id: MARKET_ID + 1, name: 'To win the toss', status: 'SUSPENDED', sno: 2 });
const empty = market({ id: MARKET_ID + 2, name: 'Tied Match', sno: 3, runners: [runner(1, 'Yes'), runner(2, 'No')] });

const waiting = bet({
  amount: 250_000,
  remaining: 150_000,
  matched: 100_000,
  odds: 222,
  oddsMatched: 222,
  createdAt: new Date(NOW_MS - MINUTE_MS).toISOString(),
});
const matched = bet({
  id: 901,
  status: 'COMPLETE',
  amount: 100_000,
  matched: 100_000,
  remaining: 0,
  odds: 218,
  oddsMatched: 218,
});
const against = bet({
  ...matched,
  id: 902,
  betType: 'LAY',
  teamName: 'Australia',
  runnerId: 2,
  odds: 185,
  oddsMatched: 185,
});
const voided = bet({
  id: 903,
  result: 'UNDECLARE',
  deleteReason: 'Wrong price',
  amount: 50_000,
  remaining: 0,
  voided: 50_000,
});

const wave = [0, 4, 2, -2, -4, 0, 6, 10, 8, 12, 10, 6];
const path = (price: number, by: number) =>
  wave.map((step, at): [number, number, number, number, number, number] => {
    const first = price + (wave[at - 1] ?? 0) * by;
    const last = price + step * by;
    const begin = NOW_MS - (wave.length - at) * 4 * MINUTE_MS;
    return [begin, first, Math.max(first, last) + 2, Math.min(first, last) - 2, last, (at % 4) * 40_000];
  });

export const site: Site = {
  markets: [odds, shut, empty],
  depths: [1, 2].map((runnerId) => ({
    marketId: MARKET_ID,
    runnerId,
    back:
      runnerId === 1
        ? [
            [218, 310_000],
            [216, 124_000],
            [214, 52_500],
            [210, 800_000],
          ]
        : [
            [184, 150_000],
            [183, 20_000],
          ],
    lay:
      runnerId === 1
        ? [
            [220, 96_000],
            [222, 240_000],
            [224, 18_000],
          ]
        : [
            [185, 88_000],
            [187, 430_000],
          ],
    traded:
      runnerId === 1
        ? [
            [216, 90_000],
            [218, 640_000],
            [220, 210_000],
          ]
        : [[184, 75_000]],
    last: runnerId === 1 ? 218 : 184,
  })),
  bets: [waiting, matched, against, voided],
  history: { 1: path(218, 1), 2: path(184, -1) },
  marks: [
    { at: NOW_MS - 40 * MINUTE_MS, is: 'inPlay', text: 'In play' },
    { at: NOW_MS - 15 * MINUTE_MS, is: 'suspended', text: 'Wicket' },
  ],
  trades: wave.map((step, at) => [
    at + 1,
    NOW_MS - at * MINUTE_MS,
    1 + (at % 2),
    (at % 2 ? 184 : 218) + step,
    1500 * (at + 1),
    at % 3 ? 'BACK' : 'LAY',
  ]),
};
open(site);

const position = (india: number, australia: number): MarketPosition =>
  ({
    betId: MARKET_ID,
    runners: [
      { runnerId: 1, net: india, win: india },
      { runnerId: 2, net: australia, win: australia },
    ],
    paid: null,
  }) as never;

const draft = (more: Partial<Draft> = {}): Draft => ({
  ...selection({ marketName: 'Match Odds' }),
  key: 'k',
  pressed: 1,
  stakeText: '1000',
  persistence: 'LAPSE',
  fillOrKill: false,
  offset: 0,
  seconds: 0,
  phase: 'editing',
  message: null,
  field: null,
  refusal: null,
  movedTo: null,
  passwordFor: null,
  answer: null,
  sent: null,
  ...more,
});

const slip =
  (more: Partial<Draft>, compact = false) =>
  (say: Say) => {
    const one = draft(more);
    return (
      <OnSite site={site}>
        <div className="gal__slip">
          <SlipBox side={one.side === 'LAY' ? 'lay' : 'back'} inline={compact}>
            <BetForm
              draft={{ ...one, runnerName: say(one.runnerName), eventName: say(one.eventName) }}
              compact={compact}
            />
          </SlipBox>
        </div>
      </OnSite>
    );
  };

const cashOut = (of: typeof odds, india: number, australia: number) => () => (
  <OnSite site={site}>
    <CashOutOffer market={of} position={{ ...position(india, australia), betId: of.id }} />
  </OnSite>
);

const match = { id: MATCH_ID, title: 'India v Australia' };

export const TRADING: readonly Part[] = [
  {
    name: 'slip-form',
    also: ['rtl', 'long'],
    states: {
      'nothing staked': slip({ stakeText: '' }),
      back: slip({}),
      lay: slip({ side: 'LAY', price: 220, persistence: 'PERSIST' }),
      'more than there is': slip({ stakeText: '50000', maxStakeMinor: 10_000_000 }),
      refused: slip({ phase: 'refused', message: 'The market moved on.', refusal: 'PRICE_CHANGED' as never }),
      'the answer was lost': slip({ phase: 'checking' }),
      'under a row of a phone': slip({ side: 'LAY', price: 220 }, true),
    },
  },
  {
    name: 'cash-out',
    states: {
      profit: cashOut(odds, 118_000, -20_000),
      loss: cashOut(odds, -100_000, 20_000),
      suspended: cashOut(shut, 118_000, -100_000),
      'nobody offers': cashOut(empty, 118_000, -100_000),
    },
  },
  {
    name: 'my-bets',
    wide: true,
    also: ['phone'],
    states: {
      'of a match': () => (
        <OnSite site={site}>
          <MyBets matchId={MATCH_ID} title="My bets, this match" />
        </OnSite>
      ),
      'of all': () => (
        <OnSite site={site}>
          <MyBets />
        </OnSite>
      ),
    },
  },
  {
    name: 'ladder',
    wide: true,
    also: ['rtl'],
    states: {
      'with orders and a result': (say) => (
        <OnSite site={site}>
          <Ladder market={odds} runnerId={1} name={say('India')} match={match} position={position(118_000, -100_000)} />
        </OnSite>
      ),
    },
  },
  {
    name: 'depth-view',
    wide: true,
    also: ['phone'],
    states: {
      'two runners': () => (
        <OnSite site={site}>
          <DepthView marketId={MARKET_ID} match={match} position={undefined} onClose={() => undefined} />
        </OnSite>
      ),
    },
  },
  {
    name: 'price-history',
    wide: true,
    states: {
      'an hour': () => (
        <OnSite site={site}>
          <PriceHistory market={odds} />
        </OnSite>
      ),
    },
  },
];
