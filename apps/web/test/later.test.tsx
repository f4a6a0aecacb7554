import { act, render, screen } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fetchLater, later } from '../src/platform/later.tsx';
import { Boundary } from '../src/ui/boundary.tsx';

type Props = { name: string };
const Part = ({ name }: Props) => <p>Here is {name}</p>;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A part whose code comes, or fails to, when the test says so. */
function coming() {
  const askings: Array<{ resolve(part: ComponentType<Props>): void; reject(error: Error): void }> = [];
  const Late = later<Props>(() => new Promise((resolve, reject) => askings.push({ resolve, reject })));
  return { askings, Late };
}

const show = (page: ReactNode) => act(async () => void render(page));

describe('a part whose code comes later', () => {
  it('is fetched when it is first drawn, once, and the page around it stands', async () => {
    const { askings, Late } = coming();
    await show(
      <>
        <p>The page</p>
        <Late name="one" />
        <Late name="two" />
      </>,
    );
    expect(screen.getByText('The page')).toBeTruthy();
    await vi.waitFor(() => expect(askings).toHaveLength(1));
    await act(async () => askings[0]!.resolve(Part));
    expect(await screen.findByText('Here is one')).toBeTruthy();
    expect(screen.getByText('Here is two')).toBeTruthy();
    expect(askings).toHaveLength(1);
  });

  it('is there at once when it was fetched before', async () => {
    const { askings, Late } = coming();
    const fetched = fetchLater();
    askings[0]!.resolve(Part);
    await fetched;
    await show(<Late name="one" />);
    expect(screen.getByText('Here is one')).toBeTruthy();
    expect(askings).toHaveLength(1);
  });

  it('is asked for in a turn of its own, and so is what came with another', async () => {
    const asked: string[] = [];
    const part = (name: string, brings?: () => void) =>
      later<Props>(async () => {
        asked.push(name);
        brings?.();
        return Part;
      });
    part('one', () => part('of one'));
    part('two');
    const atTurns: number[] = [];
    await fetchLater(async () => {
      atTurns.push(asked.length);
    });
    expect(asked).toEqual(['one', 'two', 'of one']);
    // The parts of the tests above are asked in turns too.
    const ours = atTurns.slice(atTurns.lastIndexOf(0));
    expect(ours).toEqual([0, 1, 2]);
  });

  it('drawn while it is on its way waits for that one fetch', async () => {
    const { askings, Late } = coming();
    const fetched = fetchLater();
    await show(<Late name="one" />);
    await act(async () => {
      askings[0]!.resolve(Part);
      await fetched;
    });
    expect(await screen.findByText('Here is one')).toBeTruthy();
    expect(askings).toHaveLength(1);
  });

  it('that failed before anybody missed it says nothing and is asked for anew when it is drawn', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { askings, Late } = coming();
    const fetched = fetchLater();
    askings[0]!.reject(new Error('no network'));
    await fetched;
    expect(logged).not.toHaveBeenCalled();
    await show(<Late name="one" />);
    await vi.waitFor(() => expect(askings).toHaveLength(2));
    await act(async () => askings[1]!.resolve(Part));
    expect(await screen.findByText('Here is one')).toBeTruthy();
  });

  it('that cannot be fetched falls alone, and the other try of its boundary asks anew', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let broken = true;
    let asked = 0;
    const Late = later<Props>(async () => {
      asked += 1;
      if (broken) throw new Error('no such file');
      return Part;
    });
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await show(
      <Boundary what="The chart">
        <Late name="one" />
      </Boundary>,
    );
    // Both further tries of fetch-code.ts.
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(screen.getByText('The chart cannot be shown.')).toBeTruthy();
    expect(asked).toBe(3);
    broken = false;
    await act(() => vi.advanceTimersByTimeAsync(500));
    vi.useRealTimers();
    await act(async () => screen.getByRole('button', { name: 'Try again' }).click());
    expect(await screen.findByText('Here is one')).toBeTruthy();
  });
});
