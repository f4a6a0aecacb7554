import { useEffect } from 'react';

let shown = 'fairGame';
let waiting = 0;

/** Sets the document title, `text | fairGame`, while the caller is mounted. Screens with an event name use it over the route's. */
export function useTitle(text: string | null | undefined): void {
  useEffect(() => {
    if (text) setTitle(text);
  }, [text]);
}

export function setTitle(text: string): void {
  shown = text;
  const whole = text === 'fairGame' ? text : `${text} | fairGame`;
  document.title = waiting > 0 ? `(${waiting}) ${whole}` : whole;
}

/** Counts before the title what the player has not seen yet: another page is in front of this one. */
export function countInTitle(add: number): void {
  waiting = add === 0 ? 0 : waiting + add;
  setTitle(shown);
}
