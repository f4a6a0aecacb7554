/** What is counted of the door, for /metrics; must be quick and must not throw. */
export interface ProgramMeter {
  /** An operation was answered: `ok`, the code of its report, or what it failed with. */
  called(operation: string, outcome: string, seconds: number): void;
  /** A change of prices was told to the stream so long after it was committed. */
  turned(seconds: number): void;
  /** Read at every scrape. */
  watchStream(read: () => StreamFigures): void;
}

export interface StreamFigures {
  connections: number;
  markets: number;
  orders: number;
  /** Readers that have not taken what was sent. */
  behind: number;
}

/** What became of an operation that gave an answer: reports say of themselves that they failed. */
export function outcomeOf(answer: unknown): string {
  const { status, errorCode } = (answer ?? {}) as { status?: unknown; errorCode?: unknown };
  if (typeof errorCode === 'string') return errorCode;
  return status === 'TIMEOUT' ? status : 'ok';
}
