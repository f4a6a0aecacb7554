import { useSyncExternalStore } from 'react';
import { Signal } from '../../platform/listeners.ts';
import { device } from '../../platform/storage.ts';

/** What a row of events tells beside names and prices: a choice of columns, kept in this browser for whoever uses it. */
export const FACTS = ['competition', 'score', 'matched', 'markets', 'tags'] as const;
export type Fact = (typeof FACTS)[number];

const KEY = 'listFacts';
export const FACTS_AT_FIRST: ReadonlySet<Fact> = new Set(['competition', 'score', 'tags']);
const chosen = new Signal();
/** As the browser's text was read last. Not a player's: the columns are the browser's. */
let held: { text: string | null; facts: ReadonlySet<Fact> } | null = null;

function factsNow(): ReadonlySet<Fact> {
  const text = device.text(KEY);
  if (held?.text === text) return held.facts;
  const kept = text === null ? null : new Set(text.split(','));
  held = { text, facts: kept ? new Set(FACTS.filter((fact) => kept.has(fact))) : FACTS_AT_FIRST };
  return held.facts;
}

export function useFacts(): [ReadonlySet<Fact>, (fact: Fact, on: boolean) => void] {
  const facts = useSyncExternalStore(chosen.on, factsNow);
  const choose = (fact: Fact, on: boolean): void => {
    device.keepText(KEY, FACTS.filter((one) => (one === fact ? on : facts.has(one))).join(','));
    chosen.tell();
  };
  return [facts, choose];
}
