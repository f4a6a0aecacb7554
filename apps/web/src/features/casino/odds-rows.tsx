import type { TableInfo } from '@fairgame/casino';
import { Cells } from '../../ui/market-table.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { PriceCell } from '../../ui/price-cell.tsx';
import { hasSide, isYesNo, type Section } from './grid.ts';
import { Cell, Covered, hintOf, offered, RowCells, type Shared, wonWords } from './odds-cells.tsx';

export function Pair({
  section,
  info,
  title,
  shared,
}: {
  section: Extract<Section, { kind: 'pair' }>;
  info: TableInfo;
  title: string;
  shared: Shared;
}) {
  const { columns, lay } = section;
  const nameOf = (column: string) => info.seats.find((seat) => seat.id === column)?.name ?? column;
  const wide = columns.length === 2;
  const two = section.rows.some((row) => row.cells.some((cells) => cells.length === 2));
  const places = lay || two ? 2 : 1;
  return (
    <section className={`panel tpt tpt--${columns.length} tpt--w${places}${lay ? ' has-lay' : ''}`} aria-label={title}>
      <div className="tpr tpr--h">
        <h2>{title}</h2>
        {columns.map((column) => (
          <div key={column} className="tpr__g">
            <b>{nameOf(column)}</b>
            {lay && (
              <span className="cells" aria-hidden="true">
                <span className="c-back">Back</span>
                <span className="c-lay">Lay</span>
              </span>
            )}
          </div>
        ))}
      </div>
      {section.rows.map(({ group, cells }) => {
        const on = offered(cells.flat(), shared);
        return (
          <div className="tpr" key={group}>
            <div>
              <div className="mk__name">{group}</div>
              <div className="fs-12 t3">{hintOf(cells.flat())}</div>
            </div>
            {cells.map((own, at) => {
              const net = own
                .map((one) => shared.mine(one)?.net)
                .find((value) => value !== undefined && value !== null);
              return (
                <div className="tpr__g" key={columns[at]}>
                  {wide && (
                    <span className="tpr__w">
                      {net === undefined || net === null ? null : <SignedMoney minor={net} short />}
                    </span>
                  )}
                  <RowCells veil={!(shared.open && on)} won={wonWords(own, shared)}>
                    {own.length === 2 ? (
                      own.map((one) => (
                        <Cell key={one.id} selection={one} side="BACK" shared={shared} under={one.label} />
                      ))
                    ) : (
                      <>
                        {own[0] && <Cell selection={own[0]} side="BACK" shared={shared} />}
                        {own[0] && places === 2 && hasSide(own[0], 'LAY') && (
                          <Cell selection={own[0]} side="LAY" shared={shared} />
                        )}
                        {own[0] && lay && !hasSide(own[0], 'LAY') && (
                          <PriceCell side="lay" price={null} state="na" label="No lay price" />
                        )}
                      </>
                    )}
                  </RowCells>
                </div>
              );
            })}
          </div>
        );
      })}
    </section>
  );
}

export function Matrix({
  section,
  info,
  shared,
}: {
  section: Extract<Section, { kind: 'matrix' }>;
  info: TableInfo;
  shared: Shared;
}) {
  const { columns, rows } = section;
  const nameOf = (column: string) => info.seats.find((seat) => seat.id === column)?.name ?? column;
  return (
    <section className="panel mx" aria-label="Bets by player" style={{ '--n': columns.length } as object}>
      <div className="mx__r mx__r--h">
        <h2>Player</h2>
        <div className="mx__g">
          {columns.map((column) => (
            <span key={column} title={nameOf(column)}>
              {column}
            </span>
          ))}
        </div>
      </div>
      <div className="mx__b">
        {rows.map((row) => {
          const won = row.cells.flatMap((one, at) => (one && shared.end(one) === 'WIN' ? [columns[at]] : []));
          return (
            <div className="mx__r" key={row.label}>
              <span className="mk__name">{row.label}</span>
              <Covered
                on={!shared.open || !offered(row.cells, shared)}
                words={shared.open ? 'Closed' : shared.veil}
                won={won.length > 0 ? `Won: ${won.join(', ')}` : null}
                className="mx__g"
              >
                {row.cells.map((one, at) =>
                  one ? <Cell key={one.id} selection={one} side="BACK" shared={shared} /> : <span key={columns[at]} />,
                )}
              </Covered>
            </div>
          );
        })}
      </div>
    </section>
  );
}

export function Rows({ section, shared }: { section: Extract<Section, { kind: 'rows' }>; shared: Shared }) {
  const asks = section.rows.some(isYesNo);
  return (
    <section className="panel rws" aria-label={section.group}>
      <div className="rws__r rws__r--h">
        <h2>{section.group}</h2>
        <span className="cells" aria-hidden="true">
          {asks ? (
            <>
              <span className="c-lay">No</span>
              <span className="c-back">Yes</span>
            </>
          ) : (
            <>
              <span className="c-back">Back</span>
              <span className="c-lay">Lay</span>
            </>
          )}
        </span>
      </div>
      {section.rows.map((one) => {
        const own = shared.mine(one);
        const ended = shared.end(one);
        return (
          <div key={one.id} className={ended === 'WIN' ? 'rws__r is-win' : 'rws__r'}>
            <div className="grow">
              <div className="mk__name">{one.name}</div>
              <div className="fs-12 t3">{ended === 'WIN' ? 'Won' : hintOf([one])}</div>
            </div>
            <span className="tpr__w">{own && own.net !== null ? <SignedMoney minor={own.net} short /> : null}</span>
            <Cells veil={shared.open && offered([one], shared) ? null : 'closed'}>
              {(asks ? (['LAY', 'BACK'] as const) : (['BACK', 'LAY'] as const)).map((side) =>
                hasSide(one, side) ? (
                  <Cell key={side} selection={one} side={side} shared={shared} />
                ) : (
                  <PriceCell
                    key={side}
                    side={side === 'BACK' ? 'back' : 'lay'}
                    price={null}
                    state="na"
                    label="No price"
                  />
                ),
              )}
            </Cells>
          </div>
        );
      })}
    </section>
  );
}
