import type { CodedError } from '@fairgame/contract';
import type {
  AccountId,
  Bet,
  BetId,
  CashOutQuote,
  Command,
  ConditionalView,
  Event,
  HoldView,
  MarketId,
  MarketView,
  Position,
  QuoteRow,
  RoundView,
  RunnerId,
  Share,
  ShortView,
  Wallet,
} from '@fairgame/exchange';
import type { StuckWork } from './work.ts';
import type { Currency, Terms, World } from './worlds.ts';

export type { Currency, World } from './worlds.ts';

/** What a provider may pay out before a person looks at it; minor units. */
export interface PayoutBounds {
  /** A round, in all and for its stake. */
  readonly winMinor: number;
  readonly winTimes: number;
  /** What players may win from it in a day (UTC), less what they lose. */
  readonly dayMinor: number;
  /** Promotions of a day, which need no bet. */
  readonly promoMinor: number;
}

/** A command as a gateway hands it in. Bet ids are 0 and given out by the core; time is the core's. */
export interface Request {
  /** A player's command goes to the world of his account, a command about markets to `all`, read in the terms of each. */
  world: World | 'all';
  command: Command;
  /** Who asks, for log and audit: `player:12`, `feed`, `operator:anna`, `core`. */
  actor: string;
  /** Client-made idempotency key; settled once per (actor, key), by what was taken or by the core's refusal. */
  key?: string;
  /** The key was made for this request and this is its first sending: nothing can stand under it, and it keeps its place. */
  keyIsNew?: true;
  /** Hash of the payload under the key; another payload under the same key is KEY_REUSED. */
  payloadHash?: string;
  /** Of the site itself, and money hangs on it: taken however long the queue is. */
  urgent?: boolean;
  /** A win or a promotion of a provider is taken within these alone; else HOUSE_LIMIT with why as `field`, and its key stays free. */
  within?: PayoutBounds;
  /**
   * It begins a round for the account: taken no sooner than `minRoundMs` after the last one began, whatever the gateway (PP-12);
   * else TOO_FAST, and its key stays free.
   */
  begins?: { accountId: AccountId; round: string; minRoundMs: number };
  /** Names the request of a gateway: in the log of commands, in log lines, and to who listens to commits. */
  requestId?: string | undefined;
  /** Moment of the process' steady clock (`performance.now()`) from which nobody wants it any more: then nothing is taken. */
  expiresAt?: number | undefined;
}

/** Released after the commit, never before. For `all` the events are those of the home world. */
export interface Answer {
  seq: number;
  at: number;
  events: Event[];
  /** The first answer again, because the key was used before. */
  replayed: boolean;
}

/** What a committed batch changed, in order; told to listeners after the commit and before the answers are released. */
export interface Committed {
  epoch: number;
  items: Array<{
    seq: number;
    at: number;
    world: World;
    actor: string;
    command: Command;
    events: Event[];
    requestId?: string | undefined;
  }>;
}

/** Sees what the core does, for metrics; must be quick and must not throw. */
export interface CoreMeter {
  /** A command was carried out in memory, in so long. */
  applied(seconds: number): void;
  /** A batch of so many commands is in the database, this long after it was sent. */
  committed(commands: number, seconds: number): void;
  /** A command has its outcome: `taken`, or the code it was refused with; since it was handed in. */
  decided(type: string, result: string, seconds: number): void;
  /** A key was asked for again and got its first answer. */
  replayed(): void;
}

/** Readings of the committed state. All cheap and synchronous. */
export interface Readings {
  /** The worlds of this site, the home world first. */
  worlds(): readonly World[];
  currencyOf(world: World): string;
  /** The world that keeps the account; undefined when there is no such account. */
  worldOf(accountId: AccountId): World | undefined;
  wallet(world: World, accountId: AccountId): Wallet & { version: number };
  /** How many stakes of the account were ever counted. */
  stakes(world: World, accountId: AccountId): number;
  position(world: World, accountId: AccountId, marketId: MarketId): Position;
  /** As it stands in one world; the home world where none is named. Worlds differ in limits, and while bets are settled. */
  market(marketId: MarketId, world?: World): MarketView | undefined;
  /** Whether any world still books a result of the market, or takes one back. */
  isSettling(marketId: MarketId): boolean;
  /** Of the home world. */
  markets(): MarketView[];
  depth(
    world: World,
    marketId: MarketId,
    runnerId: RunnerId,
    levels: number,
  ): {
    back: Array<[number, number]>;
    lay: Array<[number, number]>;
    lastPrice: number;
    tradedMinor: number;
  };
  quotes(world: World, marketId: MarketId): QuoteRow[];
  openBets(world: World, accountId: AccountId, marketId?: MarketId): Bet[];
  /** Orders of an account that wait for a price, a match or a time, oldest first. */
  conditionals(world: World, accountId: AccountId, marketId?: MarketId): ConditionalView[];
  bet(world: World, betId: BetId): Bet | undefined;
  myMarkets(world: World, accountId: AccountId): Array<{ marketId: MarketId; bets: number }>;
  /** What leaving a market, or one runner of it, or a part of that would bring; null where it is unknown or of another kind. */
  cashOut(
    world: World,
    accountId: AccountId,
    marketId: MarketId,
    runnerId?: RunnerId,
    share?: Share,
  ): CashOutQuote | null;
  /** What closed markets paid the account, as long as they are in memory: half an hour after the result. */
  paidOut(
    world: World,
    accountId: AccountId,
  ): Array<{ marketId: MarketId; eventId: number; grossMinor: number; commissionMinor: number }>;
  /** What the house may lose at worst; 0: no bound. */
  houseLimits(world: World): { marketMinor: number; eventMinor: number };
  /** Accounts that lack money by others' acts, and winnings that are held back because of them. */
  shorts(world: World): ShortView[];
  holds(world: World): HoldView[];
  /** A player's part of a provider's round; undefined when it is not in memory (never was, or over for a while). */
  round(world: World, provider: string, accountId: AccountId, roundId: string): RoundView | undefined;
}

export interface Core {
  /** Throws CodedError BUSY when the queue is full, UNAVAILABLE when the database is gone (nothing was taken), or the core's refusal. */
  submit(request: Request): Promise<Answer>;
  /** Many at once, in order, without waiting for each; refusals are reported in place. For the feed. */
  submitAll(requests: Request[]): Promise<Array<Answer | Error>>;
  /**
   * The stored answer of a key (of its events those about the asker's own bets and wallet), or null when nothing was taken
   * under it. Waits for a request in flight under the same key.
   */
  answerOf(actor: string, key: string): Promise<Answer | null>;
  /** Whether nothing was taken under a key, and never will be. */
  isBurnt(actor: string, key: string): Promise<boolean>;
  /**
   * Settles a key for good: its answer when something was taken under it, else null after the key has been stored as burnt
   * (committed), so that a late request under it is refused with KEY_BURNT.
   */
  burn(actor: string, key: string): Promise<Answer | null>;
  /**
   * A room in front of the core refuses the request: a late copy of it must not be taken after the reason has gone. Throws
   * the error, also when it is asked again; where the request was taken before, its first answer.
   */
  refuse(request: Request, error: CodedError): Promise<Answer>;
  read: Readings;
  /** Whether what is read here has command `seq`, waiting for it a little; one that nobody has is not waited for. */
  reached(seq: number): Promise<boolean>;
  /** The world of an account of this currency. Throws WRONG_CURRENCY where the site does not keep it. */
  worldFor(currency: string, isDemo: boolean): World;
  /** The first is what accounts have where nothing else is said. */
  currencies: readonly Currency[];
  /** What is different in a world: its limits, and how many times stakes are those of the first currency. */
  terms(world: World): Terms;
  onCommitted(listener: (batch: Committed) => void): () => void;
  /** A fresh id for events, markets and runners; durable, never given twice. */
  nextId(): number;
  health(): {
    epoch: number;
    seq: number;
    /** What waits for the writer, but for commands of play money, which have a line of their own. */
    queueDepth: number;
    oldestMs: number;
    demoQueueDepth: number;
    demoOldestMs: number;
    lastCommitAt: number;
    /** Whether commands are taken; they are decided here, or by another process. */
    available: boolean;
    /** Whether who comes here is served as well as anywhere: false where another process is asked for commands and this one cannot ask it. */
    serves: boolean;
    leads: boolean;
    /** Commits fail since then, milliseconds since 1970; null while the last one went well. */
    failingSince: number | null;
    /** Broken invariants seen since the start; anything but 0 needs a person. */
    breaks: number;
    /** Accounts whose exposure was not what their markets make of it, since the start; of `breaks`. */
    mismatches: number;
    /** Markets whose result the core could not book to its end. */
    stuck: StuckWork[];
  };
  stop(): Promise<void>;
}
