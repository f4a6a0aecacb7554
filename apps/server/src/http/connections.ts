/** How many connections there may be, of one network and in all. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressSet, networkOf } from './address.ts';
import type { ListenerOptions } from './options.ts';

/** The word of a trusted proxy is that it speaks for many. */
export function limitConnections(app: FastifyInstance, { config, log }: Pick<ListenerOptions, 'config' | 'log'>): void {
  const { all } = config.connectionLimits;
  const perAddress = config.limitFactor === 0 ? Number.POSITIVE_INFINITY : config.connectionLimits.perAddress;
  const isProxy = addressSet(config.trustProxy);
  const open = new Map<string, number>();
  let refused = 0;
  app.server.maxConnections = all;
  app.server.on('drop', () => {
    refused += 1;
  });
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const { near } = networkOf(address);
    const count = (open.get(near) ?? 0) + 1;
    if (count > perAddress) {
      refused += 1;
      socket.destroy();
      return;
    }
    open.set(near, count);
    socket.once('close', () => {
      const left = open.get(near)! - 1;
      if (left === 0) open.delete(near);
      else open.set(near, left);
    });
  });
  // A flood is told by its size now and then, not by a line for each.
  const teller = setInterval(() => {
    if (refused > 0) log.warn({ security: 'connections.refused', count: refused, open: open.size }, 'security');
    refused = 0;
  }, 10_000);
  teller.unref();
  app.addHook('onClose', async () => clearInterval(teller));
}
