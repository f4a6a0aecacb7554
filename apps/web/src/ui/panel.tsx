import { t } from '@lingui/core/macro';
import { Children, type CSSProperties, Fragment, type ReactNode } from 'react';
import { Link } from '../platform/routing.tsx';
import { Count } from './badge.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconChevronRight } from './icons.ts';
import dataCss from './data.module.css';
import css from './panel.module.css';
import shellCss from './shell.module.css';

/** A box with a head. `end` stands at the right of the head; `flush` leaves the padding of the body to the children. */
export function Panel(props: {
  title?: ReactNode;
  count?: number | undefined;
  end?: ReactNode;
  flush?: boolean;
  small?: boolean;
  label?: string;
  className?: string;
  children?: ReactNode;
}) {
  const { title, count, end, flush = true, small = false, label, className, children } = props;
  return (
    <section className={cx(css.panel, className)} aria-label={label ?? (typeof title === 'string' ? title : undefined)}>
      {title !== undefined && (
        <div className={cx(css.head, small && css.headSmall)}>
          <h2>{title}</h2>
          {count !== undefined && <Count n={count} />}
          <span className="grow" />
          {end}
        </div>
      )}
      {flush ? children : <div className={css.body}>{children}</div>}
    </section>
  );
}

/** The title of a page with its actions at the right. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={shellCss.pageHead}>
      <h1>{title}</h1>
      {children && <div className="row g-4">{children}</div>}
    </div>
  );
}

/** The path to an event: sport, competition, date. */
export function Crumbs({ items }: { items: ReadonlyArray<{ text: string; to?: string }> }) {
  return (
    <nav className={css.crumbs} aria-label={t`Path`}>
      {items.map((item, i) => (
        <Fragment key={item.text}>
          {i > 0 && <Icon of={IconChevronRight} size={12} />}
          {item.to ? <Link to={item.to}>{item.text}</Link> : <span>{item.text}</span>}
        </Fragment>
      ))}
    </nav>
  );
}

/** A strip of figures above a report. */
export function Kpis({ children }: { children: ReactNode }) {
  const style = { '--n': Children.toArray(children).length } as CSSProperties;
  return (
    <div className={dataCss.figures} style={style}>
      {children}
    </div>
  );
}

export function Kpi({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className={dataCss.figure}>
      <span>{label}</span>
      <b>{children}</b>
      {note && <small>{note}</small>}
    </div>
  );
}
