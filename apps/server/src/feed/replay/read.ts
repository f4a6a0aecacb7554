/** Messages of several sources merged by publish time; what cannot be read is reported and stepped over. */
import { type Line, openSources, type Source, UnreadableFile } from './decode.ts';
import { Malformed, type MarketMessage, parseMessage } from './message.ts';

export interface MalformedLine {
  file: string;
  line: number;
  reason: string;
}

export interface ReadReport {
  /** Lines with something on them. */
  lines: number;
  /** Lines of other kinds than market changes (connection, status, orders, scores), by their op. */
  otherLines: Record<string, number>;
  malformedLines: number;
  /** The first of them, at most `MALFORMED_KEPT`. */
  malformed: MalformedLine[];
  /** Files of which nothing could be read. */
  unreadable: Array<{ file: string; reason: string }>;
}

export interface SourcedMessage {
  message: MarketMessage;
  source: string;
  line: number;
}

const MALFORMED_KEPT = 1000;

export function emptyReport(): ReadReport {
  return { lines: 0, otherLines: {}, malformedLines: 0, malformed: [], unreadable: [] };
}

/** Reads every file (`-` is standard input). Equal times keep the order of the files, and of the lines in a file. */
export async function* readMessages(paths: readonly string[], report: ReadReport): AsyncGenerator<SourcedMessage> {
  const sources: Source[] = [];
  for (const path of paths) {
    try {
      sources.push(...(await openSources(path)));
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      report.unreadable.push({ file: error.file, reason: error.reason });
    }
  }
  yield* mergeMessages(sources, report);
}

export async function* mergeMessages(sources: readonly Source[], report: ReadReport): AsyncGenerator<SourcedMessage> {
  const cursors: Cursor[] = [];
  for (const source of sources) cursors.push(new Cursor(source, report));
  try {
    for (const cursor of cursors) await cursor.advance();
    for (;;) {
      let first: Cursor | null = null;
      for (const cursor of cursors) {
        if (cursor.head && (!first?.head || cursor.head.message.publishTime < first.head.message.publishTime))
          first = cursor;
      }
      if (!first?.head) return;
      yield first.head;
      if (!first.advanceInBatch()) await first.advance();
    }
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}

class Cursor {
  head: SourcedMessage | null = null;
  private readonly source: Source;
  private readonly report: ReadReport;
  private readonly batches: AsyncGenerator<Line[]>;
  private batch: Line[] = [];
  private at = 0;
  private lastLine = 0;

  constructor(source: Source, report: ReadReport) {
    this.source = source;
    this.report = report;
    this.batches = source.batches();
  }

  /** Moves to the next message; `head` is null at the end. */
  async advance(): Promise<void> {
    while (!this.advanceInBatch()) {
      try {
        const next = await this.batches.next();
        if (next.done) return;
        this.batch = next.value;
        this.at = 0;
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        if (this.lastLine === 0) this.report.unreadable.push({ file: this.source.name, reason: error.reason });
        else this.fault(this.lastLine + 1, `the rest cannot be read: ${error.reason}`);
        return;
      }
    }
  }

  /** The same without waiting; false when the batch has no further message. */
  advanceInBatch(): boolean {
    this.head = null;
    while (this.at < this.batch.length) {
      const line = this.batch[this.at++]!;
      this.lastLine = line.number;
      this.report.lines++;
      const message = this.parse(line);
      if (!message) continue;
      this.head = { message, source: this.source.name, line: line.number };
      return true;
    }
    return false;
  }

  async close(): Promise<void> {
    await this.batches.return(undefined);
  }

  private parse(line: Line): MarketMessage | null {
    if (line.fault) {
      this.fault(line.number, line.fault);
      return null;
    }
    try {
      const message = parseMessage(line.text);
      if (message.op === 'mcm') return message;
      this.report.otherLines[message.name] = (this.report.otherLines[message.name] ?? 0) + 1;
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.fault(line.number, error.message);
    }
    return null;
  }

  private fault(line: number, reason: string): void {
    this.report.malformedLines++;
    if (this.report.malformed.length < MALFORMED_KEPT)
      this.report.malformed.push({ file: this.source.name, line, reason });
  }
}
