import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from '../platform/routing.tsx';
import { Count, SideChip } from './badge.tsx';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconCheck, IconPencil, IconX } from './icons.ts';
import { SignedMoney } from './money.tsx';
import css from './bets.module.css';
import panelCss from './panel.module.css';
import slipCss from './slip.module.css';

export type BetSide = 'back' | 'lay';
export type SideLetter = 'B' | 'L' | 'Y' | 'N';

/** The box of the slip in the colour of its side. Put `Panel`-free children inside; `head` is the row with the title. */
export function SlipBox({
  side,
  count,
  end,
  children,
  inline = false,
}: {
  side: BetSide;
  count?: number;
  end?: ReactNode;
  children: ReactNode;
  inline?: boolean;
}) {
  const colour = side === 'back' ? slipCss.back : slipCss.lay;
  if (inline)
    return (
      <section className={cx(slipCss.inline, colour)} aria-label={t`Bet slip`}>
        {children}
      </section>
    );
  return (
    <section className={cx(panelCss.panel, slipCss.slip, colour)} aria-label={t`Bet slip`}>
      <div className={cx(panelCss.head, panelCss.headSmall)}>
        <h2>{t`Bet slip`}</h2>
        {count !== undefined && <Count n={count} on />}
        <span className="grow" />
        {end}
      </div>
      {children}
    </section>
  );
}

/** What is being bet on: stripe, letter chip, Back (for) or Lay (against), name, market. `compact`: "Back India" on one line. */
export function SlipSelection({
  side,
  letter,
  verb,
  name,
  sub,
  compact = false,
  onRemove,
}: {
  side: BetSide;
  letter?: SideLetter;
  verb?: string;
  name: string;
  sub: string;
  compact?: boolean;
  onRemove: () => void;
}) {
  const word = verb ?? (side === 'back' ? t`Back (for)` : t`Lay (against)`);
  return (
    <div className={slipCss.selection}>
      <SideChip side={side} letter={letter ?? (side === 'back' ? 'B' : 'L')} />
      <div className="grow">
        {!compact && <span className={slipCss.side}>{word}</span>}
        <h3>{compact ? `${word} ${name}` : name}</h3>
        <p>{sub}</p>
      </div>
      <IconButton icon={IconX} label={t`Remove`} size={16} small onClick={onRemove} />
    </div>
  );
}

/** Label and signed figure pairs: profit, liability, position after the bet. `null` shows an en dash. */
export function SlipSum({ rows }: { rows: ReadonlyArray<{ label: string; minor: number | null }> }) {
  return (
    <dl className={slipCss.sum}>
      {rows.map((row) => (
        <SumRow key={row.label} {...row} />
      ))}
    </dl>
  );
}

function SumRow({ label, minor }: { label: string; minor: number | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{minor === null ? '\u2013' : <SignedMoney minor={minor} />}</dd>
    </>
  );
}

/** The same figures side by side, where there is little height. */
export function SlipFigures({
  profitMinor,
  liabilityMinor,
  limits,
}: {
  profitMinor: number | null;
  liabilityMinor: number | null;
  limits: string;
}) {
  return (
    <dl className={slipCss.shortSum}>
      <div>
        <dt>{t`Profit`}</dt>
        <dd>{profitMinor === null ? '\u2013' : <SignedMoney minor={profitMinor} />}</dd>
      </div>
      <div>
        <dt>{t`Liability`}</dt>
        <dd>{liabilityMinor === null ? '\u2013' : <SignedMoney minor={liabilityMinor} />}</dd>
      </div>
      <div>
        <dt>{t`Limits`}</dt>
        <dd className="num" dir="auto">
          {limits}
        </dd>
      </div>
    </dl>
  );
}

/** A group of My bets: its words, an action or note at the right, then the columns and rows. */
export function BetGroup({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={t`${title} bets`}>
      <div className={css.group}>
        <span>{title}</span>
        {end}
      </div>
      <div className={css.columns} aria-hidden="true">
        <span />
        <span>{t`Selection`}</span>
        <span className="n">{t`Odds`}</span>
        <span className="n">{t`Stake`}</span>
        <span />
      </div>
      {children}
    </section>
  );
}

/**
 * One bet. `waiting` hatches it and offers cancel and edit; `matchedPercent` of a waiting bet fills the ground to its share;
 * `deleted` strikes it through with the reason below. `event` names its event, `to` is the way there.
 */
export function BetRow({
  side,
  letter,
  name,
  sub,
  event,
  to,
  odds,
  stake,
  state,
  matchedPercent,
  isNew = false,
  onCancel,
  onEdit,
  editing = false,
}: {
  side: BetSide;
  letter?: SideLetter;
  name: string;
  sub: string;
  event?: string;
  to?: string;
  odds: string;
  stake: string;
  state: 'waiting' | 'matched' | 'deleted';
  matchedPercent?: number | undefined;
  /** Something has just happened to it. */
  isNew?: boolean;
  onCancel?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
  editing?: boolean;
}) {
  const part = state === 'waiting' && (matchedPercent ?? 0) > 0;
  const tone = state === 'deleted' ? css.deleted : part ? css.part : state === 'waiting' ? css.unmatched : null;
  return (
    <div
      className={cx(css.bet, tone, isNew && 'is-new')}
      style={part ? ({ '--part': `${matchedPercent}%` } as object) : undefined}
    >
      <SideChip side={side} letter={letter ?? (side === 'back' ? 'B' : 'L')} />
      <span className={css.name}>
        <span className={css.runner}>{state === 'deleted' ? <s>{name}</s> : name}</span>
        <small>{sub}</small>
      </span>
      <span className="n">{odds}</span>
      <span className="n">{stake}</span>
      <span className={css.actions}>
        <BetActs name={name} onCancel={onCancel} onEdit={onEdit} editing={editing} />
        {state === 'matched' && (
          <span className={css.mark} title={t`Matched`}>
            <Icon of={IconCheck} size={15} />
            <span className="sr">{t`Matched`}</span>
          </span>
        )}
      </span>
      {event && to && (
        <Link className={css.event} to={to}>
          {event}
        </Link>
      )}
    </div>
  );
}

/** What can be done with a bet that waits. */
function BetActs({
  name,
  onCancel,
  onEdit,
  editing,
}: {
  name: string;
  onCancel: (() => void) | undefined;
  onEdit: (() => void) | undefined;
  editing: boolean;
}) {
  return (
    <>
      {onEdit && (
        <IconButton
          icon={IconPencil}
          label={t`Edit bet on ${name}`}
          size={15}
          small
          aria-expanded={editing}
          onClick={onEdit}
        />
      )}
      {onCancel && <IconButton icon={IconX} label={t`Cancel bet on ${name}`} size={15} small onClick={onCancel} />}
    </>
  );
}

/** "Cancel all" of the waiting group. */
export function CancelAll({ onPress, busy = false }: { onPress: () => void; busy?: boolean }) {
  return (
    <Button kind="ghost" size="sm" busy={busy} onClick={onPress}>
      {t`Cancel all`}
    </Button>
  );
}
