/** Rises with every change of what a command means: a log of another version can't be replayed. */
export const LOGIC_VERSION = 1;
