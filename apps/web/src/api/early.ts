/**
 * Readings that /theme.js asked for while the page was still being loaded. Each is taken once, by the session it was asked
 * for, and only in the first seconds: later it would be an old answer.
 */
const FRESH_MS = 10_000;

interface Early {
  token: string;
  answers: Map<string, Promise<Response>>;
}

/**
 * The answer on its way for an address, or null: then the call is made as always. It resolves to null when it failed or the
 * call was given up meanwhile.
 */
export function earlyAnswer(url: string, token: string | null, signal: AbortSignal): Promise<Response | null> | null {
  const early = (globalThis as { fairgameEarly?: Early }).fairgameEarly;
  const answer = early?.answers.get(url);
  if (!early || !answer) return null;
  early.answers.delete(url);
  if (early.token !== token || performance.now() > FRESH_MS) return null;
  const given = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  return Promise.race([answer.catch(() => null), given]);
}
