/**
 * What a provider may pay out before a person looks at it. Its word is taken for wins, so whoever has its key could make money
 * without end: a win beyond these bounds waits, and what needs no bet (promotions) has a budget.
 */
import type { MovementView, RoundView } from '@fairgame/exchange';
import type { World } from '../core/types.ts';
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
  /** A movement was taken. */
  count(book: Book, movement: Pick<MovementView, 'kind' | 'amountMinor' | 'creditMinor'>): void;
}

export type Played = Pick<RoundView, 'status' | 'stakedMinor' | 'refundedMinor' | 'paidMinor'>;

/** Of one day (UTC): what left for players less what came from them, and promotions. */
interface Day {
  day: number;
  netMinor: number;
  promoMinor: number;
}

const DAY_MS = 86_400_000;

export function createBounds(opts: {
  db: Pick<Db, 'query'>;
  clock: () => number;
  limitsOf: (provider: string) => WinLimits;
}): Bounds {
  const { db, clock, limitsOf } = opts;
  const days = new Map<string, Promise<Day>>();
  const present = new Map<string, Day>();
  const underWay = new Map<string, number>();
  const nameOf = ({ provider, world }: Book): string => `${provider} ${world}`;
  const today = (): number => Math.floor(clock() / DAY_MS);

  async function read(book: Book, day: number): Promise<Day> {
    const [row] = await db.query<Omit<Day, 'day'>>(
      `SELECT COALESCE(sum(credit - amount), 0)::bigint AS "netMinor",
              COALESCE(sum(credit) FILTER (WHERE kind = 'promo'), 0)::bigint AS "promoMinor"
         FROM provider_txs WHERE provider = $1 AND at >= $2 AND world = $3`,
      [book.provider, day * DAY_MS, book.world],
    );
    const read = { day, ...row! };
    present.set(nameOf(book), read);
    return read;
  }

  async function dayOf(book: Book): Promise<Day> {
    const known = await days.get(nameOf(book))?.catch(() => undefined);
    if (known?.day === today()) return known;
    const reading = read(book, today());
    days.set(nameOf(book), reading);
    return reading;
  }

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
    count(book, { kind, amountMinor, creditMinor }) {
      const day = present.get(nameOf(book));
      if (day?.day !== today()) return;
      day.netMinor += creditMinor - amountMinor;
      if (kind === 'promo') day.promoMinor += creditMinor;
    },
  };
}
