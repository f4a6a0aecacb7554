/** Dice: a line from 0 to 100 with the winning side, and the number drawn standing on it. */
import { useEffect, useState } from 'react';
import { type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { Choice, Slider } from '../page/parts.tsx';
import { diceTimes, winning } from '../rules/dice.ts';
import './dice.css';

type Side = 'under' | 'over';
interface Wager {
  readonly stakeMinor: number;
  readonly side: Side;
  readonly mark: number;
}
interface View extends Wager {
  readonly roll: number;
  readonly times: number;
}

const ROLL_MS = 900;
const two = (hundredths: number) => (hundredths / 100).toFixed(2);

function DiceBoard({ round, stakeMinor, busy, motion, onShown, sound }: SoloBoardProps<Wager, View>) {
  const [side, setSide] = useState<Side>(round?.wager.side ?? 'under');
  const [mark, setMark] = useState(round?.wager.mark ?? 5000);

  const chance = winning(side, mark);
  usePanel<Wager>({
    actions: [{ label: 'Roll', wager: { stakeMinor, side, mark } }],
    note: `Pays ${times(diceTimes(chance))} with a chance of ${two(chance)} %`,
  });

  const fresh = round?.fresh === true;
  const rolling = fresh && motion;
  useEffect(() => {
    if (!fresh) return;
    const timer = setTimeout(onShown, motion ? ROLL_MS : 0);
    if (motion) sound('tick');
    return () => clearTimeout(timer);
  }, [fresh, motion, onShown, sound]);

  // While a result stands, the line shows the round's own mark; a change of the choice shows the new one.
  const roll = round?.view.roll ?? null;
  const won = round !== null && round.paidMinor > 0;
  const least = side === 'under' ? 200 : 499;
  const most = side === 'under' ? 9500 : 9799;
  const turn = (to: Side) => {
    setSide(to);
    setMark(9999 - mark);
  };

  return (
    <div className="dice">
      <div className="dice-figure" data-state={roll === null ? 'none' : rolling ? 'rolls' : won ? 'won' : 'lost'}>
        {roll === null ? <span className="dice-wait">00.00</span> : <b key={round?.roundId}>{two(roll).padStart(5, '0')}</b>}
        <small>
          {round === null
            ? 'Choose a mark, then roll'
            : rolling
              ? 'Rolling'
              : `${round.wager.side === 'under' ? 'Under' : 'Over'} ${two(round.wager.mark)}: ${won ? 'won' : 'not won'}`}
        </small>
      </div>

      <div className="dice-line">
        <svg viewBox="0 0 1000 90" preserveAspectRatio="none" aria-hidden="true">
          <rect className="dice-off" x="0" y="30" width="1000" height="22" rx="11" />
          <rect
            className="dice-on"
            x={side === 'under' ? 0 : mark / 10}
            y="30"
            width={side === 'under' ? mark / 10 : 1000 - mark / 10}
            height="22"
            rx="11"
          />
        </svg>
        <span className="dice-mark" style={{ left: `${mark / 100}%` }}>
          {two(mark)}
        </span>
        {roll !== null && (
          <span
            key={round?.roundId}
            className={rolling ? 'dice-pin is-rolling' : 'dice-pin'}
            style={{ left: `${roll / 100}%` }}
          />
        )}
        <ol aria-hidden="true">
          {[0, 25, 50, 75, 100].map((at) => (
            <li key={at}>{at}</li>
          ))}
        </ol>
      </div>

      <div className="dice-choice">
        <Choice
          label="Side"
          hideLabel
          options={[
            { value: 'under', text: 'Under the mark' },
            { value: 'over', text: 'Over the mark' },
          ]}
          value={side}
          onChange={turn}
          disabled={busy}
        />
        <Slider label="Mark" value={mark} min={least} max={most} step={50} text={two} onChange={setMark} disabled={busy} />
      </div>
    </div>
  );
}

export default soloBoard<Wager, View>(DiceBoard);
