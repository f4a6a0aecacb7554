import { Signal } from '../platform/listeners.ts';

const lost = new Signal();
/** The line is gone, or silent for too long. */
export const tellLost = lost.tell;
/** Told at once, and in a tab that nobody looks at, too: what may place by one press ends with the line. */
export const onLineLost = lost.on;
