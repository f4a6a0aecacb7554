/**
 * Whether the operator's pictures of the tables come at all. A browser is not told when a page of another origin fails
 * inside a frame, so the server asks the address itself: a table whose picture is down is drawn instead.
 */

/** What a picture answered is believed for this long. */
const GOOD_FOR_MS = 30_000;
/** A picture that says nothing for this long is down. */
const PATIENCE_MS = 2500;

export interface Pictures {
  url(code: string): string | null;
  /** What was found out last; false until something was. */
  down(code: string): boolean;
  /** Looks when nothing is known; looks again behind the caller's back when what is known is old. Never throws. */
  look(code: string): Promise<void>;
}

export function createPictures(host: string | undefined, clock: () => number): Pictures {
  const known = new Map<string, { down: boolean; at: number }>();
  const busy = new Map<string, Promise<void>>();
  const url = (code: string): string | null => (host === undefined ? null : `${host}/${code}`);
  const ask = async (code: string, address: string): Promise<void> => {
    const down = !(await comes(address));
    known.set(code, { down, at: clock() });
    busy.delete(code);
  };
  return {
    url,
    down: (code) => known.get(code)?.down ?? false,
    async look(code) {
      const address = url(code);
      const last = known.get(code);
      if (address === null || (last && clock() - last.at < GOOD_FOR_MS)) return;
      const asked = busy.get(code) ?? ask(code, address);
      busy.set(code, asked);
      if (!last) await asked;
    },
  };
}

/** Whether a page is there and may stand in a frame of another site. */
async function comes(address: string): Promise<boolean> {
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS), credentials: 'omit' });
    await reply.body?.cancel();
    const policy = reply.headers.get('content-security-policy') ?? '';
    return (
      reply.ok && !reply.headers.has('x-frame-options') && !/frame-ancestors\s+('none'|'self')\s*(;|$)/.test(policy)
    );
  } catch {
    return false;
  }
}
