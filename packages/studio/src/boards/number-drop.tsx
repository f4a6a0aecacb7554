/** Three Gates: balls fall through three rows of gates into eight pots. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type SharedBoardProps, sharedBoard, times, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { LastResults } from '../page/parts.tsx';
import { DROP_NAMES, DROP_PAYS, type DropResult, type DropSpot, dropTimes, POTS } from '../rules/number-drop.ts';
import { Countdown, type Tile, Tiles, useStage } from './show-parts.tsx';
import css from './number-drop.module.css';
import showPartsCss from './show-parts.module.css';

interface Wager {
  readonly stakeMinor: number;
  readonly spot: DropSpot;
}

const LIT_MS = 1100;
const FALL_MS = 2100;
const STARTS = [1400, 3700, 6000];
const MARKS = [LIT_MS, ...STARTS.map((start) => start + FALL_MS)];

const PLACES = Array.from({ length: POTS }, (_, pot) => ({ pot, x: 55 + pot * 90 }));
const ROWS = [62, 142, 222];
/** Middle of a gate: row, and which of its 1, 2 or 4. */
const gateX = (row: number, at: number) => 55 + 90 * ((at + 0.5) * (POTS / 2 ** row) - 0.5);
const GATES = ROWS.flatMap((y, row) =>
  Array.from({ length: 2 ** row }, (_, at) => {
    // The last rails are short: the sign of the lit pot stands below them.
    const part = row === 2 ? 0.72 : 1;
    return { id: `${row}-${at}`, x: gateX(row, at), y, half: 90 * (POTS / 2 ** row) * 0.25 * part, fall: 62 * part };
  }),
);

const potTile = (pot: number): Tile<DropSpot> => ({
  spot: `pot-${pot + 1}` as DropSpot,
  text: `${pot + 1}`,
  pays: '2×, 3×, 20×',
  says: `Pot ${pot + 1}, pays 2 times for one ball, 3 for two, 20 for three`,
  className: 'is-pot',
});
const TILES: readonly Tile<DropSpot>[] = [
  ...PLACES.map(({ pot }) => potTile(pot)),
  ...(
    [
      ['low', DROP_PAYS.half],
      ['high', DROP_PAYS.half],
      ['different', DROP_PAYS.different],
      ['pair', DROP_PAYS.pair],
      ['run', DROP_PAYS.run],
      ['triple', DROP_PAYS.triple],
    ] as const
  ).map(([spot, pays]) => ({
    spot,
    text: DROP_NAMES[spot],
    pays: times(pays),
    says: `${DROP_NAMES[spot]}, pays ${times(pays)}`,
    className: 'is-other',
  })),
];

function DropBoard({ live, skewMs, stakeMinor, busy, motion, sound }: SharedBoardProps<Wager, DropResult>) {
  const [spot, setSpot] = useState<DropSpot>('pot-1');
  const stage = useStage(live, skewMs, motion, MARKS);
  const result = live.view;
  const done = result !== null && stage === MARKS.length;
  const landed = result ? result.balls.slice(0, Math.max(0, stage - 1)) : [];

  usePanel<Wager>({
    actions: [{ label: 'Bet', wager: { stakeMinor, spot } }],
    note: spot.startsWith('pot')
      ? `${DROP_NAMES[spot]} pays 2×, 3×, 20× for one, two, three balls`
      : `${DROP_NAMES[spot]} pays ${TILES.find((each) => each.spot === spot)!.pays}`,
    ...(result && {
      says: `The balls fell into ${result.balls.map((ball) => ball + 1).join(', ')}; pot ${result.lit + 1} was lit, ${result.multiplier} times.`,
    }),
  });
  useEffect(() => {
    if (live.phase === 'runs' && motion && stage > 0) sound('tick');
  }, [live.phase, stage, motion, sound]);

  return (
    <div className={css.drop} data-phase={live.phase}>
      <div className={showPartsCss.showLast}>
        <LastResults results={live.last.map(lastDrop)} />
      </div>
      <div className={css.stage}>
        <svg viewBox="0 0 740 400" aria-hidden="true">
          <path className={css.chute} d="M340 0h60v22l-16 14h-28L340 22Z" />
          <Gates />
          {PLACES.map(({ pot, x }) => (
            <Pot
              key={pot}
              pot={pot}
              x={x}
              count={landed.filter((ball) => ball === pot).length}
              multiplier={result !== null && stage >= 1 && result.lit === pot ? result.multiplier : null}
            />
          ))}
          {result &&
            live.phase === 'runs' &&
            motion &&
            result.balls.map((ball, i) => (
              <Falling
                key={`${live.roundId}-${STARTS[i]}`}
                ball={ball}
                startedAt={live.phaseStartedAt - skewMs + STARTS[i]!}
                landed={stage >= i + 2}
              />
            ))}
        </svg>
        <Say live={live} skewMs={skewMs} stage={stage} />
      </div>
      <Tiles
        label="Bet on"
        className={css.tiles}
        tiles={TILES}
        chosen={spot}
        onChoose={setSpot}
        bets={live.bets}
        disabled={busy}
        won={(each) => done && dropTimes(each, result) > 0}
      />
    </div>
  );
}

/** One ball on its way: from the chute over its three gates into the pot. */
function Falling({ ball, startedAt, landed }: { ball: number; startedAt: number; landed: boolean }) {
  const circle = useRef<SVGCircleElement>(null);
  useLayoutEffect(() => {
    const points = [
      { x: 370, y: 8 },
      { x: gateX(0, 0), y: ROWS[0]! - 18 },
      { x: gateX(1, ball >> 2), y: ROWS[1]! - 18 },
      { x: gateX(2, ball >> 1), y: ROWS[2]! - 18 },
      { x: PLACES[ball]!.x, y: 320 },
    ];
    const frames: Keyframe[] = points.map(({ x, y }, i) => ({
      transform: `translate(${x}px, ${y}px)`,
      offset: [0, 0.16, 0.44, 0.72, 1][i]!,
      easing: i === 0 ? 'ease-in' : 'cubic-bezier(.5,.1,.8,.7)',
      opacity: 1,
    }));
    const motion = circle.current?.animate([{ ...frames[0]!, opacity: 1 }, ...frames.slice(1)], { duration: FALL_MS });
    if (!motion) return;
    // Before its turn the animation waits with a negative time, and the ball is not drawn.
    motion.currentTime = Date.now() - startedAt;
    return () => motion.cancel();
  }, [ball, startedAt]);
  return <circle ref={circle} className={cx(css.ball, 'is-falling')} data-landed={landed} r="11" />;
}

function Gates() {
  return GATES.map(({ id, x, y, half, fall }) => (
    <g key={id}>
      <path className={css.rail} d={`M${x} ${y}l${-half} ${fall}M${x} ${y}l${half} ${fall}`} />
      <circle className={css.gate} cx={x} cy={y} r="9" />
    </g>
  ));
}

const lastDrop = (view: DropResult, i: number) => ({
  key: `${i}-${view.balls.join()}`,
  text: view.balls.map((ball) => ball + 1).join('·'),
  says: `Pots ${view.balls.map((ball) => ball + 1).join(', ')}`,
});

/** `multiplier`: of the pot that is lit. */
function Pot({ pot, x, count, multiplier }: { pot: number; x: number; count: number; multiplier: number | null }) {
  return (
    <g className={css.pot} data-lit={multiplier !== null} data-full={count > 0} transform={`translate(${x} 306)`}>
      <path d="M-37 0h74l-9 74a10 10 0 0 1-10 9h-36a10 10 0 0 1-10-9Z" />
      <text y="56" textAnchor="middle">
        {pot + 1}
      </text>
      {multiplier !== null && (
        <text y="-9" textAnchor="middle" className={css.times}>
          ×{multiplier}
        </text>
      )}
      {['one', 'two', 'three'].slice(0, count).map((id, i) => (
        <circle key={id} className={css.ball} cx={(i - (count - 1) / 2) * 22} cy="14" r="10" />
      ))}
    </g>
  );
}

interface SayProps {
  live: SharedBoardProps<Wager, DropResult>['live'];
  skewMs: number;
  stage: number;
}

/** What goes on, in words beside the drawing. */
function Say({ live, skewMs, stage }: SayProps) {
  const result = live.view;
  return (
    <div className={css.say}>
      {live.phase === 'bets' ? (
        <Countdown endsAt={live.phaseEndsAt ?? 0} startedAt={live.phaseStartedAt} skewMs={skewMs} />
      ) : result !== null && stage === MARKS.length ? (
        <p>
          <b>{result.balls.map((ball) => ball + 1).join(' + ')}</b>
          <small>sum {result.balls.reduce((sum, ball) => sum + ball + 1, 0)}</small>
        </p>
      ) : (
        <p>
          <small>{stage === 0 ? 'A pot is lit' : `Ball ${Math.min(3, stage)} of 3`}</small>
        </p>
      )}
    </div>
  );
}

export default sharedBoard<Wager, DropResult>(DropBoard);
