/**
 * The feed of a site of several processes: one of them runs it, by a lease, and tells the others how it stands; they ask it
 * what only it can do, and tell it which events their players look at.
 */
import { CodedError } from '@fairgame/contract';
import { type Alone, doAlone, pack, RequestFailed, unpack } from '../bus/bus.ts';
import { createFeed, type Feed, type FeedDesk, type FeedParts } from './feed.ts';
import type { Ground } from './ground.ts';

interface Told {
  stats: ReturnType<FeedDesk['stats']>;
  late: boolean;
  source: ReturnType<FeedDesk['source']>;
  attention: ReturnType<FeedDesk['attention']>;
}

type Asked = { takesBack: number } | { confirm: number; actor: string };

const TOLD = 'feed.told';
const ASKED = 'feed.asked';
const WATCHED = 'feed.watched';
const TELL_MS = 500;
/** Nothing told for so long: nobody runs the feed, or it cannot be heard. */
const SILENT_MS = 3000;
const WATCHED_MS = 2000;
const BELIEVED_MS = 5000;
const ASK_MS = 5000;
const UNKNOWN: Told = {
  stats: { lastHeardAt: null, commands: 0, waiting: 0, refused: {} },
  late: true,
  source: { connected: false, troubles: 0 },
  attention: [],
};

export class SharedFeed implements Feed {
  private readonly ground: Ground;
  private readonly parts: FeedParts;
  private readonly running: Alone<{ stop(): Promise<void> }>;
  private readonly offTold: () => void;
  /** Does nothing until this process runs the feed. */
  private own: Feed;
  private told = UNKNOWN;
  private toldAt = Number.NEGATIVE_INFINITY;
  /** Events that are looked at elsewhere, and until when that is believed. */
  private readonly watched = new Map<number, number>();
  private looking: NodeJS.Timeout | undefined;
  private isWatchedHere: (eventId: number) => boolean = () => false;

  readonly desk: FeedDesk = {
    stats: () => this.state().stats,
    late: () => (this.runs() ? this.own.desk.late() : this.elsewhere().late),
    source: () => this.state().source,
    attention: () => this.state().attention,
    takesBack: (marketId) => (this.runs() ? this.own.desk.takesBack(marketId) : this.ask({ takesBack: marketId })),
    confirm: (marketId, actor) =>
      this.runs() ? this.own.desk.confirm(marketId, actor) : this.ask({ confirm: marketId, actor }),
  };

  constructor(ground: Ground, parts: FeedParts) {
    const { bus, log, owner } = ground;
    this.ground = ground;
    this.parts = parts;
    this.own = createFeed(ground, parts);
    this.running = doAlone({ bus, owner, log, name: 'feed', begin: () => this.run() });
    this.offTold = bus.hear(TOLD, (body) => {
      this.told = unpack<Told>(body);
      this.toldAt = performance.now();
    });
  }

  bridge(): ReturnType<Feed['bridge']> {
    return this.own.bridge();
  }

  async start(isWatched: (eventId: number) => boolean): Promise<void> {
    const { bus, config } = this.ground;
    this.isWatchedHere = isWatched;
    this.looking = setInterval(() => {
      const ids = this.parts.catalog.openEvents().flatMap(({ id }) => (isWatched(id) ? [id] : []));
      if (ids.length > 0 && !this.runs()) bus.tell(WATCHED, pack(ids));
    }, WATCHED_MS).unref();
    if (config.roles.includes('feed')) await this.running.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
    this.offTold();
    await this.running.stop();
    await this.own.stop();
  }

  /** Runs it here, until the lease is lost. */
  private async run(): Promise<{ stop(): Promise<void> }> {
    const { bus } = this.ground;
    const offs = [
      bus.serve(ASKED, async (body) => (this.running.holds() ? pack(await this.answer(unpack<Asked>(body))) : null)),
      bus.hear(WATCHED, (body) => {
        for (const id of unpack<number[]>(body)) this.watched.set(id, performance.now() + BELIEVED_MS);
      }),
    ];
    const { own } = this;
    await own.start((id) => this.isWatchedHere(id) || (this.watched.get(id) ?? 0) > performance.now());
    const telling = setInterval(() => bus.tell(TOLD, pack(stateOf(own.desk))), TELL_MS).unref();
    return {
      stop: async () => {
        clearInterval(telling);
        for (const off of offs) off();
        this.own = createFeed(this.ground, this.parts);
        await own.stop();
      },
    };
  }

  private runs(): boolean {
    return this.running.now() !== null;
  }

  private state(): Told {
    return this.runs() ? stateOf(this.own.desk) : this.elsewhere();
  }

  private elsewhere(): Told {
    return performance.now() - this.toldAt < SILENT_MS ? this.told : { ...this.told, late: true };
  }

  private async answer(asked: Asked): Promise<boolean> {
    if ('confirm' in asked) return this.own.desk.confirm(asked.confirm, asked.actor);
    // The word that it is held no more may come behind this one.
    await this.parts.holds.release([asked.takesBack]);
    return this.own.desk.takesBack(asked.takesBack);
  }

  private async ask(asked: Asked): Promise<boolean> {
    try {
      return unpack<boolean>(await this.ground.bus.request(ASKED, pack(asked), ASK_MS));
    } catch (error) {
      if (error instanceof RequestFailed) throw new CodedError('UNAVAILABLE');
      throw error;
    }
  }
}

const stateOf = (desk: FeedDesk): Told => ({
  stats: desk.stats(),
  late: desk.late(),
  source: desk.source(),
  attention: desk.attention(),
});
