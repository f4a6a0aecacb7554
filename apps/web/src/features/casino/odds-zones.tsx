import { useState } from 'react';
import { useSelected } from '../../slip/hooks.ts';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconLock } from '../../ui/icons.ts';
import { Panel } from '../../ui/panel.tsx';
import { rankName } from './cards.ts';
import { cellText, type Section, type SelectionInfo } from './grid.ts';
import { Covered, hintOf, offered, type Shared, useMovedMark } from './odds-cells.tsx';

export function Zones({ section, shared }: { section: Extract<Section, { kind: 'zones' }>; shared: Shared }) {
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
      <span className="zone__p">{selection.hint || hintOf([selection])}</span>
      {own && own.back > 0 && <span className="zone__c num">{formatWhole(own.back)}</span>}
    </button>
  );
}

export function Chips({ section, shared }: { section: Extract<Section, { kind: 'chips' }>; shared: Shared }) {
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
export function Picker({ rows, title, shared }: { rows: readonly SelectionInfo[]; title: string; shared: Shared }) {
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
