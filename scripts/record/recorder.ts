/**
 * Markets of a site, written down as they are streamed: lines as historic files have them, which `npm run replay` and the
 * recorded feed read. What is written is folded in passing, so that the end of it says what a replay of it must come to.
 */
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { RECORDED_FIELDS, type RecordedNames, recordedLine } from '@fairgame/exchange-api';
import { createFold } from '../../apps/server/src/feed/replay/fold.ts';
import { parseMessage } from '../../apps/server/src/feed/replay/message.ts';
import { createChangeHash } from '../../apps/server/src/feed/replay/summary.ts';
import { type Change, type Exchange, Refused, Stream } from '../../examples/bot/exchange.ts';

interface Named {
  marketId: string;
  marketName: string;
  event: { name: string };
  runners: Array<{ selectionId: number; runnerName: string }>;
}

export interface Recorded {
  lines: number;
  /** As `npm run replay` tells it of the file. */
  hash: string;
  /** Markets that had their result. */
  closed: number;
}

export class Recorder {
  private readonly exchange: Exchange;
  private readonly marketIds: string[];
  private readonly fold = createFold();
  private readonly hash = createChangeHash();
  private readonly names = new Map<string, Named>();
  private lines = 0;
  private end: () => void = () => undefined;

  /** Of somebody who is signed in. */
  constructor(exchange: Exchange, marketIds: string[]) {
    this.exchange = exchange;
    this.marketIds = marketIds;
  }

  /** Until all markets have their result, or `stop`. Throws where the file is there already, and Refused where the site ends it. */
  async record(file: string): Promise<Recorded> {
    await this.name();
    const out = await opened(file);
    const stream = new Stream(this.exchange, this.marketIds, { fields: [...RECORDED_FIELDS], orders: false });
    try {
      await new Promise<void>((resolve, reject) => {
        this.end = resolve;
        stream.onEnd = (code) => reject(new Refused(code, 'the stream'));
        out.on('error', reject);
        stream.onLine = (change) => {
          this.take(change, out);
          if (this.closed() === this.marketIds.length) resolve();
        };
      });
    } finally {
      stream.stop();
      out.end();
    }
    await finished(out);
    return { lines: this.lines, hash: this.hash.text(), closed: this.closed() };
  }

  stop(): void {
    this.end();
  }

  /** Streams name nothing; files do. */
  private async name(): Promise<void> {
    const found = await this.exchange.rest<Named[]>('betting', 'listMarketCatalogue', {
      filter: { marketIds: this.marketIds },
      maxResults: this.marketIds.length,
      marketProjection: ['EVENT', 'RUNNER_DESCRIPTION'],
    });
    for (const one of found) this.names.set(one.marketId, one);
    const missing = this.marketIds.filter((id) => !this.names.has(id));
    if (missing.length > 0) throw new Refused('NO_MARKET', missing.join(', '));
  }

  private take({ op, ct, clk, pt, mc }: Change, out: Writable): void {
    if (op !== 'mcm' || ct === 'HEARTBEAT' || !mc || pt === undefined) return;
    const line = recordedLine({ clk, pt }, mc, (id) => this.namesOf(id));
    out.write(line);
    this.lines++;
    const message = parseMessage(line);
    if (message.op === 'mcm') for (const change of this.fold.apply(message)) this.hash.take(change);
  }

  private namesOf(marketId: string): RecordedNames | undefined {
    const named = this.names.get(marketId);
    return (
      named && {
        market: named.marketName,
        event: named.event.name,
        runnerOf: (id) => named.runners.find(({ selectionId }) => selectionId === id)?.runnerName,
      }
    );
  }

  private closed(): number {
    return [...this.fold.markets.values()].filter(({ definition }) => definition?.status === 'CLOSED').length;
  }
}

/** Never over what is there. Plain text is whole up to its last line whenever the recorder dies; .gz is smaller. */
async function opened(file: string): Promise<Writable> {
  const to = createWriteStream(file, { flags: 'wx' });
  await new Promise<void>((resolve, reject) => {
    to.once('open', () => resolve());
    to.once('error', reject);
  });
  if (!file.endsWith('.gz')) return to;
  const packed = createGzip();
  packed.pipe(to);
  return packed;
}
