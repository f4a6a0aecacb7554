/** The stake panel: stake, presets, the buttons that the board named, what the last round paid, and the balance. */
import { type KeyboardEvent, useId, useState } from 'react';
import { type Action, amount, times } from './board.ts';
import { cx } from './cx.ts';
import { type Note, type Play, signed, stakeOfWager } from './play.ts';
import { type Limits, presetsOf, stepped, typed, within } from './stake.ts';
import type { Paid, Till } from './till.ts';
import actsCss from './acts.module.css';
import ownBetsCss from './own-bets.module.css';
import pageCss from './page.module.css';
import css from './panel.module.css';
import stakeCss from './stake.module.css';

export function StakePanel(props: {
  play: Play;
  till: Till;
  /** What the panel says until the next act. */
  note: Note | null;
  /** The stake stands while a round of several steps is open. */
  locked: boolean;
  /** The buttons; what they say and do is of the kind of game. */
  children: React.ReactNode;
  /** In place of the last payment: own bets of the shared round. */
  own?: React.ReactNode;
}) {
  const { play, till } = props;
  const { panel } = till;
  return (
    <section className={css.panel} aria-label="Stake and play">
      {panel.stake !== 'off' && (
        <Stake
          label={panel.stake === 'chip' ? 'Chip' : 'Stake'}
          minor={till.stakeMinor}
          limits={till.limits}
          currency={play.session.currency}
          disabled={props.locked || play.closed !== null}
          onChange={till.setWish}
        />
      )}
      <div className={css.act}>
        <p className={css.note} data-tone={props.note?.tone}>
          {props.note ? <span role="alert">{props.note.text}</span> : panel.note}
        </p>
        {props.children}
      </div>
      <div className={css.foot}>
        {props.own ?? <LastPaid last={till.last} />}
        <p className={css.balance}>
          <span>{play.session.mode === 'demo' ? 'Demo balance' : 'Balance'}</span>
          <b>{amount(till.balanceMinor)}</b> <small>{play.session.currency}</small>
        </p>
      </div>
      <Recent rounds={till.recent} />
    </section>
  );
}

/** What the rounds since the page was opened cost and paid; only where there is room for it. */
function Recent({ rounds }: { rounds: readonly Paid[] }) {
  if (rounds.length === 0) return null;
  return (
    <div className={ownBetsCss.recent}>
      <table>
        <caption>Your last rounds</caption>
        <thead>
          <tr>
            <th scope="col">Stake</th>
            <th scope="col">Paid</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: figures only
            <tr key={at} data-won={round.paidMinor > round.stakeMinor || undefined}>
              <td>{amount(round.stakeMinor)}</td>
              <td>{amount(round.paidMinor)}</td>
              <td>{signed(round.paidMinor - round.stakeMinor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LastPaid({ last }: { last: Paid | null }) {
  if (last === null) return <p className={css.last}>No round yet</p>;
  const { stakeMinor, paidMinor } = last;
  if (paidMinor === 0)
    return (
      <p className={css.last}>
        <span>Last round</span> <b>Nothing returned</b>
      </p>
    );
  const won = paidMinor > stakeMinor;
  return (
    <p className={css.last} data-won={won || undefined}>
      <span>{won ? 'Paid' : 'Returned'}</span> <b>{amount(paidMinor)}</b>
      {stakeMinor > 0 && <small>{times(Math.floor((paidMinor * 100) / stakeMinor))}</small>}
    </p>
  );
}

function Stake(props: {
  label: string;
  minor: number;
  limits: Limits;
  currency: string;
  disabled: boolean;
  onChange: (minor: number) => void;
}) {
  const id = useId();
  const { minor, limits, disabled } = props;
  // What is typed counts for the amount that stood there; any other way of setting it wins.
  const [draft, setDraft] = useState<{ readonly of: number; readonly text: string } | null>(null);
  const text = draft?.of === minor ? draft.text : null;
  const set = (to: number) => {
    setDraft(null);
    props.onChange(within(to, limits));
  };
  const commit = () => {
    if (text === null) return;
    const value = typed(text);
    if (value === null) setDraft(null);
    else set(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null;
    if (way === null || disabled) return;
    event.preventDefault();
    set(stepped(minor, way, limits));
  };
  const button = (name: string, sign: string, to: number) => (
    <button type="button" aria-label={name} disabled={disabled || to === minor} onClick={() => set(to)}>
      {sign}
    </button>
  );
  return (
    <div className={stakeCss.stake} data-chip={props.label === 'Chip' || undefined}>
      <div className={stakeCss.head}>
        <label htmlFor={id}>{props.label}</label>
        <span id={`${id}-limits`}>
          {amount(limits.minMinor, 'needed')} to {amount(limits.maxMinor, 'needed')} {props.currency}
        </span>
      </div>
      <div className={stakeCss.row}>
        {button(`Halve the ${props.label.toLowerCase()}`, '½', within(minor / 2, limits))}
        {button(`Lower ${props.label.toLowerCase()}`, '−', stepped(minor, -1, limits))}
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={text ?? amount(minor)}
          disabled={disabled}
          aria-describedby={`${id}-limits`}
          onChange={(event) => setDraft({ of: minor, text: event.target.value })}
          onFocus={(event) => event.target.select()}
          onBlur={commit}
          onKeyDown={onKeyDown}
        />
        {button(`Raise ${props.label.toLowerCase()}`, '+', stepped(minor, 1, limits))}
        {button(`Double the ${props.label.toLowerCase()}`, '2×', within(minor * 2, limits))}
      </div>
      <Presets label={props.label} limits={limits} minor={minor} disabled={disabled} onChoose={set} />
    </div>
  );
}

interface PresetsProps {
  label: string;
  limits: Limits;
  minor: number;
  disabled: boolean;
  onChoose: (minor: number) => void;
}

function Presets({ label, limits, minor, disabled, onChoose }: PresetsProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, no set of form fields */}
      <div className={stakeCss.presets} role="group" aria-label={`${label} amounts`}>
        {presetsOf(limits).map((preset) => (
          <button
            key={preset}
            type="button"
            aria-pressed={preset === minor}
            disabled={disabled}
            onClick={() => onChoose(preset)}
          >
            {amount(preset, 'needed')}
          </button>
        ))}
      </div>
    </>
  );
}

/** How a button of the panel stands now. */
export interface Standing {
  readonly text: string;
  readonly off: boolean;
  readonly busy?: boolean;
  readonly detail?: string | undefined;
}

/** An act of the player has one press each: a key held down does not press again. The button keeps the focus when it waits. */
export function ActButton(props: Standing & { main: boolean; tone?: 'cash'; onPress: () => void }) {
  return (
    <button
      type="button"
      className={cx(actsCss.act, props.main && actsCss.main)}
      data-tone={props.tone}
      aria-disabled={props.off}
      aria-busy={props.busy}
      onKeyDown={(event) => {
        if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
      }}
      onClick={() => {
        if (!props.off) props.onPress();
      }}
    >
      {props.busy && <i className={pageCss.spinner} />}
      <span>{props.text}</span>
      {props.detail && <b>{props.detail}</b>}
    </button>
  );
}

/** What every kind of game asks of a button before it may be pressed. */
export function standingOf(
  action: Action,
  main: boolean,
  now: {
    readonly play: Play;
    readonly stage: 'idle' | 'sending' | 'showing';
    readonly misses: number;
    readonly waitS: number;
    readonly balanceMinor: number;
    readonly maxMinor: number;
    /** Why wagers or moves cannot be sent now, if so. */
    readonly wagerOff?: string | undefined;
    readonly moveOff?: string | undefined;
  },
): Standing {
  const shut = (text: string): Standing => ({ text: main ? text : action.label, off: true });
  const { play } = now;
  if (play.closed !== null) return shut(play.closed);
  if (now.stage === 'sending')
    return main
      ? { text: now.misses > 0 ? 'No answer yet, asking again' : 'On its way', off: true, busy: true }
      : shut('');
  if (now.stage === 'showing') return shut('Round is playing');
  if (action.move !== undefined) {
    if (now.moveOff) return shut(now.moveOff);
    if (action.off) return { text: action.off, off: true };
    const cost = action.extraMinor ?? 0;
    if (cost > now.balanceMinor) return { text: `${action.label}: balance too low`, off: true };
    const worth = action.worthMinor ?? cost;
    return { text: action.label, off: false, detail: worth > 0 ? amount(worth) : undefined };
  }
  if (now.wagerOff) return shut(now.wagerOff);
  if (now.waitS > 0) return shut(`Next round in ${now.waitS} s`);
  if (action.off) return { text: action.off, off: true };
  if (action.wager === undefined) return { text: action.label, off: true };
  const stake = stakeOfWager(play.rules, action.wager, now.maxMinor);
  if ('off' in stake) return { text: stake.off, off: true };
  if (stake.minor > now.balanceMinor) return { text: 'Balance is below the stake', off: true };
  return { text: action.label, off: false, detail: amount(stake.minor) };
}
