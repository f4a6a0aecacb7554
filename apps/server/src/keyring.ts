import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * The site's secret, and the ones before it. New texts are sealed with the first; older ones open with the key that is named
 * in them, so the secret can be changed without losing anything that was sealed before.
 */
export interface Keyring {
  /** AES-256-GCM under the present key. `about` says what the text belongs to: sealed for one it does not open for another. */
  seal(about: string, text: string): string;
  /** Null when no key of the ring opens it, or when it was sealed about something else. */
  open(about: string, sealed: string): string | null;
  /** How everything that is sealed now begins; what begins otherwise should be sealed anew while its key is still there. */
  readonly mark: string;
  /** A ring of its own for one purpose: knowing its keys tells nothing of the others. */
  purpose(name: string): Keyring;
  /** 32 bytes each, the present one first: for signatures, which are made with the first and checked with any. */
  readonly keys: readonly Buffer[];
}

interface Key {
  id: string;
  bytes: Buffer;
}

const MARK = /^([0-9a-f]{8})\.([A-Za-z0-9+/=]+)$/;

/** `secrets` are 32 bytes each, the present one first. */
export function createKeyring(secrets: readonly Buffer[]): Keyring {
  const keys: Key[] = secrets.map((bytes) => ({
    // Eight digits tell keys apart and nothing of them.
    id: createHash('sha256').update('fairgame key id').update(bytes).digest('hex').slice(0, 8),
    bytes,
  }));
  const [present] = keys;
  if (!present) throw new Error('a keyring needs a key');
  const mark = `${present.id}.`;
  return {
    mark,
    seal: (about, text) => mark + sealed(present.bytes, about, text),
    open(about, text) {
      const [, id, body] = MARK.exec(text) ?? [];
      // What was sealed before keys had names may be of any of them.
      const candidates = id === undefined ? keys : keys.filter((key) => key.id === id);
      for (const { bytes } of candidates) {
        try {
          return opened(bytes, about, body ?? text);
        } catch {
          // Another key's.
        }
      }
      return null;
    },
    purpose: (name) =>
      createKeyring(secrets.map((bytes) => Buffer.from(hkdfSync('sha256', bytes, '', `fairgame ${name}`, 32)))),
    keys: secrets,
  };
}

function sealed(key: Buffer, about: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

function opened(key: Buffer, about: string, text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
