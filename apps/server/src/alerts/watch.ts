/**
 * Looks at what the site shows for all alerts of all players, in one process: a change of a market costs what stands about
 * that market's figures, and of their alerts those that it makes come true.
 */
import { ALERT_PAUSE_MS, type AlertEnd } from '@fairgame/contract';
import type { Command, Event } from '@fairgame/exchange';
import type { Catalog, ImageChange } from '../catalog/catalog.ts';
import type { Committed, Core, World } from '../core/types.ts';
import { eventsOf, figureOf, lineOf, type Shown, type Wish } from './figures.ts';
import { type Mark, Marks } from './marks.ts';
import type { Met } from './missed.ts';

export interface Watched extends Mark, Wish {
  userId: number;
  world: World;
  marketId: number | null;
  eventId: number | null;
  every: boolean;
  revision: number;
  createdAt: number;
  firedAt: number | null;
}

export interface Fired {
  watched: Watched;
  seen: number | null;
  at: number;
}

/** Alerts about one market, as one world has it. */
interface Group {
  world: World;
  marketId: number;
  eventId: number;
  lines: Map<string, Marks<Watched>>;
  suspendedSince: number | null;
}

export interface WatchOptions {
  core: Pick<Core, 'onCommitted' | 'health'>;
  catalog: Catalog;
  clock: () => number;
  fired: (fired: Fired) => void;
  /** Nothing can come of them any more. */
  over: (ids: number[], end: AlertEnd) => void;
}

const TICK_MS = 1000;
/** Bets that were told as lapsed: they are told again with their result. */
const MOST_TOLD = 10_000;
/** Some seconds of a busy site. */
const MOST_RECENT = 20_000;
const keyOf = (world: World, marketId: number): string => `${world}.${marketId}`;

export class Watch {
  private readonly options: WatchOptions;
  private readonly byId = new Map<number, Watched>();
  private readonly groups = new Map<string, Group>();
  private readonly byEvent = new Map<number, Set<Group>>();
  /** Goals and wickets. */
  private readonly scores = new Map<number, { last: number | null; alerts: Map<number, Watched> }>();
  private readonly bets = new Map<number, Map<number, Watched>>();
  private readonly lapsed = new Set<number>();
  /** What became of bets a moment ago, whoever looks for it, behind command `recentSince`: of an alert it is heard after it was set. */
  private recent: Array<Met & { seq: number }> = [];
  private recentSince: number;
  /** Own bets that were met again within the pause, which is told behind it. */
  private readonly later = new Set<number>();
  private readonly dirty = new Set<Group>();
  /** Seen closed, and not yet ended. */
  private readonly closed = new Set<Group>();
  private readonly stops: Array<() => void>;
  private looked: number;

  constructor(options: WatchOptions) {
    const { core, catalog } = options;
    this.options = options;
    this.looked = core.health().seq;
    this.recentSince = this.looked;
    const timer = setInterval(() => this.tick(), TICK_MS);
    timer.unref();
    // What changes is looked at once a commit: the images are told before.
    this.stops = [
      catalog.images.onChange((change) => this.changed(change)),
      catalog.images.onReload(() => this.reloaded()),
      core.onCommitted((batch) => this.committed(batch)),
      catalog.onChange((change) => {
        if (change.type === 'score') this.scored(change.eventId);
      }),
      () => clearInterval(timer),
    ];
  }

  /** The command of the log up to which it has looked. */
  seq(): number {
    return this.looked;
  }

  /** As it stands in the rows. */
  has({ id, revision }: Watched): boolean {
    return this.byId.get(id)?.revision === revision;
  }

  ids(): number[] {
    return [...this.byId.keys()];
  }

  /** Takes one in, in place of what it was before. What is there already and was never told comes true at once. */
  put(one: Watched): void {
    const before = this.byId.get(one.id);
    // Was read before what is here by now.
    if (before && before.revision > one.revision) return;
    const isSame = before?.revision === one.revision;
    const isLater = isSame && this.later.has(one.id);
    // It may not be written down yet.
    if (isSame && (before.firedAt ?? 0) > (one.firedAt ?? 0)) one.firedAt = before.firedAt;
    this.remove(one.id);
    if (isLater) this.later.add(one.id);
    this.byId.set(one.id, one);
    if (one.kind === 'BET') {
      const own = this.bets.get(one.userId) ?? new Map<number, Watched>();
      this.bets.set(one.userId, own.set(one.id, one));
      if (one.marketId === null) return;
    }
    const group = this.groupOf(one);
    if (!group) {
      this.remove(one.id);
      this.options.over([one.id], 'GONE');
      return;
    }
    if (one.kind === 'SCORE') {
      const last = this.eventsOf(group.eventId);
      const score = this.scores.get(group.eventId) ?? { last, alerts: new Map<number, Watched>() };
      score.alerts.set(one.id, one);
      this.scores.set(group.eventId, score);
    }
    const name = lineOf(one);
    const known = group.lines.get(name);
    const line = known ?? new Marks<Watched>();
    group.lines.set(name, line);
    if (!known && one.kind !== 'SCORE') this.lookAt(group, line, one);
    if (line.add(one) && one.firedAt === null) this.fire(one, this.seenOf(group, one));
    if (this.shown(group)?.image.status === 'CLOSED') this.end(group, 'CLOSED');
  }

  remove(id: number): void {
    const one = this.byId.get(id);
    if (!one) return;
    this.byId.delete(id);
    this.later.delete(id);
    if (one.kind === 'BET') {
      const own = this.bets.get(one.userId);
      own?.delete(id);
      if (own?.size === 0) this.bets.delete(one.userId);
      if (one.marketId === null) return;
    }
    const group = this.groups.get(keyOf(one.world, one.marketId!));
    const score = one.eventId === null ? undefined : this.scores.get(one.eventId);
    score?.alerts.delete(id);
    if (score?.alerts.size === 0) this.scores.delete(one.eventId!);
    if (!group) return;
    const line = group.lines.get(lineOf(one));
    line?.remove(one);
    if (line?.size === 0) group.lines.delete(lineOf(one));
    if (group.lines.size === 0) this.forget(group);
  }

  /** Whether nothing more can come of it: its market has closed, or is not there any more. */
  isOver({ world, marketId }: Watched): boolean {
    if (marketId === null) return false;
    const image = this.options.catalog.images.image(world, marketId);
    return !image || image.status === 'CLOSED';
  }

  /** What became of own bets while nobody looked, but for what came before the alert or was told with it. `besides`: alerts that are not held. */
  met(all: readonly Met[], besides: readonly Watched[] = []): void {
    for (const { accountId, marketId, at, lapsed } of all) {
      if (lapsed !== null && !this.isNewLapse(lapsed)) continue;
      const ended = besides.filter((one) => one.userId === accountId && one.marketId === marketId);
      for (const one of [...this.aboutOwn(accountId, marketId), ...ended])
        if (at >= one.createdAt && at > (one.firedAt ?? 0)) this.fire(one, null);
    }
  }

  /** What became of bets of these accounts behind that command; null where that is too long ago to be known here. */
  metSince(accountIds: readonly number[], seq: number): Met[] | null {
    if (seq < this.recentSince) return null;
    const wanted = new Set(accountIds);
    return this.recent.filter((one) => one.seq > seq && wanted.has(one.accountId));
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  // ------------------------------------------------------------------------------------------------- what changes

  private changed({ world, marketId, gone }: ImageChange): void {
    const group = this.groups.get(keyOf(world, marketId));
    if (!group) return;
    if (!gone) {
      this.dirty.add(group);
      return;
    }
    this.end(group, 'GONE');
  }

  private reloaded(): void {
    for (const group of this.groups.values()) this.dirty.add(group);
    this.look();
    this.endClosed();
  }

  private committed(batch: Committed): void {
    this.look();
    this.lookAtBets(batch);
    this.endClosed();
    this.looked = batch.items.at(-1)?.seq ?? this.looked;
  }

  private lookAtBets(batch: Committed): void {
    // A bet that is met by several at once is one piece of news.
    const met = new Set<Watched>();
    for (const { command, events, seq, at } of batch.items)
      for (const event of events)
        for (const one of metIn(event, command)) {
          this.recent.push({ ...one, seq, at });
          if (!this.bets.has(one.accountId) || (one.lapsed !== null && !this.isNewLapse(one.lapsed))) continue;
          for (const alert of this.aboutOwn(one.accountId, one.marketId)) met.add(alert);
        }
    if (this.recent.length > MOST_RECENT) {
      this.recent = this.recent.slice(-MOST_RECENT / 2);
      this.recentSince = this.recent[0]!.seq;
    }
    for (const one of met) this.fire(one, null);
  }

  private scored(eventId: number): void {
    for (const group of this.byEvent.get(eventId) ?? []) this.dirty.add(group);
    this.look();
    const score = this.scores.get(eventId);
    if (!score) return;
    const now = this.eventsOf(eventId);
    const was = score.last;
    // What was taken back is no news, and counts from there.
    score.last = now;
    if (now === null || was === null || now <= was) return;
    for (const one of Array.from(score.alerts.values())) this.fire(one, now);
  }

  /** Suspensions last, pauses end. */
  private tick(): void {
    for (const group of this.groups.values()) if (group.suspendedSince !== null) this.dirty.add(group);
    this.look();
    this.endClosed();
    for (const id of Array.from(this.later)) this.fire(this.byId.get(id)!, null);
  }

  private isNewLapse(betId: number): boolean {
    if (this.lapsed.has(betId)) return false;
    const [oldest] = this.lapsed;
    if (this.lapsed.size >= MOST_TOLD) this.lapsed.delete(oldest!);
    this.lapsed.add(betId);
    return true;
  }

  private aboutOwn(accountId: number, marketId: number): Watched[] {
    return [...(this.bets.get(accountId)?.values() ?? [])].filter(
      (one) => one.marketId === null || one.marketId === marketId,
    );
  }

  // ------------------------------------------------------------------------------------------------- looking

  private look(): void {
    for (const group of this.dirty) {
      const shown = this.shown(group);
      if (!shown) continue;
      for (const line of Array.from(group.lines.values())) {
        const first = line.first();
        if (!first || first.kind === 'SCORE') continue;
        const figure = figureOf(first, shown);
        for (const one of line.move(figure, ({ every }) => every)) this.fire(one, Math.abs(figure));
      }
      if (shown.image.status === 'CLOSED') this.closed.add(group);
    }
    this.dirty.clear();
  }

  /** After all that the last change made true: a bet that lapses with its market is told of first. */
  private endClosed(): void {
    for (const group of this.closed) this.end(group, 'CLOSED');
    this.closed.clear();
  }

  private end(group: Group, end: AlertEnd): void {
    const ids = [...group.lines.values()].flatMap((line) => line.all().map(({ id }) => id));
    for (const id of ids) this.remove(id);
    if (ids.length > 0) this.options.over(ids, end);
  }

  private lookAt(group: Group, line: Marks<Watched>, wish: Wish): void {
    const shown = this.shown(group);
    if (shown) line.move(figureOf(wish, shown), () => true);
  }

  private seenOf(group: Group, one: Watched): number | null {
    const shown = this.shown(group);
    return shown ? Math.abs(figureOf(one, shown)) : null;
  }

  private shown(group: Group): Shown | null {
    const { catalog, clock } = this.options;
    const image = catalog.images.image(group.world, group.marketId);
    if (!image) return null;
    if (image.status !== 'SUSPENDED') group.suspendedSince = null;
    else group.suspendedSince ??= clock();
    const since = group.suspendedSince;
    return {
      image,
      score: catalog.event(group.eventId)?.score ?? null,
      suspendedMs: since === null ? null : clock() - since,
    };
  }

  private eventsOf(eventId: number): number | null {
    return eventsOf(this.options.catalog.event(eventId)?.score ?? null);
  }

  private fire(one: Watched, seen: number | null): void {
    const at = this.options.clock();
    if (one.firedAt !== null && at - one.firedAt < ALERT_PAUSE_MS) {
      // A price that trembles at its mark is no news; each bet is.
      if (one.kind === 'BET') this.later.add(one.id);
      return;
    }
    one.firedAt = at;
    this.later.delete(one.id);
    if (!one.every) this.remove(one.id);
    this.options.fired({ watched: one, seen, at });
  }

  /** Undefined where its market is not there any more. */
  private groupOf({ world, marketId, eventId }: Watched): Group | undefined {
    if (marketId === null || eventId === null) return undefined;
    const key = keyOf(world, marketId);
    const known = this.groups.get(key);
    if (known) return known;
    if (!this.options.catalog.images.image(world, marketId)) return undefined;
    const group: Group = { world, marketId, eventId, lines: new Map(), suspendedSince: null };
    this.groups.set(key, group);
    this.byEvent.set(eventId, (this.byEvent.get(eventId) ?? new Set<Group>()).add(group));
    return group;
  }

  private forget(group: Group): void {
    this.groups.delete(keyOf(group.world, group.marketId));
    this.dirty.delete(group);
    const beside = this.byEvent.get(group.eventId);
    beside?.delete(group);
    if (beside?.size === 0) this.byEvent.delete(group.eventId);
  }
}

/** Accounts that an event met without their own doing, and where. */
function metIn(event: Event, command: Command): Array<Omit<Met, 'at'>> {
  const by = 'accountId' in command ? command.accountId : 0;
  if (event.type === 'fill')
    return [event.backAccountId, event.layAccountId]
      .filter((accountId) => accountId !== by)
      .map((accountId) => ({ accountId, marketId: event.marketId, lapsed: null }));
  if (event.type !== 'bet') return [];
  const { betId, accountId, marketId, endCode, result } = event.bet;
  return endCode?.startsWith('LAPSED') && result === 'PENDING' ? [{ accountId, marketId, lapsed: betId }] : [];
}
