import { useEffect, useId, useRef } from 'react';
import { payOf } from '../game.ts';
import { amount, times } from '../page/board.ts';
import type { SlotShape, SlotStep } from '../rules/slots.ts';
import type { useSteps } from './slot-steps.ts';
import type { SlotLook } from './slots.tsx';
import slotsCss from './slots.module.css';
import css from './slots-pays.module.css';

/** What a slot paid and what it pays. */

export const nameOf = (shape: SlotShape, symbol: number) => shape.symbols[symbol]!.name;

export function Drawing({ look, symbol }: { look: SlotLook; symbol: number }) {
  return (
    <svg className={slotsCss.symbol} viewBox="0 0 100 100" aria-hidden="true">
      <use href={`#${look.theme}-${look.shape.symbols[symbol]!.key}`} />
    </svg>
  );
}

export function Wins({ look, step, stakeMinor }: { look: SlotLook; step: SlotStep | undefined; stakeMinor: number }) {
  const wins = [...(step?.wins ?? [])].sort((a, b) => b.times - a.times);
  return (
    <ul className={css.wins}>
      {wins.slice(0, 3).map((win) => (
        <li key={`${win.symbol}:${win.cells.join()}`}>
          <Drawing look={look} symbol={win.symbol} />
          <span>
            <b>{amount(payOf(stakeMinor, win.times))}</b>
            <small>{win.words}</small>
          </span>
        </li>
      ))}
      {wins.length > 3 && <li className={css.more}>and {wins.length - 3} more</li>}
    </ul>
  );
}

export function PayTable({ look, stakeMinor, onClose }: { look: SlotLook; stakeMinor: number; onClose: () => void }) {
  const { shape } = look;
  const id = useId();
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section
      ref={place}
      className={css.table}
      aria-labelledby={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it takes the keys
      tabIndex={0}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h3 id={id}>Pays for a stake of {amount(stakeMinor, 'needed')}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Symbol</th>
            {shape.counts.map((count) => (
              <th key={count} scope="col">
                {count}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shape.pays.map((row) => (
            <tr key={row.symbol}>
              <th scope="row">
                <Drawing look={look} symbol={row.symbol} />
                <span>{nameOf(shape, row.symbol)}</span>
              </th>
              {row.times.map((each, index) => (
                <td key={shape.counts[index]} title={times(each)}>
                  {amount(payOf(stakeMinor, each), 'needed')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul>
        {look.hints.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </section>
  );
}

interface StepProps {
  look: SlotLook;
  play: ReturnType<typeof useSteps>;
  steps: readonly SlotStep[];
  roundId: string;
}

/** After the round its spins or falls can be looked at one by one. */
export function StepChoice({ look, play, steps, roundId }: StepProps) {
  const step = steps[play.at];
  const looks = !play.playing && steps.length > 1;
  return (
    <div className={css.step}>
      {looks && (
        <button
          type="button"
          aria-label="Earlier grid of this round"
          disabled={play.at === 0}
          onClick={() => play.look({ roundId, at: play.at - 1 })}
        >
          ‹
        </button>
      )}
      <span>{step ? look.stepName(step, play.at, steps.length) : 'Press Spin'}</span>
      {looks && (
        <button
          type="button"
          aria-label="Later grid of this round"
          disabled={play.at === steps.length - 1}
          onClick={() => play.look({ roundId, at: play.at + 1 })}
        >
          ›
        </button>
      )}
    </div>
  );
}
