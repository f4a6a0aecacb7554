import type { MarketImage, WorkspacePane } from '@fairgame/contract';

/** What stands where in a workspace: pure, so that a drag, a key and a test say the same. */

/** A part in this window. */
export interface Shown extends WorkspacePane {
  id: number;
}

/**
 * Parts stay in the order they were made, so that none is taken out of the page and loses where it was scrolled and what was armed;
 * `order` says where they stand.
 */
export interface Arrangement {
  panes: readonly Shown[];
  order: readonly number[];
}

/** The grid's columns, and the bounds of a part's size, in its cells. */
export const COLUMNS = 6;
const LEAST = { width: 1, height: 2 };
const MOST = { width: COLUMNS, height: 20 };
/** So many parts: each is followed live. */
export const MOST_PANES = 12;

export function arranged(panes: readonly WorkspacePane[]): Arrangement {
  const shown = panes.map((pane, at) => ({ ...pane, id: at + 1 }));
  return { panes: shown, order: shown.map(({ id }) => id) };
}

export function added({ panes, order }: Arrangement, pane: WorkspacePane): Arrangement {
  if (panes.length >= MOST_PANES) return { panes, order };
  const id = Math.max(0, ...order) + 1;
  return { panes: [...panes, { ...pane, id }], order: [...order, id] };
}

export const removed = ({ panes, order }: Arrangement, id: number): Arrangement => ({
  panes: panes.filter((pane) => pane.id !== id),
  order: order.filter((one) => one !== id),
});

/** To the place, 0 the first; the others close up. */
export function moved({ panes, order }: Arrangement, id: number, place: number): Arrangement {
  const others = order.filter((one) => one !== id);
  return { panes, order: others.toSpliced(within(place, 0, others.length), 0, id) };
}

export const sized = ({ panes, order }: Arrangement, id: number, width: number, height: number): Arrangement => ({
  panes: panes.map((pane) =>
    pane.id === id
      ? {
          ...pane,
          width: within(width, LEAST.width, MOST.width),
          height: within(height, LEAST.height, MOST.height),
        }
      : pane,
  ),
  order,
});

/** As it is kept. */
export const inOrder = ({ panes, order }: Arrangement): WorkspacePane[] =>
  order.map((id) => {
    const { id: _, ...pane } = panes.find((one) => one.id === id)!;
    return pane;
  });

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** How large a part is at first. */
export const FIRST_SIZE: Readonly<Record<WorkspacePane['kind'], { width: number; height: number }>> = {
  ladder: { width: 2, height: 12 },
  market: { width: 3, height: 6 },
  chart: { width: 3, height: 7 },
  score: { width: 2, height: 4 },
  bets: { width: 2, height: 4 },
  tape: { width: 2, height: 4 },
  fancy: { width: 3, height: 8 },
};

/** Everything of one market: ladders of its first two runners, score, trades and bets beside them, prices and chart below. */
export function ofMarket({ id: marketId, runners }: Pick<MarketImage, 'id' | 'runners'>): WorkspacePane[] {
  const pane = (kind: WorkspacePane['kind'], runnerId = 0) => ({ kind, marketId, runnerId, ...FIRST_SIZE[kind] });
  const first = runners.filter(({ status }) => status !== 'REMOVED').slice(0, 2);
  return [
    ...first.map(({ id }) => pane('ladder', id)),
    pane('score'),
    pane('tape'),
    pane('bets'),
    pane('market'),
    pane('chart'),
  ];
}

/** Several markets beside each other. */
export const ofMarkets = (ids: readonly number[]): WorkspacePane[] =>
  ids.map((marketId) => ({ kind: 'market', marketId, runnerId: 0, width: 3, height: 5 }));

/** One part as an address has it, and back: `ladder.12.3`. */
export const paneText = ({ kind, marketId, runnerId }: WorkspacePane): string => `${kind}.${marketId}.${runnerId}`;

/** It fills the window. Null where the text is none. */
export function paneOf(text: string | null): WorkspacePane | null {
  const [, kind, market, runner] = /^([a-z]+)\.(\d{1,16})\.(\d{1,16})$/.exec(text ?? '') ?? [];
  if (!kind || !Object.hasOwn(FIRST_SIZE, kind)) return null;
  return {
    kind: kind as WorkspacePane['kind'],
    marketId: Number(market),
    runnerId: Number(runner),
    width: MOST.width,
    height: FIRST_SIZE.ladder.height,
  };
}
