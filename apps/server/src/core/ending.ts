/** What a process does that must go on no more, unless it was told otherwise: it says why, and whoever runs it starts it anew. */
export function endProcess(reason: string): void {
  process.stderr.write(`fairgame core: ${reason}; ending\n`);
  process.exit(1);
}
