/** Chicken Road: lanes side by side, the multiple of each on the tarmac, and a chicken that crosses them one by one. */
import { useEffect, useState } from 'react';
import { payOf } from '../game.ts';
import { type Panel, type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { Choice } from '../page/parts.tsx';
import {
  type ChickenMove,
  type ChickenView,
  type ChickenWager,
  chickenTimes,
  ROAD_CODES,
  ROADS,
  type Road,
} from '../rules/chicken-road.ts';
import { useShown } from './tools.ts';
import css from './chicken-road.module.css';

const STEP_MS = 420;
const HIT_MS = 1150;

function ChickenBoard(props: SoloBoardProps<ChickenWager, ChickenView, ChickenMove>) {
  const { round, stakeMinor, busy, motion, onMove, onShown, sound } = props;
  const [road, setRoad] = useState<Road>(round?.wager.road ?? 'town');
  const open = round !== null && !round.over;
  const view = round !== null && (open || round.wager.road === road) ? round.view : null;
  const { cars, of, lanes, name } = ROADS[road];
  const lane = view?.lanes ?? 0;
  const chance = ((of - cars) / of) * 100;

  const words = says(view);
  usePanel<ChickenWager, ChickenMove>({
    says: words,
    ...(open
      ? ridePanel(round)
      : {
          actions: [{ label: 'Start', wager: { stakeMinor, road } }],
          note: `${name}: ${lanes} lanes, each free in ${chance} %`,
        }),
  });

  const hit = view?.end === 'hit';
  const showing = useShown(round?.fresh === true, motion, hit ? HIT_MS : lane === 0 ? 0 : STEP_MS, onShown);
  useEffect(() => {
    if (showing && lane > 0) sound('move');
  }, [showing, lane, sound]);

  return (
    <div className={css.chicken}>
      <div className={css.view}>
        <div
          className={css.track}
          data-motion={motion}
          style={{ transform: `translateX(calc(var(--lane) * ${-Math.max(0, Math.min(lane - 1, lanes - 3))}))` }}
        >
          <Kerb side="start" />
          {Array.from({ length: lanes }, (_, i) => {
            const number = i + 1;
            const state = number < lane || (number === lane && !hit) ? 'crossed' : number === lane ? 'hit' : 'ahead';
            const next = open && number === lane + 1;
            return (
              <Lane
                key={number}
                number={number}
                pays={times(chickenTimes(road, number))}
                state={state}
                isNext={next}
                isBehind={number < lane}
                off={!next || busy}
                isNew={showing}
                onGo={() => onMove({ do: 'go' })}
              />
            );
          })}
          <Kerb side="end" />
          <BirdOnRoad lane={lane} end={view?.end ?? null} motion={motion} isNew={showing} />
        </div>
      </div>

      <p className={css.says}>{words}</p>
      <Choice
        label="Road"
        hideLabel
        options={ROAD_CODES.map((value) => ({ value, text: ROADS[value].name }))}
        value={road}
        onChange={setRoad}
        disabled={open || busy}
      />
    </div>
  );
}

function says(view: ChickenView | null): string {
  if (view === null) return 'Choose a road, then start';
  const crossed = view.lanes - (view.end === 'hit' ? 1 : 0);
  const lanes = crossed === 1 ? '1 lane' : `${crossed} lanes`;
  if (view.end === 'hit') return crossed === 0 ? 'A car came in the first lane' : `A car came after ${lanes}`;
  if (view.end === 'cashed')
    return crossed === 0 ? 'Stake taken back' : `Cashed out after ${lanes}: ${times(view.times)}`;
  return crossed === 0 ? 'Send the chicken over the first lane' : `${lanes} crossed: ${times(view.times)} so far`;
}

function Bird() {
  return (
    <svg className={css.bird} viewBox="0 0 64 64" aria-hidden="true">
      <ellipse className={css.birdShade} cx="31" cy="59" rx="17" ry="3" />
      <path className={css.birdLeg} d="M27 47v10M36 47v10M27 57h5M36 57h5" />
      <path className={css.birdTail} d="M12 36C4 34 3 25 6 20c3 5 8 6 12 7Z" />
      <path
        className={css.birdBody}
        d="M10 34c0-8 8-10 16-10 5 0 7-5 8-10 1-6 5-9 10-9 6 0 10 5 10 11 0 4-1 7-1 12 0 13-8 22-22 22S10 43 10 34Z"
      />
      <path className={css.birdWing} d="M17 33c6-3 14-3 18 1-1 7-7 11-13 10-4-1-6-6-5-11Z" />
      <path className={css.birdComb} d="M37 7c0-4 3-5 5-3 1-3 5-3 6 0 3-1 5 2 3 5-4-4-10-5-14-2Z" />
      <path className={css.birdBeak} d="M53 14l8 3-8 4Z" />
      <path className={css.birdComb} d="M53 21c3 1 3 6 0 7-2-2-2-5 0-7Z" />
      <circle className={css.birdEye} cx="46" cy="14.5" r="2.2" />
    </svg>
  );
}

function Car() {
  return (
    <svg viewBox="0 0 48 88" aria-hidden="true">
      <path className={css.carWheel} d="M3 18h5v14H3ZM40 18h5v14h-5ZM3 58h5v15H3ZM40 58h5v15h-5Z" />
      <path className={css.carBody} d="M9 10Q24 2 39 10l3 20v40q0 12-8 14H14q-8-2-8-14V30Z" />
      <path className={css.carGlass} d="M12 30q12-5 24 0l-2 9H14ZM14 66h20l1 7q-11 4-22 0Z" />
      <path className={css.carRoof} d="M14 41h20v23H14Z" />
      <path className={css.carLamp} d="M9 80l6 3h-5ZM39 80l-6 3h5Z" />
    </svg>
  );
}

function Barrier() {
  return (
    <svg className={css.barrier} viewBox="0 0 64 18" aria-hidden="true">
      <rect className={css.barrierBar} x="2" y="3" width="60" height="9" rx="2" />
      <path className={css.barrierStripe} d="M10 3h8l-5 9H5ZM28 3h8l-5 9h-8ZM46 3h8l-5 9h-8Z" />
      <path className={css.barrierFoot} d="M10 12v5M54 12v5" />
    </svg>
  );
}

function Tick() {
  return (
    <svg className={css.tick} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 12.5l5 5L19 7.5" />
    </svg>
  );
}

function Feathers() {
  return (
    <svg className={css.feathers} viewBox="0 0 64 64" aria-hidden="true">
      <path d="M14 20q8-6 12 0-6 6-12 0ZM40 12q6-6 12 0-6 6-12 0ZM24 40q8-4 11 2-7 5-11-2ZM44 44q8-4 10 3-7 4-10-3Z" />
    </svg>
  );
}

function Tree() {
  return (
    <svg className={css.tree} viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="17" className={css.tree1} />
      <circle cx="16" cy="15" r="10" className={css.tree2} />
    </svg>
  );
}

function ridePanel({
  stakeMinor,
  view,
}: NonNullable<SoloBoardProps<ChickenWager, ChickenView, ChickenMove>['round']>): Panel<ChickenWager, ChickenMove> {
  const { cars, of } = ROADS[view.road];
  return {
    actions: [
      {
        label: view.lanes === 0 ? 'Take stake back' : 'Cash out',
        move: { do: 'cash' },
        worthMinor: payOf(stakeMinor, view.times),
      },
      { label: 'Go', move: { do: 'go' } },
    ],
    note: `Next lane: free in ${((of - cars) / of) * 100} %, pays ${times(view.nextTimes ?? 0)}`,
  };
}

function Kerb({ side }: { side: 'start' | 'end' }) {
  return (
    <div className={css.kerb} data-side={side}>
      <Tree />
      <Tree />
    </div>
  );
}

interface LaneProps {
  number: number;
  pays: string;
  state: 'crossed' | 'hit' | 'ahead';
  isNext: boolean;
  /** The bird has left it. */
  isBehind: boolean;
  off: boolean;
  isNew: boolean;
  onGo: () => void;
}

function Lane({ number, pays, state, isNext, isBehind, off, isNew, onGo }: LaneProps) {
  return (
    <div className={css.lane} data-state={state} data-next={isNext}>
      <button
        type="button"
        className={css.plate}
        tabIndex={isNext ? 0 : -1}
        aria-disabled={off}
        aria-label={`Lane ${number}, ${pays}${state === 'crossed' ? ', crossed' : isNext ? ', go' : ''}`}
        onClick={() => {
          if (!off) onGo();
        }}
      >
        {isBehind ? <Tick /> : state === 'crossed' ? null : pays}
      </button>
      {state === 'crossed' && <Barrier />}
      {state === 'hit' && (
        <span className={css.carPlace} data-new={isNew}>
          <Car />
        </span>
      )}
    </div>
  );
}

interface BirdProps {
  lane: number;
  end: ChickenView['end'] | null;
  motion: boolean;
  isNew: boolean;
}

function BirdOnRoad({ lane, end, motion, isNew }: BirdProps) {
  return (
    <span
      className={css.birdPlace}
      data-motion={motion}
      data-state={end === 'hit' ? 'hit' : end === 'cashed' ? 'home' : 'up'}
      data-new={isNew}
      style={{ left: lane === 0 ? 'calc(var(--kerb) / 2)' : `calc(var(--kerb) + var(--lane) * ${lane - 0.5})` }}
    >
      {end === 'hit' && <Feathers />}
      <Bird />
    </span>
  );
}

export default soloBoard<ChickenWager, ChickenView, ChickenMove>(ChickenBoard);
