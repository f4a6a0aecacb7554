import { useEffect } from 'react';

/** Sets the document title, `text | fairGame`, while the caller is mounted. Screens with an event name use it over the route's. */
export function useTitle(text: string | null | undefined): void {
  useEffect(() => {
    if (text) setTitle(text);
  }, [text]);
}

export function setTitle(text: string): void {
  document.title = text === 'fairGame' ? text : `${text} | fairGame`;
}
