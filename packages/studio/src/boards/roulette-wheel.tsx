/** The wheel of the roulette board: it turns one way, the ball runs the other way and falls into its pocket. */
import { memo, useLayoutEffect, useRef } from 'react';
import { cx } from '../page/cx.ts';
import { colourOf, POCKETS, WHEEL } from '../rules/roulette.ts';
import css from './roulette-wheel.module.css';

export const SPIN_MS = 3800;
const STEP = 360 / POCKETS;

interface Spin {
  readonly number: number | null;
  readonly rolling: boolean;
  readonly roundId: string | null;
}

/** Rotor, ring of the ball and ball: where they rest, and how they come there while the wheel rolls. */
function useSpin({ number, rolling, roundId }: Spin) {
  const rotor = useRef<SVGGElement>(null);
  const ring = useRef<SVGGElement>(null);
  const ball = useRef<SVGCircleElement>(null);
  const rest = useRef(0);

  useLayoutEffect(() => {
    if (number === null || roundId === null || !rotor.current || !ring.current || !ball.current) return;
    const start = rest.current;
    const turned = rolling ? start + 400 : start;
    const stop = turned + WHEEL.indexOf(number) * STEP;
    rotor.current.style.transform = `rotate(${turned}deg)`;
    ring.current.style.transform = `rotate(${stop}deg)`;
    ball.current.style.transform = 'translateY(-53px)';
    if (!rolling) return;
    const timing = { duration: SPIN_MS, easing: 'cubic-bezier(.16,.6,.3,1)' };
    const motions = [
      rotor.current.animate([{ transform: `rotate(${start}deg)` }, { transform: `rotate(${turned}deg)` }], timing),
      ring.current.animate(
        [{ transform: `rotate(${stop + 360 * 6}deg)` }, { transform: `rotate(${stop}deg)` }],
        timing,
      ),
      ball.current.animate(
        [
          { transform: 'translateY(-94.5px)', offset: 0, easing: 'linear' },
          { transform: 'translateY(-94.5px)', offset: 0.5, easing: 'ease-in' },
          { transform: 'translateY(-61px)', offset: 0.68, easing: 'ease-out' },
          { transform: 'translateY(-68px)', offset: 0.75, easing: 'ease-in' },
          { transform: 'translateY(-53px)', offset: 0.84 },
          { transform: 'translateY(-53px)', offset: 1 },
        ],
        { duration: SPIN_MS },
      ),
    ];
    rest.current = turned % 360;
    return () => {
      for (const each of motions) each.cancel();
    };
  }, [number, rolling, roundId]);

  return { rotor, ring, ball };
}

export const Wheel = memo(function Wheel(spin: Spin) {
  const { rotor, ring, ball } = useSpin(spin);
  return (
    <svg viewBox="-104 -104 208 208" aria-hidden="true">
      <defs>
        <radialGradient id="roulette-bowl">
          <stop offset=".86" stopColor="var(--metal-2)" />
          <stop offset=".94" stopColor="var(--metal-1)" />
          <stop offset="1" stopColor="var(--metal-2)" />
        </radialGradient>
        <radialGradient id="roulette-hub" cx=".42" cy=".36">
          <stop offset="0" stopColor="var(--metal-1)" />
          <stop offset="1" stopColor="var(--metal-2)" />
        </radialGradient>
      </defs>
      <circle r="103" className={css.wood} />
      <circle r="99" fill="url(#roulette-bowl)" />
      <circle r="97.5" className={css.track} />
      <g ref={rotor}>
        {WHEEL.map((each, i) => (
          <g key={each} transform={`rotate(${i * STEP})`}>
            <path d={sector(90, 66)} className={cx(css.pocket, `is-${colourOf(each)}`)} />
            <path d={sector(66, 44)} className={cx(css.pocket, `is-${colourOf(each)}`, 'is-deep')} />
            <text y="-74.5" textAnchor="middle" className={css.number}>
              {each}
            </text>
          </g>
        ))}
        <circle r="90" className={css.rim} />
        <circle r="66" className={css.rim} />
        <circle r="44" className={css.cone} />
        {[0, 90, 180, 270].map((turn) => (
          <g key={turn} transform={`rotate(${turn})`}>
            <path d="M-2.6-12L-1.4-32h2.8L2.6-12Z" fill="url(#roulette-hub)" />
            <circle cy="-33" r="3.6" fill="url(#roulette-hub)" />
          </g>
        ))}
        <circle r="14" fill="url(#roulette-hub)" />
        <circle r="5.5" className={css.cone} />
      </g>
      {spin.number !== null && (
        <g ref={ring}>
          <circle ref={ball} r="4" className={css.ball} />
        </g>
      )}
    </svg>
  );
});

/** A piece of the ring of one pocket's width, pointing up. */
function sector(outer: number, inner: number): string {
  const half = (STEP / 2) * (Math.PI / 180);
  const at = (r: number, side: number) =>
    `${(Math.sin(half) * r * side).toFixed(3)} ${(-Math.cos(half) * r).toFixed(3)}`;
  return `M${at(outer, -1)}A${outer} ${outer} 0 0 1 ${at(outer, 1)}L${at(inner, 1)}A${inner} ${inner} 0 0 0 ${at(inner, -1)}Z`;
}
