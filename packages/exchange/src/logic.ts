/**
 * Rises with every change of what a command does. A log is replayed by the version that wrote it: behind a snapshot at its
 * end any version may go on.
 */
export const LOGIC_VERSION = 18;
