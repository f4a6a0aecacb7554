import type { ServerResponse } from 'node:http';
import type { LiveView, PageError } from '../wire.ts';
import { Refusal } from './refusal.ts';

const MOST_OF_SESSION = 4;
const HEARTBEAT_MS = 15_000;

/** Null: the page comes back by itself. */
type End = (code: PageError['code'] | null) => void;

/** The live streams of open pages, by the ids of their sessions. */
export class PageStreams {
  private readonly open = new Map<string, Set<End>>();

  /** Tells what `view` says now, and again whenever `watch` hears of a change. */
  begin(id: string, out: ServerResponse, view: () => LiveView, watch: (changed: () => void) => () => void): void {
    out.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const send = () => out.write(`data: ${JSON.stringify(view())}\n\n`);
    const unwatch = watch(send);
    const beat = setInterval(() => out.write(': \n\n'), HEARTBEAT_MS);
    const ends = this.open.get(id) ?? new Set();
    this.open.set(id, ends);
    const leave = () => {
      if (!ends.delete(end)) return;
      clearInterval(beat);
      unwatch();
      if (ends.size === 0) this.open.delete(id);
    };
    const end: End = (code) => {
      // A slow reader takes long to close: nothing may be written behind the end meanwhile.
      leave();
      if (code !== null) out.write(`event: gone\ndata: ${JSON.stringify(new Refusal(code).page)}\n\n`);
      out.end();
    };
    ends.add(end);
    // The same page again and again: the oldest makes room.
    const [oldest] = ends;
    if (ends.size > MOST_OF_SESSION) oldest?.(null);
    out.on('close', leave);
    send();
  }

  end(id: string, code: PageError['code']): void {
    for (const end of this.open.get(id) ?? []) end(code);
  }

  endAll(): void {
    for (const ends of this.open.values()) for (const end of ends) end(null);
  }
}
