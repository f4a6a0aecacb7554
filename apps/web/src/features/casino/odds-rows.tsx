import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { formatStake } from '../../platform/format.ts';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconLock } from '../../ui/icons.ts';
import { positionText, returnsText } from './amounts.ts';
import { type Fields, offered, roomOf, type Scope, useField } from './fields.tsx';
import { hasSide, isYesNo, type Section, type SelectionInfo } from './grid.ts';
import marketTableCss from '../../ui/market-table.module.css';
import panelCss from '../../ui/panel.module.css';
import priceCss from '../../ui/price.module.css';
import fieldsCss from './fields.module.css';
import css from './odds-rows.module.css';

/** The words at the head of fields that take no bets now. */
export function Shut({ cells, fields }: { cells: ReadonlyArray<SelectionInfo | undefined>; fields: Fields }) {
  const words = !fields.open ? fields.veil : offered(cells, fields) ? null : t`Closed`;
  return words === null ? null : (
    <span className={fieldsCss.shut}>
      <Icon of={IconLock} size={13} />
      {words}
    </span>
  );
}

/** What it takes to win, or what of the stakes comes back where the name says it all. */
export function hintOf(cells: readonly SelectionInfo[]): string {
  const hints = new Set(cells.map(({ hint }) => hint));
  const [hint = ''] = hints;
  return hints.size === 1 && hint !== '' ? hint : returnsText(cells);
}

/** One price of a selection as a market cell, with what lies on it. */
function Cell({
  selection,
  side,
  fields,
  under,
}: {
  selection: SelectionInfo;
  side: 'BACK' | 'LAY';
  fields: Fields;
  /** Words under the price; without them the largest stake. */
  under?: string | undefined;
}) {
  const { text, quote, idle, won, button, mark } = useField(selection, side, fields);
  const net = side === 'BACK' ? fields.net(selection) : null;
  const price = text?.price ?? '\u2013';
  const words = under ?? text?.under ?? (quote ? formatStake(quote.maxMinor) : '');
  return (
    <button
      {...button}
      className={cx(
        priceCss.cell,
        side === 'BACK' ? priceCss.back : priceCss.lay,
        text === null && priceCss.empty,
        idle && 'is-shut',
        won && 'is-won',
      )}
    >
      <b style={roomOf(price)}>{price}</b>
      <i style={roomOf(words)}>{words}</i>
      {net !== null && (
        <i className={fieldsCss.net} style={roomOf(positionText(net))}>
          {positionText(net)}
        </i>
      )}
      <span className={priceCss.move} />
      {mark}
    </button>
  );
}

/** A place that keeps its width and holds nothing. */
const NoCell = () => <span className={cx(priceCss.cell, priceCss.noOutcome)} aria-hidden="true" />;

export function Pair({
  section,
  info,
  title,
  fields,
}: {
  section: Extract<Section, { kind: 'pair' }>;
  info: Scope['info'];
  title: string;
  fields: Fields;
}) {
  const { columns, lay, rows } = section;
  const nameOf = (column: string) => info.seats.find((seat) => seat.id === column)?.name ?? column;
  const places = lay || rows.some((row) => row.cells.some((cells) => cells.length === 2)) ? 2 : 1;
  const all = rows.flatMap((row) => row.cells.flat());
  return (
    <section
      className={cx(
        panelCss.panel,
        css.table,
        css[`columns${columns.length}`],
        places === 2 && css.wide,
        lay && 'has-lay',
      )}
      aria-label={title}
    >
      <div className={cx(css.pair, css.pairHead)}>
        <h2>
          <span className={css.heading}>{title}</span>
          <Shut cells={all} fields={fields} />
        </h2>
        {columns.map((column) => (
          <div key={column} className={css.group}>
            <b className="clip">{nameOf(column)}</b>
            {lay && <Sides asks={false} />}
          </div>
        ))}
      </div>
      {rows.map(({ group, cells }) => (
        <div className={css.pair} key={group}>
          <RowName name={group} cells={cells.flat()} />
          {cells.map((own, at) => (
            <div className={css.group} key={columns[at]}>
              {columns.length === 2 && <Nets cells={own} fields={fields} />}
              <PairCells own={own} places={places} lay={lay} fields={fields} />
            </div>
          ))}
        </div>
      ))}
    </section>
  );
}

/** Two choices side by side, or one bet with its back and its lay. */
function PairCells({
  own,
  places,
  lay,
  fields,
}: {
  own: readonly SelectionInfo[];
  places: number;
  lay: boolean;
  fields: Fields;
}) {
  const [first] = own;
  return (
    <div className={priceCss.cells}>
      {own.length === 2
        ? own.map((one) => <Cell key={one.id} selection={one} side="BACK" fields={fields} under={one.label} />)
        : first && <Cell selection={first} side="BACK" fields={fields} />}
      {own.length < 2 && first && places === 2 && hasSide(first, 'LAY') && (
        <Cell selection={first} side="LAY" fields={fields} />
      )}
      {own.length < 2 && lay && first && !hasSide(first, 'LAY') && <NoCell />}
    </div>
  );
}

function RowName({ name, cells }: { name: string; cells: readonly SelectionInfo[] }) {
  return (
    <div className={css.name} title={returnsText(cells)}>
      <div className={marketTableCss.name}>{name}</div>
      <div className="fs-12 t3">{hintOf(cells)}</div>
    </div>
  );
}

/** The own position on a row, in a place that is always there. */
function Nets({ cells, fields }: { cells: readonly SelectionInfo[]; fields: Fields }) {
  const net = cells.map(fields.net).find((one) => one !== null) ?? null;
  return (
    <span className={cx(css.net, 'num', net !== null && net > 0 && 'is-up', net !== null && net < 0 && 'is-down')}>
      {net === null ? '' : positionText(net)}
    </span>
  );
}

function Sides({ asks }: { asks: boolean }) {
  return (
    <span className={priceCss.cells} aria-hidden="true">
      <span className={asks ? 'c-lay' : 'c-back'}>
        {asks ? t({ message: 'No', context: 'bet' }) : t({ message: 'Back', context: 'bet' })}
      </span>
      <span className={asks ? 'c-back' : 'c-lay'}>
        {asks ? t({ message: 'Yes', context: 'bet' }) : t({ message: 'Lay', context: 'bet' })}
      </span>
    </span>
  );
}

export function Matrix({
  section,
  info,
  fields,
}: {
  section: Extract<Section, { kind: 'matrix' }>;
  info: Scope['info'];
  fields: Fields;
}) {
  const { columns, rows } = section;
  const nameOf = (column: string) => info.seats.find((seat) => seat.id === column)?.name ?? column;
  return (
    <section
      className={cx(panelCss.panel, css.matrix)}
      aria-label={t`Bets by player`}
      style={{ '--n': columns.length } as object}
    >
      <div className={cx(css.matrixRow, css.matrixHead)}>
        <h2>
          <span className={css.heading}>{t`Player`}</span>
          <Shut cells={rows.flatMap((row) => row.cells)} fields={fields} />
        </h2>
        <div className={css.matrixGroup} aria-hidden="true">
          {columns.map((column) => (
            <span key={column} title={nameOf(column)}>
              {column}
            </span>
          ))}
        </div>
      </div>
      <div className={css.matrixBlock}>
        {rows.map((row) => {
          const own = row.cells.flatMap((one) => one ?? []);
          return (
            <div className={css.matrixRow} key={row.label}>
              <span className={marketTableCss.name} title={[hintOf(own), returnsText(own)].join('. ')}>
                {row.label}
              </span>
              <div className={css.matrixGroup}>
                {row.cells.map((one, at) =>
                  one ? (
                    <Cell key={one.id} selection={one} side="BACK" fields={fields} />
                  ) : (
                    <NoCell key={columns[at]} />
                  ),
                )}
              </div>
            </div>
          );
        })}
      </div>
    </section>
  );
}

export function Rows({ section, fields }: { section: Extract<Section, { kind: 'rows' }>; fields: Fields }) {
  const asks = section.rows.some(isYesNo);
  const sides = asks ? (['LAY', 'BACK'] as const) : (['BACK', 'LAY'] as const);
  return (
    <section className={cx(panelCss.panel, css.lines)} aria-label={section.group}>
      <div className={cx(css.line, css.lineHead)}>
        <h2>
          <span className={css.heading}>{section.group}</span>
          <Shut cells={section.rows} fields={fields} />
        </h2>
        <Sides asks={asks} />
      </div>
      {section.rows.map((one) => (
        <Row key={one.id} won={fields.end(one) === 'WIN'}>
          <RowName name={one.name} cells={[one]} />
          <Nets cells={[one]} fields={fields} />
          <div className={priceCss.cells}>
            {sides.map((side) =>
              hasSide(one, side) ? (
                <Cell key={side} selection={one} side={side} fields={fields} />
              ) : (
                <NoCell key={side} />
              ),
            )}
          </div>
        </Row>
      ))}
    </section>
  );
}

const Row = ({ won, children }: { won: boolean; children: ReactNode }) => (
  <div className={cx(css.line, won && 'is-win')}>{children}</div>
);
