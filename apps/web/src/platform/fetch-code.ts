import { reloadOnce } from './reload.ts';

/**
 * Fetches a part of the client's code: tried twice more after a failure, then the failure is logged and the page reloads, at
 * most once in 60 s (decisions.md, PUB-12). After that the error is the caller's.
 */
export async function fetchCode<T>(
  load: () => Promise<T>,
  what: string,
  waitMs: readonly number[] = [400, 1500],
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load();
    } catch (error) {
      const wait = waitMs[attempt];
      if (wait === undefined) {
        console.error(`${what} failed to load`, error);
        reloadOnce(`${what.toLowerCase()} failed to load`);
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
