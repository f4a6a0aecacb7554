// @vitest-environment happy-dom
import { createStream } from '@fairgame/casino';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cardTableBoards } from '../../src/boards/card-table.tsx';
import cluster from '../../src/boards/slots-cluster.tsx';
import lines from '../../src/boards/slots-lines.tsx';
import ways from '../../src/boards/slots-ways.tsx';
import type { AnySolo } from '../../src/game.ts';
import { type Panel, PanelContext, type SoloBoard } from '../../src/page/board.ts';
import { cardTable } from '../../src/rules/card-table.ts';
import type { SlotView } from '../../src/rules/slots.ts';
import { slotsCluster } from '../../src/rules/slots-cluster.ts';
import { slotsLines } from '../../src/rules/slots-lines.ts';
import { slotsWays } from '../../src/rules/slots-ways.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function roundOf(game: AnySolo, input: unknown, nonce: number, fresh: boolean) {
  const wager = game.wager(input);
  const step = game.open(wager, createStream({ serverSeed: '5e'.repeat(32), clientSeed: 'board', nonce }));
  return {
    roundId: `r${nonce}`,
    wager,
    view: game.view(step.state),
    over: true,
    stakeMinor: game.stakeOf(wager),
    paidMinor: step.paidMinor,
    fresh,
  };
}
type Round = ReturnType<typeof roundOf> | null;

function show(Board: SoloBoard, first: Round, motion = true) {
  const onShown = vi.fn();
  const sound = vi.fn();
  let panel: Panel = { actions: [] };
  const setPanel = (to: Panel) => {
    panel = to;
  };
  const page = (round: Round) => (
    <PanelContext value={setPanel}>
      <Board
        round={round as never}
        stakeMinor={1000}
        currency="PTS"
        busy={false}
        motion={motion}
        onOpen={() => undefined}
        onMove={() => undefined}
        onShown={onShown}
        sound={sound}
      />
    </PanelContext>
  );
  const { rerender, container } = render(page(first));
  return { onShown, sound, container, next: (round: Round) => rerender(page(round)), panel: () => panel };
}

const findNonce = (game: AnySolo, fits: (view: SlotView, paidTimes: number) => boolean) => {
  for (let nonce = 0; ; nonce++) {
    const round = roundOf(game, { stakeMinor: 1000 }, nonce, false);
    if (fits(round.view as SlotView, round.paidMinor / 10)) return nonce;
  }
};

describe('card table board', () => {
  const board = cardTableBoards.baccarat!;
  const game = cardTable('baccarat');
  const field = (name: RegExp) => screen.getByRole('button', { name });

  it('lays chips by press, adds them, takes them back, and hands the bets to the main button', () => {
    const { panel } = show(board, null);
    expect(panel().actions[0]).toMatchObject({ label: 'Deal', off: expect.any(String) });
    fireEvent.click(field(/^Player, pays 2/));
    fireEvent.click(field(/^Player, pays 2/));
    fireEvent.click(field(/^Tie, pays 10/));
    expect(field(/^Player, /).getAttribute('aria-label')).toContain('20.00 on it');
    expect(panel().actions[0]!.wager).toEqual({
      bets: [
        { id: 1, stakeMinor: 2000 },
        { id: 3, stakeMinor: 1000 },
      ],
    });
    expect(() => game.wager(panel().actions[0]!.wager)).not.toThrow();
    fireEvent.click(field(/Undo/));
    expect(panel().actions[0]!.wager).toEqual({ bets: [{ id: 1, stakeMinor: 2000 }] });
    fireEvent.click(field(/Clear/));
    expect(panel().actions[0]!.off).toBeTruthy();
  });

  it('has one tab stop a section, arrows between its fields, and Delete takes the chips off', () => {
    const { panel } = show(board, null);
    const stops = screen
      .getAllByRole('button')
      .filter((each) => each.matches('.card-table-fields__field') && each.tabIndex === 0);
    expect(stops).toHaveLength(3);
    field(/^Player, /).focus();
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(field(/^Tie, /));
    fireEvent.click(field(/^Tie, /));
    fireEvent.click(field(/^Banker, /));
    fireEvent.keyDown(field(/^Tie, /), { key: 'Delete' });
    expect(panel().actions[0]!.wager).toEqual({ bets: [{ id: 2, stakeMinor: 1000 }] });
  });

  it('deals card by card, then says who won and what each bet paid; the same bets lie again by a press', () => {
    const round = roundOf(
      game,
      {
        bets: [
          { id: 1, stakeMinor: 1000 },
          { id: 2, stakeMinor: 1000 },
        ],
      },
      4,
      true,
    );
    const view = round.view as { cards: number[]; words: string };
    const { onShown, sound, next, panel } = show(board, round);
    expect(screen.queryByText(view.words)).toBeNull();
    expect(field(/^Player, /).getAttribute('aria-label')).not.toContain('paid');
    act(() => {
      vi.advanceTimersByTime(5000);
    });
    expect(sound.mock.calls.filter(([effect]) => effect === 'deal')).toHaveLength(view.cards.length);
    expect(onShown).toHaveBeenCalledTimes(1);
    next({ ...round, fresh: false });
    expect(screen.getByText(view.words)).toBeTruthy();
    expect(field(/^Player, /).getAttribute('aria-label')).toContain('paid');
    expect(panel().actions[0]!.off).toBeTruthy();
    fireEvent.click(field(/Same bets/));
    expect(panel().actions[0]!.wager).toEqual(round.wager);
    expect(field(/^Player, /).getAttribute('aria-label')).not.toContain('paid');
  });

  it.each(Object.keys(cardTableBoards))('%s shows the end at once without motion', (code) => {
    const bets = [{ id: code === 'andar-bahar' ? 2 : 1, stakeMinor: 1000 }];
    const round = roundOf(cardTable(code), { bets }, 9, true);
    const { onShown } = show(cardTableBoards[code]!, round, false);
    expect(onShown).toHaveBeenCalledTimes(1);
    const { cards, words } = round.view as { cards: number[]; words: string };
    expect(screen.getByText(words)).toBeTruthy();
    expect(screen.getAllByRole('img')).toHaveLength(cards.length);
  });
});

describe('slot board', () => {
  it.each([
    ['ways', ways, slotsWays],
    ['lines', lines, slotsLines],
    ['cluster', cluster, slotsCluster],
  ] as const)('%s shows its end at once without motion, and in words', (_, board, game) => {
    const round = roundOf(game, { stakeMinor: 1000 }, 1, true);
    const { onShown, panel } = show(board, round, false);
    expect(onShown).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/^Row 1: /);
    expect(panel().actions).toEqual([{ label: 'Spin', wager: { stakeMinor: 1000 } }]);
    expect(panel().says).toBeTruthy();
  });

  it('[PP-14] marks what paid without gold or lift where the round pays no more than its stake', () => {
    const low = findNonce(slotsLines, (view, paid) => view.steps.length === 1 && paid > 0 && paid <= 100);
    const { container } = show(lines, roundOf(slotsLines, { stakeMinor: 1000 }, low, false));
    expect(container.querySelector('[data-won]')).not.toBeNull();
    expect(container.querySelector('[data-above]')).toBeNull();
    cleanup();
    const high = findNonce(slotsLines, (view, paid) => view.steps.length === 1 && paid > 100);
    expect(
      show(lines, roundOf(slotsLines, { stakeMinor: 1000 }, high, false)).container.querySelector('[data-above]'),
    ).not.toBeNull();
  });

  it('[issue 5] reels turn at one pace and stop at even distances, whatever they show', () => {
    const ms = (nonce: number) => {
      const { container } = show(ways, roundOf(slotsWays, { stakeMinor: 1000 }, nonce, true));
      const strips = [...container.querySelectorAll<HTMLElement>('.slots__strip')];
      const times = strips.map((strip) => Number.parseInt(strip.style.getPropertyValue('--ms'), 10));
      const symbols = strips.map((strip) => strip.children.length - 3);
      cleanup();
      return { times, perSymbol: times.map((time, i) => time / symbols[i]!) };
    };
    // Two pearls on the first reels, and none at all: the same.
    const near = findNonce(
      slotsWays,
      ({ steps }) => steps.length === 1 && steps[0]!.cells.slice(0, 6).filter((cell) => cell === 1).length === 2,
    );
    const none = findNonce(slotsWays, ({ steps, times }) => times === 0 && !steps[0]!.cells.includes(1));
    expect(ms(near)).toEqual(ms(none));
    const { times, perSymbol } = ms(none);
    const gaps = times.slice(1).map((time, i) => time - times[i]!);
    expect(new Set(gaps).size).toBe(1);
    expect(new Set(perSymbol).size).toBe(1);
  });

  it('plays free spins one after the other within the time the kit waits, then lets them be looked at', () => {
    const nonce = findNonce(slotsLines, (view) => view.steps.length > 1);
    const round = roundOf(slotsLines, { stakeMinor: 1000 }, nonce, true);
    const { onShown, next } = show(lines, round);
    act(() => {
      vi.advanceTimersByTime(3500);
    });
    expect(screen.getByText(/^Free spin [12] of 8/)).toBeTruthy();
    expect(onShown).not.toHaveBeenCalled();
    act(() => {
      vi.advanceTimersByTime(10_500);
    });
    expect(onShown).toHaveBeenCalledTimes(1);
    next({ ...round, fresh: false });
    expect(screen.getByText(/^Free spin 8 of 8/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /Earlier grid/ }));
    expect(screen.getByText(/^Free spin 7 of 8/)).toBeTruthy();
  });

  it('opens the pay table and closes it by Escape', () => {
    show(cluster, null);
    fireEvent.click(screen.getByRole('button', { name: 'Pay table' }));
    const table = screen.getByRole('region', { name: /Pays for a stake of 10/ });
    expect(table.textContent).toContain('Ruby');
    fireEvent.keyDown(table, { key: 'Escape' });
    expect(screen.queryByRole('region')).toBeNull();
  });
});
