import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pictured } from '../src/platform/pictured.ts';

let frames: FrameRequestCallback[];
beforeEach(() => {
  frames = [];
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => frames.push(run));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Whether it has come, after so long. */
async function comes(waiting: Promise<void>, ms: number): Promise<boolean> {
  let come = false;
  void waiting.then(() => {
    come = true;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return come;
}

it('comes in the task behind the first frame: within the frame nothing is painted yet', async () => {
  const waiting = pictured();
  expect(await comes(waiting, 400)).toBe(false);
  for (const run of frames) run(0);
  expect(await comes(waiting, 1)).toBe(true);
});

it('a browser that draws no frame does not hold the client for ever', async () => {
  expect(await comes(pictured(), 500)).toBe(true);
});

it('a tab that nobody sees starts at once', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  expect(await comes(pictured(), 0)).toBe(true);
  expect(frames).toEqual([]);
});
