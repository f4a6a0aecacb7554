/**
 * A card table of a site of several processes: one of them plays it, by a lease; the others show what it shows and hand on to
 * it what their players say. Who plays it next finishes what was left open, from its seeds.
 */
import { describe, type TableCode, type TableInfo } from '@fairgame/casino';
import { type CardTable, CodedError } from '@fairgame/contract';
import { type Alone, type Bus, doAlone, pack, RequestFailed, type Shared, unpack } from '../bus/bus.ts';
import type { Log } from '../db/db.ts';
import type { Table } from './table.ts';
import { idleRound, shownSelections } from './view.ts';

/** A table as calls and sockets see it, whoever plays it. */
export interface Seat
  extends Pick<Table, 'code' | 'eventId' | 'info' | 'view' | 'betting' | 'choose' | 'watched' | 'onChange' | 'stop'> {
  addWord(...word: Parameters<Table['addWord']>): number | null | Promise<number | null>;
}

/** The other processes of the site, and what this one is among them. */
export interface Others {
  bus: Bus;
  /** Names this process. */
  owner: string;
  /** Whether tables are played here. */
  plays: boolean;
}

interface SharedTableOptions extends Others {
  clock: () => number;
  log: Log;
  open(): Promise<Table>;
}

/** What a table is asked from another process; `watch` that somebody there looks at it. */
type Asked =
  | { do: 'choose'; args: Parameters<Table['choose']> }
  | { do: 'addWord'; args: Parameters<Table['addWord']> }
  | { do: 'watch' };

const ASK_MS = 3000;
/** How often a table is told that somebody here looks at it, and how long it believes that. */
const WATCH_MS = 2000;
const BELIEVED_MS = 5000;
/** A window that its table did not close is over so much later: nobody bets at a table that nobody plays. */
const GRACE_MS = 1000;
export const KEPT_MS = 3_600_000;

export class SharedTable implements Seat {
  readonly code: TableCode;
  readonly eventId: number;
  readonly info: TableInfo;
  private readonly options: SharedTableOptions;
  private readonly subject: string;
  private readonly shared: Shared;
  private readonly listeners = new Set<() => void>();
  private readonly playing: Alone<{ table: Table; stop(): Promise<void> }>;
  private readonly watching: NodeJS.Timeout;
  /** As the process that plays it told it last. */
  private told: CardTable | null = null;
  private watchers = 0;

  constructor(code: TableCode, eventId: number, options: SharedTableOptions) {
    const { bus, owner, log, plays } = options;
    this.code = code;
    this.eventId = eventId;
    this.info = describe(code);
    this.options = options;
    this.subject = `card.${code}`;
    this.shared = bus.shared('cards', KEPT_MS);
    this.playing = doAlone({ bus, owner, log, name: this.subject, begin: () => this.play() });
    if (plays) void this.playing.start();
    this.watching = setInterval(() => this.tellWatched(), WATCH_MS).unref();
  }

  view(): CardTable {
    const { code, info, told, options, eventId } = this;
    const own = this.playing.now();
    if (own) return own.table.view();
    const now = options.clock();
    if (told) return { ...told, now };
    return {
      code,
      name: info.name,
      url: info.route ?? '',
      matchId: eventId,
      videoInfo: { mid: '', url: null },
      selections: shownSelections(info),
      topTenResult: [],
      profitLoss: {},
      now,
      round: idleRound(0),
    };
  }

  betting(): { marketId: number; window: number } | null {
    const own = this.playing.now();
    if (own) return own.table.betting();
    const round = this.told?.round;
    if (round?.phase !== 'OPEN' || this.options.clock() > round.endsAt + GRACE_MS) return null;
    return { marketId: round.betId, window: round.window };
  }

  choose(...args: Parameters<Table['choose']>): Promise<number | null> {
    return this.playing.now()?.table.choose(...args) ?? this.ask({ do: 'choose', args });
  }

  addWord(...args: Parameters<Table['addWord']>): number | null | Promise<number | null> {
    const own = this.playing.now();
    return own ? own.table.addWord(...args) : this.ask({ do: 'addWord', args });
  }

  watched(by: 1 | -1): void {
    this.watchers += by;
    const own = this.playing.now();
    if (own) own.table.watched(by);
    else if (by === 1) this.tellWatched();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What the process that plays it shows now. */
  take(told: CardTable): void {
    if (this.playing.now()) return;
    this.told = told;
    this.changed();
  }

  async stop(): Promise<void> {
    clearInterval(this.watching);
    await this.playing.stop();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private tellWatched(): void {
    if (this.watchers > 0 && !this.playing.now()) void this.ask({ do: 'watch' }).catch(() => undefined);
  }

  /** Plays it here, until the lease is lost. */
  private async play(): Promise<{ table: Table; stop(): Promise<void> }> {
    const { bus, log } = this.options;
    const table = await this.options.open();
    const show = (): void => {
      this.shared
        .put(this.code, pack(table.view()))
        .catch((error: unknown) => log.warn({ err: error, table: this.code }, 'a card table could not be shown'));
      this.changed();
    };
    const answer = async (body: Uint8Array) => (this.playing.holds() ? this.answer(table, unpack<Asked>(body)) : null);
    const offs = [table.onChange(show), bus.serve(this.subject, answer)];
    for (let n = 0; n < this.watchers; n++) table.watched(1);
    show();
    return {
      table,
      async stop() {
        for (const off of offs) off();
        await table.stop();
      },
    };
  }

  private async answer(table: Table, asked: Asked): Promise<Uint8Array> {
    let value: number | null = null;
    if (asked.do === 'choose') value = await table.choose(...asked.args);
    else if (asked.do === 'addWord') value = table.addWord(...asked.args);
    else {
      table.watched(1);
      setTimeout(() => table.watched(-1), BELIEVED_MS).unref();
    }
    return pack(value);
  }

  /** A repeat does no harm: a choice is made once, and of words the last one counts. */
  private async ask(asked: Asked): Promise<number | null> {
    try {
      const body = pack(asked);
      return unpack<number | null>(await this.options.bus.request(this.subject, body, ASK_MS));
    } catch (error) {
      if (error instanceof RequestFailed) throw new CodedError('UNAVAILABLE');
      throw error;
    }
  }
}
