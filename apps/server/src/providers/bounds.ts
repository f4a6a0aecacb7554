/**
 * What a provider may pay out before a person looks at it. Its word is taken for wins, so whoever has its key could make money
 * without end: a win beyond these bounds waits, and what needs no bet (promotions) has a budget.
 */
import type { MovementView, RoundView } from '@fairgame/exchange';
import type { Core, World } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { WinLimits } from '../provider-settings.ts';

/** closed: the round was over; win, times: more than a round pays, in all or for its stake; day: the provider's day is lost. */
export type HeldWhy = 'closed' | 'win' | 'times' | 'day';

/** A provider's money of one currency. */
export interface Book {
  provider: string;
  world: World;
}

export interface Bounds {
  /** Carries a win out that is within bounds, else tells why it waits. What is under way counts: many at once are not each the first. */
  pay<T>(
    book: Book,
    round: Played,
    amountMinor: number,
    work: () => Promise<T>,
  ): Promise<{ done: T } | { why: HeldWhy }>;
  /** The same of a promotion; null where the budget of the day has no room for it. */
  give<T>(book: Book, amountMinor: number, work: () => Promise<T>): Promise<{ done: T } | null>;
}

export type Played = Pick<RoundView, 'status' | 'stakedMinor' | 'refundedMinor' | 'paidMinor'>;

/** Of one day (UTC): what left for players less what came from them, and promotions. */
interface Day {
  day: number;
  netMinor: number;
  promoMinor: number;
  /** Of its rows the last one that was read: a process may hear of it later than it reads it. */
  seq: number;
}

/** A movement that was told. */
type Heard = Pick<MovementView, 'kind' | 'amountMinor' | 'creditMinor'> & { seq: number; at: number };

const DAY_MS = 86_400_000;
const dayAt = (at: number): number => Math.floor(at / DAY_MS);

export function createBounds(opts: {
  db: Pick<Db, 'query'>;
  core: Pick<Core, 'onCommitted'>;
  clock: () => number;
  limitsOf: (provider: string) => WinLimits;
}): Bounds {
  const { limitsOf } = opts;
  const dayOf = createDays(opts);
  const underWay = new Map<string, number>();

  /** Called in the same step as the check that allows it. */
  async function during<T>(book: Book, amountMinor: number, work: () => Promise<T>): Promise<{ done: T }> {
    const add = (minor: number) => underWay.set(nameOf(book), (underWay.get(nameOf(book)) ?? 0) + minor);
    add(amountMinor);
    try {
      return { done: await work() };
    } finally {
      add(-amountMinor);
    }
  }

  return {
    async pay(book, { status, stakedMinor, refundedMinor, paidMinor }, amountMinor, work) {
      const { winMinor, winTimes, dayMinor } = limitsOf(book.provider);
      const paid = paidMinor + amountMinor;
      if (status !== 'OPEN') return { why: 'closed' };
      if (paid > winMinor) return { why: 'win' };
      if (paid > (stakedMinor - refundedMinor) * winTimes) return { why: 'times' };
      const { netMinor } = await dayOf(book);
      if (netMinor + (underWay.get(nameOf(book)) ?? 0) + amountMinor > dayMinor) return { why: 'day' };
      return during(book, amountMinor, work);
    },
    async give(book, amountMinor, work) {
      const { promoMinor, netMinor } = await dayOf(book);
      const { promoMinor: budget, dayMinor } = limitsOf(book.provider);
      const more = (underWay.get(nameOf(book)) ?? 0) + amountMinor;
      if (promoMinor + more > budget || netMinor + more > dayMinor) return null;
      return during(book, amountMinor, work);
    },
  };
}

const nameOf = ({ provider, world }: Book): string => `${provider} ${world}`;

/** A day is read once, and counted on by what is committed: what other gateways took counts as well. */
function createDays({
  db,
  core,
  clock,
}: {
  db: Pick<Db, 'query'>;
  core: Pick<Core, 'onCommitted'>;
  clock: () => number;
}): (book: Book) => Promise<Day> {
  const days = new Map<string, Promise<Day>>();
  const present = new Map<string, Day>();
  const reading = new Map<string, Heard[]>();

  core.onCommitted(({ items }) => {
    for (const { seq, at, world, events } of items) {
      for (const event of events) {
        if (event.type !== 'movement') continue;
        const name = nameOf({ provider: event.movement.provider, world });
        const heard = { ...event.movement, seq, at };
        reading.get(name)?.push(heard);
        const day = present.get(name);
        if (day) count(day, heard);
      }
    }
  });

  async function read(book: Book, day: number): Promise<Day> {
    const name = nameOf(book);
    const heard: Heard[] = [];
    reading.set(name, heard);
    const [row] = await db.query<Omit<Day, 'day'>>(
      `SELECT COALESCE(sum(credit - amount), 0)::bigint AS "netMinor",
              COALESCE(sum(credit) FILTER (WHERE kind = 'promo'), 0)::bigint AS "promoMinor",
              COALESCE(max(seq), 0)::bigint AS seq
         FROM provider_txs WHERE provider = $1 AND at >= $2 AND world = $3`,
      [book.provider, day * DAY_MS, book.world],
    );
    const read = { day, ...row! };
    for (const one of heard) count(read, one);
    present.set(name, read);
    if (reading.get(name) === heard) reading.delete(name);
    return read;
  }

  return async function dayOf(book: Book): Promise<Day> {
    const today = dayAt(clock());
    const known = await days.get(nameOf(book))?.catch(() => undefined);
    if (known?.day === today) return known;
    const reading = read(book, today);
    days.set(nameOf(book), reading);
    return reading;
  };
}

function count(day: Day, { kind, amountMinor, creditMinor, seq, at }: Heard): void {
  if (seq <= day.seq || dayAt(at) !== day.day) return;
  day.netMinor += creditMinor - amountMinor;
  if (kind === 'promo') day.promoMinor += creditMinor;
}
