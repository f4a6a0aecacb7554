import { TIME } from '@fairgame/contract';
import { lastAct, onAct } from './acts.ts';
import { onTabs, tellTabs } from './tabs.ts';

/** Seconds of warning before the six hours end (A11Y-08). */
export const WARN_MS = 120_000;

export type IdleState = 'active' | 'warning' | 'expired';

interface IdleClock {
  stop: () => void;
  /** The player said he is here; the other tabs hear it. An expired tab itself stays expired until it is loaded anew. */
  stay: () => void;
}

/**
 * Watches for six hours without pointer, key, touch or scroll in any tab of the player (OPN-60).
 * Before a tab expires it asks the others: one that was used answers within 100 ms; hidden tabs may be slow, so the last
 * word is waited for up to 2 s.
 */
export function startIdleClock(userId: number, onState: (state: IdleState, expiresAt: number) => void): IdleClock {
  let last = lastAct();
  let told = 0;
  let state: IdleState = 'active';
  let asking: ReturnType<typeof setTimeout> | null = null;

  const set = (next: IdleState) => {
    if (next === state && next !== 'warning') return;
    state = next;
    onState(state, last + TIME.idleMs);
  };
  const seen = (at: number) => {
    if (state === 'expired' || at <= last) return;
    last = at;
    if (asking) clearTimeout(asking);
    asking = null;
    set('active');
  };
  const here = () => {
    // While the warning stands only its own button counts, so that a stray move does not answer for the player.
    if (state !== 'active') return;
    const now = Date.now();
    seen(now);
    if (now - told > 15_000) {
      told = now;
      tellTabs({ kind: 'active', userId, at: now });
    }
  };
  const tick = () => {
    const idle = Date.now() - last;
    if (state === 'expired') return;
    if (idle >= TIME.idleMs && !asking) {
      tellTabs({ kind: 'anyoneActive', userId, since: last });
      const wait = document.visibilityState === 'visible' ? TIME.tabElectionMs : TIME.tabFallbackMs;
      asking = setTimeout(() => set('expired'), wait);
    } else if (idle >= TIME.idleMs - WARN_MS && idle < TIME.idleMs) set('warning');
  };

  const offActs = onAct(here);
  const timer = setInterval(tick, 1000);
  const off = onTabs((message) => {
    if (message.userId !== userId) return;
    if (message.kind === 'active') {
      // Another tab was used, or its player pressed Back to Home: this one is alive again too.
      if (state === 'expired' && message.at > last) state = 'warning';
      seen(message.at);
    }
    if (message.kind === 'anyoneActive' && last > message.since) tellTabs({ kind: 'active', userId, at: last });
  });

  return {
    stay: () => {
      last = Date.now();
      told = last;
      tellTabs({ kind: 'active', userId, at: last });
      if (state !== 'expired') set('active');
    },
    stop: () => {
      clearInterval(timer);
      if (asking) clearTimeout(asking);
      off();
      offActs();
    },
  };
}
