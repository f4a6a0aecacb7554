import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { LiveBadge } from './badge.tsx';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconArrowRight, IconStairs, IconX } from './icons.ts';
import { SignedMoney } from './money.tsx';
import { Veil, type VeilKind } from './veil.tsx';
import controlsCss from './controls.module.css';
import fancyMarketCss from './fancy-market.module.css';
import css from './market-table.module.css';
import panelCss from './panel.module.css';
import priceCss from './price.module.css';
import tabsCss from './tabs.module.css';

/**
 * A market. On a phone it shows the best back and lay, and all three depths after the 1 / 3 switch that `MarketHead`
 * draws when `deep` is possible.
 */
export function Market({
  label,
  deep = false,
  className,
  children,
}: {
  label: string;
  /** Three prices a side: offers the switch on a phone. */
  deep?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const [three, setThree] = useState(false);
  return (
    <section className={cx(panelCss.panel, css.market, deep && three && 'is-deep', className)} aria-label={label}>
      {deep && (
        <fieldset className={cx(tabsCss.switch, tabsCss.depth, css.depth)} aria-label={t`Depth`}>
          {[1, 3].map((n) => (
            <button
              key={n}
              type="button"
              className={controlsCss.reach}
              aria-pressed={three === (n === 3)}
              onClick={() => setThree(n === 3)}
            >
              {n}
            </button>
          ))}
        </fieldset>
      )}
      {children}
    </section>
  );
}

/** Name, In-play badge, matched total and the like at the left; limits and actions at the right. */
export function MarketHead({
  title,
  inPlay = false,
  meta,
  limits,
  signs,
  children,
}: {
  title: string;
  inPlay?: boolean;
  /** "Matched 12,482,310", "24 sessions". */
  meta?: ReactNode;
  /** "Min 100, max 50,000". */
  limits?: ReactNode;
  /** Ladders, alert, rules: icons, together at the end. */
  signs?: ReactNode;
  /** Cash out, filters. */
  children?: ReactNode;
}) {
  return (
    <div className={css.head}>
      <div className={css.title}>
        <h2>{title}</h2>
        {inPlay && <LiveBadge pill />}
      </div>
      <div className={css.metas}>
        {meta && <span className={css.meta}>{meta}</span>}
        <span className="grow" />
        {limits && <span className={css.meta}>{limits}</span>}
      </div>
      {children}
      {signs && <div className={css.signs}>{signs}</div>}
    </div>
  );
}

/** The column row: Back and Lay above the two best columns only; No and Yes for sessions. */
export function MarketCols({ label, kind = 'two' }: { label?: ReactNode; kind?: 'six' | 'two' | 'fancy' }) {
  const [first, second] =
    kind === 'fancy'
      ? [t({ message: 'No', context: 'bet' }), t({ message: 'Yes', context: 'bet' })]
      : [t({ message: 'Back', context: 'bet' }), t({ message: 'Lay', context: 'bet' })];
  const outer = kind === 'six' ? [0, 1] : [];
  return (
    <div className={css.columns}>
      <span className="grow clip">{label}</span>
      <div className={priceCss.cells}>
        {outer.map((i) => (
          <span key={i} className={css.deep} />
        ))}
        <span className={kind === 'fancy' ? 'c-lay' : 'c-back'}>{first}</span>
        <span className={kind === 'fancy' ? 'c-back' : 'c-lay'}>{second}</span>
        {outer.map((i) => (
          <span key={i} className={css.deep} />
        ))}
      </div>
    </div>
  );
}

/** The cells of one row on the shared grid. `veil` covers and hides their figures. */
export function Cells({ veil, children }: { veil?: VeilKind | null | undefined; children: ReactNode }) {
  return (
    <div className={cx(priceCss.cells, veil && 'is-veiled')}>
      {children}
      {veil && <Veil kind={veil} />}
    </div>
  );
}

/** One runner: crest, name, what-if line, trend, then its `Cells` (or a chip once the market is closed). */
export function RunnerRow({
  crest,
  name,
  whatIf,
  trend,
  won = false,
  below,
  children,
}: {
  crest?: ReactNode;
  name: string;
  whatIf?: ReactNode;
  trend?: ReactNode;
  won?: boolean;
  /** Drawn under the row: the slip of a phone. */
  below?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <div className={cx(css.line, won && 'is-win')}>
        <div className={css.runner}>
          {crest}
          <div className="grow">
            <div className={cx(css.name, 'as-named')} title={name}>
              {name}
            </div>
            {whatIf}
          </div>
          {trend}
        </div>
        {children}
      </div>
      {below && <div className={css.inline}>{below}</div>}
    </>
  );
}

/** The settled position under a runner; with a stake in the slip an arrow and the figure after that bet. */
export function WhatIf({ minor, nextMinor }: { minor: number | null; nextMinor?: number | null | undefined }) {
  return (
    <div className={css.whatIf}>
      {minor === null ? <span className="t3">{t`No position`}</span> : <SignedMoney minor={minor} />}
      {nextMinor !== null && nextMinor !== undefined && (
        <>
          <Icon of={IconArrowRight} size={13} />
          <span className="sr">{t`then`}</span>
          <SignedMoney minor={nextMinor} next />
        </>
      )}
    </div>
  );
}

/** One session row: name, limits or the max loss with the ladder button, then `Cells` with No (lay) and Yes (back). */
export function FancyRow({
  name,
  meta,
  maxLossMinor,
  ladderOpen = false,
  onLadder,
  below,
  children,
}: {
  name: string;
  /** "Min 100, max 25,000", shown while there is no bet. */
  meta?: ReactNode;
  maxLossMinor?: number | null | undefined;
  ladderOpen?: boolean;
  onLadder?: () => void;
  below?: ReactNode;
  children: ReactNode;
}) {
  const hasBets = maxLossMinor !== null && maxLossMinor !== undefined;
  return (
    <>
      <div className={fancyMarketCss.line}>
        <div className="grow">
          <div className={cx(fancyMarketCss.name, 'clip')} title={name}>
            {name}
          </div>
          <div className={cx('row g-2 fs-11 t3', css.fancyMeta)}>
            {hasBets ? (
              <>
                <span>{t`Max loss`}</span>
                <SignedMoney minor={maxLossMinor} short />
              </>
            ) : (
              meta
            )}
          </div>
        </div>
        {hasBets && onLadder && (
          <IconButton
            icon={IconStairs}
            label={t`Run ladder for ${name}`}
            size={16}
            small
            aria-expanded={ladderOpen}
            aria-pressed={ladderOpen}
            onClick={onLadder}
          />
        )}
        {children}
      </div>
      {below && <div className={css.inline}>{below}</div>}
    </>
  );
}

/** The run ladder: results by runs, a strong line where the sign flips, the projected row tinted. */
export function RunLadder({
  title,
  sub,
  rows,
  onClose,
}: {
  title: string;
  sub?: ReactNode;
  rows: ReadonlyArray<{ runs: string; minor: number; flip?: boolean; now?: boolean }>;
  onClose?: () => void;
}) {
  return (
    <div className={fancyMarketCss.runs}>
      <header>
        <div>
          <b className="fs-13">{title}</b>
          {sub && <div className="t3 fs-11">{sub}</div>}
        </div>
        {onClose && <IconButton icon={IconX} label={t`Close`} size={16} small onClick={onClose} />}
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Runs`}</th>
            <th scope="col">{t`Result`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.runs} className={cx(row.flip && fancyMarketCss.flip, row.now && fancyMarketCss.now)}>
              <td>{row.runs}</td>
              <td>
                <SignedMoney minor={row.minor} short />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
