import type { MatchItem } from '@fairgame/contract';

type List = { matches: readonly MatchItem[] };

/**
 * A refreshed list over the one on the screen (specification 4): only what the new answer holds stays, in its order; its
 * fields win over the held ones, and fields it does not carry are kept. What is new comes in. An answer that is not a whole
 * list (nothing, or an entry without an id) changes nothing: only a complete one may drop events (CAR-27). An item that
 * did not change is the same object, so that its row is not drawn again.
 */
export function mergeMatches<L extends List>(held: L | undefined, answer: L | null | undefined): L {
  if (!isWhole(answer)) {
    if (held) return held;
    throw new TypeError('The list of events was not readable.');
  }
  if (!held) return answer;
  const before = new Map(held.matches.map((match) => [match.id, match]));
  const matches = answer.matches.map((match) => overlay(before.get(match.id), match));
  const same = matches.length === held.matches.length && matches.every((match, at) => match === held.matches[at]);
  return same ? held : { ...answer, matches };
}

function overlay(old: MatchItem | undefined, next: MatchItem): MatchItem {
  if (!old) return next;
  const changed = (Object.keys(next) as Array<keyof MatchItem>).some(
    (field) => old[field] !== next[field] && JSON.stringify(old[field]) !== JSON.stringify(next[field]),
  );
  return changed ? { ...old, ...next } : old;
}

function isWhole(answer: List | null | undefined): answer is List {
  return (
    Array.isArray(answer?.matches) && answer.matches.every((match: MatchItem | null) => Number.isSafeInteger(match?.id))
  );
}
