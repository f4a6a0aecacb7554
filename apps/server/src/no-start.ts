/** What a start that failed says on its way out. */
const SAID: Partial<Record<string, string>> = {
  EADDRINUSE: 'The port is in use. Choose another one: PORT=3001 npm start',
  ENOSPC: 'fairGame did not start: the disk of its data folder (FAIRGAME_DATA) has no room left',
};

export function whyNoStart(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const known = SAID[String((error as { code?: unknown } | null)?.code)];
  return known ? `${known} (${text})` : `fairGame did not start: ${text}`;
}
