import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { fetchLater } from '../src/platform/later.tsx';

// Its second is too short on a busy machine; nothing here is a measurement.
configure({ asyncUtilTimeout: 10_000 });

// As on a page that has been looked at for a moment; later.test.tsx holds what is drawn before that.
beforeAll(() => fetchLater(), 60_000);

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});

// A module's timer outlives the last test, and the window it works on does not.
const timers = new Set<ReturnType<typeof setInterval>>();
const { setInterval: every } = globalThis;
globalThis.setInterval = Object.assign((...args: Parameters<typeof every>) => {
  const timer = every(...args);
  timers.add(timer);
  return timer;
}, every);
afterAll(() => {
  for (const timer of timers) clearInterval(timer);
});
