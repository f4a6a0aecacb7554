/** What carries the lines of a connection: TLS or TCP, or a WebSocket. */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';

export interface Wire {
  readonly address: string;
  /** Bytes that were written and not taken yet. */
  waiting(): number;
  /** A text of ASCII, or its bytes. */
  write(line: string | Buffer): void;
  /** Lines as they come, in pieces, and the end. Called once. */
  hear(piece: (text: string) => void, gone: () => void): void;
  /** What was written last still goes out. */
  end(): void;
  destroy(): void;
}

/** How long the other side may take to read what was written last, and to say that it closes as well. */
const CLOSING_MS = 1000;

export function socketWire(socket: Socket): Wire {
  socket.setNoDelay(true);
  socket.setEncoding('utf8');
  return {
    address: socket.remoteAddress ?? '',
    waiting: () => socket.writableLength,
    // Lines are ASCII (`lineOf`): so their letters need no other encoding.
    write: (line) => void socket.write(line, 'latin1'),
    hear(piece, gone) {
      socket.on('data', (text) => piece(String(text)));
      socket.on('error', gone);
      socket.on('close', gone);
    },
    end() {
      socket.destroySoon();
      // Who takes nothing never gets to the end of what was written.
      setTimeout(() => socket.destroy(), CLOSING_MS).unref();
    },
    destroy: () => socket.destroy(),
  };
}

/** Each message is a line, or some of them; what it lacks at its end is added. */
export function webSocketWire(socket: WebSocket, address: string): Wire {
  return {
    address,
    waiting: () => socket.bufferedAmount,
    write: (line) => socket.send(line, { binary: false }),
    hear(piece, gone) {
      socket.on('message', (data: RawData) => piece(`${textOf(data)}\n`));
      socket.on('error', gone);
      socket.on('close', gone);
    },
    end() {
      socket.close();
      setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    },
    destroy: () => socket.terminate(),
  };
}

/** The socket is told to hand over buffers. */
const textOf = (data: RawData): string => (data as Buffer).toString();
