/**
 * A WebSocket of a client that measures and must cost next to nothing itself: whole frames of text, one listener, nothing made for a
 * frame that comes.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface RawLine {
  send(text: string): void;
  end(): void;
}

/** Where the text of a frame stands: only while the listener is called. */
export type OnText = (bytes: Buffer, from: number, to: number, line: RawLine) => void;

/** All lines are read into it, one after the other. */
const READ_TO = Buffer.allocUnsafeSlow(65_536);

/** Resolves when it is open. An end that nobody asked for ends the process. */
export function openRawLine(url: URL, onText: OnText): Promise<RawLine> {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let isEnding = false;
    /** The beginning of what has not come whole. */
    let rest: Buffer | null = null;

    function read(length: number): boolean {
      const bytes: Buffer = rest ? Buffer.concat([rest, READ_TO.subarray(0, length)]) : READ_TO;
      const end = rest ? bytes.length : length;
      rest = null;
      const at = isOpen ? 0 : welcomed(bytes.subarray(0, end));
      const done = isOpen ? eachFrame(bytes, at, end, (from, to) => onText(bytes, from, to, own)) : at;
      if (done < end) rest = Buffer.from(bytes.subarray(done, end));
      return true;
    }
    /** Answers where the first frame begins; 0 where the answer to the handshake is not whole. */
    function welcomed(bytes: Buffer): number {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return 0;
      const first = bytes.subarray(0, bytes.indexOf('\r\n')).toString();
      isOpen = first.includes(' 101 ');
      if (isOpen) resolve(own);
      else reject(new Error(`${url.href}: ${first}`));
      return end + 4;
    }

    const line = connect({
      host: url.hostname,
      port: Number(url.port),
      noDelay: true,
      onread: { buffer: READ_TO, callback: read },
    });
    const own: RawLine = {
      send: (text) => void line.write(frameOf(text)),
      end() {
        isEnding = true;
        line.destroy();
      },
    };
    line.on('error', reject);
    line.on('close', () => {
      if (!isOpen) reject(new Error(`${url.href}: closed`));
      else if (!isEnding) throw new Error(`${url.href}: the server closed it`);
    });
    askFor(url, line);
  });
}

function askFor(url: URL, line: Socket): void {
  line.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
}

/** RFC 6455, 5.2; a server's frames have no mask. Answers where the first begins that has not come whole. */
function eachFrame(bytes: Buffer, start: number, end: number, tell: (from: number, to: number) => void): number {
  let at = start;
  while (at + 2 <= end) {
    const short = bytes[at + 1]!;
    const from = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
    if (from > end) break;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
    if (from + length > end) break;
    tell(from, from + length);
    at = from + length;
  }
  return at;
}

/** A client's frame has a mask; of zeros it changes nothing. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? [0x81, 0x80 | body.length] : [0x81, 0xfe, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body]);
}
