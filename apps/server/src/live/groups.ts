/** Who watches what. Those who watch the same matches in the same way are one group and get the same texts. */
import { perWorld, type World } from '../core/core.ts';

export interface Watch {
  /** Matches with all their markets. */
  full: number[];
  /** Matches with their main market only. */
  head: number[];
}

export interface Group<M> {
  key: string;
  world: World;
  full: ReadonlySet<number>;
  head: ReadonlySet<number>;
  members: Set<M>;
  /** What changed since the last turn: parts of a frame. */
  parts: Array<{ marketId: number; json: string }>;
  scores: Array<{ eventId: number; json: string }>;
}

export interface Groups<M> {
  /** The group of this watch; whoever asks for it joins it. */
  of(world: World, watch: Watch): Group<M>;
  leave(member: M, group: Group<M>): void;
  all(): Iterable<Group<M>>;
  /** Groups that watch the match whole, or its main market. */
  full(world: World, eventId: number): Iterable<Group<M>>;
  head(world: World, eventId: number): Iterable<Group<M>>;
  both(world: World, eventId: number): Iterable<Group<M>>;
  hasFull(world: World, eventId: number): boolean;
  hasHead(world: World, eventId: number): boolean;
}

const NONE: never[] = [];

export function createGroups<M>(): Groups<M> {
  const groups = new Map<string, Group<M>>();
  const fullBy = perWorld(() => new Map<number, Set<Group<M>>>());
  const headBy = perWorld(() => new Map<number, Set<Group<M>>>());

  function of(world: World, watch: Watch): Group<M> {
    const full = [...new Set(watch.full)].sort((a, b) => a - b);
    const head = [...new Set(watch.head)].filter((id) => !full.includes(id)).sort((a, b) => a - b);
    const key = `${world} ${full.join(',')} ${head.join(',')}`;
    const known = groups.get(key);
    if (known) return known;
    const group: Group<M> = {
      key,
      world,
      full: new Set(full),
      head: new Set(head),
      members: new Set(),
      parts: [],
      scores: [],
    };
    groups.set(key, group);
    for (const id of full) setOf(fullBy[world], id).add(group);
    for (const id of head) setOf(headBy[world], id).add(group);
    return group;
  }

  return {
    of,
    leave(member, group) {
      group.members.delete(member);
      if (group.members.size > 0) return;
      groups.delete(group.key);
      for (const id of group.full) removeFrom(fullBy[group.world], id, group);
      for (const id of group.head) removeFrom(headBy[group.world], id, group);
    },
    all: () => groups.values(),
    full: (world, eventId) => fullBy[world].get(eventId) ?? NONE,
    head: (world, eventId) => headBy[world].get(eventId) ?? NONE,
    both: (world, eventId) => [...(fullBy[world].get(eventId) ?? NONE), ...(headBy[world].get(eventId) ?? NONE)],
    hasFull: (world, eventId) => fullBy[world].has(eventId),
    hasHead: (world, eventId) => headBy[world].has(eventId),
  };
}

/** The set under a key, made when missing. */
export function setOf<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  const known = map.get(key);
  if (known) return known;
  const set = new Set<V>();
  map.set(key, set);
  return set;
}

/** Takes the value out of the set under a key, and the set away with its last. */
export function removeFrom<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  set?.delete(value);
  if (set?.size === 0) map.delete(key);
}
