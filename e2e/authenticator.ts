import { createHmac } from 'node:crypto';
import { until } from './wait.ts';

const STEP_MS = 30_000;
/** The step before the clock's is taken until the clock turns: what is typed with this much time left arrives before that. */
const TYPED_MS = 12_000;

/** An authenticator app: six digits of a secret, each time step used once, as the server wants it. */
export class AuthenticatorApp {
  readonly secret: string;
  private last = 0;

  constructor(secret: string) {
    this.secret = secret.replace(/\s/g, '');
  }

  /** A code that counts now. Steps that were used are passed over; one either side of the clock's is still taken. */
  async code(): Promise<string> {
    this.last = await until(
      'the clock stands still',
      () => {
        const present = Math.floor(Date.now() / STEP_MS);
        const inTime = STEP_MS - (Date.now() % STEP_MS) > TYPED_MS;
        const step = Math.max(inTime ? present - 1 : present, this.last + 1);
        return step <= present + 1 && step;
      },
      { timeout: 2 * STEP_MS },
    );
    return totp(this.secret, this.last);
  }
}

/** RFC 6238 with SHA-1 and six digits. */
function totp(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', base32(secret)).update(counter).digest();
  const at = mac[19]! & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function base32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let bits = '';
  for (const letter of text.replace(/=+$/, '')) bits += letters.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
