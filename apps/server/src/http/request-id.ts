import { randomBytes } from 'node:crypto';

const start = randomBytes(6).toString('base64url');
let n = 0;

/** The caller's own id of a request where it is a plain word, else one of ours, never given twice. */
export function requestId(given?: unknown): string {
  if (typeof given === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(given)) return given;
  n += 1;
  return `${start}${n.toString(36).padStart(4, '0')}`;
}
