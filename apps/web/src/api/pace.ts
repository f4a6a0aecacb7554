import { ApiError } from './call.ts';

const WAIT_MS = 1500;
const MOST_WAITS = 40;

/** For who asks so often in a row that the site's pace of calls is met: it is waited for. */
export async function atItsPace<T>(ask: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || waits >= MOST_WAITS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}
