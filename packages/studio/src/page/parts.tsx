/** Small drawn things that boards share, so that the games look alike. */
import { type Card, cardWords, isRed, rankName, rankOf, suitOf } from '@fairgame/casino';
import { type KeyboardEvent, useId, useRef } from 'react';
import { cx } from './cx.ts';
import css from './parts.module.css';

/** Spade, heart, club, diamond in a box of 24 by 24; the order of @fairgame/casino. */
export const SUIT_PATHS: readonly string[] = [
  'M12 2C12 2 3.2 9 3.2 14a4.3 4.3 0 0 0 7.4 3c-.1 2-.9 3.7-2.1 5h7c-1.2-1.3-2-3-2.1-5a4.3 4.3 0 0 0 7.4-3C20.8 9 12 2 12 2Z',
  'M12 21.5S3 14.6 3 8.7A4.9 4.9 0 0 1 12 6a4.9 4.9 0 0 1 9 2.7C21 14.6 12 21.5 12 21.5Z',
  'M12 2a4.4 4.4 0 0 0-3.9 6.5 4.4 4.4 0 1 0 2.6 7.9c-.2 2.2-1 4.1-2.2 5.6h7c-1.2-1.5-2-3.4-2.2-5.6a4.4 4.4 0 1 0 2.6-7.9A4.4 4.4 0 0 0 12 2Z',
  'M12 1.8L19.6 12 12 22.2 4.4 12Z',
];

/** Lines across the back at 45 degrees, nine apart, each cut where it leaves the field of 43 by 63. */
const WEAVE = Array.from({ length: 12 }, (_, i) => {
  const from = 3.5 + Math.max(0, 39.5 - i * 9);
  const to = 3.5 + Math.min(43, 102.5 - i * 9);
  const y = i * 9 - 39.5;
  return `M${from} ${y + from}L${to} ${y + to}M${50 - from} ${y + from}L${50 - to} ${y + to}`;
});

/** A card by its number of @fairgame/casino; `back` face down, null the empty place. Width by --card-w (56px by default). */
export function PlayingCard({ card, marked = false }: { card: Card | 'back' | null; marked?: boolean }) {
  if (card === null) return <span className={cx(css.card, css.cardPlace)} />;
  if (card === 'back') {
    return (
      <svg className={css.card} viewBox="0 0 50 70" role="img" aria-label="Card face down">
        <rect x=".5" y=".5" width="49" height="69" rx="5.5" fill="var(--card-face)" stroke="var(--card-edge)" />
        <rect x="3.5" y="3.5" width="43" height="63" rx="3.5" fill="var(--card-back)" />
        <g stroke="var(--card-back-2)" strokeWidth="1.2">
          {WEAVE.map((d) => (
            <path key={d} d={d} />
          ))}
        </g>
        <rect
          x="2.6"
          y="2.6"
          width="44.8"
          height="64.8"
          rx="4.4"
          fill="none"
          stroke="var(--card-face)"
          strokeWidth="2"
        />
        <path d="M25 24l9 11-9 11-9-11Z" fill="var(--card-back-2)" stroke="var(--card-face)" strokeWidth="1.4" />
      </svg>
    );
  }
  const ink = isRed(card) ? 'var(--card-red)' : 'var(--card-black)';
  const suit = SUIT_PATHS[suitOf(card)];
  return (
    <svg className={cx(css.card, marked && 'is-marked')} viewBox="0 0 50 70" role="img" aria-label={cardWords(card)}>
      <rect x=".5" y=".5" width="49" height="69" rx="5.5" fill="var(--card-face)" stroke="var(--card-edge)" />
      <text x="5" y="20.5" fontSize="19" fontWeight="720" fill={ink} letterSpacing="-.06em">
        {rankName(rankOf(card))}
      </text>
      <path d={suit} fill={ink} transform="translate(5 24) scale(.5)" />
      <path d={suit} fill={ink} transform="translate(17 36.5) scale(1.18)" />
    </svg>
  );
}

/** One of a few, as a row of buttons; arrow keys move the choice. */
export function Choice<T extends string | number>(props: {
  label: string;
  /** The label is drawn above; hidden it is only spoken. */
  hideLabel?: boolean;
  options: readonly { readonly value: T; readonly text: string; readonly off?: boolean }[];
  value: T;
  onChange: (value: T) => void;
  disabled?: boolean;
}) {
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const open = props.options.filter((option) => !option.off);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined || props.disabled) return;
    event.preventDefault();
    const at = open.findIndex((option) => option.value === props.value);
    const next = open[(at + by + open.length) % open.length];
    if (!next) return;
    props.onChange(next.value);
    group.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus();
  };
  return (
    <div className={css.choice}>
      <span id={id} className={props.hideLabel ? 'spoken' : css.choiceLabel}>
        {props.label}
      </span>
      <div ref={group} role="radiogroup" aria-labelledby={id} className={css.choiceRow} onKeyDown={onKeyDown}>
        {props.options.map((option) => (
          // biome-ignore lint/a11y/useSemanticElements: a row of buttons with one tab stop
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={option.value === props.value}
            tabIndex={option.value === props.value ? 0 : -1}
            data-value={option.value}
            disabled={props.disabled || option.off}
            onClick={() => props.onChange(option.value)}
          >
            {option.text}
          </button>
        ))}
      </div>
    </div>
  );
}

/** A whole number with a slider, buttons and arrow keys (no drag needed). */
export function Slider(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** How the value is read out and shown. */
  text: (value: number) => string;
  onChange: (value: number) => void;
  disabled?: boolean;
}) {
  const id = useId();
  const step = props.step ?? 1;
  const to = (value: number) => props.onChange(Math.min(props.max, Math.max(props.min, value)));
  return (
    <div className={css.slider}>
      <label htmlFor={id}>{props.label}</label>
      <output htmlFor={id}>{props.text(props.value)}</output>
      <div className={css.sliderRow}>
        <button
          type="button"
          aria-label={`${props.label}: less`}
          disabled={props.disabled || props.value <= props.min}
          onClick={() => to(props.value - step)}
        >
          −
        </button>
        <input
          id={id}
          type="range"
          min={props.min}
          max={props.max}
          step={step}
          value={props.value}
          aria-valuetext={props.text(props.value)}
          disabled={props.disabled}
          onChange={(event) => to(Number(event.target.value))}
        />
        <button
          type="button"
          aria-label={`${props.label}: more`}
          disabled={props.disabled || props.value >= props.max}
          onClick={() => to(props.value + step)}
        >
          +
        </button>
      </div>
    </div>
  );
}

/** The last results of a game as a row of chips, newest first; `hue` 1..8 is a hue of the tokens, 0 plain. */
export function LastResults(props: {
  label?: string;
  results: readonly { readonly key: string; readonly text: string; readonly hue?: number; readonly says?: string }[];
}) {
  if (props.results.length === 0) return null;
  return (
    <div className={css.lastResults}>
      <span className={css.lastLabel}>{props.label ?? 'Last'}</span>
      <ol aria-label="Last results, newest first">
        {props.results.map((result) => (
          <li key={result.key} data-hue={result.hue ?? 0} aria-label={result.says}>
            {result.text}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A betting chip with its amount, for bets that lie on a table. Size by --chip (30px by default). */
export function Chip({ text, title }: { text: string; title?: string }) {
  return (
    <span className={css.chip} title={title}>
      {text}
    </span>
  );
}
