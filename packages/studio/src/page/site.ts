/** Messages through the edge of the frame: to the site's own origin only, and taken from it only, in the right shape only. */
import type { FrameMessage, SiteMessage } from '../wire.ts';

type Plain = FrameMessage extends infer M ? (M extends { v: 1 } ? Omit<M, 'v'> : never) : never;

export interface Site {
  send(message: Plain): void;
  /** Returns a function that ends the listening. */
  listen(take: (message: SiteMessage) => void): () => void;
}

/** `own` is the page's window, `parentOrigin` comes from the session. A page in no frame has nobody to talk to. */
export function siteOf(own: Window, parentOrigin: string): Site {
  const framed = own.parent !== own;
  return {
    send(message) {
      if (framed) own.parent.postMessage({ v: 1, ...message }, parentOrigin);
    },
    listen(take) {
      const hear = (event: MessageEvent) => {
        if (!framed || event.source !== own.parent || event.origin !== parentOrigin) return;
        const message = siteMessage(event.data);
        if (message) take(message);
      };
      own.addEventListener('message', hear);
      return () => own.removeEventListener('message', hear);
    },
  };
}

/** The message if it is one of the protocol with exactly its fields, else null. */
export function siteMessage(data: unknown): SiteMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const message = data as Record<string, unknown>;
  if (message.v !== 1) return null;
  const extra = Object.keys(message).filter((name) => name !== 'v' && name !== 'type');
  switch (message.type) {
    case 'pause':
    case 'resume':
    case 'realityCheck':
      return extra.length === 0 ? { v: 1, type: message.type } : null;
    case 'mute':
      return extra.length === 1 && typeof message.on === 'boolean' ? { v: 1, type: 'mute', on: message.on } : null;
    case 'theme':
      return extra.length === 1 && (message.theme === 'dark' || message.theme === 'light')
        ? { v: 1, type: 'theme', theme: message.theme }
        : null;
    default:
      return null;
  }
}
