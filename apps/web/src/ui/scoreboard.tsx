import { plural, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { listed } from '../platform/format.ts';
import { Crest, crestCode } from './crest.tsx';
import { cx } from './cx.ts';
import ballsCss from './balls.module.css';
import css from './scoreboard.module.css';
import turfCss from './turf.module.css';

export type Turf = keyof typeof LINES;

/** Lines of the field each sport is played on, on a ground of 848 by 200. */
const LINES = {
  cricket: (
    <>
      <ellipse cx="424" cy="60" rx="400" ry="190" />
      <ellipse cx="424" cy="60" rx="215" ry="104" strokeDasharray="5 6" />
      <rect x="398" y="8" width="52" height="104" />
      <path d="M386 20h76M386 100h76" />
    </>
  ),
  pitch: (
    <>
      <path d="M30 -20h788v300H30zM424 -20v300" />
      <circle cx="424" cy="100" r="70" />
      <circle cx="424" cy="100" r="3" />
      <path d="M30 20h110v160H30M818 20H708v160h110M30 65h44v70H30M818 65h-44v70h44" />
      <path d="M140 72a44 44 0 0 1 0 56M708 72a44 44 0 0 0 0 56" />
    </>
  ),
  court: <path d="M90 -10h668v220H90zM90 22h668M90 178h668M424 -10v220M250 22v156M598 22v156M250 100h348" />,
  track: (
    <>
      <path d="M870 178H560a142 142 0 0 1 0 -284h310M870 148H560a112 112 0 0 1 0 -224h310" />
      <path d="M870 163H560a127 127 0 0 1 0 -254h310" strokeDasharray="5 6" />
      <path d="M716 148v30M722 148v30" />
    </>
  ),
} as const;

/** Faint lines of a field behind a turf panel. */
export function TurfLines({ of = 'cricket' }: { of?: Turf }) {
  return (
    <svg className={turfCss.lines} viewBox="0 0 848 200" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g fill="none" stroke="var(--turf-line)" strokeWidth="1.2">
        {LINES[of]}
      </g>
    </svg>
  );
}

/** The turf panel of a match. Children: `ScoreTop`, then `ScoreRows` with one block each for batters, bowlers, overs. */
export function Scoreboard({
  label = t`Scoreboard`,
  turf = 'cricket',
  children,
}: {
  label?: string;
  turf?: Turf;
  children: ReactNode;
}) {
  return (
    <section className={turfCss.turf} aria-label={label}>
      <TurfLines of={turf} />
      <div className={css.board}>{children}</div>
    </section>
  );
}

/** Both teams and the line between them: target, period, rates. */
export function ScoreTop({
  left,
  right,
  head,
  sub,
  short = false,
}: {
  left: ReactNode;
  right: ReactNode;
  head?: ReactNode;
  sub?: ReactNode;
  /** What is between them is a few letters: it stays there on a phone, too. */
  short?: boolean;
}) {
  return (
    <div className={cx(css.top, short && css.topShort)}>
      {left}
      <div className={css.middle}>
        <b>{head}</b>
        <span className="num">{sub}</span>
      </div>
      {right}
    </div>
  );
}

/** One team: shield, name, score and the small figure beside it (overs). `code` overrides the letters of the shield. */
export function ScoreTeam({
  name,
  score,
  small,
  end = false,
  code,
  active = false,
  two = false,
}: {
  name: string;
  score?: ReactNode;
  small?: ReactNode;
  /** The right-hand team: mirrored. */
  end?: boolean;
  code?: string;
  /** Batting, serving: said in words. */
  active?: boolean;
  /** Two innings stand in the score: on a phone it keeps two lines, so that a run more moves nothing below. */
  two?: boolean;
}) {
  return (
    <div className={cx(css.team, end && css.teamEnd)}>
      <Crest code={code ?? crestCode(name)} name={name} size={40} />
      <div>
        <h2>{listed(name, active && t`batting`)}</h2>
        {score !== undefined && (
          <div className={cx(css.score, two && css.scoreTwo)}>
            {end && small && <small>{small} </small>}
            <bdi>{score}</bdi>
            {!end && small && <small>{small}</small>}
          </div>
        )}
      </div>
    </div>
  );
}

export function ScoreRows({ children }: { children: ReactNode }) {
  return <div className={css.bottom}>{children}</div>;
}

/**
 * One ball: "0".."3" ring, "4" disc, "6" square, "W" wicket, extras such as "1wd" a pill, "" the next ball.
 */
export function BallChip({ ball }: { ball: string }) {
  const kind =
    ball === ''
      ? ballsCss.ballNext
      : ball.startsWith('W')
        ? ballsCss.ballWicket
        : ball === '4' || ball === '6'
          ? ballsCss[`ball${ball}`]
          : /[a-z]/.test(ball)
            ? ballsCss.ballExtra
            : null;
  return (
    <span className={cx(ballsCss.ball, kind)} role="img" aria-label={ballWords(ball)}>
      {ball}
    </span>
  );
}

/** One over: its label, the balls (after those of the over before, set off from them), the runs. */
export function OverRow({
  label,
  before = [],
  balls,
  sum,
}: {
  label: string;
  before?: readonly string[];
  balls: readonly string[];
  sum?: ReactNode;
}) {
  return (
    <div className={ballsCss.over}>
      <span className={ballsCss.label}>{label}</span>
      {before.map((ball, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the over is the identity of a ball
        <BallChip key={i} ball={ball} />
      ))}
      {before.length > 0 && <span className={ballsCss.gap} aria-hidden="true" />}
      {balls.map((ball, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the over is the identity of a ball
        <BallChip key={i} ball={ball} />
      ))}
      {sum !== undefined && <span className={ballsCss.sum}>{sum}</span>}
    </div>
  );
}

function ballWords(ball: string): string {
  if (ball === '') return t`next ball`;
  if (ball === 'W') return t`wicket`;
  const extra = /^(\d+)(wd|nb|lb|b)$/.exec(ball);
  if (extra) {
    const count = extra[1];
    return { wd: t`${count} wide`, nb: t`${count} no ball`, lb: t`${count} leg bye`, b: t`${count} bye` }[
      extra[2] as 'wd'
    ];
  }
  return plural({ count: Number(ball) }, { one: '# run', other: '# runs' });
}
