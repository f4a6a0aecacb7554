import { PlaceRow } from '../../src/ui/slip-frame.tsx';
import { BetGroup, BetRow, CancelAll, SlipBox, SlipFigures, SlipSelection, SlipSum } from '../../src/ui/slip-parts.tsx';
import { StakeInput, Stepper } from '../../src/ui/stepper.tsx';
import type { Part, Say } from '../parts.ts';
import css from '../../src/ui/slip.module.css';

const nothing = () => undefined;

function Slip({ side, say, busy = false }: { side: 'back' | 'lay'; say: Say; busy?: boolean }) {
  return (
    <SlipBox side={side} count={1}>
      <SlipSelection side={side} name={say('India')} sub={say('Match Odds, India v Australia')} onRemove={nothing} />
      <div className={css.body}>
        <Stepper label="Odds" value="2.18" locked={busy} onChange={nothing} onStep={nothing} />
        <StakeInput value="1,000" disabled={busy} onChange={nothing} />
        <SlipSum
          rows={[
            { label: 'Profit', minor: side === 'back' ? 118_000 : 100_000 },
            { label: 'Liability', minor: side === 'back' ? -100_000 : -118_000 },
          ]}
        />
        <PlaceRow
          className={css.actions!}
          back={{ words: 'Clear', press: nothing, off: busy }}
          kind={side}
          busy={busy}
          off={false}
        >
          {busy ? 'Placing' : `Place ${side} 1,000.00`}
        </PlaceRow>
      </div>
    </SlipBox>
  );
}

const bet = { name: 'India', sub: 'Match Odds', odds: '2.18', stake: '1,000.00' } as const;

export const SLIP: readonly Part[] = [
  {
    name: 'slip',
    also: ['rtl'],
    states: {
      back: (say) => <Slip side="back" say={say} />,
      'lay, on its way': (say) => <Slip side="lay" say={say} busy />,
      'under a row of a phone': (say) => (
        <SlipBox side="lay" inline>
          <SlipSelection
            side="lay"
            letter="N"
            compact
            verb="No"
            name={say('10 over runs')}
            sub="Fancy"
            onRemove={nothing}
          />
          <SlipFigures profitMinor={100_000} liabilityMinor={null} limits="100 to 50k" />
        </SlipBox>
      ),
    },
  },
  {
    name: 'bet-row',
    wide: true,
    also: ['rtl', 'phone'],
    states: {
      waiting: (say) => (
        <BetGroup title="Unmatched" end={<CancelAll onPress={nothing} />}>
          <BetRow {...bet} side="back" name={say('India')} state="waiting" onCancel={nothing} onEdit={nothing} />
          <BetRow {...bet} side="lay" name={say('India')} state="waiting" matchedPercent={40} onCancel={nothing} />
          <BetRow
            {...bet}
            side="back"
            name={say('Royal Challengers Bengaluru')}
            sub="Match Odds, kept in-play"
            state="waiting"
            onCancel={nothing}
            onEdit={nothing}
            event={say('Royal Challengers Bengaluru v Kolkata Knight Riders')}
            to="/"
          />
        </BetGroup>
      ),
      matched: (say) => (
        <BetGroup title="Matched">
          <BetRow {...bet} side="lay" letter="N" name={say('10 over runs')} state="matched" />
          <BetRow {...bet} side="back" state="matched" isNew event={say('India v Australia')} to="/" />
        </BetGroup>
      ),
      deleted: (say) => <BetRow {...bet} side="back" name={say('India')} sub="Voided: wrong price" state="deleted" />,
    },
  },
];
