import { type FrameMessage, frameMessage, type SiteMessage } from '@fairgame/contract';
import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** Where a game runs, once its address is fit to be opened in a frame. */
export interface GameAddress {
  url: string;
  origin: string;
}

/**
 * The address a launch answered, or null where it must not be opened: other schemes, and our own origin, since a frame with
 * scripts and the site's origin could reach into the page around it.
 */
export function gameAddress(url: string): GameAddress | null {
  if (!URL.canParse(url)) return null;
  const { protocol, origin, username, password } = new URL(url);
  if ((protocol !== 'https:' && protocol !== 'http:') || origin === window.location.origin) return null;
  return username || password ? null : { url, origin };
}

/** A message of this game: from its window, from its origin, of a known shape. Null for everything else. */
export function messageOf(
  event: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  origin: string,
  frame: Window | null | undefined,
): FrameMessage | null {
  if (!frame || event.source !== frame || event.origin !== origin) return null;
  return frameMessage(event.data);
}

/** Hears the game in the frame and speaks to it, to its origin alone. */
export function useFrame(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string | null,
  onMessage: (message: FrameMessage) => void,
): (message: SiteMessage) => void {
  const heard = useRef(onMessage);
  heard.current = onMessage;
  useEffect(() => {
    if (origin === null) return;
    const listener = (event: MessageEvent) => {
      const message = messageOf(event, origin, frame.current?.contentWindow);
      if (message) heard.current(message);
    };
    window.addEventListener('message', listener);
    return () => window.removeEventListener('message', listener);
  }, [frame, origin]);
  return useCallback(
    (message) => {
      if (origin !== null) frame.current?.contentWindow?.postMessage(message, origin);
    },
    [frame, origin],
  );
}
