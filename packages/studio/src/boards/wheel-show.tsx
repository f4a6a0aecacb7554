/** Lantern Wheel: the wheel on its pier, and the two bonus rounds that open over it. Over 300 lines: one picture of one result. */
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type SharedBoardProps, sharedBoard, times, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { LastResults } from '../page/parts.tsx';
import {
  BONUSES,
  SEGMENTS,
  timesOf,
  WHEEL_NAMES,
  WHEEL_SPOTS,
  type WheelResult,
  type WheelSpot,
} from '../rules/wheel-show.ts';
import { Countdown, Tiles, useStage } from './show-parts.tsx';
import css from './wheel-show.module.css';
import wheelShowBonusCss from './wheel-show-bonus.module.css';

interface Wager {
  readonly stakeMinor: number;
  readonly spot: WheelSpot;
}

const STEP = 360 / SEGMENTS.length;
const WEDGES = SEGMENTS.map((spot, i) => ({ id: `wedge-${i}`, spot, turn: i * STEP }));
const named = (values: readonly number[]) => values.map((value, i) => ({ id: `place-${i}`, value, i }));
const BOATS = named(BONUSES.harbour.values);
const WINDOWS = named(BONUSES.lighthouse.values);
const SPIN_MS = 5400;
/** Wheel stands; bonus opens; its value is known; its multiplier is known. */
const MARKS = [SPIN_MS, 6500, 10_000, 12_600];
const PAYS: Readonly<Record<WheelSpot, string>> = {
  x2: 'pays 2×',
  x4: 'pays 4×',
  x7: 'pays 7×',
  x25: 'pays 25×',
  harbour: 'pays 5× to 40×',
  lighthouse: 'pays 8× to 200×',
};
const countOf = (spot: WheelSpot) => `${SEGMENTS.filter((each) => each === spot).length} of ${SEGMENTS.length}`;
const SIGNS: Readonly<Record<WheelSpot, string>> = {
  x2: '2',
  x4: '4',
  x7: '7',
  x25: '25',
  harbour: 'H',
  lighthouse: 'L',
};
const HUES: Readonly<Record<WheelSpot, number>> = { x2: 0, x4: 5, x7: 6, x25: 3, harbour: 4, lighthouse: 8 };

function WheelBoard({ live, skewMs, stakeMinor, busy, motion, sound }: SharedBoardProps<Wager, WheelResult>) {
  const [spot, setSpot] = useState<WheelSpot>('x2');
  const result = live.view;
  const marks = result === null || result.value === null ? MARKS.slice(0, 1) : MARKS;
  const stage = useStage(live, skewMs, motion, marks);
  const fallen = result && stage >= 1 ? SEGMENTS[result.segment]! : null;
  const done = result !== null && stage === marks.length;

  usePanel<Wager>({
    actions: [{ label: 'Bet', wager: { stakeMinor, spot } }],
    note: `${WHEEL_NAMES[spot]}: ${countOf(spot)} segments, ${PAYS[spot]}`,
    ...(result && {
      says: `The wheel stopped at ${WHEEL_NAMES[SEGMENTS[result.segment]!]}, ${times(timesOf(result))}.`,
    }),
  });
  useEffect(() => {
    if (live.phase === 'runs' && motion) sound('move');
  }, [live.phase, motion, sound]);

  return (
    <div className={css.wheelshow} data-phase={live.phase}>
      <div className="wheelshow-top">
        <LastResults
          results={live.last.map((view, i) => ({
            key: `${i}-${view.segment}`,
            text: SIGNS[SEGMENTS[view.segment]!],
            hue: HUES[SEGMENTS[view.segment]!],
            says: `${WHEEL_NAMES[SEGMENTS[view.segment]!]}, ${times(timesOf(view))}`,
          }))}
        />
      </div>
      <div className={css.stage}>
        <BigWheel
          segment={result?.segment ?? live.last[0]?.segment ?? 0}
          from={live.last[live.phase === 'rests' ? 1 : 0]?.segment ?? 0}
          startedAt={live.phase === 'runs' && motion ? live.phaseStartedAt - skewMs : null}
          lit={fallen}
        />
        <Say live={live} skewMs={skewMs} fallen={fallen} pays={done ? timesOf(result) : null} />
        {result && fallen === 'harbour' && stage >= 2 && <Harbour result={result} stage={stage} />}
        {result && fallen === 'lighthouse' && stage >= 2 && <Lighthouse result={result} stage={stage} />}
      </div>
      <Tiles
        label="What the wheel stops at"
        className={css.tiles}
        tiles={WHEEL_SPOTS.map((each) => ({
          spot: each,
          text: WHEEL_NAMES[each],
          pays:
            each === 'harbour' || each === 'lighthouse' ? `${PAYS[each].slice(5)}, ${countOf(each)}` : countOf(each),
          says: `${WHEEL_NAMES[each]}, ${PAYS[each]}, ${countOf(each)} segments`,
          className: `is-${each}`,
        }))}
        chosen={spot}
        onChoose={setSpot}
        bets={live.bets}
        disabled={busy}
        won={(each) => done && each === fallen}
      />
    </div>
  );
}

/** What is said in the middle of the wheel. */
function Say(props: {
  live: SharedBoardProps<Wager, WheelResult>['live'];
  skewMs: number;
  fallen: WheelSpot | null;
  /** Hundredths, once it is known. */
  pays: number | null;
}) {
  const { live, fallen, pays } = props;
  return (
    <div className={css.say}>
      {live.phase === 'bets' ? (
        <>
          <small>Bets close in</small>
          <Countdown endsAt={live.phaseEndsAt ?? 0} startedAt={live.phaseStartedAt} skewMs={props.skewMs} />
          <small>
            {live.players} {live.players === 1 ? 'player' : 'players'}
          </small>
        </>
      ) : fallen ? (
        <>
          <b>{WHEEL_NAMES[fallen]}</b>
          <small>{pays === null ? 'the bonus opens' : `pays ${times(pays)}`}</small>
        </>
      ) : (
        <small>The wheel turns</small>
      )}
    </div>
  );
}

const angleOf = (segment: number) => -(segment + 0.5) * STEP;

/** Turns to the middle of the drawn segment, at the same moment for everyone who watches. */
const BigWheel = memo(function BigWheel(props: {
  segment: number;
  from: number;
  /** When the turning began, on this machine's clock; null: it stands. */
  startedAt: number | null;
  lit: WheelSpot | null;
}) {
  const { segment, from, startedAt, lit } = props;
  const rotor = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    if (!rotor.current) return;
    rotor.current.style.transform = `rotate(${angleOf(segment)}deg)`;
    if (startedAt === null) return;
    const turn = (((angleOf(segment) - angleOf(from)) % 360) + 360) % 360;
    const motion = rotor.current.animate(
      [
        { transform: `rotate(${angleOf(segment) - turn - 360 * 4}deg)` },
        { transform: `rotate(${angleOf(segment)}deg)` },
      ],
      { duration: SPIN_MS, easing: 'cubic-bezier(.22,.55,.16,1)', fill: 'backwards' },
    );
    motion.currentTime = Math.max(0, Date.now() - startedAt);
    return () => motion.cancel();
  }, [segment, from, startedAt]);
  return (
    <svg className={css.bigwheel} viewBox="-108 -112 216 224" aria-hidden="true">
      <circle r="105" className={css.bigwheelRim} />
      <g ref={rotor}>
        {WEDGES.map(({ id, spot, turn }) => (
          <g key={id} transform={`rotate(${turn + STEP / 2})`} data-dim={lit !== null && lit !== spot}>
            <path d={WEDGE} className={cx(css.wedge, `is-${spot}`)} />
            {spot === 'harbour' ? (
              <path d="M-3.4-84h6.8l-1.6 5h-3.6ZM0-93v8l4.4-1.6Z" className={css.wedgeSign} />
            ) : spot === 'lighthouse' ? (
              <path d="M-1.6-88h3.2l1.4 10h-6ZM-2.4-91h4.8v2.2h-4.8ZM0-94l2 2.4h-4Z" className={css.wedgeSign} />
            ) : (
              <text y={spot === 'x25' ? -87 : -86} textAnchor="middle" className={css.wedgeText}>
                {SIGNS[spot]}
              </text>
            )}
          </g>
        ))}
        {WEDGES.map(({ id, turn }) => (
          <circle key={id} r="1.5" cy="-101.5" transform={`rotate(${turn})`} className={css.bigwheelPin} />
        ))}
      </g>
      <circle r="52" className={css.bigwheelHub} />
      <circle r="46" className={cx(css.bigwheelHub, 'is-inner')} />
      <path d="M0-94L-7-111h14Z" className={css.bigwheelPointer} />
    </svg>
  );
});

const WEDGE = (() => {
  const half = (STEP / 2) * (Math.PI / 180);
  const at = (r: number, side: number) =>
    `${(Math.sin(half) * r * side).toFixed(3)} ${(-Math.cos(half) * r).toFixed(3)}`;
  return `M${at(98, -1)}A98 98 0 0 1 ${at(98, 1)}L${at(52, 1)}A52 52 0 0 0 ${at(52, -1)}Z`;
})();

/** Eight boats; one comes in and shows its flag. */
function Harbour({ result, stage }: { result: WheelResult; stage: number }) {
  return (
    <div className={cx(wheelShowBonusCss.bonus, wheelShowBonusCss.harbour)} role="status">
      <h2>Harbour</h2>
      <ol className={wheelShowBonusCss.boats} data-search={stage < 3}>
        {BOATS.map(({ id, value, i }) => (
          <li
            key={id}
            className={wheelShowBonusCss[`boat${i}`]}
            data-in={stage >= 3 && i === result.value}
            data-out={stage >= 3 && i !== result.value}
          >
            <svg viewBox="0 0 60 50" aria-hidden="true">
              <path d="M31 2v30M33 5l19 22H33Z" className={wheelShowBonusCss.boatSail} />
              <path d="M29 9L12 28h17Z" className={wheelShowBonusCss.boatSail} />
              <path d="M5 33h50l-8 12H13Z" className={wheelShowBonusCss.boatHull} />
            </svg>
            <b className={wheelShowBonusCss.boatValue}>{value}×</b>
          </li>
        ))}
      </ol>
      <Outcome bonus="harbour" result={result} stage={stage} word="flag" />
    </div>
  );
}

/** Twelve windows around the lamp; the beam goes round and stays at one. */
function Lighthouse({ result, stage }: { result: WheelResult; stage: number }) {
  const beam = useRef<SVGGElement>(null);
  const to = (result.value! * 360) / WINDOWS.length;
  const searching = stage < 3;
  useLayoutEffect(() => {
    if (!beam.current) return;
    beam.current.style.transform = `rotate(${to}deg)`;
    if (!searching) return;
    const motion = beam.current.animate([{ transform: `rotate(${to - 900}deg)` }, { transform: `rotate(${to}deg)` }], {
      duration: 3400,
      easing: 'cubic-bezier(.2,.5,.2,1)',
    });
    return () => motion.cancel();
  }, [to, searching]);
  return (
    <div className={cx(wheelShowBonusCss.bonus, wheelShowBonusCss.lighthouse)} role="status">
      <h2>Lighthouse</h2>
      <svg className={wheelShowBonusCss.windows} viewBox="-100 -100 200 200" aria-hidden="true">
        <g ref={beam}>
          <path d="M0 0L-20-94A96 96 0 0 1 20-94Z" className={css.beam} />
        </g>
        {WINDOWS.map(({ id, value, i }) => (
          <g
            key={id}
            transform={`rotate(${(i * 360) / WINDOWS.length}) translate(0 -76) rotate(${(-i * 360) / WINDOWS.length})`}
            data-in={!searching && i === result.value}
          >
            <rect x="-15" y="-13" width="30" height="26" rx="6" className={wheelShowBonusCss.window} />
            <text y="5.5" textAnchor="middle">
              {value}×
            </text>
          </g>
        ))}
        <circle r="26" className={css.lamp} />
        <text y="7" textAnchor="middle" className={wheelShowBonusCss.lampText}>
          {stage >= 4 ? `×${BONUSES.lighthouse.multipliers[result.multiplier!]}` : '×?'}
        </text>
      </svg>
      <Outcome bonus="lighthouse" result={result} stage={stage} word="lamp" />
    </div>
  );
}

function Outcome({
  bonus,
  result,
  stage,
  word,
}: {
  bonus: 'harbour' | 'lighthouse';
  result: WheelResult;
  stage: number;
  word: string;
}) {
  const { values, multipliers } = BONUSES[bonus];
  if (stage < 3) return <p>{bonus === 'harbour' ? 'Which boat comes in?' : 'Where does the light stay?'}</p>;
  if (stage < 4)
    return (
      <p>
        {values[result.value!]}× and now the {word}
      </p>
    );
  return (
    <p>
      {values[result.value!]}× times {multipliers[result.multiplier!]} by the {word}:{' '}
      <b className={wheelShowBonusCss.pays}>{times(timesOf(result))}</b>
    </p>
  );
}

export default sharedBoard<Wager, WheelResult>(WheelBoard);
