import { t } from '@lingui/core/macro';
import { cx } from '../../ui/cx.ts';
import { beadPlate, bigRoad, derivedRoad, lastColumns, type Mark, type Side } from './roads.ts';
import controlsCss from '../../ui/controls.module.css';
import css from './statistics.module.css';

const COLOUR: Readonly<Record<Side, string>> = { a: 'var(--road-p)', b: 'var(--road-b)', t: 'var(--road-t)' };
const ROWS = 6;

/** Letter and name of a side. */
export interface RoadSide {
  readonly badge: string;
  readonly name: string;
}

/** Road maps of two sides and a tie: bead plate, big road and the three derived roads. */
export function RoadMaps({
  sides,
  names,
}: {
  /** Oldest first. */
  sides: readonly Side[];
  names: Readonly<Record<'a' | 'b', RoadSide>>;
}) {
  const count = (side: Side) => sides.filter((one) => one === side).length;
  const letter = { a: names.a.badge, b: names.b.badge, t: 'T' };
  const [first, second] = [names.a.name, names.b.name];
  const words = t`${first} ${{ firstWins: count('a') }}, ${second} ${{ secondWins: count('b') }}, tie ${{ ties: count('t') }} of the last ${{ rounds: sides.length }}`;
  return (
    <>
      <div className={cx(css.roads, css.roadsBead)}>
        <Road title={t`Bead plate`} note={t`by round`} columns={10} cell={22} label={t`Bead plate. ${words}`}>
          {beadPlate(sides, 10).map(({ column, row, side }, at, all) => (
            <Bead
              key={`${column}.${row}`}
              x={column * 22 + 11}
              y={row * 22 + 11}
              side={side}
              letter={letter[side]}
              last={at === all.length - 1}
            />
          ))}
        </Road>
        <Road
          title={t`Big road`}
          note={t`ring is ${first}, disc is ${second}, slash is a tie`}
          columns={26}
          cell={22}
          label={t`Big road. ${words}`}
        >
          {lastColumns(bigRoad(sides), 26).map((mark) => (
            <BigMark key={`${mark.column}.${mark.row}`} mark={mark} />
          ))}
        </Road>
      </div>
      <div className={cx(css.roads, css.roadsBig)}>
        {(
          [
            [t`Big eye boy`, 1],
            [t`Small road`, 2],
            [t`Cockroach road`, 3],
          ] as const
        ).map(([title, back]) => (
          <Road key={title} title={title} columns={24} cell={11} label={t`${title}, derived from the big road`}>
            {lastColumns(derivedRoad(sides, back), 24).map((mark) => (
              <SmallMark key={`${mark.column}.${mark.row}`} mark={mark} kind={back} />
            ))}
          </Road>
        ))}
      </div>
    </>
  );
}

function Road({
  title,
  note,
  columns,
  cell,
  label,
  children,
}: {
  title: string;
  note?: string;
  columns: number;
  cell: number;
  label: string;
  children: React.ReactNode;
}) {
  const lines =
    Array.from({ length: columns - 1 }, (_, at) => `M${(at + 1) * cell} 0V${ROWS * cell}`).join('') +
    Array.from({ length: ROWS - 1 }, (_, at) => `M0 ${(at + 1) * cell}H${columns * cell}`).join('');
  return (
    <div>
      <div className={cx(controlsCss.label, css.roadsLegend)}>
        {title}
        {note && <span className="t3">{note}</span>}
      </div>
      <div className={css.road}>
        <svg viewBox={`0 0 ${columns * cell} ${ROWS * cell}`} role="img" aria-label={label}>
          <path d={lines} stroke="var(--road-grid)" fill="none" />
          {children}
        </svg>
      </div>
    </div>
  );
}

function Bead({ x, y, side, letter, last }: { x: number; y: number; side: Side; letter: string; last: boolean }) {
  return (
    <g>
      {side === 'b' ? (
        <rect x={x - 9} y={y - 9} width="18" height="18" rx="5" fill={COLOUR.b} />
      ) : (
        <circle cx={x} cy={y} r="9" fill={COLOUR[side]} />
      )}
      <text x={x} y={y + 3.8} textAnchor="middle" fontSize="10.5" fontWeight="720" fill="var(--on-road)">
        {letter}
      </text>
      {last && (
        <rect
          x={x - 10.5}
          y={y - 10.5}
          width="21"
          height="21"
          rx="3"
          fill="none"
          stroke="var(--t1)"
          strokeWidth="1.5"
        />
      )}
    </g>
  );
}

function BigMark({ mark: { column, row, side, ties } }: { mark: Mark }) {
  const x = column * 22 + 11;
  const y = row * 22 + 11;
  return (
    <g>
      {side === 'b' ? (
        <circle cx={x} cy={y} r="8" fill={COLOUR.b} />
      ) : (
        <circle cx={x} cy={y} r="6.8" fill="none" stroke={COLOUR.a} strokeWidth="2.6" />
      )}
      {ties > 0 && (
        <path d={`M${x - 7} ${y + 7}L${x + 7} ${y - 7}`} stroke={COLOUR.t} strokeWidth="2.6" strokeLinecap="round" />
      )}
    </g>
  );
}

function SmallMark({ mark: { column, row, side }, kind }: { mark: Mark; kind: 1 | 2 | 3 }) {
  const x = column * 11 + 5.5;
  const y = row * 11 + 5.5;
  const colour = COLOUR[side];
  if (kind === 1) return <circle cx={x} cy={y} r="3.4" fill="none" stroke={colour} strokeWidth="1.7" />;
  if (kind === 2) return <circle cx={x} cy={y} r="4" fill={colour} />;
  return (
    <path d={`M${x - 3.3} ${y + 3.3}L${x + 3.3} ${y - 3.3}`} stroke={colour} strokeWidth="2" strokeLinecap="round" />
  );
}
