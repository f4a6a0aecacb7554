import { describe } from '@fairgame/casino';
import type { Fields } from '../../src/features/casino/fields.tsx';
import { type SelectionInfo, sectionsOf } from '../../src/features/casino/grid.ts';
import { Blocks } from '../../src/features/casino/odds-zones.tsx';
import type { Part } from '../parts.ts';
import '../../src/features/casino/tokens.css';
import tableCss from '../../src/features/casino/table.module.css';

/** The small fields of a card table, one for each rank and side. */
const blocks = sectionsOf(describe('dt20')).find((section) => section.kind === 'chips')!;

/** As they stand once a round is over: each side's card has won its rank. */
const ended: Fields = {
  open: false,
  veil: 'Round over',
  quote: ({ id }) => ({ runnerId: id, price: 1200, line: null, open: false, minMinor: 10_000, maxMinor: 2_500_000 }),
  laid: () => 0,
  own: () => undefined,
  net: () => null,
  units: () => 1,
  end: ({ label }: SelectionInfo) => (['Even', 'Black', '7', 'K'].includes(label) ? 'WIN' : 'LOSE'),
  press: () => undefined,
  off: () => undefined,
};

export const CASINO: readonly Part[] = [
  {
    name: 'card-fields',
    wide: true,
    also: ['phone'],
    states: {
      'a round is over': () => (
        <div className={tableCss.foot}>
          <Blocks section={blocks} fields={ended} />
        </div>
      ),
    },
  },
];
