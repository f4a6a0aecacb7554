/** Dice: a line from 0 to 100 with the winning side, the mark to drag on it, and the number drawn standing over it. */
import { useEffect, useState } from 'react';
import { type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { Choice, LastResults } from '../page/parts.tsx';
import { diceTimes, winning } from '../rules/dice.ts';
import { useShown } from './tools.ts';
import css from './dice.module.css';

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
interface Seen {
  readonly key: string;
  readonly text: string;
  readonly says: string;
  readonly hue: number;
}

const ROLL_MS = 900;
const CHANCES = [1000, 2500, 5000, 7500, 9000];
/** Marks go in halves; over stands one hundredth below, so that its chances are as round as those of under. */
const STEP = 50;
const two = (hundredths: number) => (hundredths / 100).toFixed(2);
const sideWords = (side: Side) => (side === 'under' ? 'Under' : 'Over');

function DiceBoard({ round, stakeMinor, busy, motion, onShown, sound }: SoloBoardProps<Wager, View>) {
  const [side, setSide] = useState<Side>(round?.wager.side ?? 'under');
  const [mark, setMark] = useState(round?.wager.mark ?? 5000);
  const [last, setLast] = useState<readonly Seen[]>([]);

  const roll = round?.view.roll ?? null;
  const won = round !== null && round.paidMinor > 0;
  const result =
    round === null ? '' : `${sideWords(round.wager.side)} ${two(round.wager.mark)} ${won ? 'has won' : 'has not won'}`;
  const chance = winning(side, mark);
  usePanel<Wager>({
    actions: [{ label: 'Roll', wager: { stakeMinor, side, mark } }],
    note: `Pays ${times(diceTimes(chance))} with a chance of ${two(chance)} %`,
    ...(roll !== null && { says: `${two(roll)} was drawn. ${result}.` }),
  });

  const fresh = round?.fresh === true;
  const rolling = useShown(fresh, motion, ROLL_MS, onShown);
  const roundId = round?.roundId;
  useEffect(() => {
    if (rolling) sound('tick');
  }, [rolling, sound]);
  useEffect(() => {
    if (fresh || roundId === undefined || roll === null) return;
    const seen = { key: roundId, text: two(roll), hue: won ? 4 : 0, says: `${two(roll)}, ${won ? 'won' : 'not won'}` };
    setLast((now) => (now.some(({ key }) => key === roundId) ? now : [seen, ...now].slice(0, 8)));
  }, [fresh, roundId, roll, won]);

  const turn = (to: Side) => {
    if (to === side) return;
    setSide(to);
    setMark(9999 - mark);
  };
  const take = (numbers: number) => setMark(side === 'under' ? numbers : 9999 - numbers);

  return (
    <div className={css.dice}>
      <div className={css.last}>
        <LastResults results={last} />
      </div>
      <div className={css.figure} data-state={roll === null ? 'none' : rolling ? 'rolls' : won ? 'won' : 'lost'}>
        {roll === null ? <span className={css.wait}>00.00</span> : <b key={roundId}>{two(roll).padStart(5, '0')}</b>}
        <small>{round === null ? 'Drag the mark, then roll' : rolling ? 'Rolling' : result}</small>
      </div>

      <Line
        side={side}
        mark={mark}
        chance={chance}
        busy={busy}
        onMark={setMark}
        pin={roll === null ? null : { key: roundId, roll, state: rolling ? 'rolls' : won ? 'won' : 'lost' }}
      />

      <Sides side={side} chance={chance} busy={busy} onSide={turn} onChance={take} />
    </div>
  );
}

interface SidesProps {
  side: Side;
  chance: number;
  busy: boolean;
  onSide: (side: Side) => void;
  onChance: (chance: number) => void;
}

function Sides({ side, chance, busy, onSide, onChance }: SidesProps) {
  return (
    <div className={css.choice}>
      <Choice
        label="Side of the mark that wins"
        options={[
          { value: 'under', text: 'Under' },
          { value: 'over', text: 'Over' },
        ]}
        value={side}
        onChange={onSide}
        disabled={busy}
      />
      <Choice
        label="Chance to win"
        options={CHANCES.map((value) => ({ value, text: `${value / 100} %` }))}
        value={chance}
        onChange={onChance}
        disabled={busy}
      />
    </div>
  );
}

interface LineProps {
  side: Side;
  mark: number;
  chance: number;
  busy: boolean;
  onMark: (mark: number) => void;
  /** The number drawn last. */
  pin: { key: string | undefined; roll: number; state: string } | null;
}

/** The numbers with the side that wins, the mark to drag and where the last one fell. */
function Line({ side, mark, chance, busy, onMark, pin }: LineProps) {
  const least = side === 'under' ? 200 : 499;
  const most = side === 'under' ? 9500 : 9799;
  return (
    <div className={css.line}>
      <div className={css.bar} data-side={side}>
        <span className={css.on} style={side === 'under' ? { width: `${mark / 100}%` } : { left: `${mark / 100}%` }} />
        <i style={{ left: '25%' }} />
        <i style={{ left: '50%' }} />
        <i style={{ left: '75%' }} />
      </div>
      <input
        type="range"
        aria-label={`Mark, ${sideWords(side).toLowerCase()} wins`}
        aria-valuetext={`${two(mark)}, chance ${two(chance)} per cent`}
        min={least}
        max={most}
        step={STEP}
        value={mark}
        disabled={busy}
        style={{ left: `calc(${least / 100}% - 22px)`, width: `calc(${(most - least) / 100}% + 44px)` }}
        onChange={(event) => onMark(Number(event.target.value))}
      />
      <span className={css.mark} style={{ left: `${mark / 100}%` }}>
        {two(mark)}
      </span>
      {pin && <span key={pin.key} className={css.pin} data-state={pin.state} style={{ left: `${pin.roll / 100}%` }} />}
      <ol aria-hidden="true">
        {[0, 25, 50, 75, 100].map((at) => (
          <li key={at}>{at}</li>
        ))}
      </ol>
    </div>
  );
}

export default soloBoard<Wager, View>(DiceBoard);
