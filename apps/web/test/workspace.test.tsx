import type { WorkspacePane } from '@fairgame/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { added, arranged, inOrder, moved, paneOf, paneText, sized } from '../src/features/workspace/arrangement.ts';
import { Screen } from '../src/features/workspace/workspace-page.tsx';
import * as store from '../src/live/store.ts';
import { imagesOf } from './live-images.ts';
import { settle } from './settle.ts';
import {
  clear,
  eventOfMarket,
  live,
  MARKET_ID,
  MATCH_ID,
  market,
  refused,
  type Sent,
  serve,
  show,
  width,
} from './trading.tsx';

/** The workspace: what stands where after a key, and that it comes back under its name as it was kept. */
let kept: Array<{ name: string; panes: WorkspacePane[] }>;
beforeEach(() => {
  width(1440);
  kept = [];
});
afterEach(clear);

const pane = (kind: WorkspacePane['kind'], more: Partial<WorkspacePane> = {}): WorkspacePane => ({
  kind,
  marketId: MARKET_ID,
  runnerId: 0,
  width: 2,
  height: 4,
  ...more,
});

async function open(path: string, answers: Record<string, unknown> = {}) {
  serve({
    ...eventOfMarket,
    [`/match/${MATCH_ID}`]: { id: MATCH_ID, teamA: 'India', teamB: 'Australia', scoreBoard: null },
    '/user/workspaces': ({ method, body }: Sent) => {
      if (method === 'GET') return kept;
      kept = [...kept.filter(({ name }) => name !== body.name), body as unknown as (typeof kept)[number]];
      return null;
    },
    '/user/workspaces/remove': ({ body }: Sent) => {
      kept = kept.filter(({ name }) => name !== body.name);
      return null;
    },
    ...answers,
  });
  live(market());
  show(<Screen />, path);
  await settle();
  await settle();
}
const parts = () =>
  [...document.querySelectorAll<HTMLElement>('[data-pane]')].sort(
    (a, b) => Number(a.style.order) - Number(b.style.order),
  );
const names = () => parts().map((one) => one.getAttribute('aria-label')?.split(', ')[0]);
const grip = (name: string) =>
  within(parts().find((one) => one.getAttribute('aria-label')?.startsWith(name))!).getByLabelText('Move or size it');
const press = (name: string, key: string, shiftKey = false) => fireEvent.keyDown(grip(name), { key, shiftKey });
const keep = async (name: string) => {
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } });
  fireEvent.click(screen.getByRole('button', { name: 'Keep' }));
  await settle();
  await settle();
};

describe('an arrangement', () => {
  const three = () => arranged([pane('bets'), pane('tape'), pane('score')]);

  it('moves a part to a place and the others close up; none leaves the grid', () => {
    const kinds = (of: ReturnType<typeof arranged>) => inOrder(of).map(({ kind }) => kind);
    expect(kinds(moved(three(), 1, 1))).toEqual(['tape', 'bets', 'score']);
    expect(kinds(moved(three(), 3, 0))).toEqual(['score', 'bets', 'tape']);
    expect(kinds(moved(three(), 1, 99))).toEqual(['tape', 'score', 'bets']);
  });

  it('keeps sizes within the grid and takes no thirteenth part', () => {
    expect(inOrder(sized(three(), 1, 99, 0))[0]).toMatchObject({ width: 6, height: 2 });
    let all = three();
    for (let n = 0; n < 20; n++) all = added(all, pane('tape'));
    expect(all.panes).toHaveLength(12);
  });

  it('reads a part from an address, and nothing from what is none', () => {
    const one = pane('ladder', { runnerId: 3 });
    expect(paneOf(paneText(one))).toMatchObject({ kind: 'ladder', marketId: MARKET_ID, runnerId: 3 });
    const longest = pane('ladder', { marketId: Number.MAX_SAFE_INTEGER, runnerId: Number.MAX_SAFE_INTEGER });
    expect(paneOf(paneText(longest))).toMatchObject({ marketId: longest.marketId, runnerId: longest.runnerId });
    for (const text of [null, '', 'ladder', 'constructor.1.1', 'ladder.x.1']) expect(paneOf(text)).toBeNull();
  });
});

describe('the window', () => {
  it('of one part is titled as that is, so that several are told from one another, and opens none of the same', async () => {
    await open(`/workspace?pane=tape.${MARKET_ID}.0`);
    const named = parts()[0]!.getAttribute('aria-label')!;
    expect(named).toMatch(/^Last trades, Match Odds, /);
    expect(document.title).toBe(`${named} | fairGame`);
    expect(screen.queryByRole('link', { name: 'In a window of its own' })).toBeNull();
    cleanup();
    await open(`/workspace?market=${MARKET_ID}`);
    expect(document.title).toBe('Workspace | fairGame');
    expect(screen.getAllByRole('link', { name: 'In a window of its own' }).length).toBeGreaterThan(1);
  });

  it('moves, sizes and takes away by keys, and keeps that under a name', async () => {
    kept = [{ name: 'Old', panes: [pane('bets'), pane('tape'), pane('score')] }];
    await open('/workspace?name=Old');
    expect(screen.getByRole('button', { name: 'Kept' })).toHaveProperty('disabled', true);
    press('Score', 'ArrowLeft');
    press('Score', 'ArrowRight', true);
    press('Score', 'ArrowDown', true);
    press('Last trades', 'Delete');
    expect(names()).toEqual(['My bets', 'Score']);
    expect(screen.getByRole('button', { name: 'Keep' })).toHaveProperty('disabled', false);
    await keep('  My desk ');
    expect(kept[1]).toEqual({ name: 'My desk', panes: [pane('bets'), pane('score', { width: 3, height: 5 })] });
    expect(kept[0]!.panes).toHaveLength(3);
    expect(names()).toEqual(['My bets', 'Score']);
    expect(screen.getByRole('button', { name: 'Kept' })).toHaveProperty('disabled', true);
    expect(screen.getByLabelText('Workspace')).toHaveProperty('value', 'name=My desk');
    // Under another name the same can be kept once more.
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Old' } });
    expect(screen.getByRole('button', { name: 'Keep' })).toHaveProperty('disabled', false);
  });

  it('comes back by its name, and is taken away', async () => {
    kept = [{ name: 'A=B', panes: [pane('bets'), pane('market')] }];
    await open('/workspace');
    fireEvent.change(screen.getByLabelText('Workspace'), { target: { value: 'name=A=B' } });
    await settle();
    expect(names()).toEqual(['My bets', 'Market']);
    fireEvent.click(screen.getByRole('button', { name: 'Take the workspace away' }));
    await act(settle);
    await settle();
    expect(kept).toEqual([]);
    expect(screen.getByText('Nothing stands here yet')).toBeTruthy();
  });

  it('is not called kept where its address names none that is', async () => {
    await open('/workspace?name=Gone');
    expect(screen.getByText('Nothing stands here yet')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Keep' })).toHaveProperty('disabled', false);
  });

  it('stays as it is where it is not kept', async () => {
    await open(`/workspace?pane=bets.${MARKET_ID}.0`, {
      '/user/workspaces': ({ method }: Sent) =>
        method === 'GET' ? [] : refused(409, 'WORKSPACE_LIMIT', 'You have as many workspaces as there may be.'),
    });
    await keep('One more');
    expect(names()).toEqual(['My bets']);
    expect(screen.getByRole('button', { name: 'Keep' })).toHaveProperty('disabled', false);
  });

  it('asks before changes that are not kept are left, and leaves or stays as it is told', async () => {
    kept = [
      { name: 'Old', panes: [pane('bets'), pane('tape')] },
      { name: 'New', panes: [pane('score')] },
    ];
    await open('/workspace?name=Old');
    const choose = async (name: string) => {
      fireEvent.change(screen.getByLabelText('Workspace'), { target: { value: `name=${name}` } });
      await act(settle);
      await settle();
    };
    const goes = () => fireEvent(window, new Event('beforeunload', { cancelable: true }));
    expect(goes()).toBe(true);
    press('Last trades', 'Delete');
    expect(goes()).toBe(false);
    await choose('New');
    fireEvent.click(screen.getByRole('button', { name: 'Stay' }));
    await act(settle);
    expect(screen.queryByRole('button', { name: 'Stay' })).toBeNull();
    expect(names()).toEqual(['My bets']);
    // Back as it was kept there is nothing to ask.
    await choose('New');
    fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
    await act(settle);
    await settle();
    expect(names()).toEqual(['Score']);
    expect(goes()).toBe(true);
    await choose('Old');
    expect(names()).toEqual(['My bets', 'Last trades']);
  });

  const listed = (id: number, status: 'OPEN' | 'SUSPENDED' | 'CLOSED', inPlay: boolean) => ({
    id,
    inPlay,
    isFancy: false,
    head: market({ id: 10 * id, status }),
  });
  const [run, later, now] = [listed(1, 'SUSPENDED', true), listed(2, 'OPEN', false), listed(3, 'OPEN', true)];
  it.each([
    ['football', [run, later, now], ['30']],
    ['football', [run, later], ['20']],
    ['horseRacing', [run, now, later], ['20']],
    ['horseRacing', [run, now], ['30']],
    ['horseRacing', [listed(4, 'CLOSED', false)], ['40']],
    ['inPlay', [run, now], ['30', '10']],
  ])(
    'made ready (%s) begins with open markets, of those with what is in play, of races with the next; else with what there is',
    async (ready, matches, of) => {
      const [event] = Object.values(eventOfMarket);
      const events = Object.fromEntries(matches.map(({ head }) => [`/market/event/${head.id}`, event]));
      await open(`/workspace?ready=${ready}`, { ...events, '/match/list': { matches } });
      const links = parts().map((one) => one.querySelector('a')!.getAttribute('href')!);
      expect([...new Set(links.map((to) => to.split('.')[1]))]).toEqual(of);
    },
  );

  it('has the sessions of an event as one part, and says when there are none', async () => {
    kept = [{ name: 'Overs', panes: [pane('fancy', { width: 3 })] }];
    await open('/workspace?name=Overs');
    expect(within(parts()[0]!).getByText('No sessions are open.')).toBeTruthy();
    act(() => live(market(), market({ id: 77, kind: 'session', name: '6 over runs' })));
    await settle();
    expect(names()).toEqual(['Fancy']);
    expect(within(parts()[0]!).getByText(/6 over runs/)).toBeTruthy();
  });

  it('has sessions that take bets above the latest results, where none moves; and says when all are over', async () => {
    kept = [{ name: 'Overs', panes: [pane('fancy', { width: 3 })] }];
    await open('/workspace?name=Overs');
    const session = (id: number, status: 'OPEN' | 'SUSPENDED' | 'CLOSED') =>
      market({ id, kind: 'session', name: `${id} runs`, status, resultText: status === 'CLOSED' ? '40' : '' });
    const now = async (statuses: Record<number, 'OPEN' | 'SUSPENDED' | 'CLOSED'>) => {
      const sessions = Object.entries(statuses).map(([id, status]) => session(Number(id), status));
      act(() => store.takeImages(imagesOf([market(), ...sessions], ++seq)));
      await settle();
      return within(parts()[0]!)
        .getAllByText(/^\d+ runs$/)
        .map((one) => Number.parseInt(one.textContent!, 10));
    };
    let seq = 1000;
    const over = Object.fromEntries([70, 71, 72, 73, 74, 75, 76].map((id) => [id, 'CLOSED' as const]));
    const note = () => within(parts()[0]!).queryByText('No sessions are open.');
    expect(await now({ ...over, 80: 'SUSPENDED', 81: 'OPEN' })).toEqual([80, 81, 76, 75, 74, 73, 72, 71]);
    expect(note()).toBeNull();
    expect(await now({ ...over, 80: 'CLOSED', 81: 'OPEN' })).toEqual([80, 81, 76, 75, 74, 73, 72, 71]);
    expect(note()).toBeNull();
    expect(await now({ ...over, 80: 'CLOSED', 81: 'CLOSED' })).toEqual([80, 81, 76, 75, 74, 73, 72, 71]);
    expect(note()).not.toBeNull();
  });

  it('names the market and the runner in a part of theirs: those of one event differ', async () => {
    kept = [
      {
        name: 'Two',
        panes: [pane('market'), pane('market', { marketId: 12 }), pane('ladder', { runnerId: 1 }), pane('bets')],
      },
    ];
    await open('/workspace?name=Two', {
      '/market/event/12': { ...Object.values(eventOfMarket)[0], marketName: 'Tied Match' },
    });
    expect(parts().map((one) => one.getAttribute('aria-label'))).toEqual([
      'Market, Match Odds, India v Australia',
      'Market, Tied Match, India v Australia',
      'Ladder, India, Match Odds, India v Australia',
      'My bets, India v Australia',
    ]);
  });

  it('has all of a market where its address says so; on a phone as a deck, without grips', async () => {
    width(390);
    await open(`/workspace?market=${MARKET_ID}`);
    expect(names()).toEqual(['Ladder', 'Ladder', 'Score', 'Last trades', 'My bets', 'Market', 'Price history']);
    expect(screen.queryByLabelText('Move or size it')).toBeNull();
  });
});
