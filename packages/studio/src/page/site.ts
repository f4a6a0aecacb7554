/** Messages through the edge of the frame: to the site's own origin only, and taken from it only, in the right shape only. */
import { type FrameMessage, type SiteMessage, siteMessage } from '@fairgame/contract/frame';

type Plain = FrameMessage extends infer M ? (M extends { v: 1 } ? Omit<M, 'v'> : never) : never;

export interface Site {
  /** The page stands in the site's frame, which says the name of the game and of its maker over it. */
  readonly framed: boolean;
  send(message: Plain): void;
  /** Returns a function that ends the listening. */
  listen(take: (message: SiteMessage) => void): () => void;
}

/** `own` is the page's window, `parentOrigin` comes from the session. A page in no frame has nobody to talk to. */
export function siteOf(own: Window, parentOrigin: string): Site {
  const framed = own.parent !== own;
  return {
    framed,
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
