/** Roulette: the wheel, what fell, and the table with its chips. */
import { useEffect, useState } from 'react';
import { amount, type SoloBoardProps, soloBoard, usePanel } from '../page/board.ts';
import { LastResults } from '../page/parts.tsx';
import { colourOf } from '../rules/roulette.ts';
import { type Chips, type Laid, useChips } from './roulette-chips.ts';
import { Table } from './roulette-table.tsx';
import { SPIN_MS, Wheel } from './roulette-wheel.tsx';
import css from './roulette.module.css';
import wheelCss from './roulette-wheel.module.css';

interface Wager {
  readonly chips: readonly Laid[];
}
interface View extends Wager {
  readonly number: number;
  readonly paid: readonly number[];
}

const LAST = 14;

function RouletteBoard({ round, stakeMinor, busy, motion, onShown, sound }: SoloBoardProps<Wager, View>) {
  const [between, setBetween] = useState(false);
  const fresh = round?.fresh === true;
  const rolling = fresh && motion;
  const roundId = round?.roundId ?? null;
  const number = round && !rolling ? round.view.number : null;
  const laid = useChips(fresh, roundId);
  const { chips } = laid;

  // The chips of a round stay on the table until a chip is laid for the next one.
  const played = round?.wager.chips ?? [];
  const total = chips.reduce((sum, chip) => sum + chip.stakeMinor, 0);

  usePanel<Wager>({
    stake: 'chip',
    actions: [{ label: 'Spin', wager: { chips }, ...(chips.length === 0 && { off: 'Lay chips on the table' }) }],
    note:
      chips.length > 0
        ? `${chips.length} ${chips.length === 1 ? 'place' : 'places'}, ${amount(total)} in all`
        : 'Press a place to lay a chip',
    ...(round && { says: `The ball fell on ${numberWords(round.view.number)}.` }),
  });

  useEffect(() => {
    if (!fresh || roundId === null) return;
    if (motion) sound('move');
    const timer = setTimeout(onShown, motion ? SPIN_MS + 250 : 0);
    return () => clearTimeout(timer);
  }, [fresh, roundId, motion, onShown, sound]);

  return (
    <div
      className={css.roulette}
      data-rolling={rolling}
      data-between={between}
      data-net={round !== null && round.paidMinor > round.stakeMinor}
    >
      <div className={css.head}>
        <div className={wheelCss.rouletteWheel}>
          <Wheel number={round?.view.number ?? null} rolling={rolling} roundId={roundId} />
        </div>
        <div className={css.side}>
          <Fallen number={number} rolling={rolling} />
          <Last number={number} roundId={roundId} />
          <Tools laid={laid} played={played} busy={busy} between={between} onBetween={() => setBetween(!between)} />
        </div>
      </div>

      <Table
        chips={chips.length > 0 && !fresh ? chips : played}
        result={chips.length === 0 ? number : null}
        busy={busy}
        onLay={(spot) => {
          if (busy) return;
          sound('place');
          laid.lay(spot, stakeMinor);
        }}
        onTake={(spot) => laid.change(chips.filter((chip) => chip.spot !== spot))}
      />
    </div>
  );
}

function Tools(props: {
  laid: Chips;
  /** Of the last round. */
  played: readonly Laid[];
  busy: boolean;
  between: boolean;
  onBetween: () => void;
}) {
  const { laid, played, busy, between } = props;
  const { chips, change } = laid;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, no set of form fields
    <div className={css.tools} role="group" aria-label="Chips">
      <button type="button" disabled={busy || laid.undo === null} onClick={() => laid.undo?.()}>
        Undo
      </button>
      <button type="button" disabled={busy || chips.length === 0} onClick={() => change([])}>
        Clear
      </button>
      <button
        type="button"
        disabled={busy || chips.length === 0}
        onClick={() => change(chips.map((chip) => ({ ...chip, stakeMinor: chip.stakeMinor * 2 })))}
      >
        Double
      </button>
      <button type="button" disabled={busy || played.length === 0 || chips.length > 0} onClick={() => change(played)}>
        Repeat
      </button>
      <button type="button" className={css.mode} aria-pressed={between} onClick={props.onBetween}>
        Splits
      </button>
    </div>
  );
}

/** What fell since the game was opened, newest first. */
function Last({ number, roundId }: { number: number | null; roundId: string | null }) {
  const [last, setLast] = useState<readonly { key: string; number: number }[]>([]);
  useEffect(() => {
    if (number === null || roundId === null) return;
    setLast((held) => (held[0]?.key === roundId ? held : [{ key: roundId, number }, ...held].slice(0, LAST)));
  }, [number, roundId]);
  return (
    <LastResults
      results={last.map(({ key, number: each }) => ({
        key,
        text: `${each}`,
        hue: each === 0 ? 4 : colourOf(each) === 'red' ? 1 : 0,
        says: numberWords(each),
      }))}
    />
  );
}

function Fallen({ number, rolling }: { number: number | null; rolling: boolean }) {
  if (number === null)
    return (
      <p className={css.fallen}>
        <b data-colour="none">{rolling ? '···' : '–'}</b>
        <span>{rolling ? 'No more chips' : 'Lay your chips'}</span>
      </p>
    );
  const [, ...words] = numberWords(number).split(', ');
  return (
    <p className={css.fallen}>
      <b data-colour={colourOf(number)}>{number}</b>
      <span>{words.join(', ')}</span>
    </p>
  );
}

function numberWords(number: number): string {
  if (number === 0) return '0, green';
  return `${number}, ${colourOf(number)}, ${number % 2 === 1 ? 'odd' : 'even'}, ${number <= 18 ? 'low' : 'high'}`;
}

export default soloBoard<Wager, View>(RouletteBoard);
