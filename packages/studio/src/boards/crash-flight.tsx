/**
 * What Skyward and Comet share: the clock of the flight, the curve on its growing axes, own bets on it, the preset, and the
 * last points. The two boards give it their scale and their drawings.
 */
import { type ReactNode, type RefObject, useId, useMemo, useState } from 'react';
import { amount, type SharedBoardProps, times, usePanel } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { LastResults } from '../page/parts.tsx';
import { type CrashView, type CrashWager, LEAST_AUTO, type Variant } from '../rules/crash.ts';
import { useFlight } from './crash-frames.ts';
import { Countdown } from './show-parts.tsx';
import css from './crash-flight.module.css';

/** Bets of one player in a round. */
const MOST_BETS = 2;
const PRESETS = [150, 200, 300, 500, 1000];

export interface Skin {
  readonly className: string;
  readonly scale: 'linear' | 'log';
  /** Multiples at which a line of the scale may stand, hundredths. */
  readonly marks: readonly number[];
  readonly sky: ReactNode;
  /** Drawn at the end of the curve, pointing right, about 90 wide around 0, 0. */
  readonly head: ReactNode;
  readonly words: { readonly waits: string; readonly runs: string; readonly stopped: string };
}

export function CrashFlight({
  variant,
  skin,
  live,
  skewMs,
  stakeMinor,
  busy,
  motion,
}: SharedBoardProps<CrashWager, CrashView> & { variant: Variant; skin: Skin }) {
  const [auto, setAuto] = useState<number | null>(null);
  const crash = live.phase === 'rests' ? (live.view?.crash ?? null) : null;
  const full = live.phase === 'bets' && live.bets.length >= MOST_BETS;

  usePanel<CrashWager>({
    actions: [
      {
        label: live.bets.length > 0 ? 'Bet again' : 'Bet',
        wager: { stakeMinor, autoTimes: auto },
        ...(full && { off: 'Two bets are placed' }),
      },
    ],
    note: auto === null ? 'You cash out by hand' : `Cashes out by itself at ${times(auto)}`,
    ...(crash !== null && { says: `Stopped at ${times(crash)}.` }),
  });

  return (
    <div className={cx(css.flight, skin.className)} data-phase={live.phase}>
      <Sky variant={variant} skin={skin} live={live} skewMs={skewMs} motion={motion} crash={crash} />
      <div className={css.top}>
        <LastResults
          results={live.last.map((view, i) => ({
            key: `${i}-${view.crash}`,
            text: times(view.crash ?? 100),
            hue: (view.crash ?? 0) >= 1000 ? 3 : (view.crash ?? 0) >= 200 ? 5 : 0,
          }))}
        />
      </div>
      <Preset variant={variant} value={auto} onChange={setAuto} disabled={busy} />
    </div>
  );
}

/** The picture: own bets on it, and what `useFlight` draws by hand. */
function Sky(props: {
  variant: Variant;
  skin: Skin;
  live: SharedBoardProps<CrashWager, CrashView>['live'];
  skewMs: number;
  motion: boolean;
  crash: number | null;
}) {
  const { skin, live, motion, crash } = props;
  const { sky, size, line, area, head, marks, flags, figure } = useFlight(props);
  const cashed = useMemo(
    () => live.bets.filter((bet) => bet.cashedTimes !== null && (bet.paidMinor === null || bet.paidMinor > 0)),
    [live.bets],
  );
  return (
    <div ref={sky} className={css.sky} data-stopped={crash !== null} data-still={!motion}>
      {skin.sky}
      <svg className={css.chart} viewBox={`0 0 ${size.wide} ${size.high}`} aria-hidden="true">
        <g ref={marks} className={css.marks}>
          {skin.marks.map((at) => (
            <g key={at} data-at={at}>
              <path d={`M0 0H${size.wide}`} />
              <text x={size.wide - 8} y="-5" textAnchor="end">
                {times(at)}
              </text>
            </g>
          ))}
        </g>
        {live.phase !== 'bets' && (
          <>
            <path ref={area} className={css.area} />
            <path ref={line} className={css.line} />
          </>
        )}
        <g ref={flags}>
          {cashed.map((bet) => (
            <g key={bet.betId} data-at={bet.cashedTimes} className={css.flag}>
              <circle r="8" />
              <rect x="14" y="8" width="84" height="32" rx="8" />
              <text x="56" y="31" textAnchor="middle">
                {times(bet.cashedTimes!)}
              </text>
            </g>
          ))}
        </g>
        <g ref={head} className={css.head}>
          {skin.head}
        </g>
      </svg>
      <Figure skin={skin} live={live} skewMs={props.skewMs} crash={crash} cashed={cashed} figure={figure} />
    </div>
  );
}

/** The multiple, or how long bets are taken, and what own bets were paid. */
function Figure(props: {
  skin: Skin;
  live: SharedBoardProps<CrashWager, CrashView>['live'];
  skewMs: number;
  crash: number | null;
  cashed: SharedBoardProps<CrashWager, CrashView>['live']['bets'];
  /** Its text is written by hand. */
  figure: RefObject<HTMLElement | null>;
}) {
  const { skin, live, crash, cashed } = props;
  return (
    <div className={css.figure}>
      {live.phase === 'bets' ? (
        <>
          <small>{skin.words.waits}</small>
          <Countdown endsAt={live.phaseEndsAt ?? 0} startedAt={live.phaseStartedAt} skewMs={props.skewMs} />
          <small>
            {live.players} {live.players === 1 ? 'player' : 'players'}
          </small>
        </>
      ) : (
        <>
          <b ref={props.figure} />
          <small>
            {crash === null ? skin.words.runs : crash === 100 ? `${skin.words.stopped} at once` : skin.words.stopped}
          </small>
        </>
      )}
      {live.phase !== 'bets' && cashed.length > 0 && (
        <span className={css.cashed}>
          {cashed.map((bet) => `${times(bet.cashedTimes!)} paid ${amount(bet.paidMinor ?? 0)}`).join(' · ')}
        </span>
      )}
    </div>
  );
}

/** Cash out by itself: off, one of a few, or any multiple that is typed. */
function Preset(props: {
  variant: Variant;
  value: number | null;
  onChange: (value: number | null) => void;
  disabled: boolean;
}) {
  const { variant, value, onChange, disabled } = props;
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    if (text === null) return;
    const typed = Math.round(Number(text.replace(',', '.').replace('×', '')) * 100);
    if (text.trim() === '') onChange(null);
    else if (Number.isFinite(typed)) onChange(Math.min(variant.cap, Math.max(LEAST_AUTO, typed)));
    setText(null);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons and a field
    <div className={css.preset} role="group" aria-labelledby={id}>
      <span id={id}>Cash out by itself</span>
      <div>
        <button type="button" aria-pressed={value === null} disabled={disabled} onClick={() => onChange(null)}>
          Off
        </button>
        {PRESETS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={value === each}
            disabled={disabled}
            onClick={() => onChange(each)}
          >
            {times(each)}
          </button>
        ))}
        <input
          inputMode="decimal"
          autoComplete="off"
          aria-label={`Multiple, 1.01 to ${(variant.cap / 100).toLocaleString('en')}`}
          placeholder="2.00"
          disabled={disabled}
          value={text ?? (value === null ? '' : (value / 100).toFixed(2))}
          onChange={(event) => setText(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      </div>
    </div>
  );
}
