import { Chip, Count, LiveBadge, SideChip, Tag } from '../../src/ui/badge.tsx';
import { Money, Odds, SignedMoney } from '../../src/ui/money.tsx';
import { PriceCell } from '../../src/ui/price-cell.tsx';
import type { Part } from '../parts.ts';

const nothing = () => undefined;
const cell = {
  price: '2.18',
  size: '24,618',
  label: 'Back India at 2.18, 24,618 available',
  onPress: nothing,
} as const;

export const FIGURES: readonly Part[] = [
  {
    name: 'price-cell',
    also: ['compact', 'rtl', 'phone', 'hover', 'focus'],
    states: {
      back: () => <PriceCell side="back" {...cell} />,
      'back 2': () => <PriceCell side="back" depth={2} {...cell} />,
      'back 3': () => <PriceCell side="back" depth={3} {...cell} />,
      lay: () => <PriceCell side="lay" {...cell} />,
      'lay 2': () => <PriceCell side="lay" depth={2} {...cell} />,
      'lay 3': () => <PriceCell side="lay" depth={3} {...cell} />,
      'in the slip': () => <PriceCell side="back" selected {...cell} />,
      'lay in the slip': () => <PriceCell side="lay" selected {...cell} />,
      'open bet': () => <PriceCell side="back" hasBet {...cell} />,
      small: () => <PriceCell side="back" small {...cell} />,
      'small, lay': () => <PriceCell side="lay" small {...cell} />,
      empty: () => <PriceCell side="back" {...cell} price={null} />,
      'empty, lay': () => <PriceCell side="lay" {...cell} price={null} />,
      'no such outcome': () => <PriceCell side="back" state="na" {...cell} price={null} />,
      'takes no press': () => <PriceCell side="back" {...cell} onPress={undefined} />,
      'a million': () => <PriceCell side="lay" {...cell} price="1000" size="12,345,678" />,
    },
  },
  {
    name: 'badge',
    also: ['rtl'],
    states: {
      'in play': () => <LiveBadge />,
      'in play, pill': () => <LiveBadge pill />,
      tag: () => <Tag title="Bookmaker">BM</Tag>,
      chip: (say) => <Chip>{say('Settled')}</Chip>,
      back: (say) => <Chip tone="back">{say('Back')}</Chip>,
      lay: (say) => <Chip tone="lay">{say('Lay')}</Chip>,
      won: (say) => <Chip tone="pos">{say('Won')}</Chip>,
      lost: (say) => <Chip tone="neg">{say('Lost')}</Chip>,
      live: (say) => <Chip tone="live">{say('Waiting')}</Chip>,
      sides: () => (
        <span className="row g-4">
          <SideChip side="back" />
          <SideChip side="lay" />
          <SideChip side="back" letter="Y" />
          <SideChip side="lay" letter="N" />
        </span>
      ),
      counts: () => (
        <span className="row g-4">
          <Count n={3} />
          <Count n={128} on />
        </span>
      ),
    },
  },
  {
    name: 'money',
    states: {
      amount: () => <Money minor={123_456_789} />,
      'without cents': () => <Money minor={123_456_789} decimals={0} />,
      profit: () => <SignedMoney minor={27_546} />,
      loss: () => <SignedMoney minor={-27_546} />,
      nothing: () => <SignedMoney minor={0} />,
      'after the bet': () => <SignedMoney minor={27_546} next />,
      short: () => <SignedMoney minor={-123_456_700} short />,
      odds: () => <Odds hundredths={218} />,
    },
  },
];
