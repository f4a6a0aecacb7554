/**
 * The paces of several gateways: what is taken from the buckets of sign-in and money at one is told to the others in a
 * moment, and asked for by one that starts; the rates of all else are divided by the gateways that are there. Nobody waits for
 * it: within that moment each gateway may let through what one may, which then is missing at all of them.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type Bus, pack, RequestFailed, type Stop, unpack } from '../bus/bus.ts';
import type { Log } from '../db/db.ts';
import type { PaceTogether, Taken } from '../http/http.ts';

interface Told {
  from: string;
  taken?: Taken[];
  lacks?: Taken[];
  leaves?: true;
}

const TOLD = 'ctl.pace';
const ASKED = 'pace.missing';
const TOGETHER_MS = 20;
const HERE_MS = 2000;
/** Who was silent for so long is no gateway any more. */
const SEEN_MS = 10_000;
const ASK_MS = 2000;

export async function sharePace(bus: Bus, pace: PaceTogether, log: Log): Promise<Stop> {
  if (bus.alone) return () => undefined;
  const own = randomUUID();
  const others = company((gateways) => {
    pace.share(gateways);
    log.info({ gateways }, 'gateways that share the paces of readings');
  });
  let taken = new Map<string, number>();
  let due: NodeJS.Timeout | null = null;
  const tell = (about: Omit<Told, 'from'>): void => bus.tell(TOLD, pack({ from: own, ...about } satisfies Told));

  function flush(): void {
    if (!due) return;
    clearTimeout(due);
    due = null;
    tell({ taken: [...taken] });
    taken = new Map();
  }
  /** What was just taken goes out first: told behind this it would count twice. */
  function missing(): Taken[] {
    flush();
    return pace.missing();
  }
  async function ask(): Promise<void> {
    pace.lacks(unpack<Taken[]>(await bus.request(ASKED, pack(own), ASK_MS)));
  }

  pace.onTaken = (bucket, ms) => {
    taken.set(bucket, (taken.get(bucket) ?? 0) + ms);
    due ??= setTimeout(flush, TOGETHER_MS).unref();
  };
  const here = setInterval(() => {
    tell({});
    others.count();
  }, HERE_MS).unref();
  const offs = [
    bus.hear(TOLD, (body) => {
      const told = unpack<Told>(body);
      if (told.from === own) return;
      if (others.heard(told)) tell({});
      if (told.taken) pace.taken(told.taken);
      if (told.lacks) pace.lacks(told.lacks);
    }),
    bus.onHearing((hears) => {
      if (!hears) return;
      // What was told meanwhile nobody heard; or they did, and it is only here that nothing was.
      tell({ lacks: missing() });
      ask().catch(() => undefined);
    }),
  ];
  try {
    await ask();
  } catch (error) {
    // The first has nobody to ask.
    if (!(error instanceof RequestFailed) || error.fate !== 'unheard')
      log.warn({ reason: (error as Error).message }, 'no other gateway told of its paces: they begin full here');
  }
  offs.push(bus.serve(ASKED, (asker) => Promise.resolve(unpack(asker) === own ? null : pack(missing()))));
  tell({});
  return () => {
    pace.onTaken = null;
    clearInterval(here);
    if (due) clearTimeout(due);
    for (const off of offs) off();
    tell({ leaves: true });
  };
}

/** Who else is there. `changed` is told how many there are with this one. */
function company(changed: (gateways: number) => void) {
  const seen = new Map<string, number>();
  let gateways = 1;
  function count(): void {
    const now = performance.now();
    for (const [name, at] of seen) if (now - at > SEEN_MS) seen.delete(name);
    if (seen.size + 1 === gateways) return;
    gateways = seen.size + 1;
    changed(gateways);
  }
  /** Whether it is a new one. */
  function heard({ from, leaves }: Told): boolean {
    const isNew = !leaves && !seen.has(from);
    if (leaves) seen.delete(from);
    else seen.set(from, performance.now());
    count();
    return isNew;
  }
  return { count, heard };
}
