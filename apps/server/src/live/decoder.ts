/** What an open socket says, decoded as socket.io does it; in the place of a value with a field that stands twice comes which. */
import { Decoder, Encoder, type Packet } from 'socket.io-parser';
import { FieldTwice, fieldTwice } from '../http/input.ts';

class SocketDecoder extends Decoder {
  private text = '';

  constructor() {
    super();
    // Before the server's own listener, which comes later.
    this.on('decoded', (packet) => this.look(packet));
  }

  override add(said: unknown): void {
    // What is binary of a message comes behind its text.
    if (typeof said === 'string') this.text = said;
    super.add(said);
  }

  private look(packet: Packet): void {
    const twice = fieldTwice(this.text, packet.data);
    if (twice === null) return;
    const { data } = packet as { data: unknown };
    packet.data = Array.isArray(data) ? [data[0], new FieldTwice(twice)] : new FieldTwice(twice);
  }
}

export const socketParser = { Encoder, Decoder: SocketDecoder };
