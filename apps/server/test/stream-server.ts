/** The other side of a market stream: greets, takes any credentials unless told to refuse, then speaks as the test wants. */
import net from 'node:net';
import tls from 'node:tls';

export interface StreamClient {
  said: Array<Record<string, unknown>>;
  tell(message: Record<string, unknown>): void;
  raw(text: string): void;
  close(): void;
}

export interface StreamServer {
  port: number;
  /** The next client that has subscribed; each once. */
  client: () => Promise<StreamClient>;
  close(): Promise<void>;
}

export async function startStreamServer(
  options: { refuse?: string; identity?: { key: string; cert: string } } = {},
): Promise<StreamServer> {
  const waiting: Array<(client: StreamClient) => void> = [];
  const ready: StreamClient[] = [];
  const serve = (socket: net.Socket): void => {
    const client: StreamClient = {
      said: [],
      // In two pieces: a line may come in any number of them.
      tell: (message) => {
        const text = `${JSON.stringify(message)}\r\n`;
        socket.write(text.slice(0, 7));
        socket.write(text.slice(7));
      },
      raw: (text) => socket.write(text),
      close: () => socket.destroy(),
    };
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line) as Record<string, unknown>;
        client.said.push(message);
        if (message.op === 'authentication') {
          client.tell(
            options.refuse
              ? { op: 'status', id: 1, statusCode: 'FAILURE', errorCode: options.refuse, connectionClosed: true }
              : { op: 'status', id: 1, statusCode: 'SUCCESS' },
          );
        } else {
          client.tell({ op: 'status', id: 2, statusCode: 'SUCCESS' });
          const next = waiting.shift();
          if (next) next(client);
          else ready.push(client);
        }
      }
    });
    client.tell({ op: 'connection', connectionId: 'x' });
  };
  const server = options.identity ? tls.createServer(options.identity, serve) : net.createServer(serve);
  server.on('tlsClientError', () => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as net.AddressInfo).port,
    client: () => new Promise((resolve) => (ready.length > 0 ? resolve(ready.shift()!) : waiting.push(resolve))),
    close: () => new Promise((done) => server.close(() => done())),
  };
}
