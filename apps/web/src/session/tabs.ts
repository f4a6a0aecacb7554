import { Signal } from '../platform/listeners.ts';

/** What the tabs of one player tell each other. Session storage is per tab, so agreement needs a channel. */
export type TabMessage =
  | { kind: 'signedOut'; userId: number }
  | { kind: 'active'; userId: number; at: number }
  /** A tab about to expire asks whether another one was used since. */
  | { kind: 'anyoneActive'; userId: number; since: number };

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('fairgame');
const said = new Signal<[TabMessage]>();
channel?.addEventListener('message', (event: MessageEvent<TabMessage>) => said.tell(event.data));
export const onTabs = said.on;

export function tellTabs(message: TabMessage): void {
  channel?.postMessage(message);
}
