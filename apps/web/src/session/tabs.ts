/** What the tabs of one player tell each other. Session storage is per tab, so agreement needs a channel. */
export type TabMessage =
  | { kind: 'signedOut'; userId: number }
  | { kind: 'active'; userId: number; at: number }
  /** A tab about to expire asks whether another one was used since. */
  | { kind: 'anyoneActive'; userId: number; since: number };

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('fairgame');
const listeners = new Set<(message: TabMessage) => void>();
channel?.addEventListener('message', (event: MessageEvent<TabMessage>) => {
  for (const listener of listeners) listener(event.data);
});

export function tellTabs(message: TabMessage): void {
  channel?.postMessage(message);
}

export function onTabs(listener: (message: TabMessage) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
