/** What the boards of the shared games have in common: the provider's clock, the countdown, and places to bet on. */
import { type KeyboardEvent, type ReactNode, useEffect, useReducer, useRef, useState } from 'react';
import { amount } from '../page/board.ts';
import { cx } from '../page/cx.ts';
import { Chip } from '../page/parts.tsx';
import type { LiveBet } from '../wire.ts';
import css from './show-parts.module.css';

/** Seconds until bets close, as a figure in a ring that empties. */
export function Countdown(props: { startedAt: number; endsAt: number; skewMs: number }) {
  const { startedAt, endsAt, skewMs } = props;
  const left = Math.max(0, endsAt - useNow(skewMs, 200));
  const share = endsAt > startedAt ? Math.min(1, left / (endsAt - startedAt)) : 0;
  return (
    <span className={css.countdown} role="timer" aria-label={`${Math.ceil(left / 1000)} seconds`}>
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        <circle r="44" className={css.countdownOff} />
        <circle
          r="44"
          className={css.countdownOn}
          pathLength="100"
          strokeDasharray={`${(share * 100).toFixed(1)} 100`}
        />
      </svg>
      <b>{Math.ceil(left / 1000)}</b>
    </span>
  );
}

/** The provider's time, kept fresh while it is drawn. */
export function useNow(skewMs: number, everyMs: number): number {
  const [now, setNow] = useState(() => Date.now() + skewMs);
  useEffect(() => {
    setNow(Date.now() + skewMs);
    const timer = setInterval(() => setNow(Date.now() + skewMs), everyMs);
    return () => clearInterval(timer);
  }, [skewMs, everyMs]);
  return now;
}

/**
 * How far a running round has come: the number of `times` (milliseconds from its start) that have passed. Without motion,
 * and when it rests, all of them; 0 while bets are taken.
 */
export function useStage(
  live: { phase: string; phaseStartedAt: number },
  skewMs: number,
  motion: boolean,
  marks: readonly number[],
): number {
  const [, tick] = useReducer((n: number) => n + 1, 0);
  const { phase, phaseStartedAt } = live;
  const key = marks.join();
  useEffect(() => {
    if (phase !== 'runs' || key === '') return;
    const elapsed = Date.now() + skewMs - phaseStartedAt;
    const timers = key
      .split(',')
      .map((mark) => Number(mark) - elapsed)
      .filter((waitMs) => waitMs > 0)
      .map((waitMs) => setTimeout(tick, waitMs + 5));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [phase, phaseStartedAt, skewMs, key]);
  if (phase === 'bets') return 0;
  if (phase === 'rests' || !motion) return marks.length;
  const elapsed = Date.now() + skewMs - phaseStartedAt;
  return marks.filter((mark) => elapsed >= mark).length;
}

export interface Tile<Spot extends string> {
  readonly spot: Spot;
  readonly text: ReactNode;
  readonly pays: string;
  /** What is read out. */
  readonly says: string;
  readonly className?: string;
}

/** Places to bet on, one of them chosen; one tab stop, arrow keys. Own stakes lie on them as chips. */
export function Tiles<Spot extends string>(props: {
  label: string;
  className: string;
  tiles: readonly Tile<Spot>[];
  chosen: Spot | null;
  onChoose: (spot: Spot) => void;
  bets: readonly LiveBet[];
  disabled: boolean;
  /** Places that won, once it is shown. */
  won?: (spot: Spot) => boolean;
}) {
  const group = useRef<HTMLDivElement>(null);
  const staked = (spot: Spot) =>
    props.bets.reduce((sum, bet) => sum + ((bet.wager as { spot?: string }).spot === spot ? bet.stakeMinor : 0), 0);
  const stop = props.tiles.some((tile) => tile.spot === props.chosen) ? props.chosen : props.tiles[0]!.spot;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined || props.disabled) return;
    event.preventDefault();
    const at = props.tiles.findIndex((tile) => tile.spot === stop);
    const next = props.tiles[(at + by + props.tiles.length) % props.tiles.length]!;
    props.onChoose(next.spot);
    group.current?.querySelector<HTMLElement>(`[data-spot="${next.spot}"]`)?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={props.label}
      className={cx(css.tiles, props.className)}
      onKeyDown={onKeyDown}
    >
      {props.tiles.map((tile) => {
        const minor = staked(tile.spot);
        return (
          // biome-ignore lint/a11y/useSemanticElements: places of a table with one tab stop
          <button
            key={tile.spot}
            type="button"
            role="radio"
            aria-checked={tile.spot === props.chosen}
            aria-label={`${tile.says}${minor > 0 ? `, your stake ${amount(minor)}` : ''}`}
            className={cx(css.tile, tile.className)}
            data-spot={tile.spot}
            data-won={props.won?.(tile.spot) || undefined}
            tabIndex={tile.spot === stop ? 0 : -1}
            disabled={props.disabled}
            onClick={() => props.onChoose(tile.spot)}
          >
            <b>{tile.text}</b>
            <small>{tile.pays}</small>
            {minor > 0 && <Chip text={amount(minor, 'needed')} />}
          </button>
        );
      })}
    </div>
  );
}
