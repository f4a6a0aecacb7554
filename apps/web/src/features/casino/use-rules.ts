import { useEffect, useState } from 'react';

type Rules = typeof import('./rules.ts');

/** Not a player's: code, loaded once. */
let held: Rules | null = null;
/** Not a player's: the loading of it. */
let loading: Promise<Rules> | null = null;

/** Loads the rules once; a failure is tried again at the next call. */
export function loadRules(): Promise<Rules> {
  loading ??= import('./rules.ts').then(
    (rules) => {
      held = rules;
      return rules;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** The rules, or null until they are there. */
export function useRules(): { rules: Rules | null; failed: boolean; retry: () => void } {
  const [rules, setRules] = useState(held);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another loading
  useEffect(() => {
    if (rules) return;
    let gone = false;
    setFailed(false);
    loadRules().then(
      (loaded) => {
        if (!gone) setRules(loaded);
      },
      () => {
        if (!gone) setFailed(true);
      },
    );
    return () => {
      gone = true;
    };
  }, [rules, tries]);
  return { rules, failed, retry: () => setTries(tries + 1) };
}
