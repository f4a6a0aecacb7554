import { type ReactNode, useState } from 'react';
import { LiveBadge } from './badge.tsx';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconArrowRight, IconStairs, IconX } from './icons.ts';
import { SignedMoney } from './money.tsx';
import { Veil, type VeilKind } from './veil.tsx';

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
  const classes = ['panel', 'mk', deep && three && 'is-deep', className];
  return (
    <section className={classes.filter(Boolean).join(' ')} aria-label={label}>
      {deep && (
        <fieldset className="seg seg--d mk__depth" aria-label="Depth">
          {[1, 3].map((n) => (
            <button
              key={n}
              type="button"
              className="hit44"
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
  children,
}: {
  title: string;
  inPlay?: boolean;
  /** "Matched 12,482,310", "24 sessions". */
  meta?: ReactNode;
  /** "Min 100, max 50,000". */
  limits?: ReactNode;
  /** Cash out, ladder button, filters. */
  children?: ReactNode;
}) {
  return (
    <div className="mk__h">
      <h2>{title}</h2>
      {inPlay && <LiveBadge pill />}
      {meta && <span className="mk__meta">{meta}</span>}
      <span className="grow" />
      {limits && <span className="mk__meta">{limits}</span>}
      {children}
    </div>
  );
}

/** The column row: Back and Lay above the two best columns only; No and Yes for sessions. */
export function MarketCols({ label, kind = 'two' }: { label?: ReactNode; kind?: 'six' | 'two' | 'fancy' }) {
  const [first, second] = kind === 'fancy' ? ['No', 'Yes'] : ['Back', 'Lay'];
  const outer = kind === 'six' ? [0, 1] : [];
  return (
    <div className="mk__cols">
      <span className="grow clip">{label}</span>
      <div className="cells">
        {outer.map((i) => (
          <span key={i} className="dp" />
        ))}
        <span className={kind === 'fancy' ? 'c-lay' : 'c-back'}>{first}</span>
        <span className={kind === 'fancy' ? 'c-back' : 'c-lay'}>{second}</span>
        {outer.map((i) => (
          <span key={i} className="dp" />
        ))}
      </div>
    </div>
  );
}

/** The cells of one row on the shared grid. `veil` covers and hides their figures. */
export function Cells({ veil, children }: { veil?: VeilKind | null | undefined; children: ReactNode }) {
  return (
    <div className={veil ? 'cells is-veiled' : 'cells'}>
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
      <div className={won ? 'mk__r is-win' : 'mk__r'}>
        <div className="mk__run">
          {crest}
          <div className="grow">
            <div className="mk__name" title={name}>
              {name}
            </div>
            {whatIf}
          </div>
          {trend}
        </div>
        {children}
      </div>
      {below && <div className="mk__inline">{below}</div>}
    </>
  );
}

/** The settled position under a runner; with a stake in the slip an arrow and the figure after that bet. */
export function WhatIf({ minor, nextMinor }: { minor: number | null; nextMinor?: number | null | undefined }) {
  return (
    <div className="whatif">
      {minor === null ? <span className="t3">No position</span> : <SignedMoney minor={minor} />}
      {nextMinor !== null && nextMinor !== undefined && (
        <>
          <Icon of={IconArrowRight} size={13} />
          <span className="sr">then</span>
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
      <div className="fy__r">
        <div className="grow">
          <div className="fy__n clip" title={name}>
            {name}
          </div>
          <div className="row g-2 fs-11 t3 fy__m">
            {hasBets ? (
              <>
                <span>Max loss</span>
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
            label={`Run ladder for ${name}`}
            size={16}
            small
            aria-expanded={ladderOpen}
            aria-pressed={ladderOpen}
            onClick={onLadder}
          />
        )}
        {children}
      </div>
      {below && <div className="mk__inline">{below}</div>}
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
    <div className="runlad">
      <header>
        <div>
          <b className="fs-13">{title}</b>
          {sub && <div className="t3 fs-11">{sub}</div>}
        </div>
        {onClose && <IconButton icon={IconX} label="Close" size={16} small onClick={onClose} />}
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">Runs</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.runs}
              className={[row.flip && 'flip', row.now && 'now'].filter(Boolean).join(' ') || undefined}
            >
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
