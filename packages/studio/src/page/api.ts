/** The page's calls to its provider (wire.ts), each with an end: an answer, a refusal in words, or no answer at all. */
import type {
  BetReply,
  HistoryRow,
  LiveView,
  PageError,
  RoundProof,
  RoundReply,
  SeedReply,
  SessionView,
} from '../wire.ts';

/** A key is made once for each act and sent again with it, so that an act is played once however often it is asked for. */
export interface Api {
  session(): Promise<SessionView>;
  open(key: string, wager: unknown): Promise<RoundReply>;
  move(key: string, roundId: string, move: unknown): Promise<RoundReply>;
  bet(key: string, roundId: string, wager: unknown): Promise<BetReply>;
  cashout(key: string, betId: string): Promise<BetReply>;
  history(): Promise<readonly HistoryRow[]>;
  round(id: string): Promise<RoundProof>;
  seed(clientSeed: string): Promise<SeedReply>;
  /** Follows the shared rounds until the returned function is called; connects again by itself. */
  live(on: { view: (live: LiveView) => void; lost: () => void; refused: (error: PageError) => void }): () => void;
}

/** The provider answered, and the act was not done. */
export class Refused extends Error {
  readonly error: PageError;
  constructor(error: PageError) {
    super(error.text);
    this.name = 'Refused';
    this.error = error;
  }
}

/** Nobody knows whether the act was done: no connection, too late, or an answer that is none. */
export class NoAnswer extends Error {
  constructor() {
    super('There was no answer.');
    this.name = 'NoAnswer';
  }
}

const ANSWER_MS = 10_000;
const AGAIN_MS = { first: 700, most: 6000 };

export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * What a session is known by: its id in the address, and a key that this page makes once and no address holds. `kept` outlives a
 * reload; a browser that keeps nothing has to open the game anew after one.
 */
export function sessionName(id: string, kept: Pick<Storage, 'getItem' | 'setItem'> | null): string {
  const place = `game-key ${id}`;
  const key = kept?.getItem(place) ?? newKey();
  try {
    kept?.setItem(place, key);
  } catch {
    // Full or forbidden.
  }
  return `${id}.${key}`;
}

/** Asks with the same call (and so the same key) until there is an answer or a refusal; `waiting` hears of every miss. */
export async function deliver<T>(
  call: () => Promise<T>,
  waiting: (misses: number) => void,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<T> {
  for (let misses = 0; ; ) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      misses += 1;
      waiting(misses);
      await sleep(Math.min(AGAIN_MS.first * 2 ** (misses - 1), AGAIN_MS.most));
    }
  }
}

export function httpApi(session: string, get: typeof fetch = (input, init) => fetch(input, init)): Api {
  const s = encodeURIComponent(session);
  async function ask<T>(path: string, body?: object): Promise<T> {
    let status: number;
    let data: unknown;
    try {
      const answer = await get(path, {
        method: body ? 'POST' : 'GET',
        cache: 'no-store',
        signal: AbortSignal.timeout(ANSWER_MS),
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ s: session, ...body }) }),
      });
      status = answer.status;
      data = await answer.json();
    } catch {
      throw new NoAnswer();
    }
    if (status >= 200 && status < 300) return data as T;
    const error = errorIn(data);
    // A fault of the program leaves open what was done; only 503 is a refusal in words.
    if (status >= 500 && (status !== 503 || !error)) throw new NoAnswer();
    if (error) throw new Refused(error);
    throw new Refused({ code: 'BAD_INPUT', text: 'The game could not do that.' });
  }
  return {
    session: () => ask(`/page/session?s=${s}`),
    open: (key, wager) => ask('/page/open', { key, wager }),
    move: (key, roundId, move) => ask('/page/move', { key, roundId, move }),
    bet: (key, roundId, wager) => ask('/page/bet', { key, roundId, wager }),
    cashout: (key, betId) => ask('/page/cashout', { key, betId }),
    history: () => ask(`/page/history?s=${s}`),
    round: (id) => ask(`/page/round?s=${s}&id=${encodeURIComponent(id)}`),
    seed: (clientSeed) => ask('/page/seed', { clientSeed }),
    live: (on) => follow(`/page/live?s=${s}`, on, () => ask(`/page/session?s=${s}`)),
  };
}

function errorIn(data: unknown): PageError | null {
  const error = (data as { error?: { code?: unknown; text?: unknown } } | null)?.error;
  return typeof error?.code === 'string' && typeof error.text === 'string' ? (error as PageError) : null;
}

/** EventSource comes back by itself after a cut line, but not after a refusal: then the session says why. */
function follow(url: string, on: Parameters<Api['live']>[0], why: () => Promise<unknown>): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let misses = 0;
  const connect = () => {
    source = new EventSource(url);
    source.onmessage = (event) => {
      const live = liveIn(String(event.data));
      if (!live) return;
      misses = 0;
      on.view(live);
    };
    source.addEventListener('gone', (event) => {
      source?.close();
      on.refused(goneIn(String(event.data)));
    });
    source.onerror = () => {
      on.lost();
      if (source?.readyState !== EventSource.CLOSED) return;
      misses += 1;
      timer = setTimeout(again, Math.min(AGAIN_MS.first * 2 ** (misses - 1), AGAIN_MS.most));
    };
  };
  const again = () => {
    why().then(connect, (error: unknown) => {
      if (error instanceof Refused) on.refused(error.error);
      else timer = setTimeout(again, AGAIN_MS.most);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

function goneIn(text: string): PageError {
  const over: PageError = { code: 'SESSION_OVER', text: 'This session is over.' };
  try {
    return errorIn({ error: JSON.parse(text) }) ?? over;
  } catch {
    return over;
  }
}

function liveIn(text: string): LiveView | null {
  try {
    const live = JSON.parse(text) as Partial<LiveView> | null;
    const whole =
      typeof live?.roundId === 'string' &&
      typeof live.now === 'number' &&
      Array.isArray(live.bets) &&
      Array.isArray(live.last) &&
      (live.phase === 'bets' || live.phase === 'runs' || live.phase === 'rests');
    return whole ? (live as LiveView) : null;
  } catch {
    return null;
  }
}
