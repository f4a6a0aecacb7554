import { CALLS, type WorkspacePane } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../api/api.ts';
import { InlineSlips, NotLoaded, SlipDock } from '../../betting/betting.ts';
import { useSearchParams } from '../../platform/routing.tsx';
import { useTitle } from '../../platform/title.ts';
import { setOneClick, useSlip } from '../../slip/slip.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconHandGrab, IconPlus } from '../../ui/icons.ts';
import { COMPACT, PHONE, useMedia } from '../../ui/media.ts';
import { EmptyState } from '../../ui/note.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import {
  type Arrangement,
  added,
  arranged,
  COLUMNS,
  inOrder,
  moved,
  removed,
  type Shown,
  sized,
} from './arrangement.ts';
import { Pane } from './pane.tsx';
import { Unkept } from './unkept.tsx';
import { type Deeds, gripKeys, useCarry, useCorner } from './use-grip.ts';
import { type Kept, useSource } from './use-source.ts';
import { WorkspaceBar } from './workspace-bar.tsx';
import css from './workspace.module.css';

/** Ladders, markets, charts and the like of any events beside each other: `/workspace?name=Mine`. */
export function Screen() {
  const [search] = useSearchParams();
  const kept = useCall(CALLS.account.workspaces, {}, { keep: true });
  const { panes, failed } = useSource(search, kept.data);
  // That of a part in a window of its own is the part's.
  useTitle(search.get('name') ?? (search.has('pane') ? null : t`Workspace`));
  // Its ladders are armed by themselves: what another screen armed must not place here.
  useEffect(() => setOneClick(null), []);
  const wrong = failed ?? (kept.isError ? { error: kept.error, retry: () => void kept.refetch() } : null);
  if (wrong) return <NotLoaded what="market" type="" error={wrong.error} onRetry={wrong.retry} />;
  if (!panes || !kept.data) return <SkeletonRows rows={8} />;
  const name = search.get('name');
  return <Workspace key={search.toString()} name={name} first={panes} kept={kept.data} />;
}

function Workspace({ name, first, kept }: { name: string | null; first: readonly WorkspacePane[]; kept: Kept }) {
  const [now, setNow] = useState(() => arranged(first));
  // What is ready follows its events: what stands here began with those of that moment.
  const [began] = useState(first);
  const panes = inOrder(now);
  const changed = JSON.stringify(panes) !== JSON.stringify(kept.find((one) => one.name === name)?.panes ?? began);
  const draft = useSlip();
  const deeds: Deeds = {
    move: (id, place) => setNow((before) => moved(before, id, place)),
    size: (id, width, height) => setNow((before) => sized(before, id, width, height)),
    remove: (id) => setNow((before) => removed(before, id)),
  };
  return (
    <InlineSlips value={false}>
      <WorkspaceBar
        panes={panes}
        kept={kept}
        changed={changed}
        onAdd={(pane) => setNow((before) => added(before, pane))}
      />
      {now.panes.length === 0 ? (
        <EmptyState icon={IconPlus} title={t`Nothing stands here yet`}>
          {t`Choose one that is ready, or add parts of your own.`}
        </EmptyState>
      ) : (
        <Grid of={now} deeds={deeds} />
      )}
      {changed && <Unkept />}
      {draft && <SlipDock marketId={draft.marketId} corner />}
    </InlineSlips>
  );
}

/** The parts on their grid; on a phone a deck of them, one wide as the screen, that is swiped. */
function Grid({ of: { panes, order }, deeds }: { of: Arrangement; deeds: Deeds }) {
  const grid = useRef<HTMLDivElement>(null);
  const phone = useMedia(PHONE);
  // Where there is less room a part has the half of it at least.
  const least = useMedia(COMPACT) ? COLUMNS / 2 : 1;
  const carry = useCarry(order, deeds.move);
  return (
    <div className={cx(css.grid, phone && css.deck)} ref={grid}>
      {panes.map((pane) => {
        const common = {
          pane,
          place: order.indexOf(pane.id),
          width: Math.max(least, pane.width),
          onRemove: () => deeds.remove(pane.id),
        };
        return phone ? (
          <Pane key={pane.id} {...common} />
        ) : (
          <Movable key={pane.id} {...common} deeds={deeds} grid={grid} carry={carry} />
        );
      })}
    </div>
  );
}

interface MovableProps {
  pane: Shown;
  place: number;
  width: number;
  onRemove: () => void;
  deeds: Deeds;
  grid: Parameters<typeof useCorner>[0];
  carry: ReturnType<typeof useCarry>;
}

/** A part with its grip and its corner. */
function Movable({ deeds, grid, carry: { carried, handlers, leave }, ...rest }: MovableProps) {
  const { pane, place } = rest;
  const corner = useCorner(grid, pane, deeds.size);
  const isOver = carried?.over === pane.id && carried.id !== pane.id;
  return (
    <Pane
      {...rest}
      className={cx(isOver && 'is-over', carried?.id === pane.id && 'is-carried')}
      grip={
        <IconButton
          className={css.grip}
          icon={IconHandGrab}
          small
          label={t`Move or size it`}
          title={t`Drag it, or arrows: to another place. Shift and arrows: another size. Delete: away.`}
          onKeyDown={gripKeys(pane, place, deeds, leave)}
          {...handlers(pane.id)}
        />
      }
      corner={<span className={css.corner} aria-hidden="true" {...corner} />}
    />
  );
}
