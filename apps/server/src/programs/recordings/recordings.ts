/**
 * Recordings of the site's markets: what a subscriber of the stream would have written down of each, until its result. One process of
 * the site writes them; every gateway that sees the same folder gives them to players.
 */
import {
  Given,
  type MarketFacts,
  RECORDED_FIELDS,
  type RecordedNames,
  readMarketWish,
  recordedLine,
  toMarketId,
} from '@fairgame/exchange-api';
import type { RecordingsSettings } from '../../config.ts';
import type { World } from '../../core/core.ts';
import type { Log } from '../../db/db.ts';
import type { SentFile } from '../../http/http.ts';
import type { ProgramMarkets } from '../markets.ts';
import { type Follower, numberOf, type Tapes } from '../stream/tapes.ts';
import { dayOf, Shelf } from './shelf.ts';

const WRITE_MS = 1000;
/** After what could not be written. */
const REST_MS = 60_000;
const TIDY_MS = 3_600_000;
const WISH = readMarketWish(new Given({ marketDataFilter: { fields: [...RECORDED_FIELDS] } }));

export interface RecordingsParts {
  settings: RecordingsSettings;
  tapes: Tapes;
  markets: ProgramMarkets;
  clock: () => number;
  log: Log;
  isAlone: () => boolean;
}

export class Recordings implements Follower {
  readonly world: World = 'real';
  private readonly parts: RecordingsParts;
  private readonly shelf: Shelf;
  /** The turn up to which a market is written; null: it goes on with an image. */
  private readonly written = new Map<number, number | null>();
  private lines = new Map<number, string[]>();
  /** Have their result in what is to be written. */
  private readonly ended = new Set<number>();
  /** For these there was no room. */
  private readonly dropped = new Set<string>();
  private off: (() => void) | null = null;
  private work: Promise<void> = Promise.resolve();
  private packing: Promise<void> = Promise.resolve();
  private restUntil = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private tidiedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: RecordingsParts) {
    this.parts = parts;
    this.shelf = new Shelf(parts.settings);
  }

  start(): void {
    this.timer = setInterval(() => void this.turn(), WRITE_MS);
    this.timer.unref();
    void this.turn();
  }

  /** What was told until now is written. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    if (this.off) await this.turn();
    this.leave();
    this.shelf.close();
    await this.packing;
  }

  /** Those of them that have one. */
  async ofThese(marketIds: readonly number[]): Promise<number[]> {
    const has = await Promise.all(marketIds.map((id) => this.shelf.has(toMarketId(id))));
    return marketIds.filter((_, at) => has[at]);
  }

  /** Null where there is none: not kept, not over yet, or taken away since. */
  async ofMarket(marketId: number): Promise<SentFile | null> {
    const name = toMarketId(marketId);
    const chunks = await this.shelf.find(name);
    return chunks && { name: `${name}.bz2`, chunks };
  }

  /** All of those that ended on a day. */
  async ofDay(day: string): Promise<SentFile | null> {
    const chunks = await this.shelf.ofDay(day);
    return chunks && { name: `${day}.tar`, chunks };
  }

  turned(changed: ReadonlyMap<number, MarketFacts>): void {
    for (const [marketId, facts] of changed) this.take(marketId, facts);
  }

  /** Begins, writes or leaves, one after the other. */
  private turn(): Promise<void> {
    this.work = this.work.then(async () => {
      try {
        if (!this.parts.isAlone()) this.leave();
        else if (this.off) await this.write();
        else if (performance.now() >= this.restUntil) await this.begin();
      } catch (error) {
        // What files lack is mended by the images of a new beginning.
        this.leave();
        this.restUntil = performance.now() + REST_MS;
        this.parts.log.warn({ err: error }, 'recordings were not written');
      }
    });
    return this.work;
  }

  private async begin(): Promise<void> {
    const { tapes, markets } = this.parts;
    const begun = new Set(await this.shelf.begin());
    this.off = tapes.follow(this);
    tapes.catchUp();
    for (const facts of markets.open()) this.take(numberOf(facts), facts);
    // Had its result while nobody wrote.
    for (const name of begun) {
      const marketId = markets.idOf(name);
      if (marketId === null || this.written.has(marketId)) continue;
      this.written.set(marketId, null);
      this.take(marketId, markets.facts(marketId)!);
    }
    await this.write();
  }

  private leave(): void {
    this.off?.();
    this.off = null;
    this.written.clear();
    this.lines.clear();
    this.ended.clear();
  }

  private take(marketId: number, facts: MarketFacts): void {
    const { tapes, markets, clock } = this.parts;
    const view = markets.catalog.images.view(marketId);
    const isOver = view?.status === 'CLOSED';
    if (!view || this.dropped.has(facts.marketId) || (isOver && !this.written.has(marketId))) return;
    const tape = tapes.tape(this.world, marketId);
    if (!tape) return;
    const known = this.written.get(marketId) ?? null;
    const since = known !== null && tape.born <= known ? known : null;
    this.written.set(marketId, tapes.turn);
    const text = tape.since(facts.marketId, since, WISH);
    if (text === null) return;
    const names: RecordedNames = {
      market: facts.marketName,
      event: facts.eventName,
      runnerOf: (id) => view.runners.find(({ runnerId }) => runnerId === id)?.name,
    };
    const line = recordedLine({ clk: `${tapes.name}.${tapes.turn}`, pt: clock() }, [JSON.parse(text)], () => names);
    this.lines.set(marketId, [...(this.lines.get(marketId) ?? []), line]);
    if (isOver) this.ended.add(marketId);
  }

  private async write(): Promise<void> {
    const { clock, log } = this.parts;
    const [lines, ended] = [this.lines, [...this.ended]];
    this.lines = new Map();
    this.ended.clear();
    for (const [marketId, told] of lines) await this.shelf.append(toMarketId(marketId), told.join(''));
    for (const marketId of ended) {
      this.written.delete(marketId);
      this.pack(toMarketId(marketId));
    }
    if (!this.shelf.isTooFull && performance.now() - this.tidiedAt < TIDY_MS) return;
    this.tidiedAt = performance.now();
    for (const name of await this.shelf.tidy(clock())) {
      this.dropped.add(name);
      log.warn({ market: name }, 'no room for a recording');
    }
  }

  /** One at a time, beside what is written meanwhile. What does not come to its end is packed after the next start. */
  private pack(name: string): void {
    this.packing = this.packing
      .then(() => this.shelf.finish(name, dayOf(this.parts.clock())))
      .catch((error: unknown) => this.parts.log.warn({ err: error, market: name }, 'a recording was not packed'));
  }
}
