import { t } from '@lingui/core/macro';
import { IconButton } from '../ui/button.tsx';
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '../ui/icons.ts';
import { Segmented } from '../ui/tabs.tsx';
import type { Window } from './price-window.ts';

/** What of a market is drawn. */
export type View = 'line' | 'candles' | 'depth' | 'table';

/** The presses of the chart; a direction that leads nowhere cannot be pressed. */
export interface Tools {
  view: View;
  onView: (view: View) => void;
  onZoom: (by: 1 | -1) => void;
  canZoomIn: boolean;
  canZoomOut: boolean;
  onMove: (direction: 1 | -1) => void;
  window: Window;
}

export function ToolRow({ view, onView, onZoom, canZoomIn, canZoomOut, onMove, window }: Tools) {
  return (
    <>
      <Segmented
        label={t`Drawn as`}
        value={view}
        onChange={onView}
        items={{ line: t`Line`, candles: t`Candles`, depth: t`Depth`, table: t`Table` }}
      />
      <span className="row">
        <IconButton
          small
          icon={IconChevronLeft}
          label={t`Earlier`}
          disabled={window.from <= window.first}
          onClick={() => onMove(-1)}
        />
        <IconButton small icon={IconZoomOut} label={t`Zoom out`} disabled={!canZoomOut} onClick={() => onZoom(-1)} />
        <IconButton small icon={IconZoomIn} label={t`Zoom in`} disabled={!canZoomIn} onClick={() => onZoom(1)} />
        <IconButton
          small
          icon={IconChevronRight}
          label={t`Later`}
          disabled={window.until >= window.last}
          onClick={() => onMove(1)}
        />
      </span>
    </>
  );
}
