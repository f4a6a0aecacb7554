import type { TableInfo } from '@fairgame/casino';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useSelected } from '../../slip/hooks.ts';
import { useBettingOff } from '../../slip/standing.ts';
import { flash } from '../../ui/flash.ts';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconLock, IconTrophy } from '../../ui/icons.ts';
import { Cells } from '../../ui/market-table.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PriceCell } from '../../ui/price-cell.tsx';
import { rankName } from './cards.ts';
import {
  cellText,
  hasSide,
  isYesNo,
  oddsBySelection,
  type Quote,
  quoteOf,
  type Section,
  type SelectionInfo,
  sectionsOf,
} from './grid.ts';
import { pressCell, sideOf } from './press.ts';
import type { TableNow } from './use-table.ts';

/** What the player has on a runner this round: stakes by side, and the result if it wins. */
export interface Mine {
  back: number;
  lay: number;
  net: number | null;
}

interface GridProps {
  now: TableNow;
  info: TableInfo;
  mine: ReadonlyMap<number, Mine>;
}

/** The bets of a table, laid out by its descriptor. While the round takes no bets, figures are covered. */
export function OddsGrid({ now, info, mine }: GridProps) {
  const sections = useMemo(() => sectionsOf(info), [info]);
  const rows = useMemo(() => oddsBySelection(now.round.odds), [now.round.odds]);
  const off = useBettingOff() !== null;
  const open = now.round.phase === 'OPEN' && now.health === 'live' && !off;
  const shared: Shared = {
    open,
    quote: (selection, side) => quoteOf(rows.get(selection.id), side, selection),
    mine: (selection) => {
      const runnerId = rows.get(selection.id)?.[0]?.runnerId;
      return runnerId === undefined ? undefined : mine.get(runnerId);
    },
    end: (selection) => rows.get(selection.id)?.[0]?.end ?? null,
    press: (selection, side, quote, pick) => pressCell(now, info, selection, side, quote, pick),
    betId: now.round.betId,
    veil: off ? 'Betting is off' : veilWords(now),
  };
  return (
    <>
      {sections.map((section, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a table never change their order
        <SectionBox key={at} section={section} info={info} first={at === 0} shared={shared} />
      ))}
    </>
  );
}

interface Shared {
  open: boolean;
  quote: (selection: SelectionInfo, side: 'BACK' | 'LAY') => Quote | null;
  mine: (selection: SelectionInfo) => Mine | undefined;
  /** How the selection ended: WIN, LOSE ... */
  end: (selection: SelectionInfo) => string | null;
  press: (selection: SelectionInfo, side: 'BACK' | 'LAY', quote: Quote, pick?: readonly number[]) => void;
  betId: number;
  veil: string;
}

const veilWords = ({ round, health }: TableNow): string =>
  health === 'late'
    ? 'Waiting for the table'
    : round.phase === 'RESULT' || round.phase === 'VOID'
      ? 'Round over'
      : round.phase === 'IDLE'
        ? 'Waiting for the next round'
        : 'Bets closed';

function SectionBox({
  section,
  info,
  first,
  shared,
}: {
  section: Section;
  info: TableInfo;
  first: boolean;
  shared: Shared;
}) {
  switch (section.kind) {
    case 'pair':
      return <Pair section={section} info={info} title={first ? 'Markets' : 'More bets'} shared={shared} />;
    case 'matrix':
      return <Matrix section={section} info={info} shared={shared} />;
    case 'rows':
      return section.rows[0]?.pick ? (
        <Picker rows={section.rows} title={section.group} shared={shared} />
      ) : (
        <Rows section={section} shared={shared} />
      );
    case 'zones':
      return <Zones section={section} shared={shared} />;
    default:
      return <Chips section={section} shared={shared} />;
  }
}

/** Whether anything of these is on offer in this window. */
const offered = (selections: ReadonlyArray<SelectionInfo | undefined>, shared: Shared): boolean =>
  selections.some(
    (one) => one && (['BACK', 'LAY'] as const).some((side) => hasSide(one, side) && shared.quote(one, side)?.open),
  );

/** One price of a selection as a market cell. */
const Cell = memo(function Cell({
  selection,
  side,
  shared,
  under,
}: {
  selection: SelectionInfo;
  side: 'BACK' | 'LAY';
  shared: Shared;
  /** Words under the price; without them the largest stake. */
  under?: string | undefined;
}) {
  const quote = shared.quote(selection, side);
  const live = quote?.open ? quote : null;
  const text = live ? cellText(selection, live) : null;
  const selected = useSelected(shared.betId, quote?.runnerId ?? -1, side, quote?.price ?? 0);
  const ref = useMovedMark(live?.price ?? null);
  const { word } = sideOf(selection, side);
  const own = shared.mine(selection);
  return (
    <PriceCell
      ref={ref}
      side={side === 'BACK' ? 'back' : 'lay'}
      price={text?.price ?? null}
      size={under ?? text?.under ?? (live ? formatWhole(live.maxMinor) : null)}
      selected={selected}
      hasBet={Boolean(own && (side === 'BACK' ? own.back : own.lay) > 0)}
      label={`${word} ${selection.name} at ${text?.price ?? ''}${text?.under ? ` ${text.under}` : ''}, up to ${live ? formatWhole(live.maxMinor) : ''}`}
      onPress={live && shared.open ? () => shared.press(selection, side, live) : undefined}
    />
  );
});

/** Marks a price that moved. */
function useMovedMark(price: number | null) {
  const ref = useRef<HTMLButtonElement>(null);
  const before = useRef<number | null>(null);
  useEffect(() => {
    const was = before.current;
    before.current = price;
    if (was !== null && price !== null && was !== price && ref.current) flash(ref.current, price > was ? 'up' : 'down');
  }, [price]);
  return ref;
}

/** Covers prices that take no bets, and says why once; what the bets are stays readable. */
function Covered({
  on,
  words,
  won = null,
  children,
  className,
}: {
  on: boolean;
  words: string;
  /** What of it won, once that is known. */
  won?: string | null;
  children: ReactNode;
  className: string;
}) {
  return (
    <div className={on ? `${className} cover is-on` : `${className} cover`}>
      {children}
      {on && (
        <span className={`veil cover__v ${won ? 'veil--won' : 'veil--closed'}`}>
          <Icon of={won ? IconTrophy : IconLock} size={14} />
          {won ?? words}
        </span>
      )}
    </div>
  );
}

/** The cells of one line; closed they say so, and after the round which of them won. */
function RowCells({ veil, won, children }: { veil: boolean; won: string | null; children: ReactNode }) {
  if (!veil || won === null) return <Cells veil={veil ? 'closed' : null}>{children}</Cells>;
  return (
    <div className="cells is-veiled">
      {children}
      <span className="veil veil--won">
        <Icon of={IconTrophy} size={14} />
        {won}
      </span>
    </div>
  );
}

/** "Won", or which of the choices of a cell did; null while nothing is decided. */
function wonWords(cells: readonly SelectionInfo[], shared: Shared): string | null {
  const won = cells.filter((one) => shared.end(one) === 'WIN');
  if (won.length === 0) return null;
  return cells.length === 1 ? 'Won' : `${won.map((one) => one.label).join(', ')} won`;
}

function Pair({
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
                      {net === undefined || net === null ? null : <SignedMoney minor={net} decimals={0} />}
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

function hintOf(selections: readonly SelectionInfo[]): string {
  const one = selections[0];
  if (!one) return '';
  if (one.table) return 'Pays by the hand';
  if (one.returnPpm !== null && one.returnPpm !== undefined) return `Returns ${(one.returnPpm / 10_000).toFixed(1)} %`;
  return one.price === null ? 'Priced again with the cards' : '';
}

function Matrix({
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

function Rows({ section, shared }: { section: Extract<Section, { kind: 'rows' }>; shared: Shared }) {
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
            <span className="tpr__w">
              {own && own.net !== null ? <SignedMoney minor={own.net} decimals={0} /> : null}
            </span>
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

function Zones({ section, shared }: { section: Extract<Section, { kind: 'zones' }>; shared: Shared }) {
  const big = section.cells.filter((one) => one.limit === 'main').length;
  return (
    <section className="panel" aria-label={section.group === 'Main' ? 'Main bets' : section.group}>
      <Covered on={!shared.open || !offered(section.cells, shared)} words={shared.veil} className="zns">
        {section.cells.map((one, at) => (
          <Zone
            key={one.id}
            selection={one}
            shared={shared}
            tone={big === 0 ? 's' : one.limit !== 'main' ? 't' : at === 0 ? 'p' : 'b'}
          />
        ))}
      </Covered>
    </section>
  );
}

function Zone({ selection, shared, tone }: { selection: SelectionInfo; shared: Shared; tone: 'p' | 'b' | 't' | 's' }) {
  const quote = shared.quote(selection, 'BACK');
  const live = quote?.open ? quote : null;
  const text = live ? cellText(selection, live) : null;
  const selected = useSelected(shared.betId, quote?.runnerId ?? -1, 'BACK', quote?.price ?? 0);
  const own = shared.mine(selection);
  const ended = shared.end(selection);
  const idle = !live || !shared.open;
  return (
    <button
      type="button"
      className={`zone zone--${tone}${selected ? ' is-sel' : ''}${ended === 'WIN' ? ' is-won' : ''}`}
      aria-pressed={selected || undefined}
      aria-disabled={idle || undefined}
      aria-label={`Back ${selection.name}${text ? ` at ${text.price}, up to ${formatWhole(live!.maxMinor)}` : ', no price'}${own && own.back > 0 ? `. You have ${formatWhole(own.back)} on it` : ''}${ended === 'WIN' ? '. Won' : ''}`}
      tabIndex={idle ? -1 : undefined}
      onClick={idle ? undefined : () => shared.press(selection, 'BACK', live)}
    >
      <span className="zone__t">{selection.label}</span>
      <b>{text?.price ?? '\u2013'}</b>
      <span className="zone__p">
        {selection.table ? selection.table.map(([words]) => words)[0] : hintOf([selection])}
      </span>
      {own && own.back > 0 && <span className="zone__c num">{formatWhole(own.back)}</span>}
    </button>
  );
}

function Chips({ section, shared }: { section: Extract<Section, { kind: 'chips' }>; shared: Shared }) {
  return (
    <section className="panel cps" aria-label="More bets">
      {section.blocks.map(({ title, cells }) => (
        <section key={title} className={blockClass(cells)} aria-label={title}>
          <h2 className="cp__t">
            {title}
            {shared.open && offered(cells, shared) ? (
              <span className="t3">{hintOf(cells)}</span>
            ) : (
              <span className="t2 row g-2">
                <Icon of={IconLock} size={13} />
                {shared.open ? 'Closed' : shared.veil}
              </span>
            )}
          </h2>
          <div className="cp__g">
            {currentOf(cells, shared).map((one) => (
              <Chip key={one.id} selection={one} shared={shared} />
            ))}
          </div>
        </section>
      ))}
    </section>
  );
}

/** Letters that fit a small chip; longer words get wider ones. */
const LONG = 6;

/** How many lie in a row, so that rows are full: 13 ranks, 10 digits, 9 hands; else as many as fit. */
function blockClass(cells: readonly SelectionInfo[]): string {
  const count = new Set(cells.map((one) => one.label)).size;
  const words = cells.some((one) => one.label.length > LONG) ? ' cp--words' : '';
  if (count === 13 || count === 10 || count === 9) return `cp cp--wide cp--${count}`;
  return `${count > 6 ? 'cp cp--wide' : count === 4 ? 'cp cp--4' : 'cp'}${words}`;
}

/** Of selections of the same words (one for each ball of an over) only the one on offer is shown. */
function currentOf(cells: readonly SelectionInfo[], shared: Shared): SelectionInfo[] {
  const labels = [...new Set(cells.map((one) => one.label))];
  if (labels.length === cells.length) return [...cells];
  return labels.map((label) => {
    const same = cells.filter((one) => one.label === label);
    return same.find((one) => shared.quote(one, 'BACK')?.open) ?? same[0]!;
  });
}

function Chip({ selection, shared }: { selection: SelectionInfo; shared: Shared }) {
  const quote = shared.quote(selection, 'BACK');
  const live = quote?.open ? quote : null;
  const text = live ? cellText(selection, live) : null;
  const selected = useSelected(shared.betId, quote?.runnerId ?? -1, 'BACK', quote?.price ?? 0);
  const ref = useMovedMark(live?.price ?? null);
  const own = shared.mine(selection);
  const ended = shared.end(selection);
  const idle = !live || !shared.open;
  return (
    <button
      ref={ref}
      type="button"
      className={`ob${selected ? ' is-sel' : ''}${own && own.back > 0 ? ' is-in' : ''}${live ? '' : ' ob--e'}${ended === 'WIN' ? ' is-won' : ''}`}
      aria-pressed={selected || undefined}
      aria-disabled={idle || undefined}
      aria-label={`Back ${selection.name}${text ? ` at ${text.price}, up to ${formatWhole(live!.maxMinor)}` : ', no price'}${ended === 'WIN' ? '. Won' : ''}`}
      tabIndex={idle ? -1 : undefined}
      onClick={idle ? undefined : () => shared.press(selection, 'BACK', live)}
    >
      <b>{selection.label}</b>
      <i>{text?.price ?? '\u2013'}</i>
    </button>
  );
}

const RANKS = Array.from({ length: 13 }, (_, at) => at + 1);

/** A bet on ranks of the player's choice: first the ranks, then yes or no. */
function Picker({ rows, title, shared }: { rows: readonly SelectionInfo[]; title: string; shared: Shared }) {
  const rule = rows[0]!.pick!;
  const [pick, setPick] = useState<number[]>([]);
  const toggle = (rank: number) =>
    setPick((now) =>
      now.includes(rank)
        ? now.filter((one) => one !== rank)
        : now.length < rule.most
          ? [...now, rank].sort((x, y) => x - y)
          : now,
    );
  const ready = pick.length >= rule.least;
  return (
    <Panel
      title={title}
      end={
        <span className="fs-12 t3">{ready ? 'Now choose Yes or No' : `Choose ${rule.least - pick.length} more`}</span>
      }
    >
      <fieldset className="pk" aria-label={`Choose ${rule.least} ranks`}>
        {RANKS.map((rank) => (
          <button
            key={rank}
            type="button"
            className="pk__c num"
            aria-pressed={pick.includes(rank)}
            disabled={!pick.includes(rank) && pick.length >= rule.most}
            onClick={() => toggle(rank)}
          >
            {rankName(rank)}
          </button>
        ))}
      </fieldset>
      <Covered on={!shared.open || !offered(rows, shared)} words={shared.veil} className="pk__b2">
        {rows.map((one) => {
          const side = one.sides[0] === 'LAY' || one.sides[0] === 'NO' ? ('LAY' as const) : ('BACK' as const);
          const quote = shared.quote(one, side);
          const live = quote?.open ? quote : null;
          return (
            <button
              key={one.id}
              type="button"
              className={side === 'LAY' ? 'ob ob--l' : 'ob'}
              disabled={!ready || !live || !shared.open}
              onClick={() => live && shared.press(one, side, live, pick)}
            >
              <b>{live ? cellText(one, live).price : '\u2013'}</b>
              <i>
                {one.name}: {side === 'BACK' ? 'one of them comes' : 'none comes'}
              </i>
            </button>
          );
        })}
      </Covered>
    </Panel>
  );
}
