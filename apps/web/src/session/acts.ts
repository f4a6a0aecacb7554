import { Signal } from '../platform/listeners.ts';
import { beforeReload } from '../platform/reload.ts';
import { tab } from '../platform/storage.ts';
import { readSession } from './record.ts';

/**
 * When the player last did something himself in this tab: pointer, key, touch, scroll, play in a game's frame, or opening the
 * page. What the client does by itself is none: its polling, and the reloads it makes of its own accord.
 */

/** Event of the window by which play in a frame counts as an act: its presses are not heard outside of it. */
export const ACTIVITY = 'fairgame-activity';

/** A call this long after the last act is the client's own. */
const ATTENDED_MS = 60_000;
const ACTED = 'fg.player.acted';
const BY_ITSELF = 'fg.player.reloads';
const KEEP_EVERY_MS = 5000;

const acted = new Signal<[at: number]>();
export const onAct = acted.on;
let keptAt = 0;
let last = begin();

export const lastAct = (): number => last;

/** Whether nobody has been at this tab for a while. */
export const isUnattended = (): boolean => Date.now() - last > ATTENDED_MS;

// The next load of this page is the client's own: it is no sign of the player.
beforeReload(() => {
  store(BY_ITSELF, '1');
  store(ACTED, String(last));
});

function begin(): number {
  const own = tab.text(BY_ITSELF) !== null;
  tab.keepText(BY_ITSELF, null);
  const kept = Number(tab.text(ACTED));
  return own && kept > 0 ? kept : Date.now();
}

function act(): void {
  last = Date.now();
  if (last - keptAt > KEEP_EVERY_MS) {
    keptAt = last;
    store(ACTED, String(last));
  }
  acted.tell(last);
}

function store(key: string, value: string): void {
  // Before a sign-in and after a sign-out nothing is kept.
  if (readSession()) tab.keepText(key, value);
}

for (const event of ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'scroll', 'wheel', ACTIVITY] as const)
  window.addEventListener(event, act, { passive: true, capture: true });
