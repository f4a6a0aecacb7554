/** Colour Ten: ten lanterns in a ring, a light that goes round and stays on one; below it colours, sizes and digits. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type SharedBoardProps, sharedBoard, times, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { LastResults } from '../page/parts.tsx';
import { COLOUR_PAYS, type ColourSpot, coloursOf, colourTimes } from '../rules/colour.ts';
import { Countdown, type Tile, Tiles, useStage } from './show-parts.tsx';
import css from './colour.module.css';
import showPartsCss from './show-parts.module.css';

interface Wager {
  readonly stakeMinor: number;
  readonly spot: ColourSpot;
}
interface View {
  readonly digit: number;
}

const TURN_MS = 3200;
const MARKS = [TURN_MS];
const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const NAMES: Readonly<Record<string, string>> = {
  green: 'Green',
  violet: 'Violet',
  red: 'Red',
  small: 'Small',
  big: 'Big',
};

const nameOf = (spot: ColourSpot) => NAMES[spot] ?? `Digit ${spot}`;
const paysOf = (spot: ColourSpot) => {
  if (spot === 'violet') return times(COLOUR_PAYS.violet);
  if (spot === 'green' || spot === 'red') return `${times(COLOUR_PAYS.colour)}, ${times(COLOUR_PAYS.half)} on violet`;
  return times(spot === 'small' || spot === 'big' ? COLOUR_PAYS.size : COLOUR_PAYS.digit);
};
const digitWords = (digit: number) => `${digit}, ${coloursOf(digit).join(' and ')}, ${digit >= 5 ? 'big' : 'small'}`;

const tile = (spot: ColourSpot, text: string, pays: string): Tile<ColourSpot> => ({
  spot,
  text,
  pays,
  says: `${nameOf(spot)}, pays ${paysOf(spot)}`,
  className: NAMES[spot] ? `is-${spot}` : `is-digit is-${coloursOf(Number(spot)).join('-')}`,
});
const TILES: readonly Tile<ColourSpot>[] = [
  tile('green', 'Green', '2× / 1.5×'),
  tile('violet', 'Violet', '4.75×'),
  tile('red', 'Red', '2× / 1.5×'),
  tile('small', 'Small 0–4', '1.92×'),
  tile('big', 'Big 5–9', '1.92×'),
  ...DIGITS.map((digit) => tile(`${digit}` as ColourSpot, `${digit}`, '9.5×')),
];

function ColourBoard({ live, skewMs, stakeMinor, busy, motion, sound }: SharedBoardProps<Wager, View>) {
  const [spot, setSpot] = useState<ColourSpot>('green');
  const stage = useStage(live, skewMs, motion, MARKS);
  const digit = live.view && stage === 1 ? live.view.digit : null;

  usePanel<Wager>({
    actions: [{ label: 'Bet', wager: { stakeMinor, spot } }],
    note: `${nameOf(spot)} pays ${paysOf(spot)}`,
    ...(live.view && { says: `The digit is ${digitWords(live.view.digit)}.` }),
  });
  useEffect(() => {
    if (live.phase === 'runs' && motion) sound('move');
  }, [live.phase, motion, sound]);

  return (
    <div className={css.colour} data-phase={live.phase}>
      <div className={showPartsCss.showLast}>
        <LastResults
          results={live.last.map((view, i) => ({
            key: `${i}-${view.digit}`,
            text: `${view.digit}`,
            hue: view.digit % 5 === 0 ? 7 : view.digit % 2 === 1 ? 4 : 1,
            says: digitWords(view.digit),
          }))}
        />
      </div>
      <div className={css.stage}>
        <Ring
          digit={live.view?.digit ?? null}
          shown={digit}
          startedAt={live.phase === 'runs' && motion ? live.phaseStartedAt - skewMs : null}
        />
        <div className={css.middle}>
          {live.phase === 'bets' ? (
            <Countdown endsAt={live.phaseEndsAt ?? 0} startedAt={live.phaseStartedAt} skewMs={skewMs} />
          ) : digit === null ? (
            <small>The light goes round</small>
          ) : (
            <>
              <b>{digit}</b>
              <small>
                {coloursOf(digit).join(' and ')}, {digit >= 5 ? 'big' : 'small'}
              </small>
            </>
          )}
        </div>
      </div>
      <Tiles
        label="Bet on"
        className={css.tiles}
        tiles={TILES}
        chosen={spot}
        onChoose={setSpot}
        bets={live.bets}
        disabled={busy}
        won={(each) => digit !== null && colourTimes(each, digit) > 0}
      />
    </div>
  );
}

const placeOf = (digit: number) => {
  const turn = (digit * 36 * Math.PI) / 180;
  return { x: Math.sin(turn) * 78, y: -Math.cos(turn) * 78 };
};

function Ring({ digit, shown, startedAt }: { digit: number | null; shown: number | null; startedAt: number | null }) {
  const light = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    if (!light.current || digit === null) return;
    const to = digit * 36;
    light.current.style.transform = `rotate(${to}deg)`;
    if (startedAt === null) return;
    const motion = light.current.animate([{ transform: 'rotate(0deg)' }, { transform: `rotate(${to + 360 * 4}deg)` }], {
      duration: TURN_MS,
      easing: 'cubic-bezier(.2,.6,.2,1)',
    });
    motion.currentTime = Math.max(0, Date.now() - startedAt);
    return () => motion.cancel();
  }, [digit, startedAt]);
  return (
    <svg className={css.ring} viewBox="-104 -104 208 208" aria-hidden="true">
      <circle r="78" className={css.ringTrack} />
      {digit !== null && (
        <g ref={light}>
          <circle cy="-78" r="25" className={css.ringLight} />
        </g>
      )}
      {DIGITS.map((each) => {
        const { x, y } = placeOf(each);
        const [own, second] = coloursOf(each);
        return (
          <g
            key={each}
            transform={`translate(${x.toFixed(2)} ${y.toFixed(2)})`}
            data-dim={shown !== null && shown !== each}
          >
            <circle r="19" className={css.lanternBase} />
            <g className={css.lanternLight}>
              <circle r="19" className={cx(css.lantern, `is-${own}`)} />
              {second && <path d="M0-19A19 19 0 0 1 0 19Z" className={cx(css.lantern, `is-${second}`)} />}
            </g>
            <circle r="19" className={css.lanternRim} />
            <text y="7" textAnchor="middle">
              {each}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

export default sharedBoard<Wager, View>(ColourBoard);
