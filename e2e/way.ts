import { createServer, connect as dial, type Socket } from 'node:net';
import type { Site } from './site.ts';

/** A way to a site of a port of its own, on which sockets can be ended as a server ends them. */
interface Way {
  site: Site;
  /** Tells the pages that their sockets are being closed, and nothing more: the browser ends them when it has waited long enough. */
  beginEnd(): void;
  close(): void;
}

/** The frame by which a WebSocket server says that it closes (RFC 6455, 5.5.1), with the status of a normal end. */
const CLOSING = Buffer.from([0x88, 0x02, 0x03, 0xe8]);

export async function wayTo(site: Site): Promise<Way> {
  const lines = new Set<{ near: Socket; far: Socket; isSocket: boolean }>();
  const server = createServer((near) => {
    const line = { near, far: dial(site.port, 'localhost'), isSocket: false };
    lines.add(line);
    near.once('data', (head) => (line.isSocket = /^upgrade: websocket/im.test(head.toString('latin1'))));
    for (const [from, to] of [
      [near, line.far],
      [line.far, near],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
    near.on('close', () => lines.delete(line));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as { port: number };
  return {
    site: { ...site, port, url: `http://localhost:${port}` },
    beginEnd() {
      for (const { near, far, isSocket } of lines) {
        if (!isSocket) continue;
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        near.write(CLOSING);
      }
    },
    close() {
      server.close();
      for (const { near } of lines) near.destroy();
    },
  };
}
