/**
 * The only place of these tests that looks at a clock. A test waits for what it needs (`until`, `settled`), watches that
 * something stays as it is (`holds`), or does something in a beat (`paced`); it never waits for a time to be over.
 */
import type { Page } from 'playwright-core';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the answer is one (not null, undefined, false or ''); throws with the words of `what` when it never is. */
export async function until<T>(
  what: string | (() => string),
  ask: () => Promise<T | null | undefined | false | ''> | T | null | undefined | false | '',
  { timeout = 30_000, every = 100 }: { timeout?: number; every?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false && answer !== '') return answer;
    if (Date.now() > deadline) throw new Error(typeof what === 'string' ? what : what());
    await pause(every);
  }
}

/** That something stays true for so long: `check` throws (an assertion) as soon as it is not. Checked at the end, too. */
export async function holds(ms: number, check: () => unknown): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    await check();
    const left = end - Date.now();
    if (left <= 0) return;
    await pause(Math.min(left, 100));
  }
}

/** Does something again and again, so many times, for so long or until it is enough, with a rest between: a load in a beat. */
export async function paced(
  beat: { every: number } & ({ times: number } | { during: number } | { until: () => boolean }),
  act: (n: number) => unknown,
): Promise<void> {
  const started = Date.now();
  const over = (n: number): boolean => {
    if ('times' in beat) return n >= beat.times;
    return 'until' in beat ? beat.until() : Date.now() - started >= beat.during;
  };
  for (let n = 0; !over(n); n++) {
    await act(n);
    await pause(beat.every);
  }
}

/** Does something after a while of its own, as a network that is slow does. */
export async function late<T>(ms: number, act: () => Promise<T>): Promise<T> {
  await pause(ms);
  return act();
}

/**
 * The page stands: fonts are there, every movement that ends has ended, and nothing changed its place for three frames.
 * Prices may go on ticking. A page that never stands is looked at as it is after a second and a half.
 */
export async function settled(page: Page): Promise<void> {
  // Without functions of its own names: the tools of this folder run from their sources, whose names a page does not know.
  await page.evaluate(async () => {
    const end = performance.now() + 1500;
    await document.fonts.ready;
    for (let same = 0, before = ''; same < 3 && performance.now() < end; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      // What ticks moves all the time: a price that lights up, a dot that blinks, a ring that counts down.
      const moving = document.getAnimations().some((one) => {
        const effect = one.effect as KeyframeEffect | null;
        const ends = Number.isFinite(Number(effect?.getComputedTiming().endTime));
        return (
          one.playState === 'running' &&
          ends &&
          !effect?.target?.closest('.price__cell, .side-nav__dot, .side-nav__entry, .casino__ring, .scoreboard__board')
        );
      });
      const loading = Array.from(document.images).some((one) => !one.complete && one.loading !== 'lazy');
      const { scrollWidth, scrollHeight } = document.documentElement;
      const parts = document.querySelectorAll(
        'header, main, main > *, aside, nav, h1, table, section, dialog, [role=dialog]',
      );
      const places = Array.from(parts, (one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join();
      });
      const now = moving || loading ? '' : [scrollWidth, scrollHeight, ...places].join(' ');
      same = now !== '' && now === before ? same + 1 : 0;
      before = now;
    }
  });
}
