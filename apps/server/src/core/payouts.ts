/**
 * What a provider may pay out before a person looks at it. Its word is taken for wins, so whoever has its key could make money
 * without end: a win beyond these bounds waits, and what needs no bet (promotions) has a budget. Kept by who leads: what comes
 * from several gateways at once is together no more.
 */
import { CodedError } from '@fairgame/contract';
import { type Command, type MovementView, type RoundView, roundOf } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { Committed, PayoutBounds, World } from './types.ts';
import type { Worlds } from './worlds.ts';

type Paying = Extract<Command, { type: 'game.credit' | 'game.debitCredit' | 'game.promo' }>;

/**
 * closed: the round was over; win, times: more than a round pays, in all or for its stake; day: the provider's day is lost;
 * promo: its budget of the day is given.
 */
export type PayoutWhy = 'closed' | 'win' | 'times' | 'day' | 'promo';

/** Of one day (UTC): what left for players less what came from them, and promotions. */
interface Day {
  day: number;
  netMinor: number;
  promoMinor: number;
  /** Of its rows the last one that was read: a commit may be told later than it is read. */
  seq: number;
}

/** A movement that was told. */
type Heard = Pick<MovementView, 'kind' | 'amountMinor' | 'creditMinor'> & { seq: number; at: number };

interface PayoutParts {
  db: Pick<Db, 'query'>;
  log: Log;
  committed: () => Worlds;
  onCommitted: (listener: (batch: Committed) => void) => void;
  clock: () => number;
}

const DAY_MS = 86_400_000;
const dayAt = (at: number): number => Math.floor(at / DAY_MS);

export class Payouts {
  private readonly parts: PayoutParts;
  private readonly dayOf: (name: string, of: Paying, world: World) => Promise<Day>;
  /** What is on its way to a commit, by book and by round. */
  private readonly underWay = new Map<string, number>();

  constructor(parts: PayoutParts) {
    this.parts = parts;
    this.dayOf = createDays(parts);
  }

  /**
   * Carries out what is within bounds. What is under way counts: many at once are not each the first. Throws HOUSE_LIMIT with a
   * PayoutWhy as its field, and UNAVAILABLE; then nothing was taken.
   */
  async within<T>(bounds: PayoutBounds, world: World, command: Paying, work: () => Promise<T>): Promise<T> {
    const book = bookOf(command.provider, world);
    const round = command.type === 'game.promo' ? book : `${book} ${command.accountId} ${command.roundId}`;
    const amountMinor = command.type === 'game.debitCredit' ? command.creditMinor : command.amountMinor;
    const day = await this.dayOf(book, command, world).catch((error: unknown) => {
      this.parts.log.warn({ err: error }, 'the day of a provider could not be read');
      throw new CodedError('UNAVAILABLE', { retryAfterS: 2 });
    });
    const more = (this.underWay.get(book) ?? 0) + amountMinor;
    const why =
      command.type === 'game.promo'
        ? day.promoMinor + more > bounds.promoMinor && 'promo'
        : this.whyNotOfRound(bounds, world, command, (this.underWay.get(round) ?? 0) + amountMinor);
    const field: PayoutWhy | false = why || (day.netMinor + more > bounds.dayMinor && 'day');
    if (field) throw new CodedError('HOUSE_LIMIT', { field });
    return this.during([book, round], amountMinor, work);
  }

  private whyNotOfRound(
    bounds: PayoutBounds,
    world: World,
    command: Exclude<Paying, { type: 'game.promo' }>,
    moreMinor: number,
  ): PayoutWhy | false {
    const { provider, accountId, roundId } = command;
    const round = roundOf(this.parts.committed()[world], provider, accountId, roundId);
    const isStake = command.type === 'game.debitCredit';
    if (!isStake && round?.status !== 'OPEN') return 'closed';
    const paid = (round?.paidMinor ?? 0) + moreMinor;
    if (paid > bounds.winMinor) return 'win';
    return paid > (stakedIn(round) + (isStake ? command.amountMinor : 0)) * bounds.winTimes && 'times';
  }

  /** Called in the same step as the check that allows it. */
  private async during<T>(names: readonly string[], amountMinor: number, work: () => Promise<T>): Promise<T> {
    const add = (minor: number): void => {
      for (const name of new Set(names)) {
        const sum = (this.underWay.get(name) ?? 0) + minor;
        if (sum === 0) this.underWay.delete(name);
        else this.underWay.set(name, sum);
      }
    };
    add(amountMinor);
    try {
      return await work();
    } finally {
      add(-amountMinor);
    }
  }
}

export function isPaying(command: Command): command is Paying {
  return command.type === 'game.credit' || command.type === 'game.debitCredit' || command.type === 'game.promo';
}

const bookOf = (provider: string, world: World): string => `${provider} ${world}`;
const stakedIn = (round: RoundView | null): number => (round ? round.stakedMinor - round.refundedMinor : 0);

/** A day is read once, and counted on by what is committed. */
function createDays({ db, onCommitted, clock }: PayoutParts) {
  const days = new Map<string, Promise<Day>>();
  const present = new Map<string, Day>();
  const reading = new Map<string, Heard[]>();

  onCommitted(({ items }) => {
    for (const { seq, at, world, events } of items) {
      for (const event of events) {
        if (event.type !== 'movement') continue;
        const name = bookOf(event.movement.provider, world);
        const heard = { ...event.movement, seq, at };
        reading.get(name)?.push(heard);
        const day = present.get(name);
        if (day) count(day, heard);
      }
    }
  });

  async function read(name: string, { provider }: Paying, world: World, day: number): Promise<Day> {
    const heard: Heard[] = [];
    reading.set(name, heard);
    const [row] = await db.query<Omit<Day, 'day'>>(
      `SELECT COALESCE(sum(credit - amount), 0)::bigint AS "netMinor",
              COALESCE(sum(credit) FILTER (WHERE kind = 'promo'), 0)::bigint AS "promoMinor",
              COALESCE(max(seq), 0)::bigint AS seq
         FROM provider_txs WHERE provider = $1 AND at >= $2 AND world = $3`,
      [provider, day * DAY_MS, world],
    );
    const read = { day, ...row! };
    for (const one of heard) count(read, one);
    present.set(name, read);
    if (reading.get(name) === heard) reading.delete(name);
    return read;
  }

  return async function dayOf(name: string, of: Paying, world: World): Promise<Day> {
    const today = dayAt(clock());
    const known = await days.get(name)?.catch(() => undefined);
    if (known?.day === today) return known;
    const reading = read(name, of, world, today);
    days.set(name, reading);
    return reading;
  };
}

function count(day: Day, { kind, amountMinor, creditMinor, seq, at }: Heard): void {
  if (seq <= day.seq || dayAt(at) !== day.day) return;
  day.netMinor += creditMinor - amountMinor;
  if (kind === 'promo') day.promoMinor += creditMinor;
}
