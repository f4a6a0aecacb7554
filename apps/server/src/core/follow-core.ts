/** The core as a process has it that does not lead: it reads the same and hears the same, and asks the leader to decide. */
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Bus } from '../bus/bus.ts';
import type { Db, Log } from '../db/db.ts';
import { Asking } from './asking.ts';
import { endProcess } from './ending.ts';
import { type Following, startFollowing, untilLed } from './following.ts';
import { createReadings } from './readings.ts';
import { createTelling } from './telling.ts';
import type { Answer, Core, CoreMeter, Currency, Request, World } from './types.ts';
import { Way } from './way.ts';
import { type Given, packError, WIRE } from './wire.ts';
import { SAME_TERMS, type Terms, worldFor } from './worlds.ts';

export interface FollowOptions {
  db: Db;
  log: Log;
  bus: Bus;
  /** As the leader has them. */
  currencies?: readonly Currency[];
  terms?: Partial<Record<Currency, Terms>>;
  /** What this process has is not what was committed, or cannot be told from it any more. The default ends the process. */
  onFenced?: (reason: string) => void;
  meter?: Pick<CoreMeter, 'decided'>;
  /** Milliseconds that pass evenly. */
  steady?: () => number;
}

const ID_BLOCK = 1000;
const OLDER_LEADER =
  'the process that leads is of an older program than this one: update those with the core first (FAIRGAME_ROLES), then the others';

const isOlder = (wire: number | null): boolean => wire !== null && wire < WIRE;

/**
 * Loads the committed state and follows the process that leads the database. Its answers come when this process has seen what
 * they are about, so that a reading behind them shows it. Throws where the state cannot be made from the database.
 */
export async function followCore(options: FollowOptions): Promise<Core> {
  const { db, log, bus, meter, currencies = ['EUR'] } = options;
  await untilLed(db, log);
  const telling = createTelling(log);
  const asking = new Asking(bus, { owner: () => following.owner, isOff: () => way.isOff() });
  const program = createProgramOfLeader(asking, log);
  let broken = false;
  const following = await startFollowing({
    db,
    log,
    bus,
    onApplied: (epoch, items) => telling.tell(epoch, items),
    onLeader: () => {
      asking.leaderChanged();
      program.another();
    },
    onBack: () => asking.isBack(),
    onBroken(reason) {
      broken = true;
      asking.stop();
      (options.onFenced ?? endProcess)(reason);
    },
  });
  const { state } = following;
  const way = new Way({ bus, log, following: () => following, onBack: () => asking.isBack(), steady: options.steady });
  const stop = (): void => {
    way.stop();
    asking.stop();
    following.stop();
  };
  const { ids } = program;
  await program.first().catch((error: unknown) => {
    stop();
    throw error;
  });
  log.info({ epoch: following.epoch, seq: state.seq }, 'the core is followed');

  return {
    ...createAsks({ asking, program, following, meter }),
    read: createReadings(() => state.worlds, following.books),
    reached: (seq) => following.seen(seq),
    currencies,
    worldFor: (currency, isDemo) => worldFor(currencies, currency, isDemo),
    terms: (world: World) => options.terms?.[state.worlds[world].currency as Currency] ?? SAME_TERMS,
    onCommitted: telling.onCommitted,
    nextId: ids.next,
    health() {
      const reads = !broken && db.healthy();
      return {
        ...healthOf(following, asking),
        available: reads && following.isLed && bus.connected(),
        serves: reads && !way.isOff(),
      };
    },
    stop: () => Promise.resolve(stop()),
  };
}

function healthOf(following: Following, asking: Asking): Omit<ReturnType<Core['health']>, 'available' | 'serves'> {
  return {
    epoch: following.epoch,
    seq: following.state.seq,
    queueDepth: asking.depth(),
    oldestMs: Math.round(asking.oldestMs()),
    // Who leads keeps them apart, and knows of what follows here.
    demoQueueDepth: 0,
    demoOldestMs: 0,
    lastCommitAt: following.state.at,
    leads: false,
    failingSince: null,
    breaks: 0,
    mismatches: 0,
    stuck: [],
  };
}

function measure(meter: Pick<CoreMeter, 'decided'>, { command }: Request, answer: Promise<Answer>): void {
  const asked = performance.now();
  const decided = (result: string): void => meter.decided(command.type, result, (performance.now() - asked) / 1000);
  answer.then(
    () => decided('taken'),
    (error: unknown) => decided(error instanceof CodedError ? error.code : 'INTERNAL'),
  );
}

interface AskParts {
  asking: Asking;
  program: Pick<ReturnType<typeof createProgramOfLeader>, 'askWithin'>;
  following: Following;
  meter: Pick<CoreMeter, 'decided'> | undefined;
}

/** What the leader is asked for. */
function createAsks({ asking, program, following, meter }: AskParts) {
  /** The answer, once it can be read here too. */
  async function seen<T extends Answer | null>(asked: Promise<T>): Promise<T> {
    const answer = await asked;
    if (answer) await following.reached(answer.seq);
    return answer;
  }

  function submit(request: Request): Promise<Answer> {
    const answer = seen(request.within ? program.askWithin(request) : asking.ask<Answer>({ do: 'submit', request }));
    if (meter) measure(meter, request, answer);
    return answer;
  }

  return {
    submit,
    submitAll: (requests) => Promise.all(requests.map((request) => submit(request).catch((error: Error) => error))),
    answerOf: (actor, key) => seen(asking.ask<Answer | null>({ do: 'answerOf', actor, key })),
    isBurnt: (actor, key) => asking.ask<boolean>({ do: 'isBurnt', actor, key }),
    burn: (actor, key) => seen(asking.ask<Answer | null>({ do: 'burn', actor, key })),
    refuse: (request, error) => {
      if (request.key === undefined) return Promise.reject(error);
      return seen(asking.ask<Answer>({ do: 'refuse', request, error: packError(error) }));
    },
  } satisfies Partial<Core>;
}

/** What the leader says of its program with its ids: of one of a version before some things may not be asked. */
function createProgramOfLeader(asking: Asking, log: Log) {
  const ids = createIds(asking, log);
  let wire: Promise<number | null> = Promise.resolve(null);
  let begun = false;
  return {
    ids,
    /** Throws where it is older. */
    async first(): Promise<void> {
      begun = true;
      wire = ids.refill();
      if (isOlder(await wire)) throw new Error(OLDER_LEADER);
    },
    /** Another one leads. */
    another(): void {
      if (!begun) return;
      wire = ids.refill();
      void wire.then((is) => isOlder(is) && log.error({}, `${OLDER_LEADER}. Until then no provider pays out`));
    },
    async askWithin(request: Request): Promise<Answer> {
      let is = await wire;
      if (is === null) {
        wire = ids.refill();
        is = await wire;
      }
      if (is === null || isOlder(is)) throw new CodedError('UNAVAILABLE', { retryAfterS: 2 });
      return asking.ask<Answer>({ do: 'submit', request });
    },
  };
}

/** Ids of blocks that the leader gave this process; an end skips the rest of them. `refill` answers what it says of its program. */
function createIds(asking: Asking, log: Log): { next: () => number; refill: () => Promise<number | null> } {
  const blocks: Array<{ next: number; end: number }> = [];
  let left = 0;
  let refilling: Promise<number | null> | null = null;

  function refill(): Promise<number | null> {
    refilling ??= asking
      .ask<Given>({ do: 'ids', count: ID_BLOCK })
      .then(
        ({ first, wire }) => {
          blocks.push({ next: first, end: first + ID_BLOCK });
          left += ID_BLOCK;
          return wire;
        },
        (error: unknown) => {
          log.warn({ err: error }, 'the leader gave no ids; asked again with the next one');
          return null;
        },
      )
      .finally(() => {
        refilling = null;
      });
    return refilling;
  }

  return {
    refill,
    next() {
      if (left < ID_BLOCK / 2) void refill();
      const block = blocks[0];
      if (!block) throw new CodedError('UNAVAILABLE');
      left--;
      const id = block.next++;
      if (block.next === block.end) blocks.shift();
      return id;
    },
  };
}
